"""Trial: a candidate from which singles alone lead to a contradiction.

Placing the candidate and following naked and hidden singles to the end leaves a cell without
candidates, or a value without place in a unit. So the candidate goes.

Steps come by cell, those with the fewest candidates first, then by value. ``cells`` is the cell,
``values`` the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import cell_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import Pair, members
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.singles import (
    Contradiction,
    assume,
    describe_contradiction,
    houses,
    option,
    state_of,
)
from puzzles.sudoku.grading.step import Step

NAME = "trial"


def trial(position: Position) -> Iterator[Step]:
    """See the head of this file."""
    layout = position.layout
    every = houses(layout)
    state, placed = state_of(position)
    for cell, value in guesses(position):
        found = assume(every, state, placed, option(layout, cell, value))
        if isinstance(found, Contradiction):
            name, what = cell_name(layout, cell), sign(value, layout.order)
            left = describe_contradiction(every, found)
            why = (
                f"if {name} were {what}, following singles would leave {left}: {name} is not {what}"
            )
            yield Step(NAME, (cell,), (value,), (), (), ((cell, value),), why)


def guesses(position: Position) -> Iterator[Pair]:
    """Every candidate in the order in which trial takes them."""
    empty = [cell for cell, mask in enumerate(position.candidates) if mask]
    for cell in sorted(empty, key=lambda cell: position.candidates[cell].bit_count()):
        for index in members(position.candidates[cell]):
            yield cell, index + 1
