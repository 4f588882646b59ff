"""A higher recursion limit of the interpreter, for as long as a recursive search runs.

The limit belongs to the process, and several threads may search at a time: the highest that one of
them needs holds, and the usual one returns with the end of the last search.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_needed: list[int] = []
_usual = 0


@contextmanager
def recursion_limit(frames: int) -> Iterator[None]:
    """Let functions call each other at least ``frames`` deep until the block ends."""
    global _usual
    with _lock:
        if not _needed:
            _usual = sys.getrecursionlimit()
        _needed.append(frames)
        sys.setrecursionlimit(max(_usual, *_needed))
    try:
        yield
    finally:
        with _lock:
            _needed.remove(frames)
            sys.setrecursionlimit(max([_usual, *_needed]))
