"""python-constraint: ``Problem``, functions of variables, ``getSolution`` and ``getSolutions``."""

from __future__ import annotations

from itertools import combinations, islice
from operator import ne
from typing import Any

import constraint

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call


def _problem() -> Any:
    return constraint.Problem(constraint.BacktrackingSolver())


@built_each_call
def queens() -> Solutions:
    """A function of each pair of columns, as in the library's example."""
    columns = range(five.QUEENS)
    problem = _problem()
    problem.addVariables(columns, range(five.QUEENS))
    for one, other in combinations(columns, 2):
        problem.addConstraint(
            lambda a, b, apart=other - one: abs(a - b) != apart and a != b, (one, other)
        )
    return [tuple([found[i] for i in columns]) for found in problem.getSolutions()]


@built_each_call
def sudoku() -> Solutions:
    """``AllDifferentConstraint`` for each unit."""
    problem = _problem()
    for i in range(81):
        problem.addVariable(i, [five.GIVENS[i]] if i in five.GIVENS else range(1, 10))
    for unit in five.UNITS:
        problem.addConstraint(constraint.AllDifferentConstraint(), unit)
    every = islice(problem.getSolutionIter(), five.MOST_GRIDS)
    return [tuple([found[i] for i in range(81)]) for found in every]


@built_each_call
def send_more() -> Solutions:
    """``AllDifferentConstraint`` and ``ExactSumConstraint`` with multipliers."""
    problem = _problem()
    for letter in five.LETTERS:
        problem.addVariable(letter, range(int(letter in five.LEADING), 10))
    problem.addConstraint(constraint.AllDifferentConstraint())
    equation = constraint.ExactSumConstraint(0, [five.WEIGHTS[x] for x in five.LETTERS])
    problem.addConstraint(equation, five.LETTERS)
    found = problem.getSolution()
    return [tuple([found[x] for x in five.LETTERS])]


def _all_apart(*marks: int) -> bool:
    distances = [b - a for a, b in combinations(marks, 2)]
    return min(distances) > 0 and len(set(distances)) == len(distances)


@built_each_call
def golomb() -> Solutions:
    """A function of each mark and those before it. It does not optimise, so it is asked again."""
    every = range(five.MARKS)

    def ruler(longest: int) -> Any:
        problem = _problem()
        problem.addVariable(0, [0])
        problem.addVariables(every[1:], range(longest + 1))
        for last in every[1:]:
            problem.addConstraint(_all_apart, every[: last + 1])
        return problem.getSolution()

    best: Solutions = []
    found = ruler(five.LONGEST)
    while found is not None:
        best = [tuple([found[i] for i in every])]
        found = ruler(best[0][-1] - 1)
    return best


@built_each_call
def pigeons() -> Solutions:
    """A function of each pair."""
    pigeons = range(five.PIGEONS)
    problem = _problem()
    problem.addVariables(pigeons, range(1, five.HOLES + 1))
    for pair in combinations(pigeons, 2):
        problem.addConstraint(ne, pair)
    found = problem.getSolution()
    return [] if found is None else [tuple([found[i] for i in pigeons])]
