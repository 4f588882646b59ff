"""Puzzles of a given grade, made by giving clues back to a puzzle that is too hard.

Clues come back in the order opposite to that in which they went, so the pattern keeps its symmetry.
With all of them there is nothing left to solve; so somewhere the grade falls to the wanted one or
past it. That place is found by halving, the grade taken as if it only fell. Where it falls past the
wanted grade in one step, nothing is found and the caller draws again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Rank = Callable[[Any], int]
"""How hard a grid is: a number that grows with its grade, 0 for a full grid."""


def ease(puzzle: Any, solved: Any, turns: Any, rank: Rank, wanted: int) -> Any | None:
    """``puzzle`` with as few of its clues back as bring it to the rank ``wanted``; None if none do.

    puzzle, solved  uint8[cells]
    turns           int[cells]: the turns in which the clues were tried (``removing``)
    """
    hardest = rank(puzzle)
    if hardest <= wanted:
        return puzzle if hardest == wanted else None
    at_most, above = 0, int(turns.max()) + 1
    found = None
    while above - at_most > 1:
        middle = (at_most + above) // 2
        trial = np.where(turns >= middle, solved, puzzle)
        hard = rank(trial)
        if hard > wanted:
            above = middle
        else:
            at_most = middle
            found = trial if hard == wanted else None
    return found
