"""What to say, and what to do, when a store cannot be read or written."""

from __future__ import annotations

import errno
import os
import shlex
from pathlib import Path

from modelling.errors import StoreError


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


def not_written(folder: Path, error: Exception) -> StoreError:
    """What to say of a folder in which no store can be made."""
    how = remedy(error) or "; choose another folder with --out"
    return StoreError(f"{folder} cannot be written: {error}{how}")
