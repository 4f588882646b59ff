"""Puzzles made by wish: full grids, clues removed, attempts until it is as wished.

Words
-----
item      the number of a puzzle in the sequence that belongs to a seed, from 0
attempt   one grid filled and reduced for an item, or one exchange of a clue (``Wish.exchanges``)
met       the wish is fulfilled; for a number of clues the best so far is kept if it is not

Everything that is drawn for an item comes from streams keyed by seed, item, attempt and purpose, so
what an item becomes does not depend on the batch that it is made in. It depends on the solver only
where that gives up; a solver that does not may be exchanged for any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.counting import Count
from puzzles.sudoku.filling.random_fill import random_fill
from puzzles.sudoku.grading.path import grade_grid
from puzzles.sudoku.grading.scale import rank
from puzzles.sudoku.reducing.easing import eased
from puzzles.sudoku.reducing.exchanging import exchanged
from puzzles.sudoku.reducing.removing import removed
from puzzles.sudoku.reducing.several import several
from puzzles.sudoku.reducing.unsatisfiable import contradicted
from puzzles.sudoku.wish import Wish

FILL, REDUCE, CHANGE, EXCHANGE = range(4)
"""Purposes of draws, the last number of a stream's key."""

TOGETHER = 8192
"""So many items are made side by side where the caller does not care."""

Grade = Callable[[Layout, Sequence[int]], str | None]
"""The grade of a grid with one solution; None where it is not found."""


def grade_of(layout: Layout, grid: Sequence[int]) -> str | None:
    """The grade by which wishes are measured unless told otherwise."""
    return grade_grid(layout, grid).grade


@dataclass(frozen=True, slots=True)
class Made:
    """A batch of N items.

    items      int64[N]
    grids      uint8[N, cells]; zeros where ``kept`` is false
    attempts   int64[N]: how many were made
    met        bool[N]: the grid is as wished
    kept       bool[N]: there is a grid, though perhaps with more clues than wished
    sure       bool[N]: nothing that was removed or stayed rests on a count that gave up
    """

    items: Any
    grids: Any
    attempts: Any
    met: Any
    kept: Any
    sure: Any


@dataclass(frozen=True, slots=True)
class Generated:
    """One item, with where it comes from; ``grid`` is None where nothing was found.

    ``met``, ``attempts`` and ``sure`` are as in ``Made``.
    """

    seed: int
    item: int
    grid: bytes | None
    attempts: int
    met: bool
    sure: bool


def generate(
    wish: Wish,
    layout: Layout,
    seed: int,
    items: Iterable[int],
    count: Count,
    grade: Grade = grade_of,
    together: int = TOGETHER,
) -> Iterator[Generated]:
    """Make these items in order; raises ``InputError`` for a wish that the layout cannot fulfil."""
    wish.check(layout)
    numbers = iter(items)
    while batch := list(islice(numbers, together)):
        made = make(wish, layout, seed, batch, count, grade)
        for k, item in enumerate(batch):
            yield Generated(
                seed,
                item,
                made.grids[k].tobytes() if made.kept[k] else None,
                int(made.attempts[k]),
                bool(made.met[k]),
                bool(made.sure[k]),
            )


def make(
    wish: Wish,
    layout: Layout,
    seed: int,
    items: Sequence[int],
    count: Count,
    grade: Grade = grade_of,
) -> Made:
    """Make these items side by side; the same as one by one."""
    number = len(items)
    made = Made(
        np.array(items, np.int64),
        grids=np.zeros((number, layout.cells), np.uint8),
        attempts=np.zeros(number, np.int64),
        met=np.zeros(number, bool),
        kept=np.zeros(number, bool),
        sure=np.ones(number, bool),
    )
    rows = np.arange(number)
    for attempt in range(wish.attempts):
        if not len(rows):
            break
        made.attempts[rows] += 1
        walks = made.kept[rows] & wish.exchanges
        for part, walking in ((rows[walks], True), (rows[~walks], False)):
            if not len(part):
                continue
            draw = partial(Streams, seed, made.items[part], attempt)
            if walking:
                found = _exchanged(wish, layout, made.grids[part], count, draw)
            else:
                found = _reduced(wish, layout, count, draw, grade)
            _keep(wish, made, part, found)
        rows = rows[~made.met[rows]]
    return made


@dataclass(frozen=True, slots=True)
class _Found:
    """What an attempt came to: grids, whether each may be kept, whether it is sure."""

    grids: Any
    fit: Any
    sure: Any


Draw = Callable[[int], Streams]
"""The streams of an attempt, by purpose."""


def _reduced(wish: Wish, layout: Layout, count: Count, draw: Draw, grade: Grade) -> _Found:
    """A grid for each stream, filled and reduced."""
    filled = random_fill(layout, count, draw(FILL))
    if wish.solutions > 1:
        found = several(layout, filled.grids, count, draw(REDUCE), wish.solutions, wish.symmetry)
        return _Found(found[0], found[1] & filled.filled, found[2])
    reduced = removed(
        layout, filled.grids, count, draw(REDUCE), wish.symmetry, clues=wish.clues or 0
    )
    if wish.solutions == 0:
        grids, fit = contradicted(layout, reduced.grids, count, draw(CHANGE))
        return _Found(grids, fit & filled.filled, reduced.sure)
    if wish.grade is None:
        return _Found(reduced.grids, filled.filled, reduced.sure)
    wished = rank(wish.grade)
    grids, fit = reduced.grids, filled.filled.copy()

    def hard(grid: Any) -> int:
        found = grade(layout, grid.tolist())
        return rank(found) if found else 0

    for row in np.flatnonzero(fit):
        if wish.clues is None:
            easier = eased(grids[row], filled.grids[row], reduced.turns[row], hard, wished)
        else:
            easier = grids[row] if hard(grids[row]) == wished else None
        fit[row] = easier is not None
        if easier is not None:
            grids[row] = easier
    return _Found(grids, fit, reduced.sure)


def _exchanged(wish: Wish, layout: Layout, puzzles: Any, count: Count, draw: Draw) -> _Found:
    """A further step of each walk."""
    grids, sure = exchanged(layout, puzzles, count, draw(EXCHANGE), wish.clues or 0)
    return _Found(grids, np.ones(len(grids), bool), sure)


def _keep(wish: Wish, made: Made, rows: Any, found: _Found) -> None:
    """Take over what was found for these rows where it is no worse than what there is."""
    held = (found.grids > 0).sum(axis=1)
    better = found.fit & (~made.kept[rows] | (held <= (made.grids[rows] > 0).sum(axis=1)))
    into = rows[better]
    made.grids[into] = found.grids[better]
    made.kept[into] = True
    made.sure[into] = found.sure[better]
    made.met[into] = True if wish.clues is None else held[better] == wish.clues
