"""Families for the tests that are slow to import, or cannot be: each is imported by its name."""

from __future__ import annotations

import os
import time

from tiny_family import Tiny

__all__ = ["Tiny"]

IMPORT_SECONDS = 1.2


def __getattr__(name: str) -> object:
    if name == "Slow":
        time.sleep(IMPORT_SECONDS)
        return Tiny
    if name == "Hangs":
        time.sleep(120)
    if name == "Dies":
        os.abort()
    if name == "Raises":
        time.sleep(IMPORT_SECONDS)
        raise RuntimeError("a bug of the family")
    raise AttributeError(name)
