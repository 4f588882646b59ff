"""What MiniZinc says of a model that it refuses, as an error at the place in the user's own file.

MiniZinc reads copies of the model and its data, and says where it stopped, in any of these forms::

    (included from file '/copies/model.mzn')
    /home/user/other.mzn:1.8-12:
    the line of the file
        ^^^^^
    Error: syntax error, unexpected identifier
    /copies/model.mzn:3.12-44
      in call 'assert'

Lines of files are left out: an ``include`` can name any file of the machine. For a file outside the
model's folder, the error says only its kind and quotes no word of the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from modelling.errors import InstanceError

LONGEST = 1000
"""Number of characters of a cause that are passed on."""

_PLACE = re.compile(r"(?P<file>.+):(?P<line>\d+)\.(?P<column>\d+)(?:-[\d.]+)?(?P<quotes>:?)")
_ERROR = re.compile(r"(?:Error|error): *(.*)")
_CONTEXT = re.compile(r"  in |\(included from |Warning:|\s*\^+\s*$")
_KIND = re.compile(r"[\w ]*error")
_UNDEFINED = "did you forget to specify a data file?"


class _Place(NamedTuple):
    file: str
    line: int
    column: int


class _Said(NamedTuple):
    """The first error, and the places in MiniZinc's text, in their order."""

    cause: str
    places: list[_Place]


def explain(said: str, files: Mapping[str, str], source: str) -> InstanceError:
    """The error that MiniZinc's text ``said`` names.

    ``files`` are the names of the user's files by those of their copies; ``source`` is the name of
    the model.
    """
    cause, places = _parse(said)
    cause = cause[:LONGEST]
    known = [place for place in places if place.file in files]
    place = next(iter(known or places), None)
    folder = os.path.join(os.path.dirname(os.path.realpath(source)), "")
    if place is not None and place.file not in files and not place.file.startswith(folder):
        kind = _KIND.match(cause)
        cause = f"{kind[0] if kind else 'an error'} in a file outside the model's folder"
    for copy, name in files.items():
        cause = cause.replace(copy, name)
    if _UNDEFINED in cause:
        cause = cause.replace(_UNDEFINED, "name its file of data after the model")
    data = [name for name in files.values() if name != source]
    if data and (place is None or files.get(place.file) not in data):
        cause = f"{cause} (with the data of {', '.join(data)})"
    return InstanceError(f"MiniZinc: {cause}", _write_place(place, files, source, folder))


def _parse(said: str) -> _Said:
    causes: list[list[str]] = []
    places: list[_Place] = []
    is_cause = False
    for line in _drop_quoted(said.splitlines()):
        if found := _ERROR.match(line):
            causes.append([found[1]])
            is_cause = True
        elif found := _PLACE.fullmatch(line):
            places.append(
                _Place(found["file"], max(1, int(found["line"])), max(1, int(found["column"])))
            )
            is_cause = False
        elif _CONTEXT.match(line) or not line.strip():
            is_cause = False
        elif is_cause:
            causes[-1].append(line)
    if not causes:
        return _Said("it refused the model without naming an error", places)
    return _Said(" ".join(" ".join(causes[0]).split()), places)


def _drop_quoted(lines: list[str]) -> Iterator[str]:
    """All lines except those that MiniZinc quotes from files.

    Any line between a place that ends in a colon and the error is such a quotation.
    """
    number = 0
    while number < len(lines):
        line = lines[number]
        yield line
        number += 1
        found = _PLACE.fullmatch(line)
        if found and found["quotes"]:
            is_quoted = number < len(lines) and not _ERROR.match(lines[number])
            if is_quoted or _has_carets(lines, number + 1):
                number += 1
            while number < len(lines) and not _ERROR.match(lines[number]):
                number += 1


def _has_carets(lines: list[str], number: int) -> bool:
    return number < len(lines) and re.fullmatch(r"\s*\^+\s*", lines[number]) is not None


def _write_place(place: _Place | None, files: Mapping[str, str], source: str, folder: str) -> str:
    """``file:line:column``; a file within the model's folder is named as the model is."""
    if place is None:
        return f"{source}:1:1"
    name = files.get(place.file, place.file)
    if name.startswith(folder) and place.file not in files:
        name = os.path.join(os.path.dirname(source), name.removeprefix(folder))
    return f"{name}:{place.line}:{place.column}"
