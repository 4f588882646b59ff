"""Hidden pair, triple, quad: k values have exactly k places in a unit between them (k = 2, 3, 4).

These k cells get these k values, so they lose all their other candidates. Each of the k values has
at least two places in the unit (one would be a hidden single), and only what removes at least one
candidate is a step.

Steps come by unit (boxes, rows, columns), then by the k values. ``cells`` and ``values`` are the k
cells and values, ``units`` the unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import unit_name
from puzzles.sudoku.grading.board import Pair, board, members, set_of
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.unions import hall_sets
from puzzles.sudoku.grading.techniques.words import cells, losses, values

NAMES = {2: "hidden-pair", 3: "hidden-triple", 4: "hidden-quad"}


def hidden_pair(position: Position) -> Iterator[Step]:
    """Two values with two places in a unit between them."""
    return hidden_subset(position, 2)


def hidden_triple(position: Position) -> Iterator[Step]:
    """Three values with three places in a unit between them."""
    return hidden_subset(position, 3)


def hidden_quad(position: Position) -> Iterator[Step]:
    """Four values with four places in a unit between them."""
    return hidden_subset(position, 4)


def hidden_subset(position: Position, size: int) -> Iterator[Step]:
    """See the head of this file."""
    geometry = board(position.layout)
    for number in geometry.scan:
        unit = geometry.units[number]
        pool, sets = [], []
        for index, places in enumerate(position.places):
            within = places & unit
            if 2 <= within.bit_count() <= size:
                pool.append(index)
                sets.append(within)
        for chosen, union in hall_sets(sets, size):
            held = [pool[index] for index in chosen]
            gone = _gone(position, union, set_of(held))
            if gone:
                yield _step(position, held, union, number, gone)


def _gone(position: Position, union: int, kept: int) -> tuple[Pair, ...]:
    return tuple(
        [
            (cell, index + 1)
            for cell in members(union)
            for index in members(position.candidates[cell] & ~kept)
        ]
    )


def _step(
    position: Position, held: list[int], union: int, number: int, gone: tuple[Pair, ...]
) -> Step:
    layout = position.layout
    rests = tuple(members(union))
    these = tuple([index + 1 for index in held])
    why = (
        f"in {unit_name(layout, number)}, {values(layout, these)} can only go to "
        f"{cells(layout, rests)}, which hold nothing else: {losses(layout, gone)}"
    )
    return Step(NAMES[len(these)], rests, these, (number,), (), gone, why)
