"""highspy: ``addBinary``, ``addConstr``, ``minimize``; a column of 0 and 1 for each value.

A solution is cut off by a row over its columns, and the model is solved anew.
"""

from __future__ import annotations

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


def _silent() -> Any:
    import highspy

    model: Any = highspy.Highs()
    model.silent()
    model.setOptionValue("threads", 1)
    model.setOptionValue("mip_rel_gap", 0.0)
    return model


def _choices(model: Any, domains: list[range]) -> Choices:
    """For each variable a column for each of its values, of which one is 1."""
    found = [{value: model.addBinary() for value in domain} for domain in domains]
    for ones in found:
        model.addConstr(model.qsum(ones.values()) == 1)
    return found


def _solved(model: Any) -> bool:
    import highspy

    model.solve()
    return bool(model.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def _read(model: Any, choices: Choices) -> tuple[int, ...]:
    numbers = model.getSolution().col_value
    return tuple(
        next(value for value, one in ones.items() if numbers[one.index] > 0.5) for ones in choices
    )


def _solutions(model: Any, choices: Choices, limit: int | None = None) -> Solutions:
    found: Solutions = []
    while len(found) != limit and _solved(model):
        values = _read(model, choices)
        found.append(values)
        ones = [ones[value] for ones, value in zip(choices, values, strict=True)]
        model.addConstr(model.qsum(ones) <= len(ones) - 1)
    return found


def queens() -> Script:
    """At most one in each row and on each diagonal."""

    def solve() -> Solutions:
        model = _silent()
        columns = _choices(model, [range(QUEENS)] * QUEENS)
        for row in range(QUEENS):
            model.addConstr(model.qsum(column[row] for column in columns) == 1)
        for sign in (1, -1):
            for line in range(-QUEENS, 2 * QUEENS):
                on = [c[line - sign * i] for i, c in enumerate(columns) if line - sign * i in c]
                if len(on) > 1:
                    model.addConstr(model.qsum(on) <= 1)
        return _solutions(model, columns)

    return solve


def sudoku(limit: int) -> Grids:
    """Each value once in each unit."""

    def solve(text: str) -> list[str]:
        model = _silent()
        cells = _choices(model, [range(1, 10)] * 81)
        for unit in UNITS:
            for value in range(1, 10):
                model.addConstr(model.qsum(cells[i][value] for i in unit) == 1)
        for cell, sign in zip(cells, text, strict=True):
            if sign != ".":
                model.changeColBounds(cell[int(sign)].index, 1, 1)
        return ["".join(map(str, values)) for values in _solutions(model, cells, limit)]

    return solve


def send_more() -> Script:
    """One equation over the values."""

    def solve() -> Solutions:
        model = _silent()
        letters = _choices(model, [range(int(x in LEADING), 10) for x in LETTERS])
        for value in range(10):
            model.addConstr(model.qsum(ones[value] for ones in letters if value in ones) <= 1)
        total = model.qsum(
            WEIGHTS[x] * value * one
            for x, ones in zip(LETTERS, letters, strict=True)
            for value, one in ones.items()
        )
        model.addConstr(total == 0)
        return _solutions(model, letters, 1)

    return solve


def golomb() -> Script:
    """A column for each value of each distance."""

    def solve() -> Solutions:
        model = _silent()
        marks = [model.addIntegral(lb=0, ub=LONGEST if i else 0) for i in range(MARKS)]
        for one, other in pairwise(marks):
            model.addConstr(other - one >= 1)
        pairs = list(combinations(range(MARKS), 2))
        distances = _choices(model, [range(1, LONGEST + 1)] * len(pairs))
        for (i, j), ones in zip(pairs, distances, strict=True):
            total = model.qsum(value * one for value, one in ones.items())
            model.addConstr(marks[j] - marks[i] - total == 0)
        for value in range(1, LONGEST + 1):
            model.addConstr(model.qsum(ones[value] for ones in distances) <= 1)
        model.minimize(marks[-1])
        numbers = model.getSolution().col_value
        return [tuple(round(numbers[mark.index]) for mark in marks)]

    return solve


def pigeons() -> Script:
    """No two in a hole."""

    def solve() -> Solutions:
        model = _silent()
        holes = _choices(model, [range(1, HOLES + 1)] * PIGEONS)
        for one, other in combinations(holes, 2):
            for hole in one:
                model.addConstr(one[hole] + other[hole] <= 1)
        return _solutions(model, holes, 1)

    return solve
