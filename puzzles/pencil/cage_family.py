"""What killer Sudoku and KenKen have in common: a grid with cages that have one solution together.

Cages of one cell are givens: they narrow the structure of the others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from modelling.problem import Problem, Structure
from puzzles.drawing import beside_or_below
from puzzles.grid.layout import Layout
from puzzles.grid.symbols import sign
from puzzles.lines import LineFamily
from puzzles.parameters import Parameter
from puzzles.pencil.cages import Cage, draw_cages, sketch_cages
from puzzles.pictures import Picture

MOST = 25
MOST_GENERATED = 9

Puzzle = tuple[Layout, tuple[Cage, ...]]
"""The grid and its cages, by their first cells."""


class CageFamily(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` but for the rules and the text."""

    join_drawings = staticmethod(beside_or_below)
    asks_solver = True

    @staticmethod
    def list_parameters(order: int) -> tuple[Parameter, ...]:
        """The parameters of the generator, with this number of rows by default."""
        return (
            Parameter("order", order, "Number of rows.", 2, MOST_GENERATED),
            Parameter(
                "largest", 4, "Cells of a cage at most; the more, the harder.", 1, MOST_GENERATED
            ),
        )

    @abstractmethod
    def structure(self, layout: Layout, cages: tuple[Cage, ...]) -> Structure:
        """The structure of a grid with cages of several cells."""

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``; cages of one cell narrow it."""
        layout, cages = puzzle
        stated = self.structure(layout, tuple(cage for cage in cages if len(cage.cells) > 1))
        return stated.problem({c.cells[0]: c.number for c in cages if len(c.cells) == 1})

    def measure(self, puzzle: Puzzle) -> int:
        """The order."""
        return puzzle[0].order

    def count_values(self, puzzle: Puzzle) -> int:
        """The cells."""
        return puzzle[0].cells

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """See ``draw_cages``; given cells show their result alone."""
        layout, cages = puzzle
        return draw_cages(layout, cages, (0,) * layout.cells if values is None else values)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """See ``sketch_cages``."""
        return sketch_cages(*puzzle, values or ())

    def write(self, text: str, values: Sequence[int]) -> str:
        """The rows."""
        n = self.parse(text)[0].order
        shown = [sign(value, n) for value in values]
        return " ".join("".join(shown[k : k + n]) for k in range(0, n * n, n))
