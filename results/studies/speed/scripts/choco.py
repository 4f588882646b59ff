"""pychoco: ``Model``, ``intvar``, constraints that are posted, ``get_solver().solve()``."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from pychoco.model import Model

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call


def _solutions(model: Any, variables: list[Any], limit: int | None = None) -> Solutions:
    solver = model.get_solver()
    found: Solutions = []
    while len(found) != limit and solver.solve():
        found.append(tuple([variable.get_value() for variable in variables]))
    return found


@built_each_call
def queens() -> Solutions:
    """Three ``all_different``, two of them of views."""
    model = Model()
    rows = model.intvars(five.QUEENS, 0, five.QUEENS - 1)
    model.all_different(rows).post()
    for sign in (1, -1):
        views = [model.int_affine_view(1, row, sign * i) for i, row in enumerate(rows)]
        model.all_different(views).post()
    return _solutions(model, rows)


@built_each_call
def sudoku() -> Solutions:
    """``all_different`` for each unit."""
    model = Model()
    given = five.GIVENS
    cells = [model.intvar(given[i]) if i in given else model.intvar(1, 9) for i in range(81)]
    for unit in five.UNITS:
        model.all_different([cells[i] for i in unit]).post()
    return _solutions(model, cells, five.MOST_GRIDS)


@built_each_call
def send_more() -> Solutions:
    """``all_different`` and ``scalar``."""
    model = Model()
    letters = [model.intvar(int(x in five.LEADING), 9, x) for x in five.LETTERS]
    model.all_different(letters).post()
    model.scalar(letters, [five.WEIGHTS[x] for x in five.LETTERS], "=", 0).post()
    return _solutions(model, letters, 1)


@built_each_call
def golomb() -> Solutions:
    """A variable for each distance; ``set_objective``."""
    model = Model()
    marks = [model.intvar(0)] + [model.intvar(0, five.LONGEST) for _ in range(five.MARKS - 1)]
    for one, other in pairwise(marks):
        model.arithm(one, "<", other).post()
    distances = []
    for one, other in combinations(marks, 2):
        distances.append(model.intvar(1, five.LONGEST))
        model.scalar([other, one], [1, -1], "=", distances[-1]).post()
    model.all_different(distances).post()
    model.set_objective(marks[-1], False)
    return _solutions(model, marks)[-1:]


@built_each_call
def pigeons() -> Solutions:
    """``arithm`` for each pair."""
    model = Model()
    holes = [model.intvar(1, five.HOLES) for _ in range(five.PIGEONS)]
    for one, other in combinations(holes, 2):
        model.arithm(one, "!=", other).post()
    return _solutions(model, holes, 1)
