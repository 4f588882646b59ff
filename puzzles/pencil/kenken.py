"""KenKen: a Latin square with cages, whose values make a result by addition, subtraction,
multiplication or division.

Text is the order, a colon, and the cages as ``puzzles.pencil.cages`` writes them, each with its
result and ``+``, ``-``, ``x`` or ``/``: ``3: ABB ABA ACC: 6x 5+ 2 5+``. A question mark stands for
an operation that is not given; a cage of one cell has its value alone, without a sign. Subtraction
and division are for cages of two, the larger value first; a division leaves no rest. Values may
come again within a cage. Variable ``rIcJ`` is the cell in row I and column J.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import prod

from modelling.constraints import AllDifferent, Constraint, Linear, Or, constant, equal
from modelling.errors import InputError, InstanceError
from modelling.problem import Structure
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.multiplication import Product
from puzzles.family import Count
from puzzles.formats import Locate, in_text
from puzzles.grid.checking import faults
from puzzles.grid.layout import Layout, cell_name, units
from puzzles.lines import read_number, read_numbers
from puzzles.parameters import Parameter
from puzzles.pencil.cage_family import MOST, MOST_GENERATED, CageFamily, Puzzle
from puzzles.pencil.cages import Cage, draw_cages_until, parse_cages, write_cages
from puzzles.pencil.random_fill import draw_fill
from puzzles.pencil.uniqueness import is_unique
from puzzles.random_stream import Stream

MOST_RESULT = 999_999_999

SIGNS = "+-x/?"
_WRITTEN = {"×": "x", "X": "x", "*": "x", "·": "x", "÷": "/", "−": "-", "–": "-"}
"""Other ways to write a sign."""


@lru_cache(maxsize=64)
def structure(layout: Layout, cages: tuple[Cage, ...]) -> Structure:
    """Rows and columns of different values, and the cages."""
    n = layout.order
    return Structure(
        tuple(cell_name(layout, cell) for cell in range(n * n)),
        (tuple(range(1, n + 1)),) * (n * n),
        (*map(AllDifferent, units(layout)), *map(state_cage, cages)),
    )


def state_cage(cage: Cage) -> Constraint:
    """The constraints of the cage; without an operation, that one of them makes the result."""
    if cage.sign == "?":
        known = "+x-/" if len(cage.cells) == 2 else "+x"
        return Or(tuple(state_cage(Cage(cage.cells, cage.number, sign)) for sign in known))
    if cage.sign == "x":
        return equal(Product(cage.cells), constant(cage.number))
    if cage.sign == "-":
        return equal(Distance(*cage.cells), constant(cage.number))
    if cage.sign == "/":
        ways = (Linear(pair, (1, -cage.number), "==", 0) for pair in permutations(cage.cells))
        return Or(tuple(ways))
    return Linear(cage.cells, (1,) * len(cage.cells), "==", cage.number)


def find_results(values: Sequence[int]) -> dict[str, int]:
    """The results of the values, by the signs of the operations for this number of values."""
    found = {"+": sum(values), "x": prod(values)}
    if len(values) == 2:
        low, high = sorted(values)
        found["-"] = high - low
        if low and high % low == 0:
            found["/"] = high // low
    return found


class Kenken(CageFamily):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "kenken"
    about = "KenKen: a Latin square whose cages make results by + - x and /"
    unit = "rows"
    parameters = (
        *CageFamily.list_parameters(6),
        Parameter("untold", False, "No operation is shown."),
    )
    structure = staticmethod(structure)

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The order and the cages."""
        head, colon, _ = body.partition(":")
        if not colon:
            cause = "write the order, a colon, rows of letters, a colon and the results"
            raise InstanceError(f"{cause}, as in '3: ABB ABA ACC: 6x 5+ 2 5+'", locate(1))
        (n,) = read_numbers(head, locate, "4: ...", ("the order", 1, MOST))

        def read_result(word: str, cells: tuple[int, ...], where: str) -> Cage:
            return _read_result(n, word, cells, where)

        return Layout(n), parse_cages(body, len(head) + 1, n, locate, read_result)

    def generate(self, draws: Stream, *, count: Count, untold: bool, **sizes: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, given=not untold, **sizes)

    def text(self, puzzle: Puzzle) -> str:
        """The order, the cages, the results."""
        layout, cages = puzzle
        return f"{layout.order}: {write_cages(layout.order, cages)}".rstrip()

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Rows and columns are looked at, and the cages worked out."""
        layout, cages = puzzle
        yield from faults(layout, (0,) * layout.cells, values)
        for cage in cages:
            held = [values[cell] for cell in cage.cells]
            made = find_results(held)
            wanted = {"": "+", "?": "".join(made)}.get(cage.sign, cage.sign)
            if cage.number not in [made[sign] for sign in wanted if sign in made]:
                shown = " and ".join(map(str, held))
                yield f"{shown} do not make {cage.label} in the cage of " + cell_name(
                    layout, cage.cells[0]
                )


def _read_result(n: int, word: str, cells: tuple[int, ...], where: str) -> Cage:
    last = _WRITTEN.get(word[-1], word[-1])
    shown, size = last if last in SIGNS else "", len(cells)
    number = word[:-1] if shown else word
    if size == 1 and shown:
        cause = f"{word[:40]!r} for a cage of one cell; write its value alone"
        raise InstanceError(cause, where)
    if size > 1 and not shown:
        cause = f"{word[:40]!r} for a cage of {size} cells; write +, -, x, / or ? after the result"
        raise InstanceError(cause, where)
    if size > 2 and shown in "-/":
        cause = f"{word[:40]!r} for a cage of {size} cells; - and / are for cages of two"
        raise InstanceError(cause, where)
    most = n if size == 1 else MOST_RESULT
    return Cage(cells, read_number(number, "the result of a cage", 1, most, where), shown)


KENKEN = Kenken()


def generate(
    draws: Stream,
    *,
    count: Count,
    order: int = 6,
    largest: int = 4,
    given: bool = True,
) -> str:
    """A puzzle with one solution, its cages of at most ``largest`` cells as far as that goes.

    The larger the cages, the harder; without ``given``, no operation is shown. ``count`` is asked
    whether there is one solution.
    """
    if not 2 <= order <= MOST_GENERATED or not 1 <= largest <= order:
        raise InputError(f"no KenKen of order {order} with cages of {largest} is generated")
    layout = Layout(order)
    full = draw_fill(layout.cells, units(layout), order, draws)
    assert full is not None

    def make(cells: tuple[int, ...]) -> Cage:
        held = [full[cell] for cell in cells]
        if len(held) == 1:
            return Cage(cells, held[0])
        made = find_results(held)
        chosen = draws.choice([shown for shown in "//-+x" if shown in made])  # / seldom can be
        return Cage(cells, made[chosen], chosen if given else "?")

    cages = draw_cages_until(
        order,
        largest,
        draws,
        lambda cage, cell: True,
        make,
        lambda found: is_unique(KENKEN.state((layout, found)), count),
    )
    return KENKEN.text((layout, cages))
