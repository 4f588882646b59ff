"""The recipe of each generated set. A change here changes the set, and nothing else does.

Words
-----
part      puzzles of a set with one spec
pool      the number of puzzles made; those with the most effort are taken
"""

from __future__ import annotations

from dataclasses import dataclass, field

from puzzles.grid.layout import Layout
from puzzles.sudoku.specification import PuzzleSpec


@dataclass(frozen=True, slots=True)
class Recipe:
    """A set: ``number`` puzzles for each of ``specs``.

    ``about``   one line on what it is
    ``use``     what it is there for
    ``pool``    0, or how many are made for the one spec
    ``nodes``   the generator's solver gives up a count after this many; None: never
    """

    name: str
    about: str
    use: str
    layout: Layout
    number: int
    seed: int
    specs: tuple[PuzzleSpec, ...] = field(default=(PuzzleSpec(),))
    pool: int = 0
    nodes: int | None = None


NINE = Layout(9, (3, 3))

RECIPES = (
    Recipe(
        "sudoku-easy",
        "9x9 Sudoku that naked and hidden singles solve, clues symmetric under a half-turn",
        "what a solver costs where there is nothing to search",
        NINE,
        1000,
        1,
        (PuzzleSpec(grade="hidden-single", symmetry="half-turn"),),
    ),
    Recipe(
        "sudoku-medium",
        "9x9 Sudoku that need locked candidates or naked pairs and no more, symmetric likewise",
        "where stronger propagation spares a search",
        NINE,
        500,
        2,
        (
            PuzzleSpec(grade="locked-candidates", symmetry="half-turn"),
            PuzzleSpec(grade="naked-pair", symmetry="half-turn"),
        ),
    ),
    Recipe(
        "sudoku-minimal",
        "9x9 Sudoku of which no clue can go, as random removal leaves them",
        "the usual mix of little search and none; what generators make, no uniform sample",
        NINE,
        1000,
        3,
    ),
    Recipe(
        "sudoku-hard",
        "the 1,000 of a million random minimal 9x9 Sudoku that take the most search",
        "where search counts",
        NINE,
        1000,
        4,
        pool=1_000_000,
    ),
    Recipe(
        "sudoku-many-solutions",
        "9x9 Sudoku with 2 to 1,000 solutions, their number known",
        "counting and enumeration; a solver that stops too early or counts twice is found out",
        NINE,
        20,
        5,
        tuple(PuzzleSpec(solutions=k) for k in (2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)),
    ),
    Recipe(
        "sudoku-no-solution",
        "9x9 Sudoku without a solution, which no look at the givens alone tells",
        "proofs of unsatisfiability",
        NINE,
        500,
        6,
        (PuzzleSpec(solutions=0),),
    ),
    Recipe(
        "sudoku-4x4",
        "all 36 minimal 4x4 Sudoku that differ under the symmetries",
        "a size at which everything can be looked at",
        Layout(4, (2, 2)),
        36,
        7,
    ),
    Recipe(
        "sudoku-6x6",
        "minimal 6x6 Sudoku with boxes of two rows and three columns",
        "boxes that are not square",
        Layout(6, (2, 3)),
        200,
        8,
    ),
    Recipe(
        "sudoku-12x12",
        "12x12 Sudoku of which no clue can go, boxes of three rows and four columns",
        "between 9x9, which is easy for everyone, and 16x16",
        Layout(12, (3, 4)),
        100,
        9,
    ),
    Recipe(
        "sudoku-16x16",
        "16x16 Sudoku with 98, 106 and 116 clues, as few as generators reach and up",
        "around the hard region: with 98 clues uniqueness takes a search of hundreds of nodes, "
        "with 106 some, with 116 next to none",
        Layout(16, (4, 4)),
        30,
        10,
        tuple(PuzzleSpec(clues=clues) for clues in (98, 106, 116)),
        nodes=1000,
    ),
    Recipe(
        "sudoku-25x25",
        "25x25 Sudoku with 305 and 330 clues",
        "size: 625 variables of 25 values; with 305 clues there is a search as well",
        Layout(25, (5, 5)),
        12,
        11,
        tuple(PuzzleSpec(clues=clues) for clues in (305, 330)),
        nodes=500,
    ),
)
