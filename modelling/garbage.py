"""Work that makes many objects and no cycles, without pauses of the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def keep_garbage() -> Iterator[None]:
    """In the block, cycles are not looked for: each new object would have all older ones looked
    through in vain, which takes as long as the work itself where many are loaded."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
