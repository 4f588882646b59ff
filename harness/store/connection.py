"""Connections to the file of a store: opened as one may, and put right after a kill.

Words
-----
WAL         SQLite's write-ahead log, which lets others read while a run writes, in memory that they
            share; on a network file system the rollback journal serves
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from harness.store import faults as store_faults
from harness.store import lock as store_lock
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


def open_readable(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that has read something; ``mode`` is ``ro`` or ``rw``, as in SQLite's addresses.

    A commit that a kill left half done is put right where one may write, else it is a StoreError.
    """
    address = path.resolve().as_uri()
    try:
        try:
            return _try_reading(f"{address}?mode={mode}")
        except sqlite3.Error as error:
            if mode != "ro":
                raise
            if not _find_journal(path):  # read-only media, say: the file is all that there is
                return _try_reading(f"{address}?immutable=1")
            if not getattr(error, "sqlite_errorname", "").startswith(_NEEDS_WRITING):
                raise
            _recover(path, error)
            return _try_reading(f"{address}?mode=ro")
    except sqlite3.Error as error:
        raise store_faults.unreadable(path, error) from error


_NEEDS_WRITING = ("SQLITE_READONLY", "SQLITE_CANTOPEN")
"""What SQLite answers where a journal waits, or where it cannot make the memory of a WAL."""


def _find_journal(path: Path) -> str:
    """The name of a journal or WAL with content beside a store, "" if there is none.

    Where there is one, the store's own file has what is not committed, or lacks what is.
    """
    for ending in ("-journal", "-wal"):
        file = path.with_name(path.name + ending)
        with suppress(FileNotFoundError):
            if file.stat().st_size:
                return file.name
    return ""


def _recover(path: Path, failure: sqlite3.Error) -> None:
    """Have SQLite undo or take in what a killed run left, as a resumed run would."""
    places = (path, path.parent)
    if os.name != "posix" or not all(os.access(place, os.W_OK) for place in places):
        raise StoreError(
            f"{path} was killed amid a commit, or is being written: what is committed is told only "
            f"together with {_find_journal(path)}, and that needs writing ({failure}); open it "
            "once where you may write, or resume it there"
        ) from failure
    with store_lock.lock(path.parent):  # nobody is writing: what lies there is not under way
        _try_reading(f"{path.resolve().as_uri()}?mode=rw").close()


def _try_reading(address: str) -> sqlite3.Connection:
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


# --- file systems --------------------------------------------------------------------------

MOUNTS = Path("/proc/mounts")

NETWORK = frozenset(
    {
        *("9p", "afs", "beegfs", "ceph", "cifs", "cvmfs", "davfs", "glusterfs", "gpfs"),
        *("lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs", "pvfs2", "smb3", "smbfs"),
        *("virtiofs", "vboxsf", "wekafs"),
        *("fuse.ceph", "fuse.glusterfs", "fuse.gcsfuse", "fuse.s3fs", "fuse.sshfs", "fuse.rclone"),
    }
)
"""Types that Linux gives to file systems behind a network or a machine's border."""


def find_type(folder: Path, mounts: Iterable[str] | None = None) -> str:
    """The type of the file system that ``folder`` lies on; empty where the system does not tell."""
    lines = _read_mounts() if mounts is None else mounts
    path = os.path.realpath(folder)
    found, longest = "", -1
    for line in lines:
        _, at, name, *_ = line.split(" ")
        point = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), at)  # \040 is a space
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= longest:  # of two mounts at one point the later one counts
            found, longest = name, len(point)
    return found


def is_network(folder: Path, mounts: Iterable[str] | None = None) -> bool:
    """Whether ``folder`` lies on a network file system, as far as the system tells."""
    return find_type(folder, mounts) in NETWORK


def _read_mounts() -> list[str]:
    try:
        return MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # not Linux: WAL is tried, and the fallback is taken where it does not work
        return []
