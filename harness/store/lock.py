"""Who may write to the folder of a run: one process at a time, from before its store is there."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from harness.store.faults import not_written
from modelling.errors import FolderTaken, StoreError

LOCK = ".lock"

RETRY_SECONDS = 0.2
"""A lock whose last holder failed, and took the file away, is tried for again so long."""


@contextmanager
def make_store(path: Path, held: ExitStack) -> Iterator[Path]:
    """Make a new store: what the block writes to the path that this gives becomes ``path``.

    The lock of the folder goes on ``held``, whose owner decides when others may come in. A store is
    there in full or not at all: nothing is left behind when the block fails. StoreError says that
    the folder holds a run already, that another process is at it, or that it cannot be written.
    """
    folder, unfinished = path.parent, path.with_name(f"{path.name}.new")
    _check_free(path)
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(folder, error) from error
    held.enter_context(lock(folder))
    try:
        _check_free(path)  # it may have been made before the lock was had
        unfinished.unlink(missing_ok=True)
        yield unfinished
        _write_through(unfinished)
        unfinished.rename(path)
        _write_through(folder)
    except BaseException as error:
        _clear(path, unfinished, is_new)
        if isinstance(error, OSError | sqlite3.Error):
            raise not_written(folder, error) from error
        raise


def _check_free(path: Path) -> None:
    if path.exists():
        raise FolderTaken(
            f"{path.parent} already holds a run; resume it, or choose another folder with --out"
        )


def _clear(path: Path, unfinished: Path, is_new: bool) -> None:
    """Take away what was begun; a folder that was there before stays."""
    with suppress(OSError):
        unfinished.unlink(missing_ok=True)
        if not path.exists():
            (path.parent / LOCK).unlink(missing_ok=True)
            if is_new:
                path.parent.rmdir()


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold ``folder`` against a second writer; the lock ends with the process, however that ends.

    Raises StoreError that names the holder, or says that no lock can be had.
    """
    import filelock  # here, since reading needs none

    path = folder / LOCK
    # A file system without locks is refused: a mere marker in their place would outlive a kill.
    held = filelock.FileLock(
        path, RETRY_SECONDS, 0o666, thread_local=False, poll_interval=0.02, fallback_to_soft=False
    )
    try:
        held.acquire()
    except filelock.Timeout:
        raise StoreError(
            f"another process is making or running a run in {folder} ({_read_holder(path)})"
        ) from None
    except OSError as error:
        if error.filename is not None:  # the file could not be opened
            raise not_written(folder, error) from error
        raise StoreError(
            f"{folder} cannot be locked: {error}; its file system has no locks, so write the "
            "run to a local disk with --out and copy it when it is done"
        ) from error
    try:
        with suppress(OSError):  # who holds it is a courtesy, and the disk may be full
            path.write_text(f"process {os.getpid()} on {socket.gethostname()}", encoding="utf-8")
        yield
    finally:
        held.release()


def is_locked(folder: Path) -> bool:
    """Whether a process on this machine holds ``folder``; nothing is written."""
    try:
        import fcntl

        descriptor = os.open(folder / LOCK, os.O_RDONLY)
    except (ImportError, OSError):
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _read_holder(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")[:200] or "it has no name"
    except OSError:  # Windows lets nobody read what another has locked
        return "its name cannot be read"


def _write_through(path: Path) -> None:
    """Have a file or folder on the disk before anything else happens."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
