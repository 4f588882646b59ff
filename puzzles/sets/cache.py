"""Sets of the catalogue on this machine: where each is, and whether it is what it should be.

A fetched set lies in the cache folder under its name and the start of its digest; a file of the
user stays where it is. Before either is read its SHA-256 is compared with its listing's. That costs
a pass over the file, so what agreed once is remembered with the file's size, times and number, and
worked out again when one of these differs.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import unquote, urlsplit

from modelling.errors import InputError
from modelling.formats.endless_files import ensure_file_ends
from puzzles.files import replace_text
from puzzles.sets.catalogue import Listing
from puzzles.sets.folders import cache_folder
from puzzles.sets.locking import locked

State = Literal["ready", "absent", "damaged"]
"""Whether a set's file is there with the bytes that its listing means, is not there, or differs."""

SETTLED_SECONDS = 2.0
"""A file that changed less long ago is not remembered: its time stamps may be too coarse to tell
a further change."""

_ENDINGS = re.compile(r"(\.[A-Za-z][A-Za-z0-9]{0,9}){1,2}")


def path_of(listing: Listing) -> Path:
    """Where the set is, or will be once it is fetched."""
    if listing.file is not None:
        return listing.file
    return (
        cache_folder() / "sets" / f"{listing.name}-{listing.sha256[:12]}{_endings(listing.urls[0])}"
    )


def state(listing: Listing) -> State:
    """Whether the set can be used; raises ``InputError`` for a file that cannot be read."""
    path = path_of(listing)
    try:
        seen = _seen(path, listing.sha256)
        if _read_stamp(path) == seen:
            return "ready"
        if digest(path) != listing.sha256:
            return "damaged"
        _remember(path, seen)
    except (FileNotFoundError, NotADirectoryError):
        return "absent"
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    return "ready"


def ready(listing: Listing) -> Path:
    """The set's file, with the bytes that its listing means; else ``InputError`` with a remedy."""
    path = path_of(listing)
    found = state(listing)
    if found == "ready":
        return path
    name = listing.name
    if listing.file is None:
        if found == "absent":
            raise InputError(
                f"the set {name!r} is in the catalogue but not on this machine; "
                f"get it with: concord sets fetch {name}"
            )
        raise InputError(
            f"the set {name!r} is damaged: {path} has not the SHA-256 of the catalogue; "
            f"get it again with: concord sets fetch {name}"
        )
    if found == "absent":
        raise InputError(
            f"the set {name!r} is gone: there is no {path}; "
            f"bring the file back, or forget the set with: concord sets remove {name}"
        )
    raise InputError(
        f"the set {name!r} has changed: {path} is not what it was when it was added; "
        f"take it as it is now with: concord sets add {path} --name {name}"
    )


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal; raises ``OSError``."""
    ensure_file_ends(path)
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def forget(listing: Listing) -> bool:
    """Delete what was fetched of a set, whole or in part; whether there was anything.

    Raises ``OSError``. A file of the user is left alone.
    """
    path = path_of(listing)
    if listing.file is not None or not path.parent.exists():
        return False
    with locked(lock_of(path)):
        found = [one for one in (path, *parts_of(path), _stamp(path)) if one.exists()]
        for one in found:
            one.unlink()
    return bool(found)


def parts_of(path: Path) -> tuple[Path, Path]:
    """While a set is fetched: what has come so far, and from where it came."""
    return path.with_name(f"{path.name}.part"), path.with_name(f"{path.name}.origin")


def lock_of(path: Path) -> Path:
    """The lock of whoever fetches a set, or deletes it."""
    return path.with_name(f"{path.name}.lock")


def _endings(url: str) -> str:
    name = PurePosixPath(unquote(urlsplit(url).path)).name
    endings = "".join(PurePosixPath(name).suffixes[-2:])
    return endings if _ENDINGS.fullmatch(endings) else ""


def _seen(path: Path, sha256: str) -> str:
    """A file's state at this moment, and what its bytes are supposed to be."""
    found = os.stat(path)
    times = f"{found.st_mtime_ns} {found.st_ctime_ns}"
    return f"{sha256} {found.st_size} {times} {found.st_ino}\n{path}\n"


def _stamp(path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
    return cache_folder() / "checked" / name


def _read_stamp(path: Path) -> str:
    try:
        return _stamp(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return ""  # then the digest is worked out


def _remember(path: Path, seen: str) -> None:
    found = os.stat(path)
    age = time.time() - max(found.st_mtime, found.st_ctime)
    if age < SETTLED_SECONDS or _seen(path, seen[:64]) != seen:
        return
    stamp = _stamp(path)
    try:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        replace_text(stamp, seen)
    except (OSError, UnicodeError):
        return  # nothing is lost by it but the time to work out the digest again
