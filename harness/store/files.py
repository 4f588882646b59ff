"""The file of a store: held by one writer, made, opened as one may, put right after a kill; and
what to say, and what to do, when it can be neither read nor written.

Words
-----
WAL         SQLite's write-ahead log, which lets others read while a run writes, in memory that they
            share; on a network file system the rollback journal serves
journal     here either of the two: with content, it belongs to a commit that is not in the file yet
"""

from __future__ import annotations

import errno
import os
import re
import shlex
import socket
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from modelling.errors import FolderTaken, StoreBusy, StoreError
from puzzles.files import replace_file, sync_folder

NAME = "store.sqlite"
EXPERIMENT = "experiment.toml"
LOCK = ".lock"

RETRY_SECONDS = 0.2
"""A lock whose last holder failed, and took the file away, is tried for again so long."""


# --- one writer ----------------------------------------------------------------------------


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
            raise explain_unmade(folder, error) from error
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


# --- a new store ----------------------------------------------------------------------------


@contextmanager
def make_store(path: Path, held: ExitStack) -> Iterator[Path]:
    """Make a new store: what the block writes to the path that this gives becomes ``path``.

    ``held`` takes the lock of the folder; its owner decides when others may come in. A store is
    there in full or not at all: nothing is left behind when the block fails. StoreError says that
    the folder holds a run already, that another process is at it, or that it cannot be written.
    """
    folder = path.parent
    _check_free(path)
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise explain_unmade(folder, error) from error
    held.enter_context(lock(folder))
    try:
        _check_free(path)  # it may have been made before the lock was had
        for left_behind in folder.glob(f".{path.name}.*.new"):  # by who was killed
            left_behind.unlink()
        with replace_file(path) as unfinished:
            yield unfinished
        sync_folder(folder)  # the name too is on the disk before anything else happens
    except BaseException as error:
        with suppress(OSError):  # a folder that was there before stays
            if not path.exists():
                (folder / LOCK).unlink(missing_ok=True)
                if is_new:
                    (folder / EXPERIMENT).unlink(missing_ok=True)
                    folder.rmdir()
        if isinstance(error, OSError | sqlite3.Error):
            raise explain_unmade(folder, error) from error
        raise


def _check_free(path: Path) -> None:
    if path.exists():
        raise FolderTaken(
            f"{path.parent} already holds a run; resume it, or choose another folder with --out"
        )


# --- connections ---------------------------------------------------------------------------


def connect(address: Path | str, seconds: float = 5) -> sqlite3.Connection:
    """A connection that leaves transactions to its user, and may be used by one thread at a time.
    It waits up to ``seconds`` for others' locks. A text may be an address as SQLite has them."""
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
            if not find_journal(path):  # read-only media, say: the file is all that there is
                return _try_reading(f"{address}?immutable=1")
            if not name_error(error).startswith(_NEEDS_WRITING):
                raise
            _recover(path, error)
            return _try_reading(f"{address}?mode=ro")
    except sqlite3.Error as error:
        raise explain_unreadable(path, error) from error


_NEEDS_WRITING = ("SQLITE_READONLY", "SQLITE_CANTOPEN")
"""What SQLite answers where a journal waits, or where it cannot make the memory of a WAL."""


def _try_reading(address: str) -> sqlite3.Connection:
    connection = connect(address, seconds=10)
    try:
        connection.execute("SELECT COUNT(*) FROM meta").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def find_journal(path: Path) -> str:
    """The name of the journal with content beside a store; empty where there is none."""
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
            f"{path} was killed amid a commit, or is being written: what is committed can be read "
            f"only with {find_journal(path)}, and that needs writing ({failure}); open it "
            "once where you may write, or resume it there"
        ) from failure
    with lock(path.parent):  # nobody is writing: what lies there is not under way
        _try_reading(f"{path.resolve().as_uri()}?mode=rw").close()


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
    if mounts is None:
        try:
            mounts = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        except OSError:  # not Linux: WAL is tried, and the fallback taken where it does not work
            mounts = ()
    path = os.path.realpath(folder)
    found, longest = "", -1
    for line in mounts:
        _, at, name, *_ = line.split(" ")
        point = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), at)  # \040 is a space
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= longest:  # of two mounts at one point the later one counts
            found, longest = name, len(point)
    return found


