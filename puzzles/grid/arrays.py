"""Many grids at once as arrays: read, checked by the rules, written. Only this file needs numpy.

Arrays are uint8[N, cells], row by row, 0 for a blank; orders are up to 9, one sign a cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzles.grid.layout import Layout
from puzzles.grid.reading import Run
from puzzles.grid.symbols import BLANK, SIGNS

MOST_ORDER = 9
_SIGNS = np.frombuffer((BLANK + SIGNS[:MOST_ORDER]).encode("ascii"), np.uint8)


def givens(run: Run) -> Any:
    """The grids of a run."""
    return np.frombuffer(run.values, np.uint8).reshape(-1, run.layout.cells)


def wrong(layout: Layout, given: Any, solved: Any) -> Any:
    """bool[N]: which grids of ``solved`` are not solutions, by the rules alone.

    As in ``checking``, rows, columns and boxes are worked out here by themselves.
    """
    n = layout.order
    kept = ((given == 0) | (given == solved)).all(axis=1)
    # a set of values is an integer; a group is right if the union of its cells is every value
    every = (1 << n + 1) - 2
    squares = np.left_shift(1, solved.astype(np.uint16)).reshape(-1, n, n)
    union = np.bitwise_or.reduce
    right = (union(squares, axis=1) == every) & (union(squares, axis=2) == every)
    if layout.box is not None:
        high, wide = layout.box
        bands = squares.reshape(-1, n // high, high, n // wide, wide)
        boxes = union(union(bands, axis=4), axis=2)
        right &= boxes.reshape(-1, n) == every
    return ~(kept & right.all(axis=1))


def written(prefix: str, solved: Any) -> str:
    """The grids as canonical text, each with its prefix, on lines of their own."""
    head = np.frombuffer(prefix.encode("ascii"), np.uint8)
    text = np.empty((len(solved), len(head) + solved.shape[1] + 1), np.uint8)
    text[:, : len(head)] = head
    text[:, len(head) : -1] = _SIGNS[solved]
    text[:, -1] = ord("\n")
    return text.tobytes().decode("ascii")[:-1]
