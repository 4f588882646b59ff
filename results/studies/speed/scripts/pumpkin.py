"""pumpkin-solver: ``Model``, constraints with a tag each, ``satisfy`` and ``optimise``."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from pumpkin_solver import Model, SatisfactionResult, constraints
from pumpkin_solver.optimisation import Direction

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call


def _solutions(model: Any, variables: list[Any], limit: int | None = None) -> Solutions:
    """One after another, each excluded by a table of one row."""
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


@built_each_call
def queens() -> Solutions:
    """Three ``AllDifferent``, two of them of views, as in the package's own example."""
    model = Model()
    rows = [model.new_integer_variable(0, five.QUEENS - 1) for _ in range(five.QUEENS)]
    for sign in (0, 1, -1):
        views = [row.offset(sign * i) for i, row in enumerate(rows)]
        tag = model.new_constraint_tag()
        model.add_constraint(constraints.AllDifferent(views, tag))
    return _solutions(model, rows)


@built_each_call
def sudoku() -> Solutions:
    """``AllDifferent`` for each unit."""
    model = Model()
    given = five.GIVENS
    cells = [model.new_integer_variable(given.get(i, 1), given.get(i, 9)) for i in range(81)]
    for unit in five.UNITS:
        tag = model.new_constraint_tag()
        model.add_constraint(constraints.AllDifferent([cells[i] for i in unit], tag))
    return _solutions(model, cells, five.MOST_GRIDS)


@built_each_call
def send_more() -> Solutions:
    """``AllDifferent`` and ``Equals``."""
    model = Model()
    letters = [model.new_integer_variable(int(x in five.LEADING), 9) for x in five.LETTERS]
    model.add_constraint(constraints.AllDifferent(letters, model.new_constraint_tag()))
    terms = [
        letter.scaled(five.WEIGHTS[x]) for letter, x in zip(letters, five.LETTERS, strict=True)
    ]
    model.add_constraint(constraints.Equals(terms, 0, model.new_constraint_tag()))
    return _solutions(model, letters, 1)


@built_each_call
def golomb() -> Solutions:
    """A variable for each distance; ``optimise``."""
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


@built_each_call
def pigeons() -> Solutions:
    """``BinaryNotEquals`` for each pair."""
    model = Model()
    holes = [model.new_integer_variable(1, five.HOLES) for _ in range(five.PIGEONS)]
    for one, other in combinations(holes, 2):
        tag = model.new_constraint_tag()
        model.add_constraint(constraints.BinaryNotEquals(one, other, tag))
    return _solutions(model, holes, 1)
