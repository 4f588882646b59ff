"""KenKen: a Latin square with cages, whose values make a result by addition, subtraction,
multiplication or division.

Text is the order, a colon, and the cages as ``puzzles.pencil.cages`` writes them, each with its
result and ``+``, ``-``, ``x`` or ``/``: ``3: ABB ABA ACC: 6x 5+ 2 5+``. A question mark stands for
an operation that is not told; a cage of one cell has its value alone, without a sign. Subtraction
and division are for cages of two, the larger value first; a division leaves no rest. Values may
come again within a cage. Variable ``rIcJ`` is the cell in row I and column J.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import prod

from modelling.constraints import AllDifferent, Constraint, Linear, Or, constant, equal
from modelling.errors import InputError, PuzzleError
from modelling.problem import Problem, Structure
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.multiplication import Product
from puzzles.drawing import beside_or_below
from puzzles.family import Count
from puzzles.formats import Locate, in_text
from puzzles.grid.checking import faults
from puzzles.grid.layout import Layout, cell_name, units
from puzzles.grid.symbols import sign
from puzzles.lines import LineFamily, read_number, read_numbers
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
MOST_RESULT = 999_999_999

SIGNS = "+-x/?"
_WRITTEN = {"×": "x", "X": "x", "*": "x", "·": "x", "÷": "/", "−": "-", "–": "-"}
"""Other ways to write a sign."""

Puzzle = tuple[int, tuple[Cage, ...]]
"""The order and the cages, by their first cells."""


@lru_cache(maxsize=64)
def structure(n: int, cages: tuple[Cage, ...]) -> Structure:
    """Rows and columns of different values, and the cages."""
    layout = Layout(n)
    return Structure(
        tuple(cell_name(layout, cell) for cell in range(n * n)),
        (tuple(range(1, n + 1)),) * (n * n),
        (*map(AllDifferent, units(layout)), *map(state_cage, cages)),
    )


def state_cage(cage: Cage) -> Constraint:
    """What the cage says; of an operation that is not told, that one of them makes the result."""
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
    """What the values make, by the signs of the operations that there are for so many."""
    found = {"+": sum(values), "x": prod(values)}
    if len(values) == 2:
        low, high = sorted(values)
        found["-"] = high - low
        if low and high % low == 0:
            found["/"] = high // low
    return found


class Kenken(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "kenken"
    about = "KenKen: a Latin square whose cages make results by + - x and /"

    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("order", 6, "Number of rows.", 2, MOST_GENERATED),
        Parameter(
            "largest", 4, "Cells of a cage at most; the more, the harder.", 1, MOST_GENERATED
        ),
        Parameter("untold", False, "No operation is told."),
    )
    asks_solver = True

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The order and the cages."""
        head, colon, _ = body.partition(":")
        if not colon:
            cause = "write the order, a colon, rows of letters, a colon and the results"
            raise PuzzleError(f"{cause}, as in '3: ABB ABA ACC: 6x 5+ 2 5+'", locate(1))
        (n,) = read_numbers(head, locate, "4: ...", ("the order", 1, MOST))

        def read_result(word: str, cells: tuple[int, ...], where: str) -> Cage:
            return _read_result(n, word, cells, where)

        return n, parse_cages(body, len(head) + 1, n, locate, read_result)

    def generate(self, draws: Stream, *, count: Count, untold: bool, **told: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, told=not untold, **told)

    def text(self, puzzle: Puzzle) -> str:
        """The order, the cages, the results."""
        n, cages = puzzle
        return f"{n}: {write_cages(n, cages)}".rstrip()

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``; cages of one cell narrow it."""
        n, cages = puzzle
        stated = structure(n, tuple(cage for cage in cages if len(cage.cells) > 1))
        return stated.problem({c.cells[0]: c.number for c in cages if len(c.cells) == 1})

    def count_values(self, puzzle: Puzzle) -> int:
        """The cells."""
        return puzzle[0] ** 2

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Rows and columns are looked at, and the cages worked out."""
        n, cages = puzzle
        layout = Layout(n)
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

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """See ``draw_cages``."""
        n, cages = puzzle
        return draw_cages(Layout(n), cages, (0,) * n**2 if values is None else values)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """See ``sketch_cages``."""
        n, cages = puzzle
        return sketch_cages(Layout(n), cages, values or ())

    def write(self, text: str, values: Sequence[int]) -> str:
        """The rows."""
        n = self.parse(text)[0]
        shown = [sign(value, n) for value in values]
        return " ".join("".join(shown[k : k + n]) for k in range(0, n * n, n))


def _read_result(n: int, word: str, cells: tuple[int, ...], where: str) -> Cage:
    last = _WRITTEN.get(word[-1], word[-1])
    shown, size = last if last in SIGNS else "", len(cells)
    number = word[:-1] if shown else word
    if size == 1 and shown:
        cause = f"{word[:40]!r} for a cage of one cell; write its value alone"
        raise PuzzleError(cause, where)
    if size > 1 and not shown:
        cause = f"{word[:40]!r} for a cage of {size} cells; write +, -, x, / or ? after the result"
        raise PuzzleError(cause, where)
    if size > 2 and shown in "-/":
        cause = f"{word[:40]!r} for a cage of {size} cells; - and / are for cages of two"
        raise PuzzleError(cause, where)
    most = n if size == 1 else MOST_RESULT
    return Cage(cells, read_number(number, "the result of a cage", 1, most, where), shown)


KENKEN = Kenken()


def generate(
    draws: Stream,
    *,
    count: Count,
    order: int = 6,
    largest: int = 4,
    told: bool = True,
) -> str:
    """A puzzle with one solution, its cages of at most ``largest`` cells as far as that goes.

    The larger the cages, the harder; without ``told``, no operation is told. ``count`` is asked
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
        return Cage(cells, made[chosen], chosen if told else "?")

    cages = draw_cages_until(
        order,
        largest,
        draws,
        lambda cage, cell: True,
        make,
        lambda found: is_unique(KENKEN.state((order, found)), count),
    )
    return KENKEN.text((order, cages))
