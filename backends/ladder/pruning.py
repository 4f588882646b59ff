"""Rung 3: prune the units until the grid settles, then split on one cell.

From *Fast Sudoku Solver in Haskell* #1, *A Simple Solution*. What changed from the rung below:
nothing is placed one by one. The grid is a plain value; a whole row at a time is pruned, each cell
losing the digits that are fixed in the row; columns and boxes are turned into rows, pruned by the
same function and turned back; and all this is repeated until nothing changes. The choice is a
split in two: the cell with the fewest candidates holds its first, or it holds one of the others.

Words
-----
cell        its candidates, ascending; *fixed* when there is one
row         the cells of any unit, in a list
settled     pruning changes nothing any more

Rows are those of a *layer* (see ``units``), so that any set of AllDifferent will do; cells outside
a layer stay as they are. ``propagations`` counts rows pruned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units, fixed_point
from modelling.problem import Problem

Cell = tuple[int, ...]
Row = list[Cell]
Grid = list[Cell]
PruneRow = Callable[[Row, bool], Row | None]
"""From a row, and whether its unit is tight, to the pruned row; None when a cell is left empty."""


def prune_row(row: Row, tight: bool = False) -> Row | None:
    """The row without its fixed digits in the other cells; None when a cell loses its last."""
    fixed = {cell[0] for cell in row if len(cell) == 1}
    pruned = []
    for cell in row:
        if len(cell) > 1:
            cell = tuple([digit for digit in cell if digit not in fixed])
            if not cell:
                return None
        pruned.append(cell)
    return pruned


def rows_of(grid: Grid, layer: Sequence[tuple[int, ...]]) -> list[Row]:
    """The grid cut up into the rows of a layer (the post's transposing)."""
    return [[grid[cell] for cell in unit] for unit in layer]


def grid_of(grid: Grid, layer: Sequence[tuple[int, ...]], rows: list[Row]) -> Grid:
    """The rows of a layer put together again; other cells come from ``grid``."""
    new = list(grid)
    for unit, row in zip(layer, rows, strict=True):
        for cell, candidates in zip(unit, row, strict=True):
            new[cell] = candidates
    return new


def prune_once(grid: Grid, units: Units, prune: PruneRow, meter: Meter) -> Grid | None:
    """One sweep: every row of every layer pruned once; None on a contradiction."""
    for numbers in units.layers:
        layer = [units.units[number] for number in numbers]
        rows = []
        for number, row in zip(numbers, rows_of(grid, layer), strict=True):
            meter.propagations += 1
            pruned = prune(row, units.tight[number])
            if pruned is None:
                return None
            rows.append(pruned)
        grid = grid_of(grid, layer, rows)
    return grid


def settled(grid: Grid, units: Units, prune: PruneRow, meter: Meter) -> Grid | None:
    """Sweeps until one changes nothing; None on a contradiction."""
    return fixed_point(partial(prune_once, units=units, prune=prune, meter=meter), grid)


def invalid(grid: Grid, units: Units) -> bool:
    """Whether two cells of a unit are fixed to one digit."""
    for unit in units.units:
        fixed = [grid[cell] for cell in unit if len(grid[cell]) == 1]
        if len(set(fixed)) < len(fixed):
            return True
    return False


def next_grids(grid: Grid) -> tuple[Grid, Grid] | None:
    """The two grids of the split; None when every cell is fixed."""
    open_cells = [(len(cell), i) for i, cell in enumerate(grid) if len(cell) > 1]
    if not open_cells:
        return None
    _, pivot = min(open_cells)
    first, rest = grid[pivot][:1], grid[pivot][1:]
    before, after = grid[:pivot], grid[pivot + 1 :]
    return [*before, first, *after], [*before, rest, *after]


def split_search(
    grid: Grid, units: Units, prune: PruneRow, depth: int, meter: Meter, found: Found
) -> bool:
    """Settle, judge, split: the whole search. False if ``meter`` or ``found`` stops it."""
    if not meter.enter(depth):
        return False
    pruned = settled(grid, units, prune, meter)
    if pruned is None or invalid(pruned, units):
        meter.failures += 1
        return True
    halves = next_grids(pruned)
    if halves is None:
        return found(tuple([cell[0] for cell in pruned]))
    return all(split_search(half, units, prune, depth + 1, meter, found) for half in halves)


class Pruning:
    """See the top of this file."""

    def __init__(self, units: Units) -> None:
        self.units = units

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        return split_search(list(problem.domains()), self.units, prune_row, 0, meter, found)
