"""Magic squares: 1 to n x n in a square, the sums of rows, columns and both diagonals alike.

Text is the order, ``4``, or the order and every cell row by row, with a dot for an open one:
``3: 2 . . . 5 . . . 8``. Variable ``rIcJ`` is the cell in row I and column J. All eight images of a
square are solutions of their own.

Generated are squares made by the classical rules, from which cells are taken out: the Siamese one
for odd orders, complements for those that 4 divides, the LUX rule of Conway for the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import AllDifferent, Linear
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from puzzles.drawing import ruled
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_number, read_numbers, split_words
from puzzles.parameters import Parameter
from puzzles.pictures import Picture, draw_cells
from puzzles.random_stream import Stream

MOST = 30

Puzzle = tuple[int, tuple[int, ...]]
"""The order, and every cell, 0 where it is open; without any where all are."""


def lines_of(n: int) -> list[tuple[str, tuple[int, ...]]]:
    """What each row, column and diagonal is called, and its cells."""
    rows = [(f"row {i + 1}", tuple(range(i * n, i * n + n))) for i in range(n)]
    columns = [(f"column {j + 1}", tuple(range(j, n * n, n))) for j in range(n)]
    falling = tuple(i * n + i for i in range(n))
    rising = tuple(i * n + n - 1 - i for i in range(n))
    return [*rows, *columns, ("the falling diagonal", falling), ("the rising diagonal", rising)]


@lru_cache(maxsize=32)
def structure(n: int) -> Structure:
    """Different numbers; each line adds up to the magic constant."""
    magic = n * (n * n + 1) // 2
    cells = tuple(range(n * n))
    sums = (Linear(line, (1,) * n, "==", magic) for _, line in lines_of(n))
    return Structure(
        tuple(f"r{i + 1}c{j + 1}" for i in range(n) for j in range(n)),
        (tuple(range(1, n * n + 1)),) * (n * n),
        (AllDifferent(cells), *sums),
    )


class MagicSquare(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Sized`` and ``Generated``."""

    name = "magic_square"
    about = "magic squares: rows, columns and diagonals of 1 to n x n with one sum"
    unit = "rows"
    csplib = 19
    parameters = (
        Parameter("order", 4, "Number of rows.", 3, MOST),
        Parameter("given", 4, "Number of cells that are given; few are hard.", 0, MOST * MOST),
    )

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The order and the cells."""
        head, colon, _ = body.partition(":")
        (n,) = read_numbers(head, locate, "4", ("the order", 1, MOST))
        words = split_words(body, len(head) + 1)
        if not colon or not words:
            return n, ()
        if len(words) != n * n:
            cause = f"{len(words)} cells; a square of order {n} has {n * n}"
            raise InstanceError(cause, locate(words[0][1]))
        cells = tuple(
            0 if word == "." else read_number(word, "a cell", 1, n * n, locate(column))
            for word, column in words
        )
        return n, cells if any(cells) else ()

    def text(self, puzzle: Puzzle) -> str:
        """The order, and the cells if any is given."""
        n, cells = puzzle
        return f"{n}: {' '.join(str(v or '.') for v in cells)}" if cells else str(n)

    def of_size(self, n: int) -> str:
        """See ``Sized``."""
        return str(n)

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``; cells that are given narrow it."""
        n, cells = puzzle
        return structure(n).problem({k: v for k, v in enumerate(cells) if v})

    def measure(self, puzzle: Puzzle) -> int:
        """The order."""
        return puzzle[0]

    def count_values(self, puzzle: Puzzle) -> int:
        """The cells."""
        return puzzle[0] ** 2

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The lines are added up."""
        n, cells = puzzle
        yield from out_of_range([f"cell {k + 1}" for k in range(n * n)], values, 1, n * n)
        for given, value in zip(cells, values, strict=False):
            if given and given != value:
                yield f"{value} where {given} is given"
        for number, times in Counter(values).items():
            if times > 1:
                yield f"{number} occurs {times} times"
        sums = {name: sum(values[k] for k in line) for name, line in lines_of(n)}
        for name, total in sums.items():
            if total != sums["row 1"]:
                yield f"{name} adds up to {total}, row 1 to {sums['row 1']}"

    def generate(self, draws: Stream, *, order: int, given: int) -> str:
        """See ``Generated``: there is a solution, one of eight images of the square or its
        complement."""
        if given > order * order:
            raise InputError(f"no magic square of order {order} with {given} cells given")
        rows = make_square(order)
        if draws.below(2):
            rows = [list(row) for row in zip(*rows, strict=True)]
        for _ in range(draws.below(4)):
            rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        full = [value for row in rows for value in row]
        if draws.below(2):
            full = [order * order + 1 - value for value in full]
        stated = set(draws.shuffled(range(order * order))[:given])
        cells = tuple(value if k in stated else 0 for k, value in enumerate(full))
        return self.text((order, cells if any(cells) else ()))

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The square in a frame."""
        n, cells = puzzle
        shown = [str(v or ".") for v in (values or cells or (0,) * (n * n))]
        return ruled([shown[k : k + n] for k in range(0, n * n, n)], n, n)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The square, what is given bold."""
        n, cells = puzzle
        given = {k for k, value in enumerate(cells) if value}
        shown = {k: value for k, value in enumerate(values or cells) if value}
        return draw_cells(n, n, shown, given)


MAGIC_SQUARE = MagicSquare()


def make_square(n: int) -> list[list[int]]:
    """One magic square of an order of at least 3."""
    if n % 2:
        return _siamese(n)
    if n % 4 == 0:
        plain = [[i * n + j + 1 for j in range(n)] for i in range(n)]
        kept = {(0, 0), (0, 3), (1, 1), (1, 2), (2, 1), (2, 2), (3, 0), (3, 3)}
        return [
            [v if (i % 4, j % 4) in kept else n * n + 1 - v for j, v in enumerate(row)]
            for i, row in enumerate(plain)
        ]
    return _lux(n)


def _siamese(n: int) -> list[list[int]]:
    square = [[0] * n for _ in range(n)]
    i, j = 0, n // 2
    for value in range(1, n * n + 1):
        square[i][j] = value
        up, right = (i - 1) % n, (j + 1) % n
        i, j = ((i + 1) % n, j) if square[up][right] else (up, right)
    return square


_LUX = {"L": (4, 1, 2, 3), "U": (1, 4, 2, 3), "X": (1, 4, 3, 2)}
"""The order in which the four cells of a block are filled: upper left and right, lower left and
right."""


def _lux(n: int) -> list[list[int]]:
    half, k = n // 2, (n - 2) // 4
    letters = [["L"] * half for _ in range(k + 1)] + [["U"] * half]
    letters += [["X"] * half for _ in range(k - 1)]
    letters[k][k], letters[k + 1][k] = "U", "L"
    square = [[0] * n for _ in range(n)]
    for i, row in enumerate(_siamese(half)):
        for j, block in enumerate(row):
            for cell, part in enumerate(_LUX[letters[i][j]]):
                square[2 * i + cell // 2][2 * j + cell % 2] = 4 * (block - 1) + part
    return square
