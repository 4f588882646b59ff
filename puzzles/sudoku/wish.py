"""What a generated puzzle is to be.

Without any wish it is minimal: it has one solution, and no clue can go. With a symmetry no orbit of
clues can go (``reducing.patterns``), a single clue of one perhaps could.
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
class Wish:
    """See the head of this file; raises ``InputError`` for wishes that contradict each other.

    clues       exactly so many, not fewer, though clues might go; None: as few as it comes to
    symmetry    of the pattern, one of ``reducing.patterns.SYMMETRIES``
    grade       the technique that is needed and suffices (``grading.scale.GRADES``); unless the
                number of clues is wished too, a minimal puzzle that is harder gets clues back
    solutions   how many; 0 is an unsatisfiable puzzle that is not refuted at sight
    attempts    so many grids are reduced, at most, until one is as wished; for a number of clues
                alone, one grid and then so many exchanges of clues (``reducing.exchanging``)
    """

    clues: int | None = None
    symmetry: str = "none"
    grade: str | None = None
    solutions: int = 1
    attempts: int = ATTEMPTS

    def __post_init__(self) -> None:
        patterns.checked(self.symmetry)
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
        """Whether clues are exchanged to get fewer: a number of them is all that is wished."""
        alone = self.symmetry == "none" and self.grade is None and self.solutions == 1
        return self.clues is not None and alone

    def check(self, layout: Layout) -> None:
        """Raise ``InputError`` for what no grid of this layout can be."""
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
        """Whether some orbits have as many cells as clues are wished."""
        reached = 1
        for orbit in patterns.orbits(layout, self.symmetry):
            reached |= reached << len(orbit)
        assert self.clues is not None
        return bool(reached >> self.clues & 1)
