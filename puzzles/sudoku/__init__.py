"""Sudoku with boxes of any shape.

Text of a 9x9 is its 81 cells row by row, ``.`` for a blank; likewise 4x4, 6x6, 12x12, 16x16 and
25x25, with boxes that are at most as high as wide (6x6: two rows, three columns). Any other shape
is written in front, rows by columns: ``3x2:`` is a 6x6 with boxes of three rows and two
columns. How values above 9 are written is defined in ``puzzles.grid.symbols``; what files may look
like, in ``puzzles.grid.reading`` and ``puzzles.grid.rows``.
"""

from __future__ import annotations

from modelling.errors import InstanceError
from puzzles.grid import layout as grid
from puzzles.grid.family import GridFamily
from puzzles.grid.layout import MOST_ORDER, Layout, widest_box
from puzzles.grid.reading import Rules

ORDERS = (4, 6, 9, 12, 16, 25)


def sudoku_layout(order: int, box: tuple[int, int] | None = None) -> Layout:
    """The layout of an ``order`` x ``order`` Sudoku; raises ``InstanceError`` if there is none."""
    if not 1 <= order <= MOST_ORDER:
        raise InstanceError(f"a Sudoku of order {order}; orders go from 1 to {MOST_ORDER}")
    box = widest_box(order) if box is None else box
    if box[0] * box[1] != order:
        raise InstanceError(f"boxes of {box[0]}x{box[1]} do not make a Sudoku of order {order}")
    return Layout(order, box)


def prefix(layout: Layout) -> str:
    """The text before the cells: the box shape, unless their number determines it."""
    if layout.order in ORDERS and layout.box == widest_box(layout.order):
        return ""
    assert layout.box is not None
    return f"{layout.box[0]}x{layout.box[1]}:"


def peers(cell: int, box: tuple[int, int] = (3, 3)) -> tuple[int, ...]:
    """The cells, ascending, that share a row, column or box with ``cell`` (0..80 in a 9x9)."""
    return grid.peers(Layout(box[0] * box[1], box), cell)


SUDOKU = GridFamily(
    "sudoku",
    "every value once in each row, column and box",
    Rules(ORDERS, sudoku_layout, prefix),
    formats="puzzles.sudoku.formats",
)
