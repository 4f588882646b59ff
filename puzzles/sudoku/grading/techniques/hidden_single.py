"""Hidden single: a value that has exactly one place in a unit goes there.

Steps come by value, then by unit (boxes, rows, columns). ``cells`` is the cell, ``values`` the
value, ``units`` the unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import cell_name, unit_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import board
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step

NAME = "hidden-single"


def hidden_single(position: Position) -> Iterator[Step]:
    """See the head of this file."""
    layout = position.layout
    geometry = board(layout)
    units, scan = geometry.units, geometry.scan
    for value, places in enumerate(position.places, 1):
        if not places:
            continue
        for number in scan:
            only = places & units[number]
            if only and not only & only - 1:
                cell = only.bit_length() - 1
                why = (
                    f"in {unit_name(layout, number)}, {sign(value, layout.order)} "
                    f"can only go to {cell_name(layout, cell)}"
                )
                yield Step(NAME, (cell,), (value,), (number,), ((cell, value),), (), why)
