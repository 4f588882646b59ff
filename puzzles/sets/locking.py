"""A lock on a file, held by one process at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_SECONDS = 0.1
"""Who waits for a lock looks so often whether it is free."""


@contextmanager
def locked(path: Path, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock ``path`` for as long as the block lasts; it waits for whoever holds it.

    The operating system holds the lock, so that it ends with its process, however that ends. The
    file is made, and removed at the end. ``on_wait`` is called once when there is someone to wait
    for. Raises ``OSError`` where the file system keeps no locks.
    """
    import filelock  # here, since whoever reads a set that ships needs none

    held = filelock.FileLock(
        path, thread_local=False, poll_interval=POLL_SECONDS, fallback_to_soft=False
    )
    try:
        held.acquire(blocking=False)
    except filelock.Timeout:
        if on_wait is not None:
            on_wait()
        held.acquire()
    try:
        yield
    finally:
        # Windows removes no file that a waiting process has open; it then stays, and is empty.
        with contextlib.suppress(PermissionError):
            path.unlink(missing_ok=True)
        held.release()
