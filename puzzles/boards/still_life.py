"""Still lifes: as many live cells as can be in a square, on a dead board, that Conway's game of
Life leaves as they are.

Text is the side of the square: ``7``. Variable ``rIcJ`` is 1 if the cell in row I and column J
lives. A live cell has two or three live neighbours, a dead one does not have three, and this is so
outside of the square too. All images of a pattern are solutions of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import Constraint, Linear
from modelling.problem import Objective, Problem, Structure
from puzzles.lines import NumberFamily, out_of_range
from puzzles.pictures import Picture, draw_pattern

MOST = 40


@lru_cache(maxsize=32)
def structure(n: int) -> Structure:
    """For each cell, within and around, what its neighbours may add up to."""
    rules: list[Constraint] = []
    for i in range(-1, n + 1):
        for j in range(-1, n + 1):
            near = tuple(
                r * n + c
                for r in range(max(i - 1, 0), min(i + 2, n))
                for c in range(max(j - 1, 0), min(j + 2, n))
                if (r, c) != (i, j)
            )
            ones = (1,) * len(near)
            if not (0 <= i < n and 0 <= j < n):
                rules += [Linear(near, ones, "!=", 3)] if len(near) > 2 else []
                continue
            cell = i * n + j
            rules += [
                Linear((*near, cell), (*ones, -2), ">=", 0),
                Linear((*near, cell), (*ones, 5), "<=", 8),
                Linear((*near, cell), (*ones, 6), "!=", 3),
            ]
    cells = tuple(range(n * n))
    return Structure(
        tuple(f"r{i + 1}c{j + 1}" for i in range(n) for j in range(n)),
        ((0, 1),) * (n * n),
        tuple(rules),
        Objective("maximize", cells, (1,) * (n * n)),
    )


class StillLife(NumberFamily):
    """Implements ``puzzles.family.Family`` and ``Valued``."""

    name = "still_life"
    about = "still lifes: the most live cells in a square that stay as they are"
    unit = "rows"
    csplib = 32
    size = ("the side", 1, MOST, "7")

    def state(self, puzzle: int) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def count_values(self, puzzle: int) -> int:
        """The cells."""
        return puzzle**2

    def find_faults(self, puzzle: int, values: Sequence[int]) -> Iterator[str]:
        """The game is played for one step."""
        n = puzzle
        yield from out_of_range([f"cell {k + 1}" for k in range(n * n)], values, 0, 1)
        alive = {divmod(k, n) for k, value in enumerate(values) if value == 1}
        for i in range(-1, n + 1):
            for j in range(-1, n + 1):
                around = [(i + x, j + y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
                near = sum(cell in alive for cell in around)
                if ((i, j) in alive) != (near == 3 or ((i, j) in alive and near == 2)):
                    fate = "dies" if (i, j) in alive else "is born"
                    yield f"the cell in row {i + 1} and column {j + 1} {fate}"

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: always."""
        return True

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: the live cells."""
        return list(values).count(1)

    def draw(self, puzzle: int, values: Sequence[int] | None) -> str:
        """The square."""
        shown = ["."] * puzzle**2 if values is None else [".O"[value == 1] for value in values]
        rows = (shown[k : k + puzzle] for k in range(0, puzzle**2, puzzle))
        return "\n".join(" ".join(row) for row in rows)

    def sketch(self, puzzle: int, values: Sequence[int] | None) -> Picture:
        """The square, its live cells filled."""
        return draw_pattern(
            puzzle, puzzle, {k for k, alive in enumerate(values or ()) if alive == 1}
        )


STILL_LIFE = StillLife()
