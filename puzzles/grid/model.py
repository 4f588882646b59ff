"""A square grid as a problem: one variable per cell, AllDifferent over every unit.

Variables are ``r1c1``, ``r1c2``, ... row by row, with values 1..order; constraints are the rows,
then the columns, then the boxes. All grids of a layout share one structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from modelling.constraints import AllDifferent
from modelling.problem import Problem, Structure
from puzzles.grid.layout import Layout, cell_name, units


@lru_cache(maxsize=64)
def structure(layout: Layout) -> Structure:
    """The variables and constraints of every grid of this layout."""
    domain = tuple(range(1, layout.order + 1))
    return Structure(
        tuple(cell_name(layout, cell) for cell in range(layout.cells)),
        (domain,) * layout.cells,
        tuple(AllDifferent(unit) for unit in units(layout)),
    )


def problem(layout: Layout, values: Sequence[int]) -> Problem:
    """The grid with these givens, 0 for a blank."""
    blank = (1 << layout.order) - 1
    return Problem(structure(layout), tuple(1 << v - 1 if v else blank for v in values))
