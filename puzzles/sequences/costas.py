"""Costas arrays: one mark in each row and column, no two vectors between marks alike.

Text is the order: ``6``. Variable ``ri`` is the row of the mark in column i, from 1. All symmetric
images of an array are solutions of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from modelling.constraints import AllDifferent, Sum
from modelling.problem import Problem, Structure
from puzzles.lines import NumberFamily, out_of_range
from puzzles.pictures import Picture, draw_pattern

MOST = 40


@lru_cache(maxsize=32)
def structure(n: int) -> Structure:
    """Different rows; at each distance of columns, different distances of rows."""
    columns = tuple(range(n))
    triangle = (
        AllDifferent(tuple(Sum((i + apart, i), (1, -1)) for i in range(n - apart)))
        for apart in range(1, n - 1)
    )
    return Structure(
        tuple(f"r{i + 1}" for i in columns),
        (tuple(range(1, n + 1)),) * n,
        (AllDifferent(columns), *triangle),
    )


class Costas(NumberFamily):
    """Implements ``puzzles.family.Family``."""

    name = "costas"
    about = "Costas arrays: permutations in which no two vectors between marks are alike"
    unit = "columns"
    csplib = 76
    size = ("the order", 1, MOST, "6")

    def state(self, puzzle: int) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def find_faults(self, puzzle: int, values: Sequence[int]) -> Iterator[str]:
        """Rows, and the vectors between all marks, are counted."""
        yield from out_of_range([f"r{i + 1}" for i in range(puzzle)], values, 1, puzzle)
        for row, times in Counter(values).items():
            if times > 1:
                yield f"{times} marks in row {row}"
        marks = combinations(enumerate(values), 2)
        vectors = Counter((d - c, s - r) for (c, r), (d, s) in marks)
        for (right, down), times in vectors.items():
            if times > 1:
                yield f"the vector {right},{down} occurs {times} times"

    def draw(self, puzzle: int, values: Sequence[int] | None) -> str:
        """The array, row 1 at the top."""
        marked = dict(enumerate(values or ()))
        return "\n".join(
            " ".join("X" if marked.get(c) == row else "." for c in range(puzzle))
            for row in range(1, puzzle + 1)
        )

    def sketch(self, puzzle: int, values: Sequence[int] | None) -> Picture:
        """The array, row 1 at the top."""
        marks = {(row - 1) * puzzle + column for column, row in enumerate(values or ())}
        return draw_pattern(puzzle, puzzle, {k for k in marks if 0 <= k < puzzle**2})


COSTAS = Costas()
