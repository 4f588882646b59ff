"""pumpkin-solver: ``Model``, constraints with a tag each, ``satisfy`` and ``optimise``."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Grids, Script, Solutions


def _solutions(model: Any, variables: list[Any], limit: int | None = None) -> Solutions:
    """One after another, each excluded by a table of one row."""
    from pumpkin_solver import SatisfactionResult, constraints

    found: Solutions = []
    while len(found) != limit and not model.is_inconsistent():
        match model.satisfy():
            case SatisfactionResult.Satisfiable(solution):
                found.append(tuple([solution.int_value(variable) for variable in variables]))
                if len(found) != limit:
                    tag = model.new_constraint_tag()
                    table = constraints.NegativeTable(variables, [list(found[-1])], tag)
                    model.add_constraint(table)
            case _:
                break
    return found


def queens() -> Script:
    """Three ``AllDifferent``, two of them of views, as in the package's own example."""
    from pumpkin_solver import Model, constraints

    def solve() -> Solutions:
        model = Model()
        rows = [model.new_integer_variable(0, five.QUEENS - 1) for _ in range(five.QUEENS)]
        for sign in (0, 1, -1):
            views = [row.offset(sign * i) for i, row in enumerate(rows)]
            tag = model.new_constraint_tag()
            model.add_constraint(constraints.AllDifferent(views, tag))
        return _solutions(model, rows)

    return solve


def sudoku(limit: int) -> Grids:
    """``AllDifferent`` for each unit."""
    from pumpkin_solver import Model, constraints

    def solve(text: str) -> list[str]:
        model = Model()
        ends = [(1, 9) if sign == "." else (int(sign), int(sign)) for sign in text]
        cells = [model.new_integer_variable(*pair) for pair in ends]
        for unit in five.UNITS:
            tag = model.new_constraint_tag()
            model.add_constraint(constraints.AllDifferent([cells[i] for i in unit], tag))
        return ["".join(map(str, values)) for values in _solutions(model, cells, limit)]

    return solve


def send_more() -> Script:
    """``AllDifferent`` and ``Equals``."""
    from pumpkin_solver import Model, constraints

    def solve() -> Solutions:
        model = Model()
        letters = [model.new_integer_variable(int(x in five.LEADING), 9) for x in five.LETTERS]
        model.add_constraint(constraints.AllDifferent(letters, model.new_constraint_tag()))
        terms = [
            letter.scaled(five.WEIGHTS[x]) for letter, x in zip(letters, five.LETTERS, strict=True)
        ]
        model.add_constraint(constraints.Equals(terms, 0, model.new_constraint_tag()))
        return _solutions(model, letters, 1)

    return solve


def golomb() -> Script:
    """A variable for each distance; ``optimise``."""
    from pumpkin_solver import Model, constraints
    from pumpkin_solver.optimisation import Direction

    def solve() -> Solutions:
        model = Model()
        marks = [model.new_integer_variable(0, five.LONGEST if i else 0) for i in range(five.MARKS)]
        for one, other in pairwise(marks):
            tag = model.new_constraint_tag()
            model.add_constraint(constraints.BinaryLessThan(one, other, tag))
        distances = []
        for one, other in combinations(marks, 2):
            distances.append(model.new_integer_variable(1, five.LONGEST))
            terms = [other, one.scaled(-1), distances[-1].scaled(-1)]
            model.add_constraint(constraints.Equals(terms, 0, model.new_constraint_tag()))
        model.add_constraint(constraints.AllDifferent(distances, model.new_constraint_tag()))
        result: Any = model.optimise(marks[-1], direction=Direction.Minimise)
        return [tuple([result._0.int_value(mark) for mark in marks])]

    return solve


def pigeons() -> Script:
    """``BinaryNotEquals`` for each pair."""
    from pumpkin_solver import Model, constraints

    def solve() -> Solutions:
        model = Model()
        holes = [model.new_integer_variable(1, five.HOLES) for _ in range(five.PIGEONS)]
        for one, other in combinations(holes, 2):
            tag = model.new_constraint_tag()
            model.add_constraint(constraints.BinaryNotEquals(one, other, tag))
        return _solutions(model, holes, 1)

    return solve
