"""Puzzles without a solution, by changing the value of one clue of a puzzle that has one.

What is guaranteed of a puzzle that is found: the solver proved that it has no solution; and it is
not refuted at sight (``sight``): no two givens clash, every open cell has a candidate left by the
givens, and every unit has a place for each value that it lacks. So it takes at least one inference.
The pattern of the clues is that of the puzzle it was made of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.counting import Count
from puzzles.sudoku.reducing.sight import find_refuted

TRIES = 100
"""Changes that are drawn for each puzzle; some five suffice for most of 9x9."""


def contradict(layout: Layout, puzzles: Any, count: Count, streams: Streams) -> tuple[Any, Any]:
    """uint8[N, cells], and bool[N]: which of the puzzles could be made unsatisfiable.

    Each try changes a drawn clue to a drawn other value. ``puzzles`` is uint8[N, cells]; a puzzle
    that is not found comes back as it was.
    """
    grids = np.array(puzzles, np.uint8)
    found = np.zeros(len(grids), bool)
    clues = (grids > 0).sum(axis=1)
    rows = np.flatnonzero(clues) if layout.order > 1 else np.zeros(0, np.int64)
    cells = np.argsort(grids == 0, axis=1, kind="stable")  # the cells with clues first
    for _ in range(TRIES):
        if not len(rows):
            break
        cell = cells[rows, streams.below(clues[rows], rows)]
        shift = 1 + streams.below(layout.order - 1, rows)
        changed = grids[rows]
        line = np.arange(len(rows))
        changed[line, cell] = (changed[line, cell] - 1 + shift) % layout.order + 1
        hidden = np.flatnonzero(~find_refuted(layout, changed))
        if len(hidden):
            hidden = hidden[count(changed[hidden], 1) == 0]
        grids[rows[hidden]] = changed[hidden]
        found[rows[hidden]] = True
        rows = rows[~found[rows]]
    return grids, found
