"""Golomb rulers: marks on a ruler, no two pairs of them equally far apart; the shorter the better.

Text is how many marks there are, ``8``, and the shortest ruler is sought; or the marks and a
length, ``8 34``, and rulers of exactly that length are. Variable ``mi`` is the place of mark i; the
first is at 0 and they ascend. A ruler and its mirror image are two solutions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from modelling.constraints import AllDifferent, Sum
from modelling.problem import Objective, Problem, Structure
from modelling.vocabulary.ordering.increasing import Increasing
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_numbers, split_words
from puzzles.pictures import Picture, draw_ruler

MOST_MARKS, MOST_LENGTH = 24, 2000

Puzzle = tuple[int, int | None]
"""Marks, and the length that is asked for."""


@lru_cache(maxsize=32)
def greedy_ruler(marks: int) -> tuple[int, ...]:
    """A ruler, each mark in the first place where it fits: a bound on the shortest."""
    ruler: list[int] = []
    distances: set[int] = set()
    place = 0
    while len(ruler) < marks:
        new = {place - mark for mark in ruler}
        if not new & distances:
            ruler.append(place)
            distances |= new
        place += 1
    return tuple(ruler)


@lru_cache(maxsize=32)
def structure(marks: int, length: int | None) -> Structure:
    """Ascending marks with different distances."""
    longest = greedy_ruler(marks)[-1] if length is None else length
    every = tuple(range(marks))
    between = tuple(Sum((j, i), (1, -1)) for i, j in combinations(every, 2))
    domains = [tuple(range(longest + 1))] * marks
    domains[0] = (0,)
    if length is not None:
        domains[-1] = (length,)
    return Structure(
        tuple(f"m{i + 1}" for i in every),
        tuple(domains),
        (Increasing(every, strict=True), AllDifferent(between)),
        Objective("minimize", marks - 1) if length is None else None,
    )


class Golomb(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` and ``Valued``."""

    name = "golomb"
    about = "Golomb rulers: marks with different distances, on the shortest ruler"
    unit = "marks"
    csplib = 6

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """Marks, and the length if it is given."""
        marks, length = ("the number of marks", 1, MOST_MARKS), ("the length", 1, MOST_LENGTH)
        if len(split_words(body)) == 2:
            two = read_numbers(body, locate, "8 34", (marks[0], 2, MOST_MARKS), length)
            return two[0], two[1]
        return read_numbers(body, locate, "8", marks)[0], None

    def text(self, puzzle: Puzzle) -> str:
        """Marks, and the length if it is given."""
        marks, length = puzzle
        return str(marks) if length is None else f"{marks} {length}"

    def of_size(self, n: int) -> str:
        """See ``Sized``: the shortest ruler with n marks."""
        return str(n)

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The marks."""
        return puzzle[0]

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The distances are counted."""
        marks, length = puzzle
        yield from out_of_range([f"m{i + 1}" for i in range(marks)], values, 0, MOST_LENGTH)
        if values[0] != 0:
            yield f"the first mark is at {values[0]}, not at 0"
        for one, other in pairwise(values):
            if one >= other:
                yield f"mark {other} is not after mark {one}"
        for distance, times in Counter(b - a for a, b in combinations(values, 2)).items():
            if times > 1:
                yield f"the distance {distance} occurs {times} times"
        if length is not None and values[-1] != length:
            yield f"the ruler is {values[-1]} long, not {length}"
        if length is None and values[-1] > greedy_ruler(marks)[-1]:
            yield f"the ruler is {values[-1]} long: longer than one made without any search"

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: without a length."""
        return " " not in text

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: the length."""
        return max(values) - min(values)

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The ruler, a sign for each unit."""
        marks, length = puzzle
        if values is None:
            return f"{marks} marks, length {'?' if length is None else length}"
        return "".join("|" if place in values else "-" for place in range(max(values) + 1))

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The ruler, with the distances between neighbours."""
        return super().sketch(puzzle, None) if values is None else draw_ruler(values)


GOLOMB = Golomb()
