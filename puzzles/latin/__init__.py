"""Latin square completion (quasigroup with holes): each value once per row and column.

Text is the order, a colon and the cells row by row: ``4:1...............``. Files may look as
for Sudoku; a line of 16, 25, 36, ... cells without the order in front is a square of order 4, 5, 6.
Files of the generator lsencode are read as well (``pls``: ``puzzles.latin.pls``), and
``puzzles.latin.holes`` draws squares with holes.
"""

from __future__ import annotations

from fractions import Fraction

from modelling.errors import InstanceError
from puzzles.grid.family import GridFamily
from puzzles.grid.layout import MOST_ORDER, Layout
from puzzles.grid.reading import Rules
from puzzles.grid.symbols import SIGNS
from puzzles.latin import holes as drawing
from puzzles.parameters import Parameter
from puzzles.random_stream import Stream


def latin_layout(order: int, box: tuple[int, int] | None = None) -> Layout:
    """The layout of a Latin square; a box shape, in front or drawn by borders, means nothing."""
    if not 1 <= order <= MOST_ORDER:
        raise InstanceError(f"a Latin square of order {order}; orders go from 1 to {MOST_ORDER}")
    return Layout(order)


class Latin(GridFamily):
    """A family of grids that has a number in CSPLib and a format, and squares with holes."""

    csplib = 67
    endings = (".pls",)
    parameters = (
        Parameter("order", 12, "Number of rows.", 1, drawing.MOST_ORDER),
        Parameter(
            "holes",
            Fraction("0.42"),
            "Share of cells that are open; 0.42 is hardest (balanced: 0.5, completion: 0.58).",
            0,
            1,
        ),
        Parameter(
            "kind",
            "holes",
            "A random square with holes, as many in each row and column (balanced), or values put "
            "where none clash, so that there may be no solution (completion).",
            words=drawing.KINDS,
        ),
    )

    def generate(self, draws: Stream, *, order: int, holes: Fraction, kind: str) -> str:
        """See ``Generated``; balanced, each row has the nearest number of holes."""
        number = order * round(holes * order) if kind == "balanced" else round(holes * order**2)
        return self.text(latin_layout(order), drawing.draw_cells(draws, order, number, kind))


LATIN = Latin(
    "latin",
    "Latin square completion: every value once in each row and column",
    Rules(tuple(range(1, len(SIGNS) + 1)), latin_layout, lambda layout: f"{layout.order}:"),
    formats="puzzles.latin.pls",
)
