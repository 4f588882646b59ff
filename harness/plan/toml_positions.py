"""Where in a TOML file each key stands, so that an error can name line and column.

``tomllib`` reads values and forgets places. This reads the same text once more and keeps places
only; it relies on ``tomllib`` having found the text well-formed, and checks nothing itself.

Words
-----
path    how a value is reached: keys and, within arrays, numbers from 0: ``("sets", 1, "count")``
place   line and column of a key (or, in an array, of the item), counted from 1
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from modelling.errors import ExperimentError

Path = tuple[str | int, ...]
Place = tuple[int, int]

_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}' + r"|'''.*?'{3,5}" + r'|"(?:\\.|[^"\\\n])*"' + r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\s#]+(?: [\d:.Z+-]+)?")


def find_places(text: str) -> dict[Path, Place]:
    """The place of every key, table and array item of a well-formed TOML ``text``."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


def find_nearest(found: Mapping[Path, Place], path: Path) -> Place | None:
    """The place of ``path``, or of the innermost value around it that has one."""
    for length in range(len(path), 0, -1):
        if path[:length] in found:
            return found[path[:length]]
    return None


class Source(NamedTuple):
    """What an error is to name: a file or a verb, and the places of its keys as far as known."""

    name: str = ""
    places: Mapping[Path, Place] = MappingProxyType({})
    options: Mapping[str, str] = MappingProxyType({})
    """The keys that were given as options of a command, and what these are called."""

    def error(self, path: Path, cause: str) -> ExperimentError:
        """An error about the value that ``path`` leads to."""
        for key in reversed(path):
            if key in self.options:
                return ExperimentError(f"{self.options[str(key)]}: {cause}")
        return ExperimentError(": ".join(filter(None, [self.where(path), as_key(path), cause])))

    def where(self, path: Path) -> str:
        """``mine.toml:4:17``, as far as it is known."""
        return ":".join([self.name, *map(str, find_nearest(self.places, path) or ())])


def as_key(path: Path) -> str:
    """``sets[1].count``"""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        self.found: dict[Path, Place] = {}
        self._arrays: dict[Path, int] = {}

    def document(self) -> None:
        """Tables with the pairs below them, to the end."""
        table: Path = ()
        while self._skip(_BLANK) < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        start = self.at
        array = self.text.startswith("[[", start)
        self.at += 2 if array else 1
        keys = self._keys()
        self.at += 2 if array else 1
        path = self._through_arrays(keys[:-1])
        path = (*path, keys[-1])
        if array:
            number = self._arrays.get(path, -1) + 1
            self._arrays[path] = number
            self._note(path, start)
            path = (*path, number)
        self._note(path, start)
        return path

    def _through_arrays(self, keys: list[str]) -> Path:
        """A header below ``[[x]]`` means the last ``x`` so far."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._arrays:
                path = (*path, self._arrays[path])
        return path

    def _pair(self, table: Path) -> None:
        start = self.at
        path = table
        for key in self._keys():
            path = (*path, key)
            self._note(path, start)
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _keys(self) -> list[str]:
        """A dotted key, and the space behind it."""
        keys = []
        while True:
            self._skip(_SPACE)
            quoted = self.text[self.at] in "\"'"
            match = (_STRING if quoted else _BARE_KEY).match(self.text, self.at)
            assert match is not None
            keys.append(_unquoted(match[0]) if quoted else match[0])
            self.at = match.end()
            self._skip(_SPACE)
            if self.text[self.at] != ".":
                return keys
            self.at += 1

    def _value(self, path: Path) -> None:
        sign = self.text[self.at]
        if sign == "[":
            self._array(path)
        elif sign == "{":
            self._inline_table(path)
        else:
            match = (_STRING if sign in "\"'" else _SCALAR).match(self.text, self.at)
            assert match is not None
            self.at = match.end()

    def _array(self, path: Path) -> None:
        self.at += 1
        number = 0
        while self.text[self._skip(_BLANK)] != "]":
            self._note((*path, number), self.at)
            self._value((*path, number))
            number += 1
            if self.text[self._skip(_BLANK)] == ",":
                self.at += 1
        self.at += 1

    def _inline_table(self, path: Path) -> None:
        self.at += 1
        while self.text[self._skip(_BLANK)] != "}":
            self._pair(path)
            if self.text[self._skip(_BLANK)] == ",":
                self.at += 1
        self.at += 1

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.at

    def _note(self, path: Path, at: int) -> None:
        line_start = self.text.rfind("\n", 0, at) + 1
        self.found.setdefault(path, (self.text.count("\n", 0, at) + 1, at - line_start + 1))


def _unquoted(key: str) -> str:
    read: dict[str, Any] = tomllib.loads(f"key = {key}")
    return str(read["key"])
