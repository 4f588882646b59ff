"""Puzzles that meet a specification: full grids, clues removed, attempts until one fits.

Words
-----
item      the number of a puzzle in the sequence that belongs to a seed, from 0
attempt   one grid filled and reduced for an item, or one exchange of a clue (``Wish.exchanges``)
met       the specification is met; for a number of clues the best so far is kept if it is not

Everything that is drawn for an item comes from streams keyed by seed, item, attempt and purpose, so
what an item becomes does not depend on the batch that it is made in. It depends on the solver only
where that gives up; a solver that does not may be exchanged for any other. Items go up to
``MOST_ITEM``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from puzzles.grid import arrays
from puzzles.grid.family import GridFamily
from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.counting import Count
from puzzles.sudoku.filling.random_fill import random_fill
from puzzles.sudoku.grading.path import grade_grid
from puzzles.sudoku.grading.scale import rank
from puzzles.sudoku.reducing.easing import ease
from puzzles.sudoku.reducing.exchanging import exchange_clues
from puzzles.sudoku.reducing.removing import remove_clues
from puzzles.sudoku.reducing.several import several
from puzzles.sudoku.reducing.unsatisfiable import contradict
from puzzles.sudoku.specification import PuzzleSpec

FILL, REDUCE, CHANGE, EXCHANGE = range(4)
"""Purposes of draws, the last number of a stream's key."""

TOGETHER = 8192
"""Items that are made side by side where the caller does not say."""
SIDE_BY_SIDE = 512
"""Attempts at few items that are made side by side."""

ATTEMPT_BIT = 40
"""Streams are keyed by item + attempt * 2**40."""
MOST_ITEM = (1 << ATTEMPT_BIT) - 1

Grade = Callable[[Layout, Sequence[int]], str | None]
"""The grade of a grid with one solution; None where it is not found."""


def grade_of(layout: Layout, grid: Sequence[int]) -> str | None:
    """The grade by which specifications are measured by default."""
    return grade_grid(layout, grid).grade


