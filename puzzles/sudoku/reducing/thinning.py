"""Grids with random holes: so many clues of a full grid are left, whatever solutions that makes.

Such a puzzle has a solution by its making. How hard it is to find one depends on how many holes
there are: hardest at a share of them that is much the same for all sizes (Gomes and Selman,
"Problem structure in the presence of perturbations", 1997, for quasigroups; Lewis,
"Metaheuristics can solve sudoku puzzles", 2007, for Sudoku).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzles.random_stream import Streams


def thinned(solved: Any, clues: int, streams: Streams) -> Any:
    """uint8[N, cells]: of each full grid ``clues`` cells, drawn at random."""
    cells = solved.shape[1]
    kept = streams.shuffled(cells)[:, :clues]
    grids = np.zeros_like(solved)
    np.put_along_axis(grids, kept, np.take_along_axis(solved, kept, axis=1), axis=1)
    return grids
