"""highspy: ``addBinary``, ``addConstr``, ``qsum``, ``minimize``; the models are in ``columns``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import highspy

from results.studies.speed.scripts import columns


class Program(columns.Program):
    """A model of HiGHS."""

    def __init__(self) -> None:
        model: Any = highspy.Highs()
        model.silent()
        model.setOptionValue("threads", 1)
        model.setOptionValue("mip_rel_gap", 0.0)
        self.model, self.optimal = model, highspy.HighsModelStatus.kOptimal

    def binary(self) -> Any:
        return self.model.addBinary()

    def total(self, terms: Iterable[Any]) -> Any:
        return self.model.qsum(terms)

    def post(self, row: Any) -> None:
        self.model.addConstr(row)

    def integer(self, high: int) -> Any:
        return self.model.addIntegral(lb=0, ub=high)

    def fix(self, column: Any) -> None:
        self.model.changeColBounds(column.index, 1, 1)

    def solve(self) -> Callable[[Any], float] | None:
        self.model.solve()
        return self._value() if self.model.getModelStatus() == self.optimal else None

    def minimise(self, column: Any) -> Callable[[Any], float]:
        self.model.minimize(column)
        return self._value()

    def _value(self) -> Callable[[Any], float]:
        numbers = self.model.getSolution().col_value
        return lambda column: float(numbers[column.index])


queens, sudoku, send_more, golomb, pigeons = columns.list_scripts(Program)
