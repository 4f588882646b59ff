"""Modules that are imported as ``concord.NAME``; ``concord.__path__`` names this folder.

``concord.py`` is a file. Its ``__path__`` lets Python look here for what comes after the point.
"""
