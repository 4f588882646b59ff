"""The file of a store: opened, locked, written through to the disk, and what to do when it fails.

Words
-----
WAL         SQLite's write-ahead log, which lets others read while a run writes, in memory that they
            share; on a network file system the rollback journal serves
"""

from __future__ import annotations

import errno
import os
import shlex
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from modelling.errors import StoreError

LOCK = ".lock"


def connect(address: Path | str, seconds: float = 5) -> sqlite3.Connection:
    """A connection that leaves transactions to its user, and may be used by one thread at a time;
    it waits so many ``seconds`` for others' locks."""
    return sqlite3.connect(
        address,
        uri=isinstance(address, str),
        isolation_level=None,
        timeout=seconds,
        check_same_thread=False,
    )


def readable(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that has read something; ``mode`` is ``ro`` or ``rw``, as in SQLite's addresses.

    A commit that a kill left half done is put right where one may write, else it is a StoreError.
    """
    address = path.resolve().as_uri()
    try:
        try:
            return _tried(f"{address}?mode={mode}")
        except sqlite3.Error as error:
            if mode != "ro":
                raise
            if not _beside(path):  # read-only media, say: the file is all that there is
                return _tried(f"{address}?immutable=1")
            if not getattr(error, "sqlite_errorname", "").startswith(_NEEDS_WRITING):
                raise
            _put_right(path, error)
            return _tried(f"{address}?mode=ro")
    except sqlite3.Error as error:
        raise unreadable(path, error) from error


_NEEDS_WRITING = ("SQLITE_READONLY", "SQLITE_CANTOPEN")
"""What SQLite answers where a journal waits, or where it cannot make the memory of a WAL."""


def _beside(path: Path) -> str:
    """The name of a journal or WAL with content beside a store, "" if there is none.

    Where there is one, the store's own file has what is not committed, or lacks what is.
    """
    for ending in ("-journal", "-wal"):
        file = path.with_name(path.name + ending)
        with suppress(FileNotFoundError):
            if file.stat().st_size:
                return file.name
    return ""


def _put_right(path: Path, failure: sqlite3.Error) -> None:
    """Have SQLite undo or take in what a killed run left, as a resumed run would."""
    places = (path, path.parent)
    if os.name != "posix" or not all(os.access(place, os.W_OK) for place in places):
        raise StoreError(
            f"{path} was killed amid a commit, or is being written: what is committed is told only "
            f"together with {_beside(path)}, and that needs writing ({failure}); open it once "
            "where you may write, or resume it there"
        ) from failure
    with lock(path.parent):  # nobody is writing: what lies there is not under way
        _tried(f"{path.resolve().as_uri()}?mode=rw").close()


def _tried(address: str) -> sqlite3.Connection:
    """A connection that has read something; raises sqlite3.Error."""
    connection = connect(address, seconds=10)
    try:
        connection.execute("SELECT COUNT(*) FROM meta").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def set_journal(connection: sqlite3.Connection, *, shared: bool) -> None:
    """WAL where readers can share memory with the writer, else the rollback journal.

    Either way a commit is on the disk when it returns.
    """
    connection.execute("PRAGMA synchronous=FULL")
    if shared:
        with suppress(sqlite3.OperationalError):  # no shared memory, though no network was seen
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute("SELECT COUNT(*) FROM meta").fetchone()
            return
    connection.execute("PRAGMA journal_mode=DELETE").fetchone()


@contextmanager
def making(path: Path, held: ExitStack) -> Iterator[Path]:
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
        raise _not_written(folder, error) from error
    held.enter_context(lock(folder))
    try:
        _check_free(path)  # it may have been made before the lock was had
        unfinished.unlink(missing_ok=True)
        yield unfinished
        write_through(unfinished)
        unfinished.rename(path)
        write_through(folder)
    except BaseException as error:
        _clear(path, unfinished, is_new)
        if isinstance(error, OSError | sqlite3.Error):
            raise _not_written(folder, error) from error
        raise


def _check_free(path: Path) -> None:
    if path.exists():
        raise StoreError(
            f"{path.parent} already holds a run; resume it, or choose another folder with --out"
        )


def _not_written(folder: Path, error: Exception) -> StoreError:
    how = remedy(error) or "; choose another folder with --out"
    return StoreError(f"{folder} cannot be written: {error}{how}")


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
    """Hold ``folder`` against a second writer; the lock ends with the process."""
    descriptor = _locked(folder)
    try:
        with suppress(OSError):  # who holds it is a courtesy, and the disk may be full
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _locked(folder: Path) -> int:
    """The descriptor of the folder's lock, which is held; raises StoreError."""
    import fcntl  # runs need POSIX anyway; reading a store does not

    while True:
        try:
            descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise _not_written(folder, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 200, 0).decode(errors="replace") or "it has no name"
            os.close(descriptor)
            raise StoreError(
                f"another process is making or running a run in {folder} ({holder})"
            ) from None
        except OSError as error:
            os.close(descriptor)
            raise StoreError(
                f"{folder} cannot be locked: {error}; its file system has no locks, so write the "
                "run to a local disk with --out and copy it when it is done"
            ) from error
        if _is_there(folder / LOCK, descriptor):
            return descriptor
        os.close(descriptor)  # its last holder failed, and took the file away


def _is_there(path: Path, descriptor: int) -> bool:
    """Whether the open file is the one that others find under its name."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def write_through(path: Path) -> None:
    """Have a file or folder on the disk before anything else happens."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unreadable(path: Path, error: Exception) -> StoreError:
    """What to say of a store that cannot be read: what is wrong with it, and what to do."""
    if not os.access(path, os.R_OK):
        return StoreError(f"{path} may not be read: {error}; ask its owner, or look at its rights")
    if getattr(error, "sqlite_errorname", "").startswith(_NOT_DAMAGED):
        return StoreError(f"{path} cannot be read: {error}")
    return damaged(path, str(error))


_NOT_DAMAGED = (
    *("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH"),
    *("SQLITE_READONLY", "SQLITE_FULL", "SQLITE_NOMEM", "SQLITE_INTERRUPT"),
)
"""What SQLite answers of a store that may be whole; all else, such as a table that is not there,
only a damaged one has."""


def damaged(path: Path, how: str) -> StoreError:
    """A store is damaged, or was never one: how that was seen, and what can still be done."""
    return StoreError(f"{path} is damaged ({how}); {_saving(path)}")


def _saving(path: Path) -> str:
    name = shlex.quote(str(path))
    return f"save what can be had with: sqlite3 {name} .recover | sqlite3 recovered.sqlite"


def remedy(error: Exception, path: Path | None = None) -> str:
    """What to do when a store cannot be written; ``path`` is that of a run that is there."""
    kept = "" if path is None else "; what was committed is kept"
    again = "start again" if path is None else f"go on with: concord run --resume {path.parent}"
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_FULL" or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return f"{kept}; make room on the disk, then {again}"
    if name.startswith("SQLITE_IOERR"):
        return f"{kept}; see whether the disk is full, over quota or failing, then {again}"
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        saving = "" if path is None else f"; {_saving(path)}"
        return f"; the file is damaged, by the disk or by another program{saving}"
    return ""
