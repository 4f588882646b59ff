"""Locked candidates: the places of a value in a unit all lie in a second unit as well.

Let a box and a line (row or column) share at least two places of a value.

pointing    if the value has no other place in the box, it goes from the rest of the line
claiming    if the value has no other place in the line, it goes from the rest of the box

Only what removes at least one candidate is a step. (A single shared place would be a hidden
single.) Steps come by value, then by box, then by line. ``cells`` are the shared places, ``values``
the value, ``units`` the unit that has no other place, then the one that loses candidates.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import unit_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import board, members
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.words import cells, from_cells, losses

NAME = "locked-candidates"


def locked_candidates(position: Position) -> Iterator[Step]:
    """See the head of this file."""
    crossings = board(position.layout).crossings
    for value, places in enumerate(position.places, 1):
        if not places:
            continue
        for crossing in crossings:
            shared = places & crossing.shared
            if not shared & shared - 1:
                continue
            in_box, in_line = places & crossing.box_only, places & crossing.line_only
            if in_line and not in_box:
                yield _step(position, value, shared, crossing.box, crossing.line, in_line)
            elif in_box and not in_line:
                yield _step(position, value, shared, crossing.line, crossing.box, in_box)


def _step(position: Position, value: int, shared: int, unit: int, loser: int, gone: int) -> Step:
    layout = position.layout
    rests = tuple(members(shared))
    eliminations = from_cells(gone, value)
    why = (
        f"in {unit_name(layout, unit)}, {sign(value, layout.order)} can only go to "
        f"{cells(layout, rests, 'or')}, all in {unit_name(layout, loser)}: "
        f"{losses(layout, eliminations)}"
    )
    return Step(NAME, rests, (value,), (unit, loser), (), eliminations, why)
