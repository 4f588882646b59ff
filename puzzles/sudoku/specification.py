"""The properties that a generated puzzle must have.

By default it is minimal: it has one solution, and no clue can be removed. With a symmetry no orbit
of clues can be removed (``reducing.patterns``), though a single clue of an orbit perhaps can.
"""

from __future__ import annotations

from dataclasses import dataclass

from modelling.errors import InputError
from puzzles.grid.layout import Layout
from puzzles.sudoku.grading.scale import rank
from puzzles.sudoku.reducing import patterns

ATTEMPTS = 1000
MOST_ATTEMPTS = 1 << 22

LEAST_CLUES = {Layout(4, (2, 2)): 4, Layout(9, (3, 3)): 17}
"""No puzzle with fewer has one solution: 4x4 by exhaustion, 9x9 by McGuire, Tugemann and Civario,
"There is no 16-Clue Sudoku", 2012."""


@dataclass(frozen=True, slots=True)
class PuzzleSpec:
    """A specification; raises ``InputError`` if two of its fields contradict each other.

    clues       the exact number of clues; None removes as many as possible
    symmetry    the symmetry of the pattern, one of ``reducing.patterns.SYMMETRIES``
    grade       the hardest technique that is needed (``grading.scale.GRADES``); if ``clues`` is
                None, a minimal puzzle that is harder gets clues back
    solutions   the number of solutions; 0 makes an unsatisfiable puzzle without an obvious clash
    attempts    the most grids that are reduced until one fits; for a number of clues alone, the
                most exchanges of clues in one grid (``reducing.exchanging``)
    """

    clues: int | None = None
    symmetry: str = "none"
    grade: str | None = None
    solutions: int = 1
    attempts: int = ATTEMPTS

    def __post_init__(self) -> None:
        patterns.check_symmetry(self.symmetry)
        if self.grade is not None:
            rank(self.grade)
        for name, least in (("clues", 0), ("solutions", 0), ("attempts", 1)):
            number = getattr(self, name)
            if name == "clues" and number is None:
                continue
            if type(number) is not int or number < least:
                raise InputError(f"{name}: {number!r}; a whole number of at least {least} is meant")
        if self.attempts > MOST_ATTEMPTS:
            raise InputError(f"attempts: {self.attempts!r}; {MOST_ATTEMPTS:,} is the most")
        if self.grade is not None and self.solutions != 1:
            raise InputError(
                f"a grade and {self.solutions} solutions: only a puzzle with one solution is graded"
            )
        if self.clues is not None and self.solutions > 1:
            raise InputError("clues cannot be combined with several solutions")

    @property
    def exchanges(self) -> bool:
        """Whether clues are exchanged to get fewer, as where only their number is given."""
        alone = self.symmetry == "none" and self.grade is None and self.solutions == 1
        return self.clues is not None and alone

    def check(self, layout: Layout) -> None:
        """Raise ``InputError`` if no grid of this layout can meet it."""
        if self.grade is not None and layout.box is None:
            raise InputError("grades are for Sudoku; a Latin square has none")
        if self.solutions == 0 and layout.order == 1:
            raise InputError("a grid of one cell has no puzzle without a solution")
        if self.clues is None:
            return
        if self.clues > layout.cells:
            raise InputError(f"{self.clues} clues; the grid has {layout.cells} cells")
        least = LEAST_CLUES.get(layout, 0)
        if self.clues < least and self.solutions == 1:
            size = f"{layout.order}x{layout.order}"
            raise InputError(
                f"{self.clues} clues; no {size} Sudoku with fewer than {least} has one solution"
            )
        sizes = {len(orbit) for orbit in patterns.orbits(layout, self.symmetry)}
        if not self._has_pattern(layout):
            sums = f"it is made of orbits of {' and '.join(map(str, sorted(sizes)))} cells"
            raise InputError(f"no {self.symmetry} pattern has {self.clues} clues: {sums}")

    def _has_pattern(self, layout: Layout) -> bool:
        """Whether some orbits together have ``clues`` cells."""
        reached = 1
        for orbit in patterns.orbits(layout, self.symmetry):
            reached |= reached << len(orbit)
        assert self.clues is not None
        return bool(reached >> self.clues & 1)
