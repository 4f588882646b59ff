"""Naked pair, triple, quad: k cells of a unit have exactly k candidates between them (k = 2, 3, 4).

These k values go to these k cells, so they leave the other cells of the unit. Each of the k cells
has at least two candidates (one would be a naked single), and only what removes at least one
candidate is a step.

Steps come by unit (boxes, rows, columns), then by the k cells. ``cells`` and ``values`` are the k
cells and values, ``units`` the unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import unit_name
from puzzles.sudoku.grading.board import Pair, board, members
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.unions import hall_sets
from puzzles.sudoku.grading.techniques.words import cells, losses, values

NAMES = {2: "naked-pair", 3: "naked-triple", 4: "naked-quad"}


def naked_pair(position: Position) -> Iterator[Step]:
    """Two cells of a unit with two candidates between them."""
    return naked_subset(position, 2)


def naked_triple(position: Position) -> Iterator[Step]:
    """Three cells of a unit with three candidates between them."""
    return naked_subset(position, 3)


def naked_quad(position: Position) -> Iterator[Step]:
    """Four cells of a unit with four candidates between them."""
    return naked_subset(position, 4)


def naked_subset(position: Position, size: int) -> Iterator[Step]:
    """See the head of this file."""
    geometry = board(position.layout)
    candidates = position.candidates
    few = 0
    for cell, mask in enumerate(candidates):
        if 2 <= mask.bit_count() <= size:
            few |= 1 << cell
    for number in geometry.scan:
        unit = geometry.units[number]
        if (few & unit).bit_count() < size:
            continue
        pool = members(few & unit)
        for chosen, union in hall_sets([candidates[cell] for cell in pool], size):
            rests = tuple([pool[index] for index in chosen])
            gone = _gone(position, unit, rests, union)
            if gone:
                yield _step(position, rests, union, number, gone)


def _gone(position: Position, unit: int, rests: tuple[int, ...], union: int) -> tuple[Pair, ...]:
    hit = 0
    for index in members(union):
        hit |= position.places[index]
    hit &= unit
    for cell in rests:
        hit &= ~(1 << cell)
    return tuple(
        [
            (cell, index + 1)
            for cell in members(hit)
            for index in members(position.candidates[cell] & union)
        ]
    )


def _step(
    position: Position, rests: tuple[int, ...], union: int, number: int, gone: tuple[Pair, ...]
) -> Step:
    layout = position.layout
    held = tuple([index + 1 for index in members(union)])
    why = (
        f"in {unit_name(layout, number)}, {cells(layout, rests)} hold {values(layout, held)} "
        f"between them: {losses(layout, gone)}"
    )
    return Step(NAMES[len(rests)], rests, held, (number,), (), gone, why)
