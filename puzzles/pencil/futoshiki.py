"""Futoshiki: a Latin square in which signs between neighbours say which value is less.

Text is the order, a colon, the rows with a dot for an open cell, and the signs by the names of
their cells: ``3: ..3 ... ... r1c1<r1c2 r3c1<r2c1``. Rows may be left out where no value is given;
``>`` is read too. Variable ``rIcJ`` is the cell in row I and column J.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import AllDifferent, Linear
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside_or_below
from puzzles.family import Count
from puzzles.formats import Locate, in_text
from puzzles.grid.checking import faults
from puzzles.grid.layout import Layout, cell_name, units
from puzzles.grid.symbols import decode, describe_signs, encode, sign
from puzzles.lines import LineFamily, read_numbers, split_words
from puzzles.parameters import Parameter
from puzzles.pencil.random_fill import draw_fill
from puzzles.pencil.uniqueness import is_unique, remove_needless
from puzzles.pictures import Picture, draw_cells, draw_less
from puzzles.random_stream import Stream

MOST = 25
MOST_GENERATED = 9

_FORM = "3: ..3 ... ... r1c1<r1c2 r3c1<r2c1"
_SIGN = re.compile(r"r(\d{1,2})c(\d{1,2})([<>])r(\d{1,2})c(\d{1,2})", re.IGNORECASE | re.ASCII)

Less = tuple[int, int]
"""Two cells that touch, the first of which has the smaller value."""

Puzzle = tuple[int, tuple[int, ...], tuple[Less, ...]]
"""The order, every cell (0 where it is open), and the signs, ascending."""


@lru_cache(maxsize=64)
def structure(n: int, signs: tuple[Less, ...]) -> Structure:
    """Rows and columns of different values, and the signs."""
    layout = Layout(n)
    return Structure(
        tuple(cell_name(layout, cell) for cell in range(n * n)),
        (tuple(range(1, n + 1)),) * (n * n),
        (
            *map(AllDifferent, units(layout)),
            *(Linear(pair, (1, -1), "<", 0) for pair in signs),
        ),
    )


class Futoshiki(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "futoshiki"
    about = "futoshiki: a Latin square with signs that say which neighbour is less"
    unit = "rows"

    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("order", 5, "Number of rows.", 2, MOST_GENERATED),
        Parameter("signs", -1, "Number of signs at most; -1 is twice the order.", -1, 144),
    )
    asks_solver = True

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The order, the cells and the signs."""
        head, colon, _ = body.partition(":")
        if not colon:
            raise InstanceError(f"no colon; write order: rows, signs, as in {_FORM!r}", locate(1))
        (n,) = read_numbers(head, locate, _FORM, ("the order", 1, MOST))
        words = split_words(body, len(head) + 1)
        rows = [(word, column) for word, column in words if "<" not in word and ">" not in word]
        if rows and len(rows) != n:
            cause = f"{len(rows)} rows of cells; write {n}, or none where no value is given"
            raise InstanceError(cause, locate(rows[0][1]))
        cells = [value for word, column in rows for value in _read_row(n, word, column, locate)]
        signs = {
            _read_sign(n, word, locate(column))
            for word, column in words
            if "<" in word or ">" in word
        }
        return n, tuple(cells) or (0,) * n**2, tuple(sorted(signs))

    def generate(self, draws: Stream, *, count: Count, signs: int, **stated: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, signs=None if signs < 0 else signs, **stated)

    def text(self, puzzle: Puzzle) -> str:
        """The order, the rows if a value is given, and the signs."""
        n, cells, signs = puzzle
        layout = Layout(n)
        rows = [encode(cells[k : k + n], n) for k in range(0, n * n, n)] if any(cells) else []
        stated = [f"{cell_name(layout, a)}<{cell_name(layout, b)}" for a, b in signs]
        return " ".join([f"{n}:", *rows, *stated])

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``; cells that are given narrow it."""
        n, cells, signs = puzzle
        return structure(n, signs).problem({k: v for k, v in enumerate(cells) if v})

    def measure(self, puzzle: Puzzle) -> int:
        """The order."""
        return puzzle[0]

    def count_values(self, puzzle: Puzzle) -> int:
        """The cells."""
        return puzzle[0] ** 2

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Rows, columns and signs are looked at."""
        n, cells, signs = puzzle
        yield from faults(Layout(n), cells, values)
        for less, more in signs:
            if values[less] >= values[more]:
                one, other = (cell_name(Layout(n), cell) for cell in (less, more))
                yield f"{one} = {values[less]} is not less than {other} = {values[more]}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The square; signs between cells point to the smaller value."""
        n, cells, signs = puzzle
        shown = [sign(value, n) for value in (cells if values is None else values)]
        between = {(a, b): "<" if a < b else ">" for a, b in signs}
        between = {(min(pair), max(pair)): way for pair, way in between.items()}
        drawn = []
        for row in range(n):
            start = row * n
            gaps = [between.get((k, k + 1), " ") for k in range(start, start + n - 1)]
            pieces = zip(shown[start : start + n], [*(f" {gap} " for gap in gaps), ""], strict=True)
            drawn.append("".join(map("".join, pieces)))
            ways = (between.get((k, k + n), " ") for k in range(start, start + n))
            drawn.append("   ".join({"<": "^", ">": "v"}.get(way, " ") for way in ways).rstrip())
        return "\n".join(drawn[:-1])

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The square; signs between cells point to the smaller value."""
        n, cells, signs = puzzle
        given = {k for k, value in enumerate(cells) if value}
        shown = cells if values is None else values
        made = draw_cells(n, n, {k: sign(v, n) for k, v in enumerate(shown) if v}, given)
        for less, more in signs:
            draw_less(made, divmod(less, n), divmod(more, n))
        return made

    def write(self, text: str, values: Sequence[int]) -> str:
        """The rows."""
        n = self.parse(text)[0]
        return " ".join(encode(values[k : k + n], n) for k in range(0, n * n, n))


def _read_row(n: int, word: str, column: int, locate: Locate) -> Iterator[int]:
    if len(word) != n:
        raise InstanceError(
            f"a row of {len(word)} cells, {word[:40]!r}; it must have {n}", locate(column)
        )
    for k, value in enumerate(decode(word, n)):
        if value is None:
            cause = f"{word[k]!r} is neither {describe_signs(n)} nor a dot for an open cell"
            raise InstanceError(cause, locate(column + k))
        yield value


def _read_sign(n: int, word: str, where: str) -> Less:
    found = _SIGN.fullmatch(word)
    if found is None:
        raise InstanceError(f"{word[:40]!r} is no sign; write r1c1<r1c2", where)
    row, column, way, below, right = found.groups()
    one, other = (int(row), int(column)), (int(below), int(right))
    for r, c in (one, other):
        if not (1 <= r <= n and 1 <= c <= n):
            raise InstanceError(f"r{r}c{c} is outside a square of order {n}", where)
    if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
        raise InstanceError(f"{word}: a sign belongs between two cells that touch", where)
    less, more = ((r - 1) * n + c - 1 for r, c in (one, other))
    return (less, more) if way == "<" else (more, less)


FUTOSHIKI = Futoshiki()


def generate(draws: Stream, *, count: Count, order: int = 5, signs: int | None = None) -> str:
    """A puzzle with one solution, of which no value and no sign can go.

    It has at most ``signs`` signs, by default as many as there are rows twice over; with fewer,
    more values are given. ``count`` is asked whether there is one solution.
    """
    pairs = [
        (cell, near)
        for cell in range(order**2)
        for near in ((cell + 1) if (cell + 1) % order else -1, cell + order)
        if 0 <= near < order**2
    ]
    most = 2 * order if signs is None else signs
    if not 2 <= order <= MOST_GENERATED or not 0 <= most <= len(pairs):
        raise InputError(f"no futoshiki of order {order} with {most} signs is generated")
    layout = Layout(order)
    full = draw_fill(layout.cells, units(layout), order, draws)
    assert full is not None
    chosen = draws.shuffled(pairs)[:most]
    stated = tuple(sorted((a, b) if full[a] < full[b] else (b, a) for a, b in chosen))

    def make(cells: Sequence[int], kept: Sequence[Less]) -> Puzzle:
        given = set(cells)
        return order, tuple(v if k in given else 0 for k, v in enumerate(full)), tuple(kept)

    def suffice(cells: Sequence[int], kept: Sequence[Less]) -> bool:
        return is_unique(FUTOSHIKI.state(make(cells, kept)), count)

    cells = remove_needless(range(order**2), draws, lambda left: suffice(left, stated))
    kept = remove_needless(stated, draws, lambda left: suffice(cells, left))
    return FUTOSHIKI.text(make(cells, kept))
