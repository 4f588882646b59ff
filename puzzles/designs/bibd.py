"""Balanced incomplete block designs: v objects in b blocks, each in r of them, k in each block, and
any two objects together in l blocks.

Text is v, b, r, k and l: ``7 7 3 3 1``. With ``lex`` behind them, ``7 7 3 3 1 lex``, rows and
columns of the matrix ascend in lexicographic order (equal ones allowed), which leaves at least one
of every class of designs that differ in the names of objects and blocks (Flener and others,
"Breaking row and column symmetries in matrix models", CP 2002, which has the numbers); without it
nothing is broken. Variable ``oIbJ`` is 1 if object I is in block J.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from modelling.constraints import Constraint, Linear, Sum
from modelling.errors import PuzzleError
from modelling.problem import Problem, Structure
from modelling.vocabulary.functions.multiplication import Product
from modelling.vocabulary.ordering.lex import Lex
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_numbers, split_words

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
    """Implements ``puzzles.family.Family``."""

    name = "bibd"
    about = "block designs: v objects in b blocks, each in r, k in each, two together in l"
    csplib = 28

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
            raise PuzzleError(f"{v} x {b} cells; there are at most {MOST_CELLS}", locate(1))
        return v, b, r, k, together, ordered

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

    def write(self, text: str, values: Sequence[int]) -> str:
        """The blocks, each as its objects."""
        v, b = self.parse(text)[:2]
        blocks = ([str(i + 1) for i in range(v) if values[i * b + j] == 1] for j in range(b))
        return " | ".join(" ".join(block) for block in blocks)


BIBD = Bibd()
