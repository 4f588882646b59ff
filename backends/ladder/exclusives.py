"""Rung 5: exclusives, that is hidden singles, twins and triplets, by an inverted table.

From *Fast Sudoku Solver in Haskell* #2, *A 200x Faster Solution*. What changed from rung 3: a row
is also read the other way round. A table maps each digit to the cells in which it is open; flipped,
it maps sets of cells to the digits that are open exactly there. As many digits as cells are
*exclusive*: they fill those cells, which lose all others. One digit is a *single*, two are *twins*,
three *triplets*; more are so rare that looking for them does not pay.

A row is first pruned by its fixed digits until it settles, and only then by exclusives: a row in
which a 9 has just been fixed, and which still holds a 9 in an open cell, would fix it again there.

``propagations`` counts rows pruned, as in rung 3.
"""

from __future__ import annotations

from backends.ladder.meter import Found, Meter
from backends.ladder.pruning import Row, prune_row, split_search
from backends.ladder.units import Units, fixed_point
from modelling.problem import Problem

LARGEST = 3
"""Exclusives of at most this many digits are looked for."""


def exclusive_possibilities(row: Row) -> list[tuple[int, ...]]:
    """The exclusives of a row, each ascending, in the order of the first digit."""
    cells_of: dict[int, tuple[int, ...]] = {}
    for number, cell in enumerate(row):
        if len(cell) > 1:
            for digit in cell:
                cells_of[digit] = (*cells_of.get(digit, ()), number)
    digits_of: dict[tuple[int, ...], tuple[int, ...]] = {}
    for digit, cells in sorted(cells_of.items()):
        if len(cells) <= LARGEST:
            digits_of[cells] = (*digits_of.get(cells, ()), digit)
    return [digits for cells, digits in digits_of.items() if len(cells) == len(digits)]


def prune_by_exclusives(row: Row) -> Row:
    """The row with the cells of every exclusive reduced to it; sound for tight units only."""
    exclusives = exclusive_possibilities(row)
    if not exclusives:
        return row
    every = {digit for digits in exclusives for digit in digits}
    pruned = []
    for cell in row:
        if len(cell) > 1:
            shared = tuple([digit for digit in cell if digit in every])
            if shared in exclusives:
                cell = shared
        pruned.append(cell)
    return pruned


def prune_row_twice(row: Row, tight: bool) -> Row | None:
    """The row settled by its fixed digits, then by its exclusives."""
    settled = fixed_point(prune_row, row)
    if settled is None or not tight:
        return settled
    return fixed_point(prune_by_exclusives, settled)


class Exclusives:
    """See the top of this file."""

    def __init__(self, units: Units) -> None:
        self.units = units

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        grid = list(problem.domains())
        return split_search(grid, self.units, prune_row_twice, 0, meter, found)
