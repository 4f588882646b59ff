"""OR-Tools' CP-SAT: ``CpModel``, ``CpSolver`` with one worker, a callback for several solutions."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Grids, Script, Solutions


def _solver() -> Any:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver


def _first(model: Any, variables: list[Any]) -> Solutions:
    from ortools.sat.python import cp_model

    solver = _solver()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return []
    return [tuple([solver.value(variable) for variable in variables])]


def _collector(variables: list[Any], limit: int | None) -> Any:
    """The callback of the documentation's examples, which keeps what it is given."""
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.found: Solutions = []

        def on_solution_callback(self) -> None:
            self.found.append(tuple([self.value(variable) for variable in variables]))
            if len(self.found) == limit:
                self.stop_search()

    return Collector()


def _several(model: Any, variables: list[Any], limit: int | None = None) -> Solutions:
    solver, collector = _solver(), _collector(variables, limit)
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, collector)
    found: Solutions = collector.found
    return found


def queens() -> Script:
    """Three ``add_all_different``."""
    from ortools.sat.python import cp_model

    def solve() -> Solutions:
        model = cp_model.CpModel()
        rows = [model.new_int_var(0, five.QUEENS - 1, f"q{i}") for i in range(five.QUEENS)]
        model.add_all_different(rows)
        model.add_all_different([row + i for i, row in enumerate(rows)])
        model.add_all_different([row - i for i, row in enumerate(rows)])
        return _several(model, rows)

    return solve


def sudoku(limit: int) -> Grids:
    """``add_all_different`` for each unit."""
    from ortools.sat.python import cp_model

    def solve(text: str) -> list[str]:
        model = cp_model.CpModel()
        cells = [
            model.new_int_var(1, 9, "")
            if sign == "."
            else model.new_int_var(int(sign), int(sign), "")
            for sign in text
        ]
        for unit in five.UNITS:
            model.add_all_different([cells[i] for i in unit])
        found = _first(model, cells) if limit == 1 else _several(model, cells, limit)
        return ["".join(map(str, values)) for values in found]

    return solve


def send_more() -> Script:
    """One equation, as it is written."""
    from ortools.sat.python import cp_model

    def solve() -> Solutions:
        model = cp_model.CpModel()
        letters = {x: model.new_int_var(int(x in five.LEADING), 9, x) for x in five.LETTERS}
        model.add_all_different(letters.values())
        model.add(sum(five.WEIGHTS[x] * letter for x, letter in letters.items()) == 0)
        return _first(model, list(letters.values()))

    return solve


def golomb() -> Script:
    """Distances as expressions; ``minimize``."""
    from ortools.sat.python import cp_model

    def solve() -> Solutions:
        model = cp_model.CpModel()
        marks = [model.new_int_var(0, five.LONGEST if i else 0, f"m{i}") for i in range(five.MARKS)]
        for one, other in pairwise(marks):
            model.add(one < other)
        model.add_all_different([b - a for a, b in combinations(marks, 2)])
        model.minimize(marks[-1])
        return _first(model, marks)

    return solve


def pigeons() -> Script:
    """``!=`` for each pair."""
    from ortools.sat.python import cp_model

    def solve() -> Solutions:
        model = cp_model.CpModel()
        holes = [model.new_int_var(1, five.HOLES, f"p{i}") for i in range(five.PIGEONS)]
        for one, other in combinations(holes, 2):
            model.add(one != other)
        return _first(model, holes)

    return solve
