"""Does a hunt find faults that were planted in our own backends, and does its guidance help?

faults     which lines of which backends are changed
planting   a backend with a changed line, hunted in a process of its own
__main__   the study
"""
