"""Rung 7: one flat array and tables of indices instead of rows that are cut out and put back.

From *Fast Sudoku Solver in Haskell* #3, its second step. What changed from the rung below: a unit
is a tuple of indices into the grid, and a cell that changes is replaced in the grid at once (the
whole of an immutable array is copied for it). Units see what earlier units of the same sweep have
done.

The two prunings are fused: both work from the fixed digits and exclusives that the unit had at the
start, so a fixed digit is never fixed again, and nothing needs to be repeated (57.67 s). The post
began with repeating each of them until the *whole grid* equalled what it was, which made the step a
loss (88.53 s after 69.44 s).

``propagations`` counts units pruned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from backends.ladder.bitset import exclusive_possibilities, split_search, union
from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units, fixed_point
from modelling.problem import Problem

Unit = tuple[int, ...]
Exclusives = Callable[[list[int]], list[int]]


def replaced(grid: list[int], index: int, cell: int) -> list[int]:
    """A copy of the grid with another cell at ``index``."""
    return [*grid[:index], cell, *grid[index + 1 :]]


def prune_unit(grid: list[int], unit: Unit, tight: bool, find: Exclusives) -> list[int] | None:
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


def prune_once(grid: list[int], units: Units, find: Exclusives, meter: Meter) -> list[int] | None:
    """One sweep over all units; None on a contradiction."""
    for unit, tight in zip(units.units, units.tight, strict=True):
        meter.propagations += 1
        pruned = prune_unit(grid, unit, tight, find)
        if pruned is None:
            return None
        grid = pruned
    return grid


class Flat:
    """``find`` finds the exclusives of a row."""

    def __init__(self, units: Units, find: Exclusives = exclusive_possibilities) -> None:
        self.units = units
        self.find = find

    def settled(self, grid: list[int], meter: Meter) -> list[int] | None:
        """Sweeps until one changes nothing; None on a contradiction."""
        prune = partial(prune_once, units=self.units, find=self.find, meter=meter)
        return fixed_point(prune, grid)

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        units = self.units
        settle = partial(self.settled, meter=meter)
        return split_search(units.sets(problem), settle, units, 0, meter, found)
