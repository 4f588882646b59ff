"""Balanced incomplete block designs: v objects in b blocks, each in r of them, k in each block, and
any two objects together in l blocks.

Text is v, b, r, k and l: ``7 7 3 3 1``. With ``lex`` after them, ``7 7 3 3 1 lex``, rows and
columns of the matrix ascend in lexicographic order (equal ones allowed), which leaves at least one
of every class of designs that differ in the names of objects and blocks (Flener and others,
"Breaking row and column symmetries in matrix models", CP 2002, which has the numbers); without it
nothing is broken. Variable ``oIbJ`` is 1 if object I is in block J.

Words
-----
admissible  numbers that may be those of a design: r (k - 1) = l (v - 1) and b k = v r, and no fewer
            blocks than objects (Fisher). Whether there is one is another question
symmetric   a design of as many blocks as objects
excluded    admissible numbers for which a design cannot exist, by the theorem of Bruck, Ryser and
            Chowla on symmetric ones (Chowla and Ryser, "Combinatorial problems", Canadian Journal
            of Mathematics 2, 1950), or since theirs would be a part of such a one: with r = k + l
            and l at most 2 every design is (Hall and Connor, "An embedding theorem for balanced
            incomplete block designs", Canadian Journal of Mathematics 6, 1954)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from math import isqrt

from modelling.constraints import Constraint, Linear, Sum
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from modelling.vocabulary.functions.multiplication import Product
from modelling.vocabulary.ordering.lex import Lex
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_numbers, split_words
from puzzles.parameters import Parameter
from puzzles.pictures import Picture, draw_pattern
from puzzles.random_stream import Stream

MOST_OBJECTS, MOST_BLOCKS, MOST_CELLS = 40, 200, 2000

Puzzle = tuple[int, int, int, int, int, bool]
"""v, b, r, k, l, and whether rows and columns are in order."""

FORM = "7 7 3 3 1"


@lru_cache(maxsize=32)
def structure(v: int, b: int, r: int, k: int, together: int, ordered: bool) -> Structure:
    """Sums of rows and columns, and scalar products of rows."""
    rows = [tuple(range(i * b, i * b + b)) for i in range(v)]
    columns = [tuple(range(j, v * b, b)) for j in range(b)]
    products = (
        Linear((Sum(tuple(map(Product, zip(one, other, strict=True)))),), (1,), "==", together)
        for one, other in combinations(rows, 2)
    )
    order: tuple[Constraint, ...] = ()
    if ordered:
        order = Lex(tuple(rows)), Lex(tuple(columns))
    return Structure(
        tuple(f"o{i + 1}b{j + 1}" for i in range(v) for j in range(b)),
        ((0, 1),) * (v * b),
        (
            *(Linear(row, (1,) * b, "==", r) for row in rows),
            *(Linear(column, (1,) * v, "==", k) for column in columns),
            *products,
            *order,
        ),
    )


class Bibd(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "bibd"
    about = "block designs: v objects in b blocks, each in r, k in each, two together in l"
    unit = "cells"
    csplib = 28
    parameters = (
        Parameter("k", 0, "Objects of a block; 0 is any number from 3.", 0, MOST_OBJECTS),
        Parameter("together", 0, "Blocks of two objects; 0 is any number.", 0, MOST_BLOCKS),
        Parameter(
            "kind",
            "admissible",
            "Numbers that may be those of a design, by size, or that a theorem excludes.",
            words=("admissible", "excluded"),
        ),
        Parameter("lex", False, "Rows and columns are in order."),
    )
    asks_item = True

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The five numbers, and whether rows and columns are in order."""
        words = split_words(body)
        ordered = bool(words) and words[-1][0] == "lex"
        v, b, r, k, together = read_numbers(
            body[: words[-1][1] - 1] if ordered else body,
            locate,
            FORM,
            ("the number of objects", 1, MOST_OBJECTS),
            ("the number of blocks", 1, MOST_BLOCKS),
            ("the number of blocks of an object", 0, MOST_BLOCKS),
            ("the number of objects of a block", 0, MOST_OBJECTS),
            ("the number of blocks of two objects", 0, MOST_BLOCKS),
        )
        if v * b > MOST_CELLS:
            raise InstanceError(f"{v} x {b} cells; there are at most {MOST_CELLS}", locate(1))
        return v, b, r, k, together, ordered

    def generate(
        self, draws: Stream, *, item: int, k: int, together: int, kind: str, lex: bool
    ) -> str:
        """See ``Generated``: item after item, in the order of ``list_admissible``; nothing is
        drawn."""
        found = [
            numbers
            for numbers in list_admissible()
            if k in (0, numbers[3])
            and together in (0, numbers[4])
            and is_excluded(*numbers) == (kind == "excluded")
        ]
        if item >= len(found):
            cause = f"there are {len(found)} such designs of at most {MOST_CELLS} cells"
            raise InputError(f"{cause}: no item {item}, counted from 0")
        return self.text((*found[item], lex))

    def text(self, puzzle: Puzzle) -> str:
        """The five numbers, and ``lex``."""
        return " ".join([*map(str, puzzle[:5]), *(["lex"] if puzzle[5] else [])])

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The cells."""
        return puzzle[0] * puzzle[1]

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Blocks are taken as sets."""
        v, b, r, k, together, ordered = puzzle
        names = [f"o{i + 1}b{j + 1}" for i in range(v) for j in range(b)]
        yield from out_of_range(names, values, 0, 1)
        blocks = [{i + 1 for i in range(v) if values[i * b + j] == 1} for j in range(b)]
        for j, block in enumerate(blocks, 1):
            if len(block) != k:
                yield f"block {j} has {len(block)} objects, not {k}"
        for i in range(1, v + 1):
            if sum(i in block for block in blocks) != r:
                yield f"object {i} is in {sum(i in block for block in blocks)} blocks, not {r}"
        for one, other in combinations(range(1, v + 1), 2):
            held = sum({one, other} <= block for block in blocks)
            if held != together:
                yield f"objects {one} and {other} are together in {held} blocks, not {together}"
        if ordered:
            rows = [tuple(values[i * b : i * b + b]) for i in range(v)]
            columns = [tuple(values[j::b]) for j in range(b)]
            for what, lines in (("row", rows), ("column", columns)):
                for number, (one_line, next_line) in enumerate(pairwise(lines), 1):
                    if one_line > next_line:
                        yield f"{what} {number} is greater than {what} {number + 1}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The matrix."""
        v, b = puzzle[:2]
        shown = [".", "X"]
        return "\n".join(
            " ".join("?" if values is None else shown[values[i * b + j] == 1] for j in range(b))
            for i in range(v)
        )

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The matrix: a row for each object, a column for each block."""
        filled = {k for k, value in enumerate(values or ()) if value == 1}
        return draw_pattern(puzzle[0], puzzle[1], filled)

    def write(self, text: str, values: Sequence[int]) -> str:
        """The blocks, each as its objects."""
        v, b = self.parse(text)[:2]
        blocks = ([str(i + 1) for i in range(v) if values[i * b + j] == 1] for j in range(b))
        return " | ".join(" ".join(block) for block in blocks)


@lru_cache(maxsize=1)
def list_admissible() -> tuple[tuple[int, int, int, int, int], ...]:
    """The admissible v, b, r, k and l that can be written, by the number of cells.

    Blocks are of at least three objects, and of at most half of all: what is left out is the
    complement of a design that is there.
    """
    found = []
    for v in range(6, MOST_OBJECTS + 1):
        for k in range(3, v // 2 + 1):
            for together in range(1, MOST_BLOCKS):
                r, rest = divmod(together * (v - 1), k - 1)
                b, more = divmod(v * r, k)
                if b > MOST_BLOCKS or v * b > MOST_CELLS:
                    break
                if not rest and not more and b >= v:
                    found.append((v, b, r, k, together))
    return tuple(sorted(found, key=lambda numbers: (numbers[0] * numbers[1], numbers)))


def is_excluded(v: int, b: int, r: int, k: int, together: int) -> bool:
    """Whether a theorem excludes designs of these admissible numbers."""
    if b == v:
        return not _may_be_symmetric(v, k, together)
    if r == k + together and together <= 2:
        return not _may_be_symmetric(v + r, r, together)
    return False


def _may_be_symmetric(v: int, k: int, together: int) -> bool:
    """The theorem of Bruck, Ryser and Chowla: with n = k - l, n is a square where v is even, and
    x x = n y y + s l z z has a solution where it is odd, other than zeros; s is 1 or -1 with the
    rest of v by 4."""
    n = k - together
    if v % 2 == 0:
        return isqrt(n) ** 2 == n
    return _is_solvable(n, together if v % 4 == 1 else -together)


def _is_solvable(a: int, b: int) -> bool:
    """Whether x x = a y y + b z z has a solution other than zeros; a is positive, b not zero.

    It has one if it has one in the p-adic numbers for each odd prime p that divides a or b, which
    Hilbert's symbol tells: in the real numbers there is one, and those for 2 follow (Serre, "A
    course in arithmetic", 1973, chapter III).
    """
    primes = [p for p in range(3, max(a, abs(b)) + 1, 2) if all(p % d for d in range(3, p, 2))]
    for p in primes:
        (alpha, u), (beta, w) = _split_power(a, p), _split_power(b, p)
        symbol = (-1) ** (alpha * beta * (p // 2))
        symbol *= _legendre(u, p) ** beta * _legendre(w, p) ** alpha
        if symbol < 0:
            return False
    return True


def _split_power(number: int, p: int) -> tuple[int, int]:
    """How often p divides a number, and what is left of it."""
    times = 0
    while number % p == 0:
        number, times = number // p, times + 1
    return times, number


def _legendre(number: int, p: int) -> int:
    """1 if a number that p does not divide is a square modulo the odd prime p, else -1."""
    return 1 if pow(number, p // 2, p) == 1 else -1


BIBD = Bibd()
