"""Clues leave full grids while they keep few solutions: exactly one, by default.

The clues of a grid are tried one after the other, in a random order of its orbits (``patterns``):
an orbit goes if the number of solutions stays within the limit, else it stays for good. For what
has too many solutions without an orbit has them all the more when other clues are gone too; so when
all orbits were tried, none can go any more. Without symmetry the puzzle is then *minimal*; with
symmetry no orbit can go as a whole, though a single clue of one perhaps could.

Many clues at a time. If the number of solutions stays within the limit when a block of orbits goes,
then it did so after each of them alone. So a block is tried first, and halved where it fails
(binary splitting, as in group testing: Hwang 1972): the result is that of one by one, with fewer
counts.

An orbit whose count gave up stays, and the grid ceases to be *sure*: nothing is wrong with it, but
that orbit could perhaps go. (After a count that gave up, the result may depend on the blocks;
these depend on nothing but the grid and the limit.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.counting import GAVE_UP, Count
from puzzles.sudoku.reducing.patterns import orbits

FIRST_BLOCK = 0.25
"""The first block is this part of the orbits with clues; of a full grid it nearly always goes."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """What is left of N grids.

    ``grids``   uint8[N, cells]
    ``turns``   uint8 or uint16[N, cells]: when the orbit of each cell was tried, from 0
    ``sure``    bool[N]: no count gave up
    """

    grids: Any
    turns: Any
    sure: Any


def remove_clues(
    layout: Layout,
    solved: Any,
    count: Count,
    streams: Streams,
    symmetry: str = "none",
    clues: int = 0,
    solutions: int = 1,
    rows: Any = None,
) -> Reduced:
    """Remove clues from the grids ``solved`` (uint8[N, cells]), in an order drawn from ``streams``.

    No more than ``solutions`` solutions come to be, and no fewer than ``clues`` clues: an orbit
    that is too large for that stays. Each of the grids must have a solution; they may have blanks,
    but no more solutions than that. ``rows`` (int64[N]) are the streams that draw, if not all.
    """
    grids = np.array(solved, np.uint8)
    turns = _turns(layout, symmetry, streams, grids, rows)
    search = _Removal(turns, grids, clues)
    while search.rows.size:
        trial = search.trial()
        number = count(trial, solutions + 1)
        search.learn(trial, (number >= 1) & (number <= solutions), number == GAVE_UP)
    return Reduced(search.grids, turns, search.sure)


def _turns(layout: Layout, symmetry: str, streams: Streams, grids: Any, rows: Any) -> Any:
    """uint8 or uint16[N, cells]: the turn of each cell's orbit, drawn for each stream.

    Orbits without a clue come last.
    """
    of = np.empty(layout.cells, np.int64)
    all_orbits = orbits(layout, symmetry)
    for number, cells in enumerate(all_orbits):
        of[list(cells)] = number
    order = streams.shuffled(len(all_orbits), rows)
    if not grids.all():
        blank = np.ones(order.shape, bool)
        row, cell = np.nonzero(grids)
        blank[row, of[cell]] = False
        later = np.argsort(np.take_along_axis(blank, order, axis=1), axis=1, kind="stable")
        order = np.take_along_axis(order, later, axis=1)
    kind = np.uint8 if len(all_orbits) < 256 else np.uint16
    turn = np.empty(order.shape, kind)
    np.put_along_axis(turn, order, np.arange(len(all_orbits), dtype=kind)[None], axis=1)
    return turn[:, of]


class _Removal:
    """How far each grid is. Turns below ``at`` are settled; ``rows`` are the grids that continue.

    ``known`` is the end of a block from ``at`` that is known to be too much, 0 where there is none,
    and ``vague`` says that there the count gave up. ``size`` is that of the next block.
    """

    def __init__(self, turns: Any, grids: Any, clues: int) -> None:
        self.turns = turns
        self.grids = grids
        self.clues = clues
        number = len(grids)
        self.total = np.where(grids > 0, turns.astype(np.int64) + 1, 0).max(axis=1, initial=0)
        self.sure = np.ones(number, bool)
        self.at = np.zeros(number, np.int64)
        self.known = np.zeros(number, np.int64)
        self.vague = np.zeros(number, bool)
        self.size = np.maximum(1, (self.total * FIRST_BLOCK).astype(np.int64))
        self.end = np.zeros(number, np.int64)
        self.held = self._clues_by_turn() if clues else None
        self.rows = np.arange(number)
        self._settle()

    def _clues_by_turn(self) -> Any:
        """int64[N, most turns + 1]: how many clues have a turn below each number."""
        held = np.zeros((len(self.grids), int(self.total.max(initial=0)) + 1), np.int64)
        row, cell = np.nonzero(self.grids)
        np.add.at(held, (row, self.turns[row, cell] + 1), 1)
        return held.cumsum(axis=1)

    def trial(self) -> Any:
        """The grids that continue, each without its next block."""
        rows = self.rows
        at, end = self.at[rows], self.end[rows]
        whole = len(rows) == len(self.grids)
        turns, grids = (a if whole else a[rows] for a in (self.turns, self.grids))
        # below ``at`` the difference wraps round to a large number
        since = turns - at.astype(turns.dtype)[:, None]
        return grids * (since >= (end - at).astype(turns.dtype)[:, None])

    def learn(self, trial: Any, fine: Any, gave_up: Any) -> None:
        """Take over the trials that are fine, and choose the next blocks."""
        rows = self.rows
        good, bad = rows[fine], rows[~fine]
        self.grids[good] = trial[fine]
        self.at[good] = self.end[good]
        self.known[bad] = self.end[bad]
        self.vague[bad] = gave_up[~fine]
        self._settle()

    def _settle(self) -> None:
        """Step over orbits whose turn needs no count, and set the ends of the next blocks."""
        rows = self.rows
        last = rows[self.known[rows] == self.at[rows] + 1]  # one orbit that is too much: it stays
        self.sure[last] &= ~self.vague[last]
        self.at[last] += 1
        self.known[last] = 0
        self.size[last] = np.maximum(1, self.size[last] // 2)
        if self.held is not None:
            self._step_over()
        rows = self.rows = rows[self.at[rows] < self.total[rows]]
        at, known = self.at[rows], self.known[rows]
        end = np.where(known > 0, at + (known - at) // 2, at + self.size[rows])
        end = np.minimum(end, self.total[rows])
        if self.held is not None:
            end = np.minimum(end, self._reach(rows))
        self.end[rows] = end

    def _step_over(self) -> None:
        """Orbits that are too large for the number of clues stay."""
        waiting = self.rows
        full = waiting[self._room(waiting) <= 0]
        self.at[full] = self.total[full]
        while waiting.size:
            waiting = waiting[self.at[waiting] < self.total[waiting]]
            waiting = waiting[self._reach(waiting) == self.at[waiting]]
            self.at[waiting] += 1
            self.known[waiting] = 0

    def _reach(self, rows: Any) -> Any:
        """The last end of a block that leaves enough clues."""
        assert self.held is not None
        held, at = self.held[rows], self.at[rows]
        most = held[np.arange(len(rows)), at] + self._room(rows)
        return (held <= most[:, None]).sum(axis=1) - 1

    def _room(self, rows: Any) -> Any:
        """How many clues may still go."""
        return (self.grids[rows] > 0).sum(axis=1) - self.clues
