"""pychoco: ``Model``, ``intvar``, constraints that are posted, ``get_solver().solve()``."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Grids, Script, Solutions


def _solutions(model: Any, variables: list[Any], limit: int | None = None) -> Solutions:
    solver = model.get_solver()
    found: Solutions = []
    while len(found) != limit and solver.solve():
        found.append(tuple([variable.get_value() for variable in variables]))
    return found


def queens() -> Script:
    """Three ``all_different``, two of them of views."""
    from pychoco.model import Model

    def solve() -> Solutions:
        model = Model()
        rows = model.intvars(five.QUEENS, 0, five.QUEENS - 1)
        model.all_different(rows).post()
        for sign in (1, -1):
            views = [model.int_affine_view(1, row, sign * i) for i, row in enumerate(rows)]
            model.all_different(views).post()
        return _solutions(model, rows)

    return solve


def sudoku(limit: int) -> Grids:
    """``all_different`` for each unit."""
    from pychoco.model import Model

    def solve(text: str) -> list[str]:
        model = Model()
        cells = [model.intvar(1, 9) if sign == "." else model.intvar(int(sign)) for sign in text]
        for unit in five.UNITS:
            model.all_different([cells[i] for i in unit]).post()
        return ["".join(map(str, values)) for values in _solutions(model, cells, limit)]

    return solve


def send_more() -> Script:
    """``all_different`` and ``scalar``."""
    from pychoco.model import Model

    def solve() -> Solutions:
        model = Model()
        letters = [model.intvar(int(x in five.LEADING), 9, x) for x in five.LETTERS]
        model.all_different(letters).post()
        model.scalar(letters, [five.WEIGHTS[x] for x in five.LETTERS], "=", 0).post()
        return _solutions(model, letters, 1)

    return solve


def golomb() -> Script:
    """A variable for each distance; ``set_objective``."""
    from pychoco.model import Model

    def solve() -> Solutions:
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

    return solve


def pigeons() -> Script:
    """``arithm`` for each pair."""
    from pychoco.model import Model

    def solve() -> Solutions:
        model = Model()
        holes = [model.intvar(1, five.HOLES) for _ in range(five.PIGEONS)]
        for one, other in combinations(holes, 2):
            model.arithm(one, "!=", other).post()
        return _solutions(model, holes, 1)

    return solve
