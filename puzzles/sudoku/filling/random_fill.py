"""Full grids by random filling: give a random open cell a random candidate, and continue.

The algorithm is E. Mooney's ("Sudoku Solver and Generator"): pick any cell with more than one
candidate, give it one of them, propagate, and ask whether solutions are left. None: take it back.
Several: continue. One: done, for then the filled cells are a puzzle with exactly one solution. Here
a value that was taken back ceases to be a candidate, so no value is tried twice.

Who says that no solution is left is the caller's solver (``puzzles.sudoku.counting``), but it is
asked seldom. A placement only ever loses solutions. So a grid is filled on and on until its
propagation has filled it, when every placement was right, or until propagation contradicts itself;
then the first placement that was wrong is found by asking about ever earlier ones, and what was
drawn after it is forgotten. Decisions and probabilities are those of asking each time. The one
solution is there without being asked for; the puzzle is the first placement after which one
solution is left, found by halving.

Mooney believes that all grids are equally likely. They are not: a value is drawn as often as any
other candidate, whether it leaves many solutions or few. ``concord run uniformity`` measures it.

Where the solver gives up, the placement is taken back without a proof and may be drawn again; only
then does a grid depend on which solver was asked.

Words
-----
event       a placement, or a candidate taken away because placing it leaves no solution
alive       the number of a grid's first events that are known to leave a solution
run         placements after those, until the grid is full or contradicts itself
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from modelling.errors import ContradictoryResult, InputError
from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.counting import Count
from puzzles.sudoku.filling.propagating import (
    grids_of,
    is_open,
    open_sets,
    sizes,
    sweep,
)

Cells = Literal["any", "fewest"]
"""Which cell is next: any open one, each as likely; or any of those with the fewest candidates."""

CELLS: tuple[Cells, ...] = ("any", "fewest")
MOST_ORDER_ANY = 16
"""Up to this order ``any`` is the default: Mooney's choice. Random cells of a 25x25 soon leave a
grid of which no solver can say whether it has a solution; cells with few candidates do not."""

_SETTLED = 255
"""Stands for the size of a cell that has its value."""

RUNS = 200
"""A grid starts again after this many runs that came to a contradiction."""
RESTARTS = 20
"""A grid is given up after this many restarts."""


@dataclass(frozen=True)
class Filled:
    """What became of N grids.

    grids       uint8[N, cells], full; zeros where ``filled`` is false
    puzzles     uint8[N, cells]: Mooney's puzzles, which have exactly the solution ``grids``; zeros
                where ``filled`` is false, or if they were not asked for
    filled      bool[N]; false: given up after as many restarts as allowed
    runs        int64[N]: how many runs came to a contradiction, over all restarts
    restarts    int64[N]
    """

    grids: Any
    puzzles: Any
    filled: Any
    runs: Any
    restarts: Any


def random_fill(
    layout: Layout,
    count: Count,
    streams: Streams,
    *,
    puzzles: bool = False,
    cells: Cells | None = None,
    runs: int = RUNS,
    restarts: int = RESTARTS,
) -> Filled:
    """A full grid for each stream, with its puzzle if ``puzzles``.

    Row i depends on stream i and the options alone, in any batch. Raises ``InputError`` for an
    option that has no meaning.
    """
    if cells is None:
        cells = "any" if layout.order <= MOST_ORDER_ANY else "fewest"
    if cells not in CELLS:
        raise InputError(f"cells={cells!r}; there are {', '.join(CELLS)}")
    if runs < 1 or restarts < 0:
        raise InputError(
            f"runs={runs}, restarts={restarts}; at least 1 run and 0 restarts are needed"
        )
    history = _History(layout, len(streams))
    full = np.zeros((len(streams), layout.cells), np.uint8)
    spent, restarted = (np.zeros(len(streams), np.int64) for _ in range(2))
    rows = np.arange(len(streams))
    sets = open_sets(layout, len(rows))
    while len(rows):
        sets, on, ready = _run(layout, streams, rows, sets, history, cells)
        full[rows[ready]] = grids_of(sets[:, ready])
        stuck = rows[~on & ~ready]
        _take_back(layout, count, stuck, history)
        spent[stuck] += 1
        again = stuck[spent[stuck] % runs == 0]
        restarted[again] += 1
        history.forget(again)
        stuck = stuck[restarted[stuck] <= restarts]
        rows = np.concatenate([rows[on], stuck])
        sets = np.concatenate([sets[:, on], history.sets(stuck)], axis=1)
    filled = full.any(axis=1)
    first = np.zeros_like(full)
    if puzzles:
        first[filled] = _first_unique(count, np.flatnonzero(filled), history)
    return Filled(full, first, filled, spent, np.minimum(restarted, restarts))


class _History:
    """The events of every grid: ``cell`` and ``value`` [N, room], the value negative if taken
    away; ``length`` of them, of which the first ``alive`` are known to leave a solution."""

    def __init__(self, layout: Layout, n: int) -> None:
        self.layout = layout
        self.cell = np.zeros((n, 64), np.int32)
        self.value = np.zeros((n, 64), np.int16)
        self.length = np.zeros(n, np.int64)
        self.alive = np.zeros(n, np.int64)

    def add(self, rows: Any, cells: Any, values: Any) -> None:
        """One more event for each of these grids."""
        at = self.length[rows]
        if len(at) and at.max() >= self.cell.shape[1]:
            self.cell, self.value = (
                np.concatenate([old, np.zeros_like(old)], axis=1) for old in (self.cell, self.value)
            )
        self.cell[rows, at], self.value[rows, at] = cells, values
        self.length[rows] += 1

    def forget(self, rows: Any) -> None:
        """Nothing has happened in these grids."""
        self.length[rows] = self.alive[rows] = 0

    def givens(self, rows: Any, lengths: Any) -> Any:
        """uint8[K, cells]: what the first ``lengths`` (int64[K]) events of these grids place."""
        grids = np.zeros((len(rows), self.layout.cells), np.uint8)
        value = self.value[rows]
        row, at = np.nonzero((np.arange(value.shape[1]) < lengths[:, None]) & (value > 0))
        grids[row, self.cell[rows[row], at]] = value[row, at]
        return grids

    def sets(self, rows: Any) -> Any:
        """The sets that all events of these grids leave, not yet propagated."""
        sets = open_sets(self.layout, len(rows))
        value = self.value[rows]
        row, at = np.nonzero(np.arange(value.shape[1]) < self.length[rows][:, None])
        value = value[row, at]
        one = sets.dtype.type(1)
        bit = one << (np.abs(value) - 1).astype(sets.dtype)
        np.bitwise_and.at(sets, (self.cell[rows[row], at], row), np.where(value > 0, bit, ~bit))
        return sets


def _run(
    layout: Layout, streams: Streams, rows: Any, sets: Any, history: _History, cells: Cells
) -> tuple[Any, Any, Any]:
    """Place values in these grids until a quarter of them is full or contradicts itself.

    Each goes at its own pace: when a sweep has changed nothing, it has its next placement. Returns
    the sets, and bool[K] twice: which are still on their way, and which are full.
    """
    on, ready = np.ones(len(rows), bool), np.zeros(len(rows), bool)
    while 4 * np.count_nonzero(on) > 3 * len(rows):
        before = sets
        sets, fine = sweep(layout, before)
        on &= fine
        settled = np.flatnonzero(on & ~(sets != before).any(axis=0))
        at_rest = sets[:, settled]
        choice = is_open(at_rest)
        is_full = ~choice.any(axis=0)
        ready[settled[is_full]] = True
        on[settled[is_full]] = False
        if is_full.any():
            settled, at_rest, choice = (part[..., ~is_full] for part in (settled, at_rest, choice))
        if not len(settled):
            continue
        if cells == "fewest":
            size = np.where(choice, sizes(at_rest), _SETTLED)
            choice = size == size.min(axis=0)
        cell = _draw(streams, rows[settled], choice)
        bits = np.arange(layout.order, dtype=sets.dtype)[:, None]
        own = (sets[cell, settled] >> bits & sets.dtype.type(1)) != 0
        value = _draw(streams, rows[settled], own)
        sets[cell, settled] = sets.dtype.type(1) << value.astype(sets.dtype)
        history.add(rows[settled], cell, value + 1)
    return sets, on, ready


def _draw(streams: Streams, rows: Any, choice: Any) -> Any:
    """int64[K]: for each column of ``choice`` (bool[places, K]) one of its true places."""
    before = np.cumsum(choice, axis=0, dtype=np.int32)
    wanted = streams.below(before[-1], rows)
    return (before <= wanted).sum(axis=0)


def _take_back(layout: Layout, count: Count, rows: Any, history: _History) -> None:
    """Cut the histories of these grids, whose last event led to a contradiction, before the first
    placement that leaves no solution, and take that candidate away.

    Where the solver gives up on a placement, this and all after it are taken back, but the
    candidate remains.
    """
    if (history.alive[rows] == history.length[rows]).any():
        raise ContradictoryResult(
            "a solution was counted where propagation shows that there is none"
        )
    alive, dead = history.alive[rows].copy(), history.length[rows].copy()
    proven = np.ones(len(rows), bool)
    stride = np.ones(len(rows), np.int64)
    while len(asked := np.flatnonzero(dead - alive > 1)):
        # ever earlier placements, in strides of 1, 2, 4, ..., then halves of the last stride
        probe = np.maximum(dead[asked] - stride[asked], (dead[asked] + alive[asked]) // 2)
        found = count(history.givens(rows[asked], probe), 1)
        good = found > 0
        alive[asked[good]] = probe[good]
        stride[asked[good]] = layout.cells
        dead[asked[~good]] = probe[~good]
        proven[asked[~good]] = found[~good] == 0
        stride[asked[~good]] *= 2
    wrong = rows[proven]
    last = dead[proven] - 1
    cell, value = history.cell[wrong, last], history.value[wrong, last]
    history.length[rows] = alive
    history.add(wrong, cell, -value)
    history.alive[rows] = history.length[rows]


def _first_unique(count: Count, rows: Any, history: _History) -> Any:
    """uint8[K, cells]: of these full grids, the givens after the first placement that leaves one
    solution; where the solver gives up, after a later one."""
    several, one = np.zeros(len(rows), np.int64), history.length[rows].copy()
    while len(asked := np.flatnonzero(one - several > 1)):
        probe = (one[asked] + several[asked]) // 2
        unique = count(history.givens(rows[asked], probe), 2) == 1
        one[asked[unique]] = probe[unique]
        several[asked[~unique]] = probe[~unique]
    return history.givens(rows, one)