@dataclass(frozen=True, slots=True)
class Made:
    """A batch of N items.

    items      int64[N]
    grids      uint8[N, cells]; zeros where ``kept`` is false
    attempts   int64[N]: how many were made
    met        bool[N]: the grid is as asked for
    kept       bool[N]: there is a grid, though perhaps with more clues than wanted
    sure       bool[N]: nothing that was removed or stayed rests on a count that gave up
    """

    items: Any
    grids: Any
    attempts: Any
    met: Any
    kept: Any
    sure: Any

    def lines(self, kind: GridFamily, layout: Layout, spec: PuzzleSpec) -> str:
        """A line for each item: a puzzle, or a comment where there is none.

        A puzzle that is the best so far, and not as asked for, says so after it.
        """
        if layout.order <= arrays.MOST_ORDER:
            texts = arrays.written(kind.rules.prefix(layout), self.grids).split("\n")
        else:
            texts = [kind.text(layout, grid) for grid in self.grids.tolist()]
        for k in (~self.met).nonzero()[0].tolist():
            item = self.items[k]
            if self.kept[k]:
                clues = int((self.grids[k] > 0).sum())
                texts[k] += f"  # item-{item} # {clues} clues, {spec.clues} were asked for"
            else:
                texts[k] = f"# item-{item}: nothing found in {self.attempts[k]} attempts"
        return "".join(f"{text}\n" for text in texts)

    def draw(self, kind: GridFamily, layout: Layout) -> str:
        """The puzzles as a person draws them, with an empty line after each."""
        grids = self.grids[self.kept].tolist()
        return "".join(f"{kind.render(kind.text(layout, grid))}\n\n" for grid in grids)


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
    spec: PuzzleSpec,
    layout: Layout,
    seed: int,
    items: Iterable[int],
    count: Count,
    grade: Grade = grade_of,
    together: int = TOGETHER,
) -> Iterator[Generated]:
    """Make these items in order; raises ``InputError`` if the layout cannot meet ``spec``."""
    spec.check(layout)
    numbers = iter(items)
    while batch := list(islice(numbers, together)):
        made = make(spec, layout, seed, batch, count, grade)
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
    spec: PuzzleSpec,
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
    rows, attempt = np.arange(number), 0
    while len(rows) and attempt < spec.attempts:
        # the more failed, the more are tried at once: a few more than needed, many side by side
        ahead = 1 if spec.exchanges else min(attempt // 2, SIDE_BY_SIDE // len(rows))
        attempts = range(attempt, min(spec.attempts, attempt + max(1, ahead)))
        keys = [made.items[rows] + (which << ATTEMPT_BIT) for which in attempts]
        draw = partial(Streams, seed, np.concatenate(keys))
        if spec.exchanges and attempt:
            found = _exchange(spec, layout, made, rows, count, draw)
        else:
            found = _reduce(spec, layout, count, draw)
        for k in range(len(attempts)):
            waiting = np.flatnonzero(~made.met[rows])
            made.attempts[rows[waiting]] += 1
            tried = k * len(rows) + waiting
            _grade(spec, layout, found, tried, grade)
            _keep(spec, made, rows[waiting], found, tried)
        attempt = attempts.stop
        rows = rows[~made.met[rows]]
    return made


Draw = Callable[[int], Streams]
"""The streams of attempts, by purpose."""


@dataclass(frozen=True, slots=True)
class _Attempts:
    """What attempts came to: grids, which of them may be kept, and which are sure.

    ``solved`` and ``turns`` are the full grids and the turns in which clues were tried, where
    clues may have to come back.
    """

    grids: Any
    fit: Any
    sure: Any
    solved: Any = None
    turns: Any = None


def _reduce(spec: PuzzleSpec, layout: Layout, count: Count, draw: Draw) -> _Attempts:
    """A grid for each stream, filled and reduced; grades are not looked at."""
    full = random_fill(layout, count, draw(FILL))
    if spec.solutions > 1:
        found = several(layout, full.grids, count, draw(REDUCE), spec.solutions, spec.symmetry)
        return _Attempts(found[0], found[1] & full.filled, found[2])
    reduced = remove_clues(
        layout, full.grids, count, draw(REDUCE), spec.symmetry, clues=spec.clues or 0
    )
    if spec.solutions == 0:
        grids, fit = contradict(layout, reduced.grids, count, draw(CHANGE))
        return _Attempts(grids, fit & full.filled, reduced.sure)
    return _Attempts(reduced.grids, full.filled.copy(), reduced.sure, full.grids, reduced.turns)


def _exchange(
    spec: PuzzleSpec, layout: Layout, made: Made, rows: Any, count: Count, draw: Draw
) -> _Attempts:
    """A further step of each walk; one that has no puzzle to begin with does not move."""
    grids, fit, sure = made.grids[rows], made.kept[rows], made.sure[rows]
    streams, walking = draw(EXCHANGE), np.flatnonzero(fit)
    for start in range(0, len(walking), SIDE_BY_SIDE):  # all exchanges of many take much memory
        part = walking[start : start + SIDE_BY_SIDE]
        after, moved, proven = exchange_clues(
            layout, grids[part], count, streams, spec.clues or 0, part
        )
        grids[part] = after
        sure[part] = np.where(moved, proven, sure[part])
    return _Attempts(grids, fit, sure)


def _grade(spec: PuzzleSpec, layout: Layout, found: _Attempts, tried: Any, grade: Grade) -> None:
    """Bring these grids to the wanted grade, or say that they are not fit."""
    if spec.grade is None:
        return
    wanted = rank(spec.grade)

    def hard(grid: Any) -> int:
        name = grade(layout, grid.tolist())
        return rank(name) if name else 0

    for k in tried[found.fit[tried]]:
        grid = found.grids[k]
        if spec.clues is None:
            fitting = ease(grid, found.solved[k], found.turns[k], hard, wanted)
        else:
            fitting = grid if hard(grid) == wanted else None
        found.fit[k] = fitting is not None
        if fitting is not None:
            found.grids[k] = fitting


def _keep(spec: PuzzleSpec, made: Made, rows: Any, found: _Attempts, tried: Any) -> None:
    """Take over for each row what was tried for it, where it is not worse than what there is."""
    grids = found.grids[tried]
    held = (grids > 0).sum(axis=1)
    no_worse = ~made.kept[rows] | (held <= (made.grids[rows] > 0).sum(axis=1))
    better = found.fit[tried] & no_worse
    into = rows[better]
    made.grids[into] = grids[better]
    made.kept[into] = True
    made.sure[into] = found.sure[tried[better]]
    made.met[into] = True if spec.clues is None else held[better] == spec.clues
