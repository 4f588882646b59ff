"""Naked single: an empty cell with exactly one candidate gets it.

Steps come by cell. ``cells`` is the cell, ``values`` the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import cell_name, peers
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step

NAME = "naked-single"


def naked_single(position: Position) -> Iterator[Step]:
    """See the head of this file."""
    for cell, mask in enumerate(position.candidates):
        if mask and not mask & mask - 1:
            value = mask.bit_length()
            why = _why(position, cell, value)
            yield Step(NAME, (cell,), (value,), (), ((cell, value),), (), why)


def _why(position: Position, cell: int, value: int) -> str:
    layout = position.layout
    seen = {position.values[peer] for peer in peers(layout, cell)} - {0}
    only = f"{cell_name(layout, cell)} can only be {sign(value, layout.order)}"
    if len(seen) == layout.order - 1:
        return f"{only}: the other values are in its row, column or box"
    return f"{only}: the other values are in its row, column or box or are ruled out by now"
