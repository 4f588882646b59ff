"""Schur's lemma: the numbers 1 to n in k boxes, no x, y and x + y (x = y included) in one box.

Text is the boxes and the numbers: ``3 13``. Variable ``bI`` is the box of number I, from 1.
Solutions that differ in the names of the boxes are solutions apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import NotEqual, Table
from modelling.problem import Problem, Structure
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_numbers
from puzzles.pictures import Picture, draw_row

MOST_BOXES, MOST_NUMBERS = 6, 200

Puzzle = tuple[int, int]
"""Boxes and numbers."""


@lru_cache(maxsize=32)
def structure(boxes: int, numbers: int) -> Structure:
    """No box holds all three of x + y = z."""
    together = tuple((box,) * 3 for box in range(1, boxes + 1))
    sums = [(x, y) for x in range(1, numbers + 1) for y in range(x, numbers - x + 1)]
    return Structure(
        tuple(f"b{x + 1}" for x in range(numbers)),
        (tuple(range(1, boxes + 1)),) * numbers,
        tuple(
            NotEqual((x - 1, 2 * x - 1))
            if x == y
            else Table((x - 1, y - 1, x + y - 1), together, allowed=False)
            for x, y in sums
        ),
    )


class Schur(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``."""

    name = "schur"
    about = "Schur's lemma: 1 to n in k boxes, no x, y and x + y in one box"
    unit = "numbers"
    csplib = 15

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """Boxes and numbers."""
        wanted = ("how many boxes", 1, MOST_BOXES), ("how many numbers", 1, MOST_NUMBERS)
        boxes, numbers = read_numbers(body, locate, "3 13", *wanted)
        return boxes, numbers

    def text(self, puzzle: Puzzle) -> str:
        """Boxes and numbers."""
        return f"{puzzle[0]} {puzzle[1]}"

    def of_size(self, n: int) -> str:
        """See ``Sized``: three boxes, as in CSPLib."""
        return f"3 {n}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def measure(self, puzzle: Puzzle) -> int:
        """The numbers."""
        return puzzle[1]

    def count_values(self, puzzle: Puzzle) -> int:
        """The numbers."""
        return puzzle[1]

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """In each box, sums are looked for."""
        boxes, numbers = puzzle
        yield from out_of_range([f"b{x}" for x in range(1, numbers + 1)], values, 1, boxes)
        for box in sorted(set(values)):
            inside = {x for x, b in enumerate(values, 1) if b == box}
            for x in sorted(inside):
                for y in sorted(inside):
                    if x <= y and x + y in inside:
                        yield f"{x}, {y} and {x + y} are all in box {box}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The boxes, a line each."""
        boxes, numbers = puzzle
        if values is None:
            return f"1 to {numbers} in {boxes} box{'es' if boxes > 1 else ''}"
        return "\n".join(
            f"{box}: {' '.join(str(x) for x, b in enumerate(values, 1) if b == box)}".rstrip()
            for box in range(1, boxes + 1)
        )

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The numbers, a colour for each box."""
        if values is None:
            return super().sketch(puzzle, None)
        return draw_row(range(1, puzzle[1] + 1), values)


SCHUR = Schur()
