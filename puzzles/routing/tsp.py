"""Tours: the shortest way through all cities and back (the travelling salesman's problem).

Text is how distances are given, a colon, and what gives them: points, ``EUC_2D: 0,0 3,4 6,0``, by
any of TSPLIB's kinds of distance (``puzzles.routing.distances``); what is above the diagonal of a
symmetric matrix, row by row, ``UPPER_ROW: 5 6 5``; or a whole matrix, ``FULL_MATRIX: 0 5 6 7 0 5 6
5 0``. It asks for the shortest tour; with ``<= 16`` after it for one of at most that length.

Variable ``nI`` is the city after city I. Cities are numbered from 0 in solutions, as ``Circuit``
has it, and from 1 in files, drawings and tours that are written. What counting counts: tours with
their direction, so that a symmetric tour of three cities or more counts twice.

Files may be TSPLIB's (``tsplib``: ``puzzles.routing.tsplib``), each one problem.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from modelling.errors import InputError, InstanceError
from modelling.problem import Objective, Problem, Structure
from modelling.terms import constants
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.graphs.circuit import Circuit
from puzzles.drawing import beside_or_below
from puzzles.family import Family
from puzzles.formats import Locate, in_text, label
from puzzles.lines import FormattedFamily, Read, out_of_range, read_number, split_limit, split_words
from puzzles.parameters import Parameter
from puzzles.pictures import Picture
from puzzles.pictures import draw_map as draw_places
from puzzles.random_stream import Stream
from puzzles.routing.distances import KINDS, Matrix, fill_matrix, is_symmetric, measure
from puzzles.routing.map import draw_map, fold_words
from puzzles.routing.tsplib import (
    MOST_CITIES,
    MOST_DISTANCE,
    read_coordinate,
    read_tsplib,
)

MOST_LENGTH = MOST_CITIES * MOST_DISTANCE
MATRICES = ("UPPER_ROW", "FULL_MATRIX")
_FORM = "EUC_2D: 0,0 3,4 6,0"
_DRAWN = 15
"""Matrices of at most this many cities are drawn."""


class Puzzle(NamedTuple):
    """The kind of distance, the points or the matrix, and how long a tour may be, if given."""

    kind: str
    points: tuple[tuple[str, str], ...]
    matrix: Matrix
    limit: int | None

    @property
    def distances(self) -> Matrix:
        """From each city to each."""
        return self.matrix or _measure(self.kind, self.points)


@lru_cache(maxsize=32)
def _measure(kind: str, points: tuple[tuple[str, str], ...]) -> Matrix:
    return measure(kind, [(float(x), float(y)) for x, y in points])


@lru_cache(maxsize=8)
def structure(puzzle: Puzzle) -> Structure:
    """A circuit, and the length of each of its steps."""
    matrix = puzzle.distances
    cities = tuple(range(len(matrix)))
    steps = []
    for i, row in enumerate(matrix):
        nearest = min(row[:i] + row[i + 1 :])
        steps.append(Element(constants(*row[:i], nearest, *row[i + 1 :]), i))
    length = Sum(tuple(steps), (1,) * len(steps))
    constraints: list[Circuit | Linear] = [Circuit(cities)]
    if puzzle.limit is not None:
        constraints.append(Linear(tuple(steps), (1,) * len(steps), "<=", puzzle.limit))
    return Structure(
        tuple(f"n{i + 1}" for i in cities),
        tuple((*cities[:i], *cities[i + 1 :]) for i in cities),
        tuple(constraints),
        Objective("minimize", length) if puzzle.limit is None else None,
    )


class Tsp(FormattedFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Formatted`` and ``Generated``."""

    name = "tsp"
    file_formats = ("tsplib",)
    about = "travelling salesman: the shortest tour, or one no longer than given"
    unit = "cities"
    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("cities", 10, "Number of cities.", 2, MOST_CITIES),
        Parameter("side", 1000, "Side of the square that they lie in.", 1, 1_000_000),
        Parameter(
            "percent",
            0,
            "Length in per cent of the root of cities times area; at 75 hardest; 0: the best.",
            0,
            1000,
        ),
    )
    endings = (".tsp", ".atsp")

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The distances, and the limit if there is one."""
        head, colon, _ = body.partition(":")
        kind = head.strip()
        if not colon or kind not in (*KINDS, *MATRICES):
            cause = f"write how distances are given, a colon and what gives them, as in {_FORM!r}"
            raise InstanceError(f"{cause}; there are {', '.join((*KINDS, *MATRICES))}", locate(1))
        body, limit = split_limit(
            body, locate, "how long a tour may be", MOST_LENGTH, len(head) + 1
        )
        words = split_words(body, len(head) + 1)
        if kind in MATRICES:
            return _with_matrix(_parse_matrix(kind, words, locate), limit)
        if not 2 <= len(words) <= MOST_CITIES:
            cause = f"{len(words)} cities; there are from 2 to {MOST_CITIES}"
            raise InstanceError(cause, locate(1))
        points = []
        for word, column in words:
            x, comma, y = word.partition(",")
            if not comma:
                cause = f"{word[:40]!r} is no point; write two coordinates, as in '3,4'"
                raise InstanceError(cause, locate(column))
            points.append((read_coordinate(x, locate(column)), read_coordinate(y, locate(column))))
        return Puzzle(kind, tuple(points), (), limit)

    def generate(self, draws: Stream, *, percent: int, **given: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, percent=percent or None, **given)

    def text(self, puzzle: Puzzle) -> str:
        """The distances, and the limit if there is one."""
        given: Iterable[str] = (",".join(point) for point in puzzle.points)
        if puzzle.matrix:
            full = puzzle.kind == "FULL_MATRIX"
            rows = (row if full else row[i + 1 :] for i, row in enumerate(puzzle.matrix))
            given = (str(number) for row in rows for number in row)
        text = f"{puzzle.kind}: {' '.join(given)}"
        return text if puzzle.limit is None else f"{text} <= {puzzle.limit}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The cities."""
        return len(puzzle.matrix or puzzle.points)

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The tour is walked."""
        cities = len(values)
        names = [f"the city after {city}" for city in range(1, cities + 1)]
        wrong = out_of_range(names, values, 0, cities - 1)
        yield from wrong
        if wrong:
            return
        tour = _walk(values)
        if len(tour) < cities or values[tour[-1]] != 0:
            stopped = values[tour[-1]] + 1
            yield f"the way from city 1 comes back to city {stopped} after {len(tour)} of {cities}"
        elif puzzle.limit is not None and _find_length(puzzle, values) > puzzle.limit:
            yield f"the tour is {_find_length(puzzle, values)} long, more than {puzzle.limit}"

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: without a longest length."""
        return "<=" not in text

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: the length of the tour."""
        return _find_length(self.parse(text), values)

    def write(self, text: str, values: Sequence[int]) -> str:
        """The cities from 1 in the order of the tour."""
        return " ".join(str(city + 1) for city in _walk(values))

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """A map of the cities, with the tour; or a small matrix, or the tour alone."""
        cities = self.count_values(puzzle)
        tour = None if values is None else _walk(values)
        if puzzle.points:
            drawn = draw_map(_find_places(puzzle), tour)
        elif values is None and cities <= _DRAWN:
            wide = len(str(max(map(max, puzzle.matrix))))
            drawn = "\n".join(" ".join(f"{d:>{wide}}" for d in row) for row in puzzle.matrix)
        else:
            drawn = ""
        if tour is None:
            asked = "as short as can be" if puzzle.limit is None else f"up to {puzzle.limit} long"
            given = f"{cities} cities, {puzzle.kind}, a tour {asked}"
        else:
            assert values is not None
            given = fold_words([f"{_find_length(puzzle, values)}:", *(str(c + 1) for c in tour)])
        return f"{given}\n{drawn}".rstrip()

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """A map of the cities, with the tour; without a map, as it is drawn as text."""
        if not puzzle.points:
            return super().sketch(puzzle, values)
        tour = () if values is None else _walk(values)
        return draw_places(_find_places(puzzle), tour)

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: lines begin with a kind of distance."""
        kinds = "|".join((*KINDS, *MATRICES))
        return self.in_format("lines" if re.match(rf"\s*(?:{kinds})\s*:", first) else "tsplib")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """One problem."""
        found = read_tsplib(lines, source)
        puzzle = Puzzle(found.kind, found.points, (), None)
        if found.matrix:
            puzzle = _with_matrix(found.matrix, None)
        yield re.sub(r"\.a?tsp$", "", found.name or label(source)), 1, puzzle


