"""X-wing and swordfish: a value's places in k parallel lines lie in k lines across (k = 2, 3).

Lines are rows, and the lines across columns, or the other way round. If in each of k lines the
value has at least two places (one would be a hidden single), and all these places lie in exactly k
lines across, then the value is in each line across at one of these places, and goes from the
rest of the lines across. Only what removes at least one candidate is a step.

Steps come by value, rows before columns, then by the k lines. ``cells`` are the places in the k
lines, ``values`` the value, ``units`` the k lines and then the k lines across.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import board, members
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.unions import hall_sets
from puzzles.sudoku.grading.techniques.words import from_cells, losses, units

NAMES = {2: "x-wing", 3: "swordfish"}


def x_wing(position: Position) -> Iterator[Step]:
    """Two lines and two lines across."""
    return fish(position, 2)


def swordfish(position: Position) -> Iterator[Step]:
    """Three lines and three lines across."""
    return fish(position, 3)


def fish(position: Position, size: int) -> Iterator[Step]:
    """See the head of this file."""
    n = position.layout.order
    for value, places in enumerate(position.places, 1):
        if places.bit_count() <= 2 * size:  # two in each line, and one to go
            continue
        rows, columns = [0] * n, [0] * n
        for cell in members(places):
            row, column = divmod(cell, n)
            rows[row] |= 1 << column
            columns[column] |= 1 << row
        for lines, first, across in ((rows, 0, n), (columns, n, 0)):
            pool = [k for k, line in enumerate(lines) if 2 <= line.bit_count() <= size]
            for chosen, union in hall_sets([lines[k] for k in pool], size):
                base = tuple([first + pool[index] for index in chosen])
                cover = tuple([across + k for k in members(union)])
                step = _step(position, value, base, cover)
                if step is not None:
                    yield step


def _step(
    position: Position, value: int, base: tuple[int, ...], cover: tuple[int, ...]
) -> Step | None:
    layout = position.layout
    every = board(layout).units
    places = position.places[value - 1]
    in_base = in_cover = 0
    for number in base:
        in_base |= places & every[number]
    for number in cover:
        in_cover |= places & every[number]
    gone = from_cells(in_cover & ~in_base, value)
    if not gone:
        return None
    why = (
        f"in {units(layout, base)}, {sign(value, layout.order)} can only go to "
        f"{units(layout, cover)}, and takes one place in each: {losses(layout, gone)}"
    )
    return Step(NAMES[len(base)], tuple(members(in_base)), (value,), (*base, *cover), (), gone, why)
