"""python-constraint: ``Problem``, functions of variables, ``getSolution`` and ``getSolutions``."""

from __future__ import annotations

from itertools import combinations, islice
from operator import ne
from typing import Any

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Grids, Script, Solutions


def _problem() -> Any:
    import constraint

    return constraint.Problem(constraint.BacktrackingSolver())


def queens() -> Script:
    """A function of each pair of columns, as in the library's example."""
    columns = range(five.QUEENS)

    def solve() -> Solutions:
        problem = _problem()
        problem.addVariables(columns, range(five.QUEENS))
        for one, other in combinations(columns, 2):
            problem.addConstraint(
                lambda a, b, apart=other - one: abs(a - b) != apart and a != b, (one, other)
            )
        return [tuple([found[i] for i in columns]) for found in problem.getSolutions()]

    return solve


def sudoku(limit: int) -> Grids:
    """``AllDifferentConstraint`` for each unit."""
    import constraint

    def solve(text: str) -> list[str]:
        problem = _problem()
        for i, sign in enumerate(text):
            problem.addVariable(i, range(1, 10) if sign == "." else [int(sign)])
        for unit in five.UNITS:
            problem.addConstraint(constraint.AllDifferentConstraint(), unit)
        every = islice(problem.getSolutionIter(), limit)
        return ["".join([str(found[i]) for i in range(81)]) for found in every]

    return solve


def send_more() -> Script:
    """``AllDifferentConstraint`` and ``ExactSumConstraint`` with multipliers."""
    import constraint

    def solve() -> Solutions:
        problem = _problem()
        for letter in five.LETTERS:
            problem.addVariable(letter, range(int(letter in five.LEADING), 10))
        problem.addConstraint(constraint.AllDifferentConstraint())
        equation = constraint.ExactSumConstraint(0, [five.WEIGHTS[x] for x in five.LETTERS])
        problem.addConstraint(equation, five.LETTERS)
        found = problem.getSolution()
        return [tuple([found[x] for x in five.LETTERS])]

    return solve


def _all_apart(*marks: int) -> bool:
    distances = [b - a for a, b in combinations(marks, 2)]
    return min(distances) > 0 and len(set(distances)) == len(distances)


def golomb() -> Script:
    """A function of each mark and those before it. It does not optimise, so it is asked again."""
    every = range(five.MARKS)

    def ruler(longest: int) -> Any:
        problem = _problem()
        problem.addVariable(0, [0])
        problem.addVariables(every[1:], range(longest + 1))
        for last in every[1:]:
            problem.addConstraint(_all_apart, every[: last + 1])
        return problem.getSolution()

    def solve() -> Solutions:
        best: Solutions = []
        found = ruler(five.LONGEST)
        while found is not None:
            best = [tuple([found[i] for i in every])]
            found = ruler(best[0][-1] - 1)
        return best

    return solve


def pigeons() -> Script:
    """A function of each pair."""
    pigeons = range(five.PIGEONS)

    def solve() -> Solutions:
        problem = _problem()
        problem.addVariables(pigeons, range(1, five.HOLES + 1))
        for pair in combinations(pigeons, 2):
            problem.addConstraint(ne, pair)
        found = problem.getSolution()
        return [] if found is None else [tuple([found[i] for i in pigeons])]

    return solve
