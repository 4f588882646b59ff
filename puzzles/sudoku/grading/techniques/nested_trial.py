"""Nested trial: a candidate that guesses within the guess refute.

Placing the candidate and following naked and hidden singles to the end leaves no contradiction, yet
no solution of the position has it. So the candidate goes. Where a position has exactly one
solution, trial or nested trial finds a step as long as a cell is left that has several candidates.

Steps come in the order of trial. ``cells`` is the cell, ``values`` the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.layout import cell_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.singles import (
    Allowance,
    Contradiction,
    assume,
    houses,
    option,
    solutions,
    state_of,
)
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.trial import guesses

NAME = "nested-trial"
GUESSES = 10_000
"""Most guesses that are made for one candidate."""


def nested_trial(position: Position) -> Iterator[Step]:
    """See the head of this file; raises ``OutOfGuesses`` after ``GUESSES`` for one candidate."""
    layout = position.layout
    every = houses(layout)
    state, placed = state_of(position)
    possible = 0
    for cell, value in guesses(position):
        guess = option(layout, cell, value)
        if possible >> guess & 1:
            continue
        reached = assume(every, state, placed, guess)
        if isinstance(reached, Contradiction):
            continue
        allowance = Allowance(GUESSES)
        solution = next(solutions(every, *reached, allowance), None)
        if solution is not None:
            possible |= solution
            continue
        name, what = cell_name(layout, cell), sign(value, layout.order)
        made = GUESSES - allowance.guesses
        why = (
            f"if {name} were {what}, all {made} guesses that could be made then would end in a "
            f"contradiction: {name} is not {what}"
        )
        yield Step(NAME, (cell,), (value,), (), (), ((cell, value),), why)
