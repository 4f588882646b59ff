"""TSPLIB's files of tours (``.tsp``, ``.atsp``): what they specify, then sections of data.

``KEY : VALUE`` lines, then sections of which each begins with its name on a line of its own; see
``puzzles.routing.distances`` for the source. Coordinates are taken from the section
``NODE_COORD_SECTION``, and where there is none from ``DISPLAY_DATA_SECTION``, in which some
collections have them. Fixed edges, depots and demands belong to other problems and are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from modelling.errors import InstanceError
from modelling.wording import did_you_mean
from puzzles.formats import numbered, place
from puzzles.lines import read_number
from puzzles.routing.distances import KINDS, ROWS, Matrix, count_numbers, fill_matrix, is_symmetric
from puzzles.routing.words import Words

MOST_CITIES, MOST_DISTANCE = 300, 10_000_000
MOST_COORDINATE = 10_000_000

_KEYS = {
    "NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT",
    "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE", "EDGE_DATA_FORMAT", "CAPACITY",
}  # fmt: skip
_SECTIONS = ("NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION")


class Read(NamedTuple):
    """What a file says: the coordinates as they are written, or a matrix of distances."""

    name: str
    kind: str
    points: tuple[tuple[str, str], ...]
    matrix: Matrix


class _Parts(NamedTuple):
    """Key -> value and its place; section -> its lines."""

    given: dict[str, tuple[str, str]]
    sections: dict[str, tuple[int, list[tuple[int, str]]]]


def read_tsplib(lines: Iterable[str], source: str) -> Read:
    """What a file says; raises ``InstanceError``."""
    parts = _split(numbered(lines), source)
    start = place(source, 1, 1)
    problem, where = parts.given.get("TYPE", ("TSP", start))
    if problem.split()[:1] not in (["TSP"], ["ATSP"]):
        raise InstanceError(f"a problem of type {problem[:40]!r}; TSP and ATSP are read", where)
    if "DIMENSION" not in parts.given:
        raise InstanceError("no line tells the DIMENSION, the number of cities", start)
    word, where = parts.given["DIMENSION"]
    cities = read_number(word, "the number of cities", 2, MOST_CITIES, where)
    name = parts.given.get("NAME", ("", ""))[0]
    kind, where = parts.given.get("EDGE_WEIGHT_TYPE", ("", start))
    if kind == "EXPLICIT":
        matrix = _read_matrix(parts, cities, source)
        if "TYPE" in parts.given and problem.split()[0] == "TSP" and not is_symmetric(matrix):
            cause = "TYPE is TSP, but not all ways back are as long as ways there; write TYPE: ATSP"
            raise InstanceError(cause, parts.given["TYPE"][1])
        return Read(name, kind, (), matrix)
    if kind not in KINDS:
        known = [*KINDS, "EXPLICIT"]
        hint = did_you_mean(kind, known)
        cause = f"distances of type {kind[:40]!r}{hint} (these are read: {', '.join(known)})"
        raise InstanceError(cause, where)
    return Read(name, kind, _read_points(parts, cities, source), ())


def _split(rows: Iterable[tuple[int, str]], source: str) -> _Parts:
    parts = _Parts({}, {})
    section: list[tuple[int, str]] | None = None
    for number, line in rows:
        text = line.strip()
        if text == "EOF":
            break
        if not text:
            continue
        if re.match(r"[-+.0-9]", text):
            if section is None:
                cause = "numbers before a section begins, as with NODE_COORD_SECTION"
                raise InstanceError(cause, place(source, number, 1))
            section.append((number, line))
            continue
        key, _, value = (part.strip() for part in text.partition(":"))
        if key in parts.sections or (key in parts.given and key != "COMMENT"):
            raise InstanceError(f"a second {key}; leave one of them", place(source, number, 1))
        if key in _SECTIONS:
            section = []
            parts.sections[key] = number, section
        elif key in _KEYS:
            column = len(line) - len(value) + 1 if value else 1
            parts.given[key] = value, place(source, number, column)
        else:
            known = [*_SECTIONS, *sorted(_KEYS)]
            cause = f"{key[:40]!r} is not read{did_you_mean(key, known)}"
            raise InstanceError(cause, place(source, number, 1))
    return parts


def _read_matrix(parts: _Parts, cities: int, source: str) -> Matrix:
    form, where = parts.given.get("EDGE_WEIGHT_FORMAT", ("", place(source, 1, 1)))
    if form not in ROWS:
        hint = did_you_mean(form, list(ROWS))
        cause = f"a matrix in the form {form[:40]!r}{hint} (these are read: {', '.join(ROWS)})"
        raise InstanceError(cause, where)
    words = _words(parts, "EDGE_WEIGHT_SECTION", source)
    many = count_numbers(form, cities)
    numbers = words.numbers(many, "a distance", 0, MOST_DISTANCE)
    words.finish(f"the {many} distances of {cities} cities")
    return fill_matrix(form, cities, numbers)


def _read_points(parts: _Parts, cities: int, source: str) -> tuple[tuple[str, str], ...]:
    has_own = "NODE_COORD_SECTION" in parts.sections
    section = "NODE_COORD_SECTION" if has_own else "DISPLAY_DATA_SECTION"
    words = _words(parts, section, source)
    points: dict[int, tuple[str, str]] = {}
    for _ in range(cities):
        word, where = words.word("the number of a city")
        city = read_number(word, "the number of a city", 1, cities, where)
        if city in points:
            raise InstanceError(f"city {city} occurs twice", where)
        points[city] = (
            read_coordinate(*words.word("a coordinate")),
            read_coordinate(*words.word("a coordinate")),
        )
    words.finish(f"{cities} cities")
    return tuple(points[city] for city in range(1, cities + 1))


def _words(parts: _Parts, section: str, source: str) -> Words:
    if section not in parts.sections:
        raise InstanceError(f"there is no {section}", place(source, 1, 1))
    line, rows = parts.sections[section]
    return Words(rows, source, line)


def read_coordinate(word: str, where: str) -> str:
    """A number in its shortest form without an exponent; raises ``InstanceError``."""
    try:
        # Decimal takes underscores and the digits of all scripts, too
        number = Decimal(word if word.isascii() and "_" not in word else "no number")
    except InvalidOperation as error:
        raise InstanceError(
            f"{word[:40]!r} is not a number; expected a coordinate", where
        ) from error
    if not number.is_finite() or abs(number) > MOST_COORDINATE or number.adjusted() < -12:
        if number:
            cause = (
                f"a coordinate of {word[:40]}; they go up to {MOST_COORDINATE}, and are not tiny"
            )
            raise InstanceError(cause, where)
        return "0"
    given = f"{number.normalize():f}"
    return "0" if given in ("-0", "0") else given
