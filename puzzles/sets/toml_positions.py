"""TOML files read with the places of their keys, so that an error can name line and column.

``tomllib`` reads values and forgets places. ``find_places`` goes over the same text once more
and keeps places only; it relies on ``tomllib`` having found the text well-formed.

Words
-----
path      how a value is reached: keys and, within arrays, numbers from 0: ``("sets", 1, "count")``
place     line and column of a key (or, in an array, of the item), counted from 1
token     a bracket, brace, comma or equals sign; or a *word*: all of a key, or of a plain value
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any, NamedTuple

from modelling.errors import ExperimentError
from modelling.formats.endless_files import ensure_file_ends

Path = tuple[str | int, ...]
Place = tuple[int, int]

_STRING = r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
_TOKEN = re.compile(
    rf"(?P<blank>\s+|#[^\n]*)|[\[\]{{}}=,]|(?:{_STRING}|[^\s\"'#=,\[\]{{}}]+|[ \t]+)+", re.DOTALL
)
_KEY = re.compile(rf"{_STRING}|[A-Za-z0-9_-]+", re.DOTALL)


class Source(NamedTuple):
    """What an error is to name: a file or a verb, and the places of its keys, if known."""

    name: str = ""
    places: Mapping[Path, Place] = MappingProxyType({})
    options: Mapping[str, str] = MappingProxyType({})
    """The keys that were given to a command, and what its options for them are called: nothing for
    an item by its position, where the cause names it."""

    def error(self, path: Path, cause: str, key: str | None = None) -> ExperimentError:
        """An error about the value that ``path`` leads to, or about a ``key`` in it.

        It names the file, line and column as far as they are known, and the path:
        ``mine.toml:4:17: sets[1].count: must be above 0``.
        """
        for step in reversed(path):
            if step in self.options:
                option = self.options[str(step)]
                return ExperimentError(f"{option}: {cause}" if option else cause)
        place = find_nearest(self.places, path if key is None else (*path, key)) or ()
        where = ":".join([self.name, *map(str, place)])
        steps = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)
        return ExperimentError(": ".join(filter(None, [where, steps.lstrip("."), cause])))


def find_nearest(places: Mapping[Path, Place], path: Path) -> Place | None:
    """The place of ``path``, or of the innermost value around it that has one."""
    around = (path[:length] for length in range(len(path), 0, -1))
    return next((places[part] for part in around if part in places), None)


def read_toml(path: FilePath) -> tuple[dict[str, Any], Source]:
    """What a TOML file holds; FileNotFoundError, or ExperimentError for what is none."""
    try:
        ensure_file_ends(path)
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a BOM
    except FileNotFoundError:
        raise
    except IsADirectoryError:
        raise ExperimentError(f"{path} is a folder; name a TOML file{_list_toml(path)}") from None
    except UnicodeError as error:
        cause = f"it is not text in UTF-8 (byte {getattr(error, 'start', 0) + 1})"
        raise ExperimentError(f"{path}: not TOML: {cause}") from error
    except OSError as error:
        raise ExperimentError(f"{path} cannot be read: {error.strerror or error}") from error
    try:
        return tomllib.loads(text), Source(path.name, find_places(text))
    except RecursionError:
        raise ExperimentError(f"{path.name}: not TOML: it is nested too deeply") from None
    except ValueError as error:
        (line, column), cause = _find_fault(text, str(error))
        raise ExperimentError(f"{path.name}:{line}:{column}: not TOML: {cause}") from error


def _list_toml(folder: FilePath) -> str:
    """`` (there are: a.toml, b.toml)``, at most ten; empty if there are none."""
    found = sorted(str(path) for path in folder.glob("*.toml"))[:10]
    return f" (there are: {', '.join(found)})" if found else ""


_SAID = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_LONG_NUMBER = re.compile(r"\d[\d_]{4299,}")
"""Python reads integers of up to 4300 digits."""


def _find_fault(text: str, message: str) -> tuple[Place, str]:
    said, number = _SAID.fullmatch(message), _LONG_NUMBER.search(text)
    if said is None and number is not None:
        return _locate(text, number.start()), "a number has too many digits"
    if said is None:
        return (1, 1), message
    at = (int(said[2]), int(said[3])) if said[2] else _locate(text, len(text.rstrip()))
    return at, said[1][:1].lower() + said[1][1:]


def _locate(text: str, at: int) -> Place:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def find_places(text: str) -> dict[Path, Place]:
    """The place of every key, table and array item of a well-formed TOML ``text``."""
    text = text.replace("\r\n", "\n")
    lines = [0, *(found.end() for found in re.finditer("\n", text))]
    tokens = [(m[0], m.start()) for m in _TOKEN.finditer(text) if m["blank"] is None]
    tokens.reverse()  # the next one is the last, where it can be taken off
    places: dict[Path, Place] = {}
    items: dict[Path, int] = {}  # of an array of tables: the number of the last one so far

    def note(path: Path, at: int) -> None:
        line = bisect_right(lines, at)
        places.setdefault(path, (line, at - lines[line - 1] + 1))

    def take_header() -> Path:
        """``[a.b]`` or ``[[a.b]]``: the path of the table that begins."""
        _, start = tokens.pop()
        is_item = tokens[-1][0] == "["
        if is_item:
            tokens.pop()
        *outer, last = _split_key(tokens.pop()[0])
        del tokens[-2 if is_item else -1 :]
        path: Path = ()
        for key in outer:
            path = (*path, key)
            path = (*path, items[path]) if path in items else path
        path = (*path, last)
        if is_item:
            items[path] = items.get(path, -1) + 1
            note(path, start)
            path = (*path, items[path])
        note(path, start)
        return path

    def take_pair(table: Path) -> None:
        word, start = tokens.pop()
        path = table
        for key in _split_key(word):
            path = (*path, key)
            note(path, start)
        tokens.pop()  # the equals sign
        take_value(path)

    def take_value(path: Path) -> None:
        sign, _ = tokens.pop()
        number = 0
        while sign in ("[", "{") and tokens[-1][0] not in ("]", "}"):
            if sign == "{":
                take_pair(path)
            else:
                note((*path, number), tokens[-1][1])
                take_value((*path, number))
                number += 1
            if tokens[-1][0] == ",":
                tokens.pop()
        if sign in ("[", "{"):
            tokens.pop()

    table: Path = ()
    while tokens:
        if tokens[-1][0] == "[":
            table = take_header()
        else:
            take_pair(table)
    return places


def _split_key(word: str) -> list[str]:
    found = _KEY.findall(word)
    return [str(tomllib.loads(f"k = {k}")["k"]) if k[0] in "\"'" else k for k in found]
