"""Killer Sudoku: cages of different values with a given sum, beside the rules of Sudoku.

Text is the order, or the shape of the boxes where they are not as wide as they can be, a colon, and
the cages as ``puzzles.pencil.cages`` writes them, each with its sum:
``4: AABB BABA BCCA BDDA: 7 8 9 6 5 5``. A cage of one cell is a given; without cages it is an empty
Sudoku, ``4:``. Variable ``rIcJ`` is the cell in row I and column J.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.errors import InputError, PuzzleError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside_or_below
from puzzles.family import Count
from puzzles.formats import Locate, in_text
from puzzles.grid.checking import faults
from puzzles.grid.layout import Layout, cell_name, units, widest_box
from puzzles.grid.symbols import sign
from puzzles.lines import LineFamily, read_number
from puzzles.parameters import Parameter
from puzzles.pencil.cages import (
    Cage,
    draw_cages,
    draw_cages_until,
    parse_cages,
    sketch_cages,
    write_cages,
)
from puzzles.pencil.random_fill import draw_fill
from puzzles.pencil.uniqueness import is_unique
from puzzles.pictures import Picture
from puzzles.random_stream import Stream

MOST = 25
MOST_GENERATED = 9

_SHAPE = re.compile(r"\s*(\d{1,3})(?:\s*[xX×]\s*(\d{1,3}))?\s*")

Puzzle = tuple[Layout, tuple[Cage, ...]]
"""The grid and its cages, by their first cells."""


@lru_cache(maxsize=64)
def structure(layout: Layout, cages: tuple[Cage, ...]) -> Structure:
    """Rows, columns and boxes of different values; in each cage too, and they add up."""
    n = layout.order
    rules: list[Constraint] = [AllDifferent(unit) for unit in units(layout)]
    for cage in cages:
        rules.append(Linear(cage.cells, (1,) * len(cage.cells), "==", cage.number))
        if not any(set(cage.cells) <= set(unit) for unit in units(layout)):
            rules.append(AllDifferent(cage.cells))
    return Structure(
        tuple(cell_name(layout, cell) for cell in range(n * n)),
        (tuple(range(1, n + 1)),) * (n * n),
        tuple(rules),
    )


class KillerSudoku(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "killer_sudoku"
    about = "killer Sudoku: cages of different values with given sums, and the rules of Sudoku"
    csplib = 57

    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("order", 9, "Number of rows.", 2, MOST_GENERATED),
        Parameter(
            "largest", 4, "Cells of a cage at most; the more, the harder.", 1, MOST_GENERATED
        ),
    )
    asks_solver = True

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The layout and the cages."""
        head, colon, _ = body.partition(":")
        shape = _SHAPE.fullmatch(head)
        if not colon or shape is None:
            cause = "write the order, a colon, rows of letters, a colon and the sums of the cages"
            raise PuzzleError(f"{cause}, as in '4: AABB BABA BCCA BDDA: 7 8 9 6 5 5'", locate(1))
        one, other = int(shape[1]), int(shape[2] or 1)
        if not 1 <= one * other <= MOST:
            raise PuzzleError(
                f"a grid of order {one * other}; it must be from 1 to {MOST}", locate(1)
            )
        box = (one, other) if shape[2] else widest_box(one)
        layout = Layout(one * other, box)

        def read_sum(word: str, cells: tuple[int, ...], where: str) -> Cage:
            return _read_sum(layout, word, cells, where)

        return layout, parse_cages(body, len(head) + 1, layout.order, locate, read_sum)

    def generate(self, draws: Stream, *, count: Count, **told: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, **told)

    def text(self, puzzle: Puzzle) -> str:
        """The order or the shape of the boxes, the cages, the sums."""
        layout, cages = puzzle
        n = layout.order
        high, wide = layout.box or widest_box(n)
        head = f"{n}" if (high, wide) == widest_box(n) else f"{high}x{wide}"
        return f"{head}: {write_cages(n, cages)}".rstrip()

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``; cells that are given narrow it."""
        layout, cages = puzzle
        stated = structure(layout, tuple(cage for cage in cages if len(cage.cells) > 1))
        return stated.problem({c.cells[0]: c.number for c in cages if len(c.cells) == 1})

    def count_values(self, puzzle: Puzzle) -> int:
        """The cells."""
        return puzzle[0].cells

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Rows, columns and boxes are looked at, and the cages added up."""
        layout, cages = puzzle
        yield from faults(layout, (0,) * layout.cells, values)
        for cage in cages:
            held = [values[cell] for cell in cage.cells]
            where = f"the cage of {cell_name(layout, cage.cells[0])}"
            if sum(held) != cage.number:
                yield f"{where} adds up to {sum(held)}, not to {cage.number}"
            if len(set(held)) < len(held):
                yield f"{where} holds a value twice"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """See ``draw_cages``; given cells show their sum alone."""
        layout, cages = puzzle
        return draw_cages(layout, cages, (0,) * layout.cells if values is None else values)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """See ``sketch_cages``."""
        layout, cages = puzzle
        return sketch_cages(layout, cages, values or ())

    def write(self, text: str, values: Sequence[int]) -> str:
        """The rows."""
        n = self.parse(text)[0].order
        shown = [sign(value, n) for value in values]
        return " ".join("".join(shown[k : k + n]) for k in range(0, n * n, n))


def _read_sum(layout: Layout, word: str, cells: tuple[int, ...], where: str) -> Cage:
    n, size = layout.order, len(cells)
    if size > n:
        raise PuzzleError(f"a cage of {size} cells; {n} values cannot all differ in it", where)
    least = size * (size + 1) // 2
    what = f"the sum of a cage of {size}"
    return Cage(cells, read_number(word, what, least, size * (n + 1) - least, where))


KILLER_SUDOKU = KillerSudoku()


def generate(draws: Stream, *, count: Count, order: int = 9, largest: int = 4) -> str:
    """A puzzle with one solution, its cages of at most ``largest`` cells as far as that goes.

    The larger the cages, the harder. ``count`` is asked whether there is one solution.
    """
    if not 2 <= order <= MOST_GENERATED or not 1 <= largest <= order:
        raise InputError(f"no killer Sudoku of order {order} with cages of {largest} is generated")
    layout = Layout(order, widest_box(order))
    full = draw_fill(layout.cells, units(layout), order, draws)
    assert full is not None
    cages = draw_cages_until(
        order,
        largest,
        draws,
        lambda cage, cell: all(full[cell] != full[other] for other in cage),
        lambda cells: Cage(cells, sum(full[cell] for cell in cells)),
        lambda found: is_unique(KILLER_SUDOKU.state((layout, found)), count),
    )
    return KILLER_SUDOKU.text((layout, cages))
