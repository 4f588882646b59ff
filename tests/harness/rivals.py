"""Two backends that break each other's process, as libraries that export the same symbols do."""

from __future__ import annotations

import sys

from liars import Honest


def _load(own: str, rival: str) -> Honest:
    """A backend, if its rival was never loaded into this process."""
    if f"library_of_{rival}" in sys.modules:
        raise ImportError(f"library_of_{own}: undefined symbol, for library_of_{rival} is here")
    sys.modules[f"library_of_{own}"] = sys
    return Honest()


def left() -> Honest:
    return _load("left", "right")


def right() -> Honest:
    return _load("right", "left")
