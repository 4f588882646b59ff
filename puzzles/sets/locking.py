"""Files that several processes write: a lock on a file, and text that is replaced as a whole.

The operating system holds the lock, so that it ends with its process, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_SECONDS = 0.1
"""Who waits for a lock looks so often whether it is free."""


@contextmanager
def locked(path: Path, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock ``path`` for as long as the block lasts; it waits for whoever holds it.

    The file is made, and removed at the end. ``on_wait`` is called once when there is someone to
    wait for. Raises ``OSError`` where the file system keeps no locks.
    """
    descriptor = _taken(path, on_wait)
    try:
        yield
    finally:
        # Windows removes no file that a waiting process has open; it then stays, and is empty.
        with contextlib.suppress(PermissionError):
            path.unlink(missing_ok=True)
        os.close(descriptor)


def _taken(path: Path, on_wait: Callable[[], None] | None) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            while not _try(descriptor):
                if on_wait is not None:
                    on_wait()
                    on_wait = None
                time.sleep(POLL_SECONDS)
            if _is_still(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # whoever had it has removed it: what is locked has no name any more


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def replace_text(path: Path, text: str) -> None:
    """Write ``path`` so that at any moment it holds the old text or the new, whole.

    A symbolic link goes on pointing to its file, which is replaced. Raises ``OSError``.
    """
    path = path.resolve()
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