def _with_matrix(matrix: Matrix, limit: int | None) -> Puzzle:
    """A puzzle given by the half of a symmetric matrix, or by a whole one."""
    return Puzzle("UPPER_ROW" if is_symmetric(matrix) else "FULL_MATRIX", (), matrix, limit)


def _parse_matrix(kind: str, words: Sequence[tuple[str, int]], locate: Locate) -> Matrix:
    numbers = [
        read_number(word, "a distance", 0, MOST_DISTANCE, locate(column)) for word, column in words
    ]
    n = math.isqrt(len(numbers))
    if kind == "UPPER_ROW":
        n = (1 + math.isqrt(1 + 8 * len(numbers))) // 2
    whole = n * n if kind == "FULL_MATRIX" else n * (n - 1) // 2
    if whole != len(numbers) or not 2 <= n <= MOST_CITIES:
        cause = f"{len(numbers)} distances make no such matrix of 2 to {MOST_CITIES} cities"
        raise InstanceError(cause, locate(words[0][1] if words else 1))
    return fill_matrix(kind, n, numbers)


def _find_places(puzzle: Puzzle) -> list[tuple[float, float]]:
    """The cities on a map."""
    points = [(float(x), float(y)) for x, y in puzzle.points]
    if puzzle.kind == "GEO":  # latitude and longitude: north is above
        return [(y, x) for x, y in points]
    return points


def _walk(values: Sequence[int]) -> list[int]:
    """The cities from the first on, until one comes again."""
    tour, seen, city = [0], {0}, values[0]
    while city not in seen:
        tour.append(city)
        seen.add(city)
        city = values[city]
    return tour


def _find_length(puzzle: Puzzle, values: Sequence[int]) -> int:
    matrix = puzzle.distances
    return sum(matrix[city][behind] for city, behind in enumerate(values))


TSP = Tsp()


def generate(draws: Stream, *, cities: int, side: int = 1000, percent: int | None = None) -> str:
    """Cities anywhere in a square, with Euclidean distances.

    With ``percent``, the question is whether there is a tour of that percentage of the square root
    of cities times area: at about 75 half of the problems have one, and there they are hardest to
    tell (Gent and Walsh, "The TSP phase transition", Artificial Intelligence 88, 1996).
    """
    if not (2 <= cities <= MOST_CITIES and 1 <= side <= 1_000_000):
        raise InputError(f"no {cities} cities in a square of {side}")
    if percent is not None and not 0 <= percent <= 1000:
        raise InputError(f"a limit of {percent} %; it goes from 0 to 1000")
    points = tuple((str(draws.below(side + 1)), str(draws.below(side + 1))) for _ in range(cities))
    limit = None
    if percent is not None:
        limit = math.isqrt(cities * side * side * percent * percent // 10_000)
    return TSP.text(Puzzle("EUC_2D", points, (), limit))
