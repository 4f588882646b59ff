"""What every rung works on: the units of a problem, recognised once from its structure.

Words
-----
cell        a variable, by its position in the structure
unit        cells whose values must differ: the scope of an AllDifferent (or of a NotEqual)
tight       a unit with exactly as many cells as values: it has each value, so that a value with one
            place left is known there. With values to spare nothing of the kind follows, and no
            rule for hidden values may fire
peers       the other cells of a cell's units
layer       units that share no cell, such as the rows, or the columns, or the boxes of a Sudoku:
            a grid may be cut up along one layer and put together again
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

from backends.interface.api import Refused, projection_refusal
from modelling.all_different import foreign, groups, over_terms
from modelling.problem import Problem, Structure


@dataclass(frozen=True, eq=False)
class Units:
    """The units over ``size`` cells; ``values`` are all values of any base domain, ascending.

    ``tight[k]`` belongs to ``units[k]``; units of fewer than two cells say nothing and are left
    out, and of units over the same cells one is kept.
    """

    names: tuple[str, ...]
    domains: tuple[tuple[int, ...], ...]
    units: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.domains)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """All values that occur in a base domain, ascending."""
        return tuple(sorted({value for domain in self.domains for value in domain}))

    @cached_property
    def values_of(self) -> tuple[frozenset[int], ...]:
        """For each unit, the values that its cells' base domains offer."""
        return tuple(frozenset(v for c in unit for v in self.domains[c]) for unit in self.units)

    @cached_property
    def tight(self) -> tuple[bool, ...]:
        """For each unit, whether it has as many cells as values."""
        pairs = zip(self.units, self.values_of, strict=True)
        return tuple(len(unit) == len(values) for unit, values in pairs)

    @cached_property
    def possible(self) -> bool:
        """False when a unit has more cells than values (the pigeonhole principle)."""
        pairs = zip(self.units, self.values_of, strict=True)
        return all(len(unit) <= len(values) for unit, values in pairs)

    @cached_property
    def units_of(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the numbers of the units that it lies in."""
        member: list[list[int]] = [[] for _ in self.domains]
        for number, unit in enumerate(self.units):
            for cell in unit:
                member[cell].append(number)
        return tuple(map(tuple, member))

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, its peers, ascending."""
        return tuple(peers(self.units, cell) for cell in range(self.size))

    @cached_property
    def layers(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the units, split into layers; each unit goes into the first that fits."""
        layers: list[tuple[list[int], set[int]]] = []
        for number, unit in enumerate(self.units):
            for numbers, covered in layers:
                if covered.isdisjoint(unit):
                    numbers.append(number)
                    covered.update(unit)
                    break
            else:
                layers.append(([number], set(unit)))
        return tuple(tuple(numbers) for numbers, _ in layers)

    @cached_property
    def position(self) -> dict[int, int]:
        """Value -> its position in ``values``, which is its bit in a set."""
        return {value: k for k, value in enumerate(self.values)}

    @cached_property
    def uniform(self) -> bool:
        """Whether every base domain is ``values``."""
        return all(domain == self.values for domain in self.domains)

    @cached_property
    def bits(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the bits of the values of its base domain."""
        return tuple(tuple(1 << self.position[v] for v in domain) for domain in self.domains)

    def sets(self, problem: Problem) -> list[int]:
        """The open values of every cell as an integer; bit k stands for ``values[k]``."""
        if self.uniform:
            return list(problem.masks)
        return [
            sum(bit for k, bit in enumerate(bits) if mask >> k & 1)
            for mask, bits in zip(problem.masks, self.bits, strict=True)
        ]

    def assignment(self, sets: list[int]) -> tuple[int, ...]:
        """The values of a grid whose cells each hold one bit."""
        values = self.values
        return tuple([values[bit.bit_length() - 1] for bit in sets])


def peers(units: tuple[tuple[int, ...], ...], cell: int) -> tuple[int, ...]:
    """The cells, ascending, that share one of ``units`` with ``cell``."""
    near = {other for unit in units if cell in unit for other in unit}
    return tuple(sorted(near - {cell}))


State = TypeVar("State")
"""A grid, or a row of it, by its candidates."""


def fixed_point(prune: Callable[[State], State | None], state: State) -> State | None:
    """``prune`` applied until nothing changes any more; None on a contradiction."""
    while True:
        pruned = prune(state)
        if pruned is None or pruned == state:
            return pruned
        state = pruned


@lru_cache(maxsize=32)
def recognised(structure: Structure) -> Units | Refused:
    """The units of ``structure``, or why the ladder cannot climb it; remembered by its digest."""
    refused = projection_refusal(structure)
    if refused:
        return Refused(refused)
    other = foreign(structure)
    if other is not None:
        number, constraint = other
        kind = type(constraint).__name__
        return Refused(
            f"constraint {number} is a {kind}{over_terms(constraint)}; "
            "the ladder takes AllDifferent and NotEqual only"
        )
    return Units(structure.names, structure.domains, groups(structure))
