"""Langford's problem L(k, n): k copies of each of 1 to n in a row, i places between copies of i.

Text is k and n: ``2 4``. Variable ``pi`` is the place of the first copy of i, from 1. A sequence
and its mirror image are two solutions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import AllDifferent, Linear
from modelling.problem import Problem, Structure
from modelling.terms import Affine
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_numbers
from puzzles.pictures import Picture, draw_row

MOST_COPIES, MOST_NUMBERS = 9, 60

Puzzle = tuple[int, int]
"""How many copies, of how many numbers."""


def _last_start(k: int, n: int, i: int) -> int:
    """The last place at which the first copy of i can be; below 1 where there is none."""
    return k * n - (k - 1) * (i + 1)


@lru_cache(maxsize=32)
def structure(k: int, n: int) -> Structure:
    """All copies are in different places, each a view of the first copy's."""
    numbers = range(1, n + 1)
    too_long = [i for i in numbers if _last_start(k, n, i) < 1]
    copies = tuple(Affine(i - 1, 1, j * (i + 1)) for i in numbers for j in range(k))
    return Structure(
        tuple(f"p{i}" for i in numbers),
        tuple(tuple(range(1, max(1, _last_start(k, n, i)) + 1)) for i in numbers),
        (
            AllDifferent(copies),
            *(Linear((i - 1,), (1,), "<=", _last_start(k, n, i)) for i in too_long),
        ),
    )


class Langford(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``."""

    name = "langford"
    about = "Langford's problem: i places between two copies of i, in a row of k copies of 1 to n"
    unit = "numbers"
    csplib = 24

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """Copies and numbers."""
        wanted = (
            ("how many copies", 2, MOST_COPIES),
            ("how many numbers", 1, MOST_NUMBERS),
        )
        k, n = read_numbers(body, locate, "2 4", *wanted)
        return k, n

    def text(self, puzzle: Puzzle) -> str:
        """Copies and numbers."""
        return f"{puzzle[0]} {puzzle[1]}"

    def of_size(self, n: int) -> str:
        """See ``Sized``: two copies of 1 to n."""
        return f"2 {n}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The numbers."""
        return puzzle[1]

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The copies are put down one by one."""
        k, n = puzzle
        wrong = out_of_range([f"p{i}" for i in range(1, n + 1)], values, 1, k * n)
        yield from wrong
        row: dict[int, int] = {}
        for i, first in enumerate(values, 1) if not wrong else ():
            for place in (first + copy * (i + 1) for copy in range(k)):
                if place > k * n:
                    yield f"a copy of {i} is in place {place}, after the last, {k * n}"
                elif place in row:
                    yield f"{row[place]} and {i} are both in place {place}"
                row[place] = i

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The row."""
        k, n = puzzle
        row = {
            first + copy * (i + 1): str(i)
            for i, first in enumerate(values or (), 1)
            for copy in range(k)
        }
        return " ".join(row.get(place, ".") for place in range(1, k * n + 1))

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The row, a colour for each number."""
        row = self.draw(puzzle, values).split()
        if values is None:
            return super().sketch(puzzle, None)
        return draw_row(row, [int(number) if number != "." else 0 for number in row])

    def write(self, text: str, values: Sequence[int]) -> str:
        """The row of numbers."""
        return self.draw(self.parse(text), values)


LANGFORD = Langford()
