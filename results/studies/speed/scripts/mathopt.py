"""MathOpt: ``Model``, ``add_linear_constraint``, ``IncrementalSolver``; models in ``columns``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from results.studies.speed.scripts import columns


class Program(columns.Program):
    """A model of MathOpt, solved by SCIP."""

    def __init__(self) -> None:
        from ortools.math_opt.python import mathopt

        self.library: Any = mathopt
        self.model: Any = mathopt.Model()
        self.engine: Any = None

    def binary(self) -> Any:
        return self.model.add_binary_variable()

    def integer(self, high: int) -> Any:
        return self.model.add_integer_variable(lb=0, ub=high)

    def total(self, terms: Iterable[Any]) -> Any:
        return self.library.fast_sum(terms)

    def post(self, row: Any) -> None:
        self.model.add_linear_constraint(row)

    def fix(self, column: Any) -> None:
        column.lower_bound = 1

    def solve(self) -> Callable[[Any], float] | None:
        if self.engine is None:
            self.engine = self.library.IncrementalSolver(self.model, self.library.SolverType.GSCIP)
        result = self.engine.solve()
        return _value(result) if result.has_primal_feasible_solution() else None

    def minimise(self, column: Any) -> Callable[[Any], float]:
        self.model.minimize(column)
        parameters = self.library.SolveParameters(relative_gap_tolerance=0.0)
        kind = self.library.SolverType.GSCIP
        return _value(self.library.solve(self.model, kind, params=parameters))


def _value(result: Any) -> Callable[[Any], float]:
    numbers: dict[Any, float] = result.variable_values()
    return numbers.__getitem__


queens = partial(columns.queens, Program)
sudoku = partial(columns.sudoku, Program)
send_more = partial(columns.send_more, Program)
golomb = partial(columns.golomb, Program)
pigeons = partial(columns.pigeons, Program)
