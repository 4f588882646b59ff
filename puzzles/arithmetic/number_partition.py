"""Number partitioning: 1 to n in two sets of one size, one sum, and one sum of squares.

Text is n: ``8``. Variable ``sI`` is 1 if number I is in the second set. So that a partition is
counted once and not again with its sets exchanged, 1 is in the first set; that is the whole
symmetry that is broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import Linear
from modelling.problem import Problem, Structure
from puzzles.lines import NumberFamily, out_of_range
from puzzles.pictures import Picture, draw_row

MOST = 400


@lru_cache(maxsize=32)
def structure(n: int) -> Structure:
    """Twice the count, sum and sum of squares of the second set are those of all numbers."""
    every = tuple(range(n))
    powers = (tuple((i + 1) ** power for i in every) for power in range(3))
    return Structure(
        tuple(f"s{i + 1}" for i in every),
        ((0,), *((0, 1),) * (n - 1)),
        tuple(Linear(every, tuple(2 * f for f in row), "==", sum(row)) for row in powers),
    )


class NumberPartition(NumberFamily):
    """Implements ``puzzles.family.Family``."""

    name = "number_partition"
    about = "1 to n in two sets of one size, one sum and one sum of squares"
    unit = "numbers"
    csplib = 49
    size = ("how many numbers", 1, MOST, "8")

    def state(self, puzzle: int) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def find_faults(self, puzzle: int, values: Sequence[int]) -> Iterator[str]:
        """Both sets are added up."""
        yield from out_of_range([f"s{i}" for i in range(1, puzzle + 1)], values, 0, 1)
        first = [i for i, side in enumerate(values, 1) if side == 0]
        second = [i for i, side in enumerate(values, 1) if side != 0]
        if 1 in second:
            yield "1 is in the second set"
        if len(first) != len(second):
            yield f"one set has {len(first)} numbers, the other {len(second)}"
        if sum(first) != sum(second):
            yield f"one set adds up to {sum(first)}, the other to {sum(second)}"
        squares = [sum(i * i for i in part) for part in (first, second)]
        if squares[0] != squares[1]:
            yield f"the squares of one set add up to {squares[0]}, of the other to {squares[1]}"

    def draw(self, puzzle: int, values: Sequence[int] | None) -> str:
        """Both sets, a line each."""
        if values is None:
            return f"1 to {puzzle}"
        return "\n".join(
            " ".join(str(i) for i, side in enumerate(values, 1) if side == which)
            for which in (0, 1)
        )

    def sketch(self, puzzle: int, values: Sequence[int] | None) -> Picture:
        """The numbers, a colour for each set."""
        if values is None:
            return super().sketch(puzzle, None)
        return draw_row(range(1, puzzle + 1), values)


NUMBER_PARTITION = NumberPartition()
