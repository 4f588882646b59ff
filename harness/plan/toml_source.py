"""TOML files read so that every error can name the file, line and column, the key and the cause.

What ``tomllib`` and ``msgspec`` say is put into the words of a file's author here; what the keys
mean is left to those who read them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from harness.plan import toml_places
from modelling.errors import ExperimentError
from modelling.nearest import nearest


class Source(NamedTuple):
    """What an error is to name: a file or a verb, and the places of its keys as far as known."""

    name: str
    places: dict[toml_places.Path, toml_places.Place]

    def error(self, path: toml_places.Path, cause: str) -> ExperimentError:
        """An error about the value that ``path`` leads to."""
        return ExperimentError(": ".join(filter(None, [self.where(path), _key(path), cause])))

    def where(self, path: toml_places.Path) -> str:
        """``mine.toml:4:17``, as far as it is known."""
        return ":".join([self.name, *map(str, toml_places.nearest(self.places, path) or ())])


def _key(path: toml_places.Path) -> str:
    """``sets[1].count``"""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")


# --- reading -------------------------------------------------------------------------------


def parsed(path: Path) -> tuple[dict[str, Any], Source]:
    """What a TOML file holds.

    Raises FileNotFoundError, and ExperimentError for what cannot be read or is not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a BOM
    except FileNotFoundError:
        raise
    except (OSError, UnicodeError) as error:
        raise ExperimentError(f"{path} cannot be read: {error}") from error
    try:
        return tomllib.loads(text), Source(path.name, toml_places.places(text))
    except RecursionError:
        raise ExperimentError(f"{path.name}: not TOML: it is nested too deeply") from None
    except ValueError as error:
        (line, column), cause = _fault(text, str(error))
        raise ExperimentError(f"{path.name}:{line}:{column}: not TOML: {cause}") from error


_TOLD = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_LONG_NUMBER = re.compile(r"\d[\d_]{4299,}")
"""Python reads integers of up to 4300 digits."""


def _fault(text: str, message: str) -> tuple[toml_places.Place, str]:
    """Place and cause from what ``tomllib`` says."""
    told, number = _TOLD.fullmatch(message), _LONG_NUMBER.search(text)
    if told is None and number is not None:
        return _place(text, number.start()), "a number has too many digits"
    if told is None:
        return (1, 1), message
    place = (int(told[2]), int(told[3])) if told[2] else _place(text, len(text.rstrip()))
    return place, told[1][:1].lower() + told[1][1:]


def _place(text: str, at: int) -> toml_places.Place:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


# --- keys and types ------------------------------------------------------------------------


def check_keys(
    data: Iterable[str],
    kind: type,
    source: Source,
    path: toml_places.Path = (),
    elsewhere: Mapping[str, str] | None = None,
) -> None:
    """Raise ExperimentError for a key that the struct ``kind`` does not have.

    ``elsewhere`` are words that belong into another place, and what to write there.
    """
    known = [field.name for field in msgspec.structs.fields(kind)]
    for key in data:
        if key not in known:
            owner = f"{_key(path)}: " if path else ""
            raise ExperimentError(
                f"{source.where((*path, key))}: {owner}unknown key {key!r}"
                f"{hint(key, known, elsewhere or {})}"
            )


def hint(given: str, known: Sequence[str], elsewhere: Mapping[str, str] | None = None) -> str:
    """``; did you mean 'x'? (there are: x, y)``"""
    instead = {**(elsewhere or {}), **{word: repr(word) for word in known}}
    close = nearest(given, instead)
    meant = "" if close is None else f"; did you mean {instead[close]}?"
    return f"{meant} (there are: {', '.join(known)})" if known else meant


def readable(error: Exception, words: Mapping[str, Sequence[str]]) -> tuple[toml_places.Path, str]:
    """Path and cause from msgspec's ``Cause - at `$.key[0].key` ``.

    ``words`` are those that may stand for a key.
    """
    cause, _, at = str(error).partition(" - at `$")
    path = tuple(
        int(number) if number else key for key, number in re.findall(r"\.(\w+)|\[(\d+)\]", at)
    )
    known = ", ".join(words.get(str(path[-1]), ())) if path else ""
    cause = re.sub(r"Invalid enum value ('.*')", rf"\1 is unknown (there are: {known})", cause)
    cause = re.sub(r"Object missing required field `(\w+)`", r"the key \1 is missing", cause)
    return path, cause[:1].lower() + cause[1:]


# --- writing -------------------------------------------------------------------------------


def written(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        pairs = (f"{_toml_key(key)} = {written(v)}" for key, v in value.items() if v is not None)
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(written(item) for item in value) + "]"
    # JSON's strings, numbers and truth values are TOML's, but for DEL.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else written(key)
