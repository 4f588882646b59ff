"""Fewer clues, by exchanging one at a time: a random walk among minimal puzzles.

A step takes a drawn clue out of a minimal puzzle and looks at all clues that could replace it:
every candidate (``sight``) of every open cell that makes the solution unique again, whichever
solution that is. One of them is drawn and put in. The exchange may have made other clues idle;
clues that can go then go, in a random order. So the number of clues never rises, and the walk goes
on from where it is. (The {-1,+1} search by which collectors of 17-clue puzzles look for neighbours
of known ones, here without a memory; {-2,+1} is what happens when a clue goes idle.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.counting import Count
from puzzles.sudoku.reducing.removing import remove_clues
from puzzles.sudoku.reducing.sight import candidates


def exchange_clues(
    layout: Layout, puzzles: Any, count: Count, streams: Streams, clues: int, drawing: Any = None
) -> tuple[Any, Any, Any]:
    """One step of each puzzle (uint8[N, cells]): what became of it; bool[N]: an exchange was found;
    bool[N]: no count gave up when idle clues were looked for in it.

    Each of ``puzzles`` has one solution and more than ``clues`` clues, below which none falls.
    ``drawing`` (int64[N]) are the streams that draw, if not all.
    """
    number = len(puzzles)
    drawing = np.arange(number) if drawing is None else drawing
    without = np.array(puzzles, np.uint8)
    held = (without > 0).sum(axis=1)
    cells = np.argsort(without == 0, axis=1, kind="stable")  # the cells with clues first
    line = np.arange(number)
    out = cells[line, streams.below(held, drawing)]
    value = without[line, out].astype(np.int64) - 1
    without[line, out] = 0
    may = candidates(layout, without)
    may[line, out, value] = False
    row, cell, added = np.nonzero(may)
    trial = without[row]
    trial[np.arange(len(row)), cell] = added + 1
    found = count(trial, 2) if len(row) else np.zeros(0, np.int64)
    fits = np.flatnonzero(found == 1)
    several = np.bincount(row[fits], minlength=number)
    rows = np.flatnonzero(several)
    grids, sure = np.array(puzzles, np.uint8), np.ones(number, bool)
    if len(rows):
        first = np.cumsum(several) - several
        chosen = fits[first[rows] + streams.below(several[rows], drawing[rows])]
        reduced = remove_clues(
            layout, trial[chosen], count, streams, clues=clues, rows=drawing[rows]
        )
        grids[rows] = reduced.grids
        sure[rows] = reduced.sure
    return grids, several > 0, sure
