"""Rung 7: one flat array and tables of indices instead of rows that are cut out and put back.

From *Fast Sudoku Solver in Haskell* #3, its second step. What changed from the rung below: a unit
is a tuple of indices, looked up in the grid where it stands, and a cell that changes is replaced in
the grid at once (the whole of an immutable array is copied for it). Units see what earlier units of
the same sweep have done.

``settle=equality``  each of the two prunings is repeated on a unit until the *whole grid* equals
                     what it was. In the post this made the step a loss (88.53 s after 69.44 s).
``settle=lockstep``  the two prunings are fused: both work from the fixed digits and exclusives that
                     the unit had at the start, so a fixed digit is never fixed again, and nothing
                     needs to be repeated (57.67 s).

``propagations`` counts units pruned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from backends.ladder.bitset import exclusive_possibilities, split_search, union
from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units
from modelling.problem import Problem

Unit = tuple[int, ...]
Exclusives = Callable[[list[int]], list[int]]
PruneUnit = Callable[[list[int], Unit, bool, Exclusives], list[int] | None]


def replaced(grid: list[int], index: int, cell: int) -> list[int]:
    """A copy of the grid with another cell at ``index``."""
    return [*grid[:index], cell, *grid[index + 1 :]]


def prune_by_fixed(grid: list[int], unit: Unit) -> list[int] | None:
    """The grid after the fixed digits of a unit left its open cells; None when one is emptied."""
    fixeds = union([cell for index in unit if not (cell := grid[index]) & (cell - 1)])
    for index in unit:
        cell = grid[index]
        if cell & (cell - 1) and cell & fixeds:
            cell &= ~fixeds
            if not cell:
                return None
            grid = replaced(grid, index, cell)
    return grid


def prune_by_exclusives(
    grid: list[int], unit: Unit, find: Exclusives = exclusive_possibilities
) -> list[int]:
    """The grid after the cells of a unit's exclusives were reduced to them; for tight units."""
    exclusives = find([grid[index] for index in unit])
    every = union(exclusives)
    for index in unit:
        cell = grid[index]
        shared = cell & every
        if cell & (cell - 1) and shared != cell and shared in exclusives:
            grid = replaced(grid, index, shared)
    return grid


def by_equality(grid: list[int], unit: Unit, tight: bool, find: Exclusives) -> list[int] | None:
    """Prune by fixed digits until the grid stays equal, then likewise by exclusives."""
    while (pruned := prune_by_fixed(grid, unit)) != grid:
        if pruned is None:
            return None
        grid = pruned
    while tight and (by_exclusives := prune_by_exclusives(grid, unit, find)) != grid:
        grid = by_exclusives
    return grid


def in_lockstep(grid: list[int], unit: Unit, tight: bool, find: Exclusives) -> list[int] | None:
    """Prune each cell by the fixed digits and exclusives that the unit had at the start."""
    row = [grid[index] for index in unit]
    fixeds = union([cell for cell in row if not cell & (cell - 1)])
    exclusives = find(row) if tight else []
    every = union(exclusives)
    for index, before in zip(unit, row, strict=True):
        if not before & (before - 1):
            continue
        cell = before & ~fixeds
        if not cell:
            return None
        if cell & (cell - 1) and cell & every in exclusives:
            cell &= every
        if cell != before:
            grid = replaced(grid, index, cell)
    return grid


SETTLE: dict[str, PruneUnit] = {"equality": by_equality, "lockstep": in_lockstep}


def prune_once(
    grid: list[int], units: Units, prune: PruneUnit, find: Exclusives, meter: Meter
) -> list[int] | None:
    """One sweep over all units; None on a contradiction."""
    for unit, tight in zip(units.units, units.tight, strict=True):
        meter.propagations += 1
        pruned = prune(grid, unit, tight, find)
        if pruned is None:
            return None
        grid = pruned
    return grid


def settled(
    grid: list[int], units: Units, prune: PruneUnit, find: Exclusives, meter: Meter
) -> list[int] | None:
    """Sweeps until one changes nothing; None on a contradiction."""
    while True:
        pruned = prune_once(grid, units, prune, find, meter)
        if pruned is None or pruned == grid:
            return pruned
        grid = pruned


class Flat:
    """``settle`` is equality or lockstep; ``find`` finds the exclusives of a row."""

    def __init__(
        self, units: Units, settle: str = "lockstep", find: Exclusives = exclusive_possibilities
    ) -> None:
        self.units = units
        self.prune = SETTLE[settle]
        self.find = find

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        units = self.units
        settle = partial(settled, units=units, prune=self.prune, find=self.find, meter=meter)
        return split_search(units.sets(problem), settle, units, 0, meter, found)
