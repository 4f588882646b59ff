"""The file of a store: opened, locked, written through to the disk, and what to do when it fails.

Words
-----
WAL         SQLite's write-ahead log, which lets others read while a run writes, in memory that they
            share; on a network file system the rollback journal serves
"""

from __future__ import annotations

import errno
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from modelling.errors import StoreError


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
    """A connection that has read something; a store on read-only media may need ``immutable``."""
    address = path.resolve().as_uri()
    tried = [f"{address}?mode={mode}"]
    if mode == "ro":
        tried.append(f"{address}?immutable=1")
    failure: sqlite3.Error | None = None
    for uri in tried:
        try:
            connection = connect(uri, seconds=10)
        except sqlite3.Error as error:
            failure = failure or error
            continue
        try:
            connection.execute("SELECT COUNT(*) FROM meta").fetchone()
            return connection
        except sqlite3.Error as error:
            failure = failure or error
            connection.close()
    raise StoreError(f"{path} cannot be read as a store ({failure}); is it damaged?") from failure


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
def lock(folder: Path) -> Iterator[None]:
    """Hold ``folder`` against a second writer; the lock ends with the process."""
    import fcntl  # runs need POSIX anyway; reading a store does not

    path = folder / ".lock"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 200, 0).decode(errors="replace") or "another process"
        os.close(descriptor)
        raise StoreError(f"{folder}: another process is running this run ({holder})") from None
    except OSError as error:
        os.close(descriptor)
        raise StoreError(
            f"{folder} cannot be locked: {error}; its file system has no locks, so write the run "
            "to a local disk with --out and copy it when it is done"
        ) from error
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def write_through(path: Path) -> None:
    """Have a file or folder on the disk before anything else happens."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remedy(error: Exception, folder: Path | None = None) -> str:
    """What to do when a store cannot be written."""
    kept = "" if folder is None else "; what was committed is kept"
    again = "start again" if folder is None else f"go on with: concord run --resume {folder}"
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_FULL" or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return f"{kept}; make room on the disk, then {again}"
    if name.startswith("SQLITE_IOERR"):
        return f"{kept}; see whether the disk is full, over quota or failing, then {again}"
    if name in ("SQLITE_CORRUPT", "SQLITE_NOTADB"):
        return "; the file is damaged, by the disk or by another program"
    return ""
