"""Quasigroup existence: Latin squares, as multiplication tables, in which an identity holds.

Text is the identity and the order, ``QG5 7``; tables are idempotent, a * a = a, unless ``any``
follows: ``QG5 7 any``. Variable ``rIcJ`` is I * J, all from 0. Isomorphic tables are
solutions apart.

===  ============================
QG3  (a * b) * (b * a) = a
QG4  (b * a) * (a * b) = a
QG5  ((b * a) * b) * b = a
QG6  (a * b) * b = a * (a * b)
QG7  (b * a) * b = a * (b * a)
===  ============================

(Fujita, Slaney and Bennett, "Automatic generation of some results in finite algebra", IJCAI 1993.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from modelling.constraints import AllDifferent, Constraint
from modelling.errors import InstanceError
from modelling.problem import Problem, Structure
from modelling.terms import Term, constant
from modelling.vocabulary.formulas.linear import equal
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from puzzles.drawing import ruled
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_number, split_words
from puzzles.pictures import Picture, colour_of, draw_cells

MOST_ORDER = 20

Puzzle = tuple[int, int, bool]
"""The number of the identity, the order, and whether the table is idempotent."""

Times = Callable[[int, int], int]

SIDES: dict[int, Callable[[Times, int, int], tuple[int, int]]] = {
    3: lambda times, a, b: (times(times(a, b), times(b, a)), a),
    4: lambda times, a, b: (times(times(b, a), times(a, b)), a),
    5: lambda times, a, b: (times(times(times(b, a), b), b), a),
    6: lambda times, a, b: (times(times(a, b), b), times(a, times(a, b))),
    7: lambda times, a, b: (times(times(b, a), b), times(a, times(b, a))),
}
"""Both sides of each identity, by what multiplies."""


@lru_cache(maxsize=32)
def structure(identity: int, n: int, idempotent: bool) -> Structure:
    """A Latin square with a fixed diagonal, whose entries are looked up in itself."""
    rows = [tuple(range(a * n, a * n + n)) for a in range(n)]
    columns = [tuple(range(b, n * n, n)) for b in range(n)]

    def times_right(x: Term, b: int) -> Term:
        return Element(columns[b], x)

    def times_left(a: int, x: Term) -> Term:
        return Element(rows[a], x)

    def state(a: int, b: int) -> Constraint:
        ab, ba = rows[a][b], rows[b][a]
        if identity in (3, 4):
            first, second = (ab, ba) if identity == 3 else (ba, ab)
            return equal(Element2D(tuple(rows), first, second), constant(a))
        if identity == 5:
            return equal(times_right(times_right(ba, b), b), constant(a))
        inner = ab if identity == 6 else ba
        return equal(times_right(inner, b), times_left(a, inner))

    every = tuple(range(n))
    return Structure(
        tuple(f"r{a}c{b}" for a in every for b in every),
        tuple((a,) if idempotent and a == b else every for a in every for b in every),
        (
            *map(AllDifferent, rows),
            *map(AllDifferent, columns),
            *(state(a, b) for a in every for b in every),
        ),
    )


class Quasigroup(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``."""

    name = "quasigroup"
    about = "quasigroup existence: multiplication tables in which QG3 to QG7 hold"
    unit = "rows"
    csplib = 3

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The identity, the order, whether the table is idempotent."""
        words = split_words(body)
        first = re.fullmatch(r"[Qq][Gg]([3-7])", words[0][0]) if words else None
        rest = words[2:]
        if first is None or len(words) < 2 or len(rest) > 1:
            cause = "write the identity, QG3 to QG7, and the order, as in 'QG5 7'"
            raise InstanceError(cause, locate(words[0][1] if words else 1))
        if rest and rest[0][0] != "any":
            cause = (
                f"{rest[0][0][:40]!r} is not 'any', which says that tables need not be idempotent"
            )
            raise InstanceError(cause, locate(rest[0][1]))
        order = read_number(words[1][0], "the order", 1, MOST_ORDER, locate(words[1][1]))
        return int(first[1]), order, not rest

    def text(self, puzzle: Puzzle) -> str:
        """The identity, the order, ``any`` if tables need not be idempotent."""
        identity, order, idempotent = puzzle
        return f"QG{identity} {order}" if idempotent else f"QG{identity} {order} any"

    def of_size(self, n: int) -> str:
        """See ``Sized``: QG5, the one most often looked at."""
        return f"QG5 {n}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def measure(self, puzzle: Puzzle) -> int:
        """The order."""
        return puzzle[1]

    def count_values(self, puzzle: Puzzle) -> int:
        """The entries."""
        return puzzle[1] ** 2

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """It is multiplied."""
        identity, n, idempotent = puzzle
        names = [f"{a} * {b}" for a in range(n) for b in range(n)]
        wrong = out_of_range(names, values, 0, n - 1)
        yield from wrong
        if wrong:
            return
        for k in range(n):
            if len(set(values[k * n : k * n + n])) < n:
                yield f"row {k} holds an element twice"
            if len(set(values[k::n])) < n:
                yield f"column {k} holds an element twice"
            if idempotent and values[k * n + k] != k:
                yield f"{k} * {k} = {values[k * n + k]}"
        for a, b in product(range(n), repeat=2):
            one, other = SIDES[identity](lambda x, y: values[x * n + y], a, b)
            if one != other:
                yield f"QG{identity} does not hold for a = {a} and b = {b}: {one} is not {other}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The table in a frame."""
        _, n, idempotent = puzzle
        shown = [
            str(a if idempotent and a == b else ".") if values is None else str(values[a * n + b])
            for a in range(n)
            for b in range(n)
        ]
        return ruled([shown[k : k + n] for k in range(0, n * n, n)], n, n)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The table, with a colour for each element."""
        _, n, idempotent = puzzle
        fixed = {k: k // n for k in range(n * n) if k % n == k // n and idempotent}
        shown = fixed if values is None else dict(enumerate(values))
        fills = {k: colour_of(value) for k, value in shown.items()}
        return draw_cells(n, n, shown, fills=fills)


QUASIGROUP = Quasigroup()
