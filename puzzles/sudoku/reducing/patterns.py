"""Symmetry of the pattern that the clues of a puzzle make.

Words
-----
pattern   which cells hold a clue, whatever value
orbit     cells that a symmetric pattern holds all or none of

The pattern is what meets the eye, so its symmetries are those of the square, in grids with boxes
of any shape or none:

none          no symmetry is asked for: each cell is an orbit
half-turn     turned by 180 degrees, the pattern is the same
mirror        the left half mirrors the right half
diagonal      the pattern is mirrored at the diagonal from the top left to the bottom right
quarter-turn  turned by 90 degrees, the pattern is the same
full          all of these, and what follows from them: all eight symmetries of the square
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from modelling.errors import InputError
from modelling.wording import did_you_mean
from puzzles.grid.layout import Layout

Place = tuple[int, int]
"""Row and column, from 0."""

_MOVES: dict[str, tuple[Callable[[int, int, int], Place], ...]] = {
    "none": (),
    "half-turn": (lambda last, row, column: (last - row, last - column),),
    "mirror": (lambda last, row, column: (row, last - column),),
    "diagonal": (lambda _, row, column: (column, row),),
    "quarter-turn": (lambda last, row, column: (column, last - row),),
    "full": (
        lambda last, row, column: (column, last - row),
        lambda last, row, column: (row, last - column),
    ),
}
"""For each symmetry, moves (last row, row, column) -> place that generate it."""

SYMMETRIES = tuple(_MOVES)


def check_symmetry(symmetry: str) -> str:
    """The name of a symmetry; raises ``InputError`` for what is none."""
    if symmetry not in _MOVES:
        hint = did_you_mean(symmetry, SYMMETRIES)
        known = ", ".join(SYMMETRIES)
        raise InputError(f"no symmetry is called {symmetry!r}{hint} (there are: {known})")
    return symmetry


@lru_cache(maxsize=64)
def orbits(layout: Layout, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """The orbits, each with its cells ascending, in the order of their first cells."""
    moves, n = _MOVES[check_symmetry(symmetry)], layout.order
    seen: set[int] = set()
    found = []
    for start in range(layout.cells):
        if start in seen:
            continue
        orbit, fringe = {start}, [start]
        while fringe:
            row, column = divmod(fringe.pop(), n)
            for move in moves:
                to_row, to_column = move(n - 1, row, column)
                cell = to_row * n + to_column
                if cell not in orbit:
                    orbit.add(cell)
                    fringe.append(cell)
        seen |= orbit
        found.append(tuple(sorted(orbit)))
    return tuple(found)
