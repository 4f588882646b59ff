"""The catalogue: sets that do not ship, each known by name, by digest, and by where it is.

Words
-----
catalogue   a TOML file with a table for each set: ``catalogue.toml`` beside this file, and one of
            the same form in the user's configuration folder, which goes first
listing     a table: ``sha256``, and either ``url`` (an address, or several that are tried in turn)
            or ``file`` (the path of a file that the user has); the rest describes it
name        letters, digits, ``-``, ``_`` and ``+``: without dots, so never the name of a file with
            an ending

Every error names the file, the key and the cause.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from modelling.errors import InputError
from modelling.wording import did_you_mean
from puzzles.family import DEFAULT_FAMILY, is_own, is_shipped, list_family_names, list_formats
from puzzles.sets.folders import config_folder

FILE = "catalogue.toml"
SHIPPED = Path(__file__).with_name(FILE)

NAME = re.compile(r"\w[\w+-]{0,59}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A set that does not ship: ``urls`` to fetch it from, or the user's own ``file``.

    ``sha256`` (hexadecimal, lower case) is of the file as it is stored, ``bytes`` its size;
    ``puzzles`` counts what is in it. None and "" mean: nothing is said. ``catalogue`` is the file
    that holds the listing.
    """

    name: str
    sha256: str
    urls: tuple[str, ...] = ()
    file: Path | None = None
    bytes: int | None = None
    family: str = ""
    format: str = ""
    puzzles: int | None = None
    about: str = ""
    licence: str = ""
    catalogue: Path = SHIPPED


def users_file() -> Path:
    """Where the user's own catalogue is, or would be."""
    return config_folder() / FILE


@lru_cache(maxsize=1)
def shipped() -> dict[str, Listing]:
    """Name -> listing of the catalogue that ships."""
    return read(SHIPPED)


def users() -> dict[str, Listing]:
    """Name -> listing of the user's own catalogue; empty when there is none."""
    path = users_file()
    return read(path) if path.exists() else {}


def read(path: Path) -> dict[str, Listing]:
    """The listings of a catalogue by name; raises ``InputError`` for the first fault in it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    return parse(text, path)


def parse(text: str, path: Path) -> dict[str, Listing]:
    """The listings of a catalogue's text; ``path`` is its file, for them and messages."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from error
    return {name: _make_listing(name, table, path) for name, table in tables.items()}


def check_name(name: str) -> None:
    """Raise ``InputError`` for what cannot be the name of a set."""
    if not NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot name a set: take letters, digits, - _ and +, at most 60, and begin "
            "with a letter or a digit"
        )


def _make_listing(name: str, table: Any, path: Path) -> Listing:
    where = f"{path}: [{name}]"
    try:
        check_name(name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table of keys, not {table!r}")
    for key, value in table.items():
        if key not in KEYS:
            hint = did_you_mean(key, KEYS)
            raise InputError(f"{where}: unknown key {key!r}{hint} (there are: {', '.join(KEYS)})")
        cause = KEYS[key](value)
        if cause:
            raise InputError(f"{where}.{key}: {cause}, not {value!r}")
    if "format" in table:
        _check_format(table["format"], table.get("family", DEFAULT_FAMILY), f"{where}.format")
    if ("url" in table) == ("file" in table):
        raise InputError(f"{where}: give either url, to fetch it from, or file, if you have it")
    if "sha256" not in table:
        raise InputError(f"{where}: the key sha256 is missing: it says which bytes are meant")
    facts = {key: value for key, value in table.items() if key not in ("url", "file")}
    facts["sha256"] = facts["sha256"].lower()
    url = table.get("url", [])
    return Listing(
        name=name,
        urls=(url,) if isinstance(url, str) else tuple(url),
        file=Path(table["file"]).expanduser() if "file" in table else None,
        catalogue=path,
        **facts,
    )


# --- what each key may hold: value -> what it must be instead, or "" ------------------------------


def _urls(value: Any) -> str:
    listed = value if isinstance(value, list) else [value]
    good = bool(listed) and all(isinstance(url, str) and _is_url(url) for url in listed)
    return "" if good else "must be an http address without a password, or a list of such"


def _is_url(text: str) -> bool:
    if not text.isascii() or not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        return right and parts.username is None and parts.password is None
    except ValueError:
        return False


def _path(value: Any) -> str:
    good = isinstance(value, str) and "\0" not in value and Path(value).expanduser().is_absolute()
    return "" if good else "must be the whole path of a file"


def _digest(value: Any) -> str:
    good = isinstance(value, str) and _DIGEST.fullmatch(value.lower())
    return "" if good else "must be 64 hexadecimal digits"


def _positive(value: Any) -> str:
    good = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return "" if good else "must be a whole number above 0"


def _line(value: Any) -> str:
    good = isinstance(value, str) and value.isprintable()
    return "" if good else "must be one line of text"


def _family(value: Any) -> str:
    if isinstance(value, str) and (is_own(value) or is_shipped(value)):
        return ""
    return f"must be one of {', '.join(list_family_names())}, or py:package.module:attribute"


def _check_format(name: str, family: str, where: str) -> None:
    """Raise ``InputError`` unless files of the family come in this format.

    A family of the user's own is not imported for it: it says so when the set is read.
    """
    known = () if is_own(family) else list_formats(family)
    if not known and not is_own(family):
        raise InputError(f"{where}: files of the family {family} come in no formats")
    if known and name not in known:
        raise InputError(f"{where}: must be one of {', '.join(known)}, not {name!r}")


KEYS: dict[str, Callable[[Any], str]] = {
    "url": _urls,
    "file": _path,
    "sha256": _digest,
    "bytes": _positive,
    "family": _family,
    "format": _line,
    "puzzles": _positive,
    "about": _line,
    "licence": _line,
}
