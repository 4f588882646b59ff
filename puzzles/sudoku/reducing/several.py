"""Puzzles with a stated number of solutions, by removing clues from full grids.

Clues go, in a random order, while the number of solutions is at most the stated one. What is left
often has exactly that number: nearly all 9x9 grids with 2, half with 10, a fifteenth with 100, and
with 1,000 less than a hundredth. The others are for the caller to draw again.
"""

from __future__ import annotations

from typing import Any

from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.counting import GAVE_UP, Count
from puzzles.sudoku.reducing.removing import remove_clues


def several(
    layout: Layout,
    solved: Any,
    count: Count,
    streams: Streams,
    solutions: int,
    symmetry: str = "none",
) -> tuple[Any, Any, Any]:
    """uint8[N, cells]; bool[N]: which have exactly ``solutions``; bool[N]: no count gave up.

    ``solved`` (uint8[N, cells]) are full grids. In what is found no orbit of clues can go without
    further solutions (as far as no count gave up).
    """
    reduced = remove_clues(layout, solved, count, streams, symmetry, solutions=solutions)
    number = count(reduced.grids, solutions + 1)
    return reduced.grids, number == solutions, reduced.sure & (number != GAVE_UP)
