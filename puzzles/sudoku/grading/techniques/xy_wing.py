"""XY-wing: a cell with candidates x, y sees one with x, z and one with y, z (x, y, z different).

The first is the *pivot*, the others are its *pincers*. Whichever value the pivot gets, one of the
pincers gets z, so z goes from every cell that sees both pincers. Only what removes at least one
candidate is a step.

Steps come by pivot, then by pincers. ``cells`` are the pivot and the two pincers (ascending),
``values`` are x, y, z in the order that fits: the first pincer has x and z, the second y and z.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import cell_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import board, members
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.words import from_cells, losses

NAME = "xy-wing"


def xy_wing(position: Position) -> Iterator[Step]:
    """See the head of this file."""
    peers = board(position.layout).peers
    candidates = position.candidates
    pairs = 0
    for cell, mask in enumerate(candidates):
        if mask.bit_count() == 2:
            pairs |= 1 << cell
    for pivot in members(pairs):
        held = candidates[pivot]
        near = [c for c in members(pairs & peers[pivot]) if (candidates[c] & held).bit_count() == 1]
        for k, one in enumerate(near):
            for other in near[k + 1 :]:
                third = candidates[one] & ~held
                if candidates[one] == candidates[other] or candidates[other] & ~held != third:
                    continue
                z = third.bit_length()
                gone = peers[one] & peers[other] & position.places[z - 1]
                if gone:
                    yield _step(position, (pivot, one, other), z, gone)


def _step(position: Position, rests: tuple[int, int, int], z: int, gone: int) -> Step:
    layout = position.layout
    pivot, one, other = rests
    held = position.candidates[pivot]
    x = (held & position.candidates[one]).bit_length()
    y = (held & position.candidates[other]).bit_length()
    eliminations = from_cells(gone, z)
    first, second, third = (sign(value, layout.order) for value in (x, y, z))
    why = (
        f"if {cell_name(layout, pivot)} is {first}, {cell_name(layout, one)} is {third}; if it is "
        f"{second}, {cell_name(layout, other)} is {third}: {losses(layout, eliminations)}"
    )
    return Step(NAME, rests, (x, y, z), (), (), eliminations, why)