def is_network(folder: Path, mounts: Iterable[str] | None = None) -> bool:
    """Whether ``folder`` lies on a network file system, as far as the system tells."""
    return find_type(folder, mounts) in NETWORK


# --- whoever else has it open --------------------------------------------------------------


def is_busy(error: Exception) -> bool:
    """Whether another program has locked the store."""
    return name_error(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def name_holders(path: Path, most: int = 3) -> str:
    """The other processes that have the store open, as in " (process 12: python)"; empty where
    that cannot be seen."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is somebody else's
            files = (os.readlink(entry) for entry in (folder / "fd").iterdir())
            if folder.name != str(os.getpid()) and str(path.resolve()) in files:
                name = (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
                found.append(f"process {folder.name}: {name}")
    return f" ({', '.join(found[:most])})" if found else ""


def explain_busy(path: Path, seconds: float, waiting: int) -> StoreBusy:
    return StoreBusy(
        f"{path} was locked by another program{name_holders(path)} for {seconds:g} s; end that "
        f"program, and continue with: concord run --resume {path.parent} (what was committed is "
        f"kept; of {waiting} more rows the jobs are run again, unless the lock goes in time)"
    )


# --- what to say ---------------------------------------------------------------------------

_NOT_DAMAGED = (
    *("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH"),
    *("SQLITE_READONLY", "SQLITE_FULL", "SQLITE_NOMEM", "SQLITE_INTERRUPT"),
)
"""What SQLite answers of a store that may be whole; all else, such as a table that is not there,
only a damaged one has."""


def name_error(error: Exception) -> str:
    """SQLite's name of an error, "" for another's."""
    return getattr(error, "sqlite_errorname", "")


def explain_unreadable(path: Path, error: Exception) -> StoreError:
    if not os.access(path, os.R_OK):
        return StoreError(f"{path} may not be read: {error}; ask its owner, or look at its rights")
    if name_error(error).startswith(_NOT_DAMAGED):
        return StoreError(f"{path} cannot be read: {error}")
    return explain_damage(path, str(error))


def explain_damage(path: Path, how: str) -> StoreError:
    """A store is damaged, or was never one: how that was seen, and what can still be done."""
    return StoreError(f"{path} is damaged ({how}); {_explain_recovery(path)}")


def explain_unwritable(path: Path, error: Exception) -> StoreError:
    return StoreError(f"{path} cannot be written: {error}{_find_remedy(error, path)}")


def explain_unmade(folder: Path, error: Exception) -> StoreError:
    remedy = _find_remedy(error) or "; choose another folder with --out"
    cause = getattr(error, "strerror", None) or error
    return StoreError(f"{folder} cannot be written: {cause}{remedy}")


def _find_remedy(error: Exception, path: Path | None = None) -> str:
    """What to do when a store cannot be written; ``path`` is that of a run that is there."""
    kept = "" if path is None else "; what was committed is kept"
    again = "start again" if path is None else f"continue with: concord run --resume {path.parent}"
    name = name_error(error)
    if name == "SQLITE_FULL" or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return f"{kept}; make room on the disk, then {again}"
    if name.startswith("SQLITE_IOERR"):
        return f"{kept}; see whether the disk is full, over quota or failing, then {again}"
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        recovery = "" if path is None else f"; {_explain_recovery(path)}"
        return f"; the file is damaged, by the disk or by another program{recovery}"
    return ""


def _explain_recovery(path: Path) -> str:
    name = shlex.quote(str(path))
    return f"save what can be had with: sqlite3 {name} .recover | sqlite3 recovered.sqlite"
