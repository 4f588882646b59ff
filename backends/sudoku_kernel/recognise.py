"""What a structure is to the compiled kernels, found out once for each structure.

Words
-----
value number  the values of all base domains together, ascending, are numbered from 0; a domain is
              a set of value numbers, bit k for number k
unit          the variables of one AllDifferent or NotEqual constraint
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from backends.interface.api import projection_refusal
from modelling import all_different
from modelling.all_different import foreign, groups, over_terms
from modelling.problem import Structure

MOST_VALUES = 64
"""A domain is one machine word."""


def _sudoku_units() -> frozenset[frozenset[int]]:
    """Rows, columns and boxes of a 9x9 Sudoku whose variables are in order, row by row."""
    cells = range(81)
    units: set[frozenset[int]] = set()
    for k in range(9):
        units.add(frozenset(c for c in cells if c // 9 == k))
        units.add(frozenset(c for c in cells if c % 9 == k))
        units.add(frozenset(c for c in cells if c // 27 * 3 + c % 9 // 3 == k))
    return frozenset(units)


SUDOKU_UNITS = _sudoku_units()


@dataclass(frozen=True)
class Recognised:
    """A structure in the kernels' terms.

    ``refusal``   why the kernels cannot take it; empty if they can
    ``values``    value number -> value
    ``units``     the variables of each constraint that says anything, each set of them once
    ``is_sudoku`` whether it is a 9x9 Sudoku, row by row, over any nine values
    ``numbers``   for each variable, the value numbers of its base domain
    """

    refusal: str
    values: tuple[int, ...] = ()
    units: tuple[tuple[int, ...], ...] = ()
    is_sudoku: bool = False
    numbers: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def direct(self) -> bool:
        """Whether every base domain is all the values, so that masks are domains as they are."""
        return all(len(numbers) == len(self.values) for numbers in self.numbers)

    @cached_property
    def counts_from_one(self) -> bool:
        """Whether value number k is the value k + 1."""
        return self.values == tuple(range(1, len(self.values) + 1))

    @cached_property
    def one_digit_each(self) -> bool:
        """Whether solutions are two values or more, each written with the one digit that it is."""
        return self.counts_from_one and len(self.values) <= 9 and len(self.numbers) >= 2

    def domain(self, variable: int, mask: int) -> int:
        """A mask over a variable's base domain as a set of value numbers."""
        if self.direct:
            return mask
        return sum(1 << n for k, n in enumerate(self.numbers[variable]) if mask >> k & 1)


def recognise(structure: Structure) -> Recognised:
    """What ``structure`` is; costs time in proportion to its size."""
    refused = projection_refusal(structure)
    if refused:
        return Recognised(refused)
    other = foreign(structure)
    if other is not None:
        kind = type(other[1]).__name__
        told = f"{kind} constraints{over_terms(other[1])}"
        return Recognised(f"{told}; it takes AllDifferent and NotEqual only")
    values = all_different.values(structure)
    if len(values) > MOST_VALUES:
        return Recognised(f"{len(values)} different values; it takes up to {MOST_VALUES}")
    number = {value: k for k, value in enumerate(values)}
    units = groups(structure)
    return Recognised(
        "",
        values,
        units,
        _is_sudoku(structure, len(values), units),
        tuple(tuple(number[value] for value in domain) for domain in structure.domains),
    )


def _is_sudoku(structure: Structure, values: int, units: Any) -> bool:
    if structure.size != 81 or values != 9 or any(len(d) != 9 for d in structure.domains):
        return False
    return set(map(frozenset, units)) == SUDOKU_UNITS
