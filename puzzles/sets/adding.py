"""The user's own catalogue: add a set to it, and take one out.

A file that is added stays where it is. Its digest is written down, so that a later change is
noticed when the set is used (``puzzles.sets.cache.ready``); adding it once more takes it as it is
then. Whatever else the user has written into the catalogue, comments too, stays as it is.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath, PurePosixPath
from urllib.parse import unquote, urlsplit

from modelling.errors import InputError, InstanceError
from puzzles import sets
from puzzles.family import Instance
from puzzles.files import replace_text
from puzzles.sets import cache, catalogue
from puzzles.sets.catalogue import Listing
from puzzles.sets.locking import locked
from puzzles.sets.toml_text import write_key, write_pair

MOST_ERRORS = 10
"""Most lines that cannot be read and are named."""

TOGETHER = 4096
"""Plain grids that are counted at a time."""


@dataclass(frozen=True, slots=True)
class Content:
    """What is in a file: ``puzzles`` that can be read, ``bad`` lines that cannot, the first few.

    ``family`` is that of the puzzles, "" if they are of several.
    """

    family: str
    puzzles: int
    bad: int
    first_errors: tuple[InstanceError, ...]


def add_file(
    path: Path, name: str | None = None, *, family: str | None = None, about: str | None = None
) -> tuple[Listing, Content]:
    """Make a file known by name (by its own, if none is given), and say what is in it.

    What is not given stays as it was, when the file is known under this name already. Raises
    ``InputError`` for a file without a puzzle, and for a name that means something else.
    """
    path = Path(os.path.abspath(path))
    name = name or _name_from(path.name)
    catalogue.check_name(name)
    before = catalogue.users().get(name)
    if before is None or before.file != path:
        before = Listing(name=name, sha256="", file=path)
    try:
        digest, size = cache.digest(path), path.stat().st_size
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    _check_free(name, digest, path)
    content = count(path, family or before.family, before.format)
    if not content.puzzles:
        cause = f": {content.first_errors[0].cause}" if content.first_errors else ""
        raise InputError(f"{path} holds no puzzle that can be read{cause}")
    listing = replace(
        before,
        sha256=digest,
        bytes=size,
        family=content.family,
        puzzles=content.puzzles,
        about=before.about if about is None else about,
    )
    return _write(listing), content


def add_address(
    urls: Sequence[str],
    sha256: str,
    name: str | None = None,
    *,
    size: int | None = None,
    family: str | None = None,
    about: str | None = None,
    licence: str | None = None,
) -> Listing:
    """Make a set known that can be fetched from any of ``urls``; it is not fetched yet."""
    name = name or _name_from(PurePosixPath(unquote(urlsplit(urls[0]).path)).name)
    catalogue.check_name(name)
    sha256 = sha256.lower()
    _check_free(name, sha256, None)
    listing = Listing(
        name=name,
        sha256=sha256,
        urls=tuple(urls),
        bytes=size,
        family=family or "",
        about=about or "",
        licence=licence or "",
    )
    return _write(listing)


def remove(name: str) -> Listing | None:
    """Forget a set of the user's own; None when it does not exist. A file of it is left alone."""
    listing = catalogue.users().get(name)
    if listing is not None:
        _edit(lambda text: without(text, name))
    return listing


def count(path: Path, family: str = "", form: str = "") -> Content:
    """Read the whole file; what is not said about it, it tells itself."""
    families: Counter[str] = Counter()
    bad = 0
    first_errors: list[InstanceError] = []
    for item in sets.batches(str(path), family or None, TOGETHER, form):
        if isinstance(item, InstanceError):
            bad += 1
            first_errors += [item] if len(first_errors) < MOST_ERRORS else []
        else:
            families[item.family] += 1 if isinstance(item, Instance) else len(item)
    only = next(iter(families)) if len(families) == 1 else ""
    return Content(only, families.total(), bad, tuple(first_errors))


def _name_from(file: str) -> str:
    """A name for a set, from that of its file: without endings, other signs become ``-``."""
    stem = PurePath(file).name.lstrip(".").partition(".")[0]
    name = re.sub(r"[^\w+-]+", "-", unicodedata.normalize("NFC", stem)).strip("-+")[:60]
    if not catalogue.NAME.fullmatch(name):
        raise InputError(f"{file!r} gives no name for a set; give one with --name")
    return name


def _check_free(name: str, sha256: str, path: Path | None) -> None:
    """Raise ``InputError`` unless ``name`` is free, or stands for this very file."""
    if any(one.name == name for one in sets.sets()):
        raise InputError(f"{name!r} is a set that ships; take another name")
    own = catalogue.users().get(name)
    if own is not None and (path is None or own.file != path):
        where = own.file or own.urls[0]
        raise InputError(
            f"you have a set {name!r} already ({where}); take another name, or forget that one "
            f"with: concord sets remove {name}"
        )
    public = catalogue.shipped().get(name)
    if own is None and public is not None and public.sha256 != sha256:
        raise InputError(
            f"the catalogue's {name!r} has other bytes (SHA-256 {public.sha256}); take another name"
        )


# --- the text of the catalogue -------------------------------------------------------------------


def _write(listing: Listing) -> Listing:
    """Put the listing into the user's catalogue, in place of one of the same name."""
    _edit(lambda text: with_listing(text, listing))
    return replace(listing, catalogue=catalogue.users_file())


def _edit(change: Callable[[str], str]) -> None:
    path = catalogue.users_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_name(f"{path.name}.lock")):
            text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
            replace_text(path, change(text))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    except UnicodeError as error:
        raise InputError(f"{path}: what is written there must be UTF-8: {error}") from error


def with_listing(text: str, listing: Listing) -> str:
    """The catalogue with this listing at its end."""
    path = catalogue.users_file()
    before = catalogue.parse(text, path)
    if listing.name in before:
        text = without(text, listing.name)
    gap = "\n" if text.strip() else ""
    text = f"{text.rstrip()}\n{gap}{_table(listing)}".lstrip("\n")
    catalogue.parse(text, path)  # an address or a digest that makes no sense is an error here
    return text


def without(text: str, name: str) -> str:
    """The catalogue without what it says of ``name``; raises ``InputError`` where that fails."""
    path = catalogue.users_file()
    expected = catalogue.parse(text, path)
    del expected[name]
    header = rf"""^[ \t]*\[[ \t]*(["']?){re.escape(name)}\1[ \t]*\][^\n]*\n"""
    body = r"(?:(?![ \t]*\[)[^\n]*\n)*?"
    behind = r"(?=(?:[ \t]*(?:#[^\n]*)?\n)*(?:[ \t]*\[|\Z))"  # comments there are not its own
    table = re.compile(header + body + behind, re.MULTILINE)
    shorter, found = table.subn("", text.rstrip() + "\n")
    if found == 1 and catalogue.parse(shorter, path) == expected:
        return f"{shorter.rstrip()}\n"
    raise InputError(f"{path}: [{name}] is not written as a table of its own; take it out by hand")


def _table(listing: Listing) -> str:
    values = {
        "about": listing.about,
        "family": listing.family,
        "format": listing.format,
        "puzzles": listing.puzzles,
        "licence": listing.licence,
        "file": listing.file and str(listing.file),
        "url": listing.urls if len(listing.urls) > 1 else "".join(listing.urls),
        "sha256": listing.sha256,
        "bytes": listing.bytes,
    }
    lines = [f"{write_pair(key, value)}\n" for key, value in values.items() if value]
    return "".join([f"[{write_key(listing.name)}]\n", *lines])
