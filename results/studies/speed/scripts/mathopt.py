"""MathOpt: ``Model``, ``add_linear_constraint``, ``IncrementalSolver``; models in ``columns``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ortools.math_opt.python import mathopt

from results.studies.speed.scripts import columns


class Program(columns.Program):
    """A model of MathOpt, solved by SCIP."""

    def __init__(self) -> None:
        self.model: Any = mathopt.Model()
        self.engine: Any = None

    def binary(self) -> Any:
        return self.model.add_binary_variable()

    def integer(self, high: int) -> Any:
        return self.model.add_integer_variable(lb=0, ub=high)

    def total(self, terms: Iterable[Any]) -> Any:
        return mathopt.fast_sum(terms)

    def post(self, row: Any) -> None:
        self.model.add_linear_constraint(row)

    def fix(self, column: Any) -> None:
        column.lower_bound = 1

    def solve(self) -> Callable[[Any], float] | None:
        if self.engine is None:
            self.engine = mathopt.IncrementalSolver(self.model, mathopt.SolverType.GSCIP)
        result = self.engine.solve()
        return _value(result) if result.has_primal_feasible_solution() else None

    def minimise(self, column: Any) -> Callable[[Any], float]:
        self.model.minimize(column)
        parameters = mathopt.SolveParameters(relative_gap_tolerance=0.0)
        kind = mathopt.SolverType.GSCIP
        return _value(mathopt.solve(self.model, kind, params=parameters))


def _value(result: Any) -> Callable[[Any], float]:
    numbers: dict[Any, float] = result.variable_values()
    return numbers.__getitem__


queens, sudoku, send_more, golomb, pigeons = columns.list_scripts(Program)
