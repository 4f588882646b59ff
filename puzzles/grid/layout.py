"""The shape of a square grid and its units.

Words
-----
order       the number of rows, of columns and of values; values are 1..order
cell        a position 0..order*order - 1, row by row
box         the shape (rows, columns) of the rectangles in which values also occur once, or None
unit        a row, column or box: cells whose values must differ
peers       the other cells of a cell's units
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

MOST_ORDER = 100


@dataclass(frozen=True, slots=True)
class Layout:
    """An order and a box shape, ``box[0] * box[1] == order``."""

    order: int
    box: tuple[int, int] | None = None

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.order * self.order


@lru_cache(maxsize=128)
def widest_box(order: int) -> tuple[int, int]:
    """The box shape nearest to a square, no more rows than columns: 6 -> 2x3, 9 -> 3x3."""
    rows = next(r for r in range(isqrt(order), 0, -1) if order % r == 0)
    return rows, order // rows


@lru_cache(maxsize=64)
def units(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """The cells of every row, then every column, then every box (from the top left)."""
    n = layout.order
    rows = [tuple(range(r * n, r * n + n)) for r in range(n)]
    columns = [tuple(range(c, n * n, n)) for c in range(n)]
    if layout.box is None:
        return (*rows, *columns)
    high, wide = layout.box
    corners = [(r, c) for r in range(0, n, high) for c in range(0, n, wide)]
    boxes = [
        tuple((r + i) * n + c + j for i in range(high) for j in range(wide)) for r, c in corners
    ]
    return (*rows, *columns, *boxes)


def unit_name(layout: Layout, unit: int) -> str:
    """What a person calls unit number ``unit`` of ``units(layout)``."""
    kind, number = divmod(unit, layout.order)
    return f"{('row', 'column', 'box')[kind]} {number + 1}"


@lru_cache(maxsize=64)
def units_of(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """For each cell, the numbers of the units that it lies in."""
    member: list[list[int]] = [[] for _ in range(layout.cells)]
    for number, unit in enumerate(units(layout)):
        for cell in unit:
            member[cell].append(number)
    return tuple(map(tuple, member))


def peers(layout: Layout, cell: int) -> tuple[int, ...]:
    """The cells, ascending, that must differ from ``cell``."""
    every = units(layout)
    near = {other for unit in units_of(layout)[cell] for other in every[unit]}
    return tuple(sorted(near - {cell}))


def cell_name(layout: Layout, cell: int) -> str:
    """``r1c1`` for the first cell: the name of its variable."""
    row, column = divmod(cell, layout.order)
    return f"r{row + 1}c{column + 1}"
