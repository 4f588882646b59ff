"""Rung 8: the inverted table is an array that is filled in place.

From *Fast Sudoku Solver in Haskell* #3, its last step (from 57.67 s to 35.04 s there). What changed
from the rung below: digits are few and known, so the table from digits to the cells in which they
are open is an array, one entry a digit, and the cells are bits of an integer too. It is changed in
place as the row is read; a map that grew a tuple at a time did the same before.

``propagations`` counts units pruned.
"""

from __future__ import annotations

from backends.ladder.bitset import members
from backends.ladder.exclusives import LARGEST
from backends.ladder.flat import Flat
from backends.ladder.units import Units


def cell_indices(row: list[int], digits: int) -> list[int]:
    """For each of ``digits`` digits the set of open cells of the row that may hold it.

    Bit i stands for cell i of the row (the post counts from 1, so its numbers are twice these).
    """
    table = [0] * digits
    place = 1
    for cell in row:
        if cell & (cell - 1):
            for digit in members(cell):
                table[digit] |= place
        place <<= 1
    return table


def exclusive_possibilities(row: list[int]) -> list[int]:
    """The exclusives of a row (see rung 5), each as a set of digits."""
    table = cell_indices(row, max(row).bit_length())
    digits_of: dict[int, int] = {}
    for digit, cells in enumerate(table):
        if 0 < cells.bit_count() <= LARGEST:
            digits_of[cells] = digits_of.get(cells, 0) | 1 << digit
    return [
        digits for cells, digits in digits_of.items() if cells.bit_count() == digits.bit_count()
    ]


class MutableTable(Flat):
    """Rung 7 with this file's way to find exclusives."""

    def __init__(self, units: Units) -> None:
        super().__init__(units, exclusive_possibilities)
