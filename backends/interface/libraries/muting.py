"""Keeps what a library prints itself, from C, off the screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def muted(*descriptors: int) -> Iterator[None]:
    """In the block what is written to these file descriptors is lost: 1 is standard output, 2
    standard error."""
    kept = [os.dup(one) for one in descriptors]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for one in descriptors:
            os.dup2(nowhere, one)
        yield
    finally:
        for before, one in zip(kept, descriptors, strict=True):
            os.dup2(before, one)
            os.close(before)
        os.close(nowhere)
