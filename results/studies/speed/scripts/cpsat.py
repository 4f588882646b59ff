"""OR-Tools' CP-SAT: ``CpModel``, ``CpSolver`` with one worker, a callback for several solutions."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from ortools.sat.python import cp_model

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call


def _solver() -> Any:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver


def _first(model: Any, variables: list[Any]) -> Solutions:
    solver = _solver()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return []
    return [tuple([solver.value(variable) for variable in variables])]


def _collector(variables: list[Any], limit: int | None) -> Any:
    """The callback of the documentation's examples, which keeps what it is given."""

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


@built_each_call
def queens() -> Solutions:
    """Three ``add_all_different``."""
    model = cp_model.CpModel()
    rows = [model.new_int_var(0, five.QUEENS - 1, f"q{i}") for i in range(five.QUEENS)]
    model.add_all_different(rows)
    model.add_all_different([row + i for i, row in enumerate(rows)])
    model.add_all_different([row - i for i, row in enumerate(rows)])
    return _several(model, rows)


@built_each_call
def sudoku() -> Solutions:
    """``add_all_different`` for each unit."""
    model = cp_model.CpModel()
    given = five.GIVENS
    cells = [model.new_int_var(given.get(i, 1), given.get(i, 9), "") for i in range(81)]
    for unit in five.UNITS:
        model.add_all_different([cells[i] for i in unit])
    return _several(model, cells, five.MOST_GRIDS)


@built_each_call
def send_more() -> Solutions:
    """One equation, as it is written."""
    model = cp_model.CpModel()
    letters = {x: model.new_int_var(int(x in five.LEADING), 9, x) for x in five.LETTERS}
    model.add_all_different(letters.values())
    model.add(sum(five.WEIGHTS[x] * letter for x, letter in letters.items()) == 0)
    return _first(model, list(letters.values()))


@built_each_call
def golomb() -> Solutions:
    """Distances as expressions; ``minimize``."""
    model = cp_model.CpModel()
    marks = [model.new_int_var(0, five.LONGEST if i else 0, f"m{i}") for i in range(five.MARKS)]
    for one, other in pairwise(marks):
        model.add(one < other)
    model.add_all_different([b - a for a, b in combinations(marks, 2)])
    model.minimize(marks[-1])
    return _first(model, marks)


@built_each_call
def pigeons() -> Solutions:
    """``!=`` for each pair."""
    model = cp_model.CpModel()
    holes = [model.new_int_var(1, five.HOLES, f"p{i}") for i in range(five.PIGEONS)]
    for one, other in combinations(holes, 2):
        model.add(one != other)
    return _first(model, holes)
