"""MathOpt: ``Model``, ``add_binary_variable``, ``add_linear_constraint``, ``IncrementalSolver``.

A solution is cut off by a row over its columns, and the model is solved anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import Any

from results.studies.speed.small_models import (
    HOLES,
    LEADING,
    LETTERS,
    LONGEST,
    MARKS,
    PIGEONS,
    QUEENS,
    UNITS,
    WEIGHTS,
    Grids,
    Script,
    Solutions,
)

Choices = list[dict[int, Any]]


def _model() -> Any:
    from ortools.math_opt.python import mathopt

    return mathopt.Model()


def _sum(items: Iterable[Any]) -> Any:
    from ortools.math_opt.python import mathopt

    return mathopt.fast_sum(items)


def _choices(model: Any, domains: list[range]) -> Choices:
    """For each variable a column for each of its values, of which one is 1."""
    found = [{value: model.add_binary_variable() for value in domain} for domain in domains]
    for ones in found:
        model.add_linear_constraint(_sum(ones.values()) == 1)
    return found


def _solutions(model: Any, choices: Choices, limit: int | None = None) -> Solutions:
    from ortools.math_opt.python import mathopt

    found: Solutions = []
    engine: Any = mathopt.IncrementalSolver(model, mathopt.SolverType.GSCIP)
    while len(found) != limit:
        result = engine.solve()
        if not result.has_primal_feasible_solution():
            break
        numbers = result.variable_values()
        chosen = [
            next((value, one) for value, one in ones.items() if numbers[one] > 0.5)
            for ones in choices
        ]
        found.append(tuple(value for value, _ in chosen))
        model.add_linear_constraint(_sum(one for _, one in chosen) <= len(chosen) - 1)
    return found


def queens() -> Script:
    """At most one in each row and on each diagonal."""

    def solve() -> Solutions:
        model = _model()
        columns = _choices(model, [range(QUEENS)] * QUEENS)
        for row in range(QUEENS):
            model.add_linear_constraint(_sum(column[row] for column in columns) == 1)
        for sign in (1, -1):
            for line in range(-QUEENS, 2 * QUEENS):
                on = [c[line - sign * i] for i, c in enumerate(columns) if line - sign * i in c]
                if len(on) > 1:
                    model.add_linear_constraint(_sum(on) <= 1)
        return _solutions(model, columns)

    return solve


def sudoku(limit: int) -> Grids:
    """Each value once in each unit."""

    def solve(text: str) -> list[str]:
        model = _model()
        cells = _choices(model, [range(1, 10)] * 81)
        for unit in UNITS:
            for value in range(1, 10):
                model.add_linear_constraint(_sum(cells[i][value] for i in unit) == 1)
        for cell, sign in zip(cells, text, strict=True):
            if sign != ".":
                cell[int(sign)].lower_bound = 1
        return ["".join(map(str, values)) for values in _solutions(model, cells, limit)]

    return solve


def send_more() -> Script:
    """One equation over the values."""

    def solve() -> Solutions:
        model = _model()
        letters = _choices(model, [range(int(x in LEADING), 10) for x in LETTERS])
        for value in range(10):
            model.add_linear_constraint(_sum(ones[value] for ones in letters if value in ones) <= 1)
        total = _sum(
            WEIGHTS[x] * value * one
            for x, ones in zip(LETTERS, letters, strict=True)
            for value, one in ones.items()
        )
        model.add_linear_constraint(total == 0)
        return _solutions(model, letters, 1)

    return solve


def golomb() -> Script:
    """A column for each value of each distance."""
    from ortools.math_opt.python import mathopt

    def solve() -> Solutions:
        model = _model()
        marks = [model.add_integer_variable(lb=0, ub=LONGEST if i else 0) for i in range(MARKS)]
        for one, other in pairwise(marks):
            model.add_linear_constraint(other - one >= 1)
        pairs = list(combinations(range(MARKS), 2))
        distances = _choices(model, [range(1, LONGEST + 1)] * len(pairs))
        for (i, j), ones in zip(pairs, distances, strict=True):
            total = _sum(value * one for value, one in ones.items())
            model.add_linear_constraint(marks[j] - marks[i] - total == 0)
        for value in range(1, LONGEST + 1):
            model.add_linear_constraint(_sum(ones[value] for ones in distances) <= 1)
        model.minimize(marks[-1])
        parameters = mathopt.SolveParameters(relative_gap_tolerance=0.0)
        result = mathopt.solve(model, mathopt.SolverType.GSCIP, params=parameters)
        numbers = result.variable_values()
        return [tuple(round(numbers[mark]) for mark in marks)]

    return solve


def pigeons() -> Script:
    """No two in a hole."""

    def solve() -> Solutions:
        model = _model()
        holes = _choices(model, [range(1, HOLES + 1)] * PIGEONS)
        for one, other in combinations(holes, 2):
            for hole in one:
                model.add_linear_constraint(one[hole] + other[hole] <= 1)
        return _solutions(model, holes, 1)

    return solve
