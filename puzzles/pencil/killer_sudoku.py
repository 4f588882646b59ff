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
from modelling.errors import InputError, InstanceError
from modelling.problem import Structure
from puzzles.family import Count
from puzzles.formats import Locate, in_text
from puzzles.grid.checking import faults
from puzzles.grid.layout import Layout, cell_name, units, widest_box
from puzzles.lines import read_number
from puzzles.pencil.cage_family import MOST, MOST_GENERATED, CageFamily, Puzzle
from puzzles.pencil.cages import Cage, draw_cages_until, parse_cages, write_cages
from puzzles.pencil.random_fill import draw_fill
from puzzles.pencil.uniqueness import is_unique
from puzzles.random_stream import Stream

_SHAPE = re.compile(r"\s*(\d{1,3})(?:\s*[xX×]\s*(\d{1,3}))?\s*")


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


class KillerSudoku(CageFamily):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "killer_sudoku"
    about = "killer Sudoku: cages of different values with given sums, and the rules of Sudoku"
    unit = "rows"
    csplib = 57
    parameters = CageFamily.list_parameters(9)
    structure = staticmethod(structure)

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The layout and the cages."""
        head, colon, _ = body.partition(":")
        shape = _SHAPE.fullmatch(head)
        if not colon or shape is None:
            cause = "write the order, a colon, rows of letters, a colon and the sums of the cages"
            raise InstanceError(f"{cause}, as in '4: AABB BABA BCCA BDDA: 7 8 9 6 5 5'", locate(1))
        one, other = int(shape[1]), int(shape[2] or 1)
        if not 1 <= one * other <= MOST:
            raise InstanceError(
                f"a grid of order {one * other}; it must be from 1 to {MOST}", locate(1)
            )
        box = (one, other) if shape[2] else widest_box(one)
        layout = Layout(one * other, box)

        def read_sum(word: str, cells: tuple[int, ...], where: str) -> Cage:
            return _read_sum(layout, word, cells, where)

        return layout, parse_cages(body, len(head) + 1, layout.order, locate, read_sum)

    def generate(self, draws: Stream, *, count: Count, **given: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, **given)

    def text(self, puzzle: Puzzle) -> str:
        """The order or the shape of the boxes, the cages, the sums."""
        layout, cages = puzzle
        n = layout.order
        high, wide = layout.box or widest_box(n)
        head = f"{n}" if (high, wide) == widest_box(n) else f"{high}x{wide}"
        return f"{head}: {write_cages(n, cages)}".rstrip()

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


def _read_sum(layout: Layout, word: str, cells: tuple[int, ...], where: str) -> Cage:
    n, size = layout.order, len(cells)
    if size > n:
        raise InstanceError(f"a cage of {size} cells; {n} values cannot all differ in it", where)
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
