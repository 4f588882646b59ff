"""The path by which a person solves a puzzle, and the grade and score that follow from it.

At every position the cheapest technique that finds a step is used, and of its steps the first; so
the path is determined. Every technique is a proof on its own, none takes for granted that there is
one solution: a path that ends in a filled grid shows that the puzzle has exactly one, a path that
ends in a contradiction that it has none. Only before the first trial is a puzzle searched for two
solutions, for with several, trial comes to no end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from modelling.errors import OutOfGuesses
from puzzles.grid.layout import Layout
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.grading.position import Position, start
from puzzles.sudoku.grading.scale import COSTS, VERSION, rank
from puzzles.sudoku.grading.singles import (
    Allowance,
    houses,
    solutions,
    state_of,
    values_of,
)
from puzzles.sudoku.grading.step import Step, Technique
from puzzles.sudoku.grading.techniques import TECHNIQUES
from puzzles.sudoku.grading.techniques.nested_trial import nested_trial
from puzzles.sudoku.grading.techniques.trial import trial

GUESSES = 10_000
"""Most guesses that look for a second solution."""

Outcome = Literal["solved", "unsatisfiable", "several", "gave_up"]

Solutions = tuple[tuple[int, ...], ...]
"""Filled grids, each its values cell by cell."""

_ALL = tuple(TECHNIQUES.values())
_BEFORE_TRIAL = tuple(find for find in _ALL if find not in (trial, nested_trial))
_FIRST_BEHIND_SINGLES = TECHNIQUES["locked-candidates"]


@dataclass(frozen=True, slots=True)
class Graded:
    """What became of a puzzle.

    ``outcome``     solved: the path ends in the only solution; unsatisfiable: it ends in a
                    contradiction; several: there are several solutions; gave_up: too many guesses
                    were needed, so it is not known
    ``grade``       the dearest technique needed, None unless solved; "" for a puzzle without blanks
    ``score``       the sum of the costs of all steps, None unless solved
    ``steps``       the path as far as it goes; without steps of trial where there are several
    ``start``       the position before the first step, ``end`` after the last
    ``examples``    two solutions where there are several, else ()
    ``scale``       the version of the scale
    """

    outcome: Outcome
    grade: str | None
    score: int | None
    steps: tuple[Step, ...]
    start: Position
    end: Position
    examples: Solutions = ()
    scale: int = VERSION

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each technique was used, cheapest first; those that were not are left out."""
        used = Counter(step.technique for step in self.steps)
        return {name: used[name] for name in COSTS if used[name]}

    def positions(self) -> Iterator[tuple[Position, Step]]:
        """Every step with the position before it."""
        position = self.start
        for step in self.steps:
            yield position, step
            position = position.after(step.placements, step.eliminations)


def grade(text: str) -> Graded:
    """The grade of a Sudoku in any form that is read; raises ``InstanceError`` if it cannot be."""
    return grade_grid(*SUDOKU.parse(text))


def grade_grid(layout: Layout, givens: Sequence[int]) -> Graded:
    """The grade of a grid (0: blank); raises ``InstanceError`` when givens clash."""
    begin = start(layout, givens)
    steps: list[Step] = []
    outcome, end, examples = _walk(begin, steps)
    if outcome != "solved":
        return Graded(outcome, None, None, tuple(steps), begin, end, examples)
    dearest = max((step.technique for step in steps), key=rank, default="")
    score = sum(COSTS[step.technique] for step in steps)
    return Graded(outcome, dearest, score, tuple(steps), begin, end)


def _walk(position: Position, steps: list[Step]) -> tuple[Outcome, Position, Solutions]:
    """Go as far as it goes, appending to ``steps``: what came out, where, two solutions if any."""
    position = _follow(position, _BEFORE_TRIAL, steps)
    if not position.solved and not position.contradiction():
        try:
            found = two_solutions(position)
            if len(found) > 1:
                return "several", position, found
            position = _follow(position, _ALL, steps)
        except OutOfGuesses:
            return "gave_up", position, ()
    return ("solved" if position.solved else "unsatisfiable"), position, ()


def _follow(position: Position, techniques: Sequence[Technique], steps: list[Step]) -> Position:
    """Take the first step of the cheapest technique until none finds one or all is contradicted."""
    while True:
        for find in techniques:
            if find is _FIRST_BEHIND_SINGLES and position.contradiction():
                return position
            step = next(find(position), None)
            if step is not None:
                break
        else:
            return position
        steps.append(step)
        position = position.after(step.placements, step.eliminations)


def two_solutions(position: Position) -> Solutions:
    """The first two solutions of a position, or as many as there are.

    Raises ``OutOfGuesses`` when it takes more than ``GUESSES``.
    """
    layout = position.layout
    found = solutions(houses(layout), *state_of(position), Allowance(GUESSES))
    return tuple(values_of(layout, state) for state in islice(found, 2))
