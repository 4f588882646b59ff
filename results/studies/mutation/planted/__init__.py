"""Does a hunt find faults that are planted in our own backends, and does its guidance help?

``faults`` says which lines of which backends are changed, ``planting`` hunts a backend with a
changed line in a process of its own.
"""
