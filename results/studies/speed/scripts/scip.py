"""pyscipopt: ``Model``, ``addVar``, ``quicksum``, ``addCons``; the models are in ``columns``.

A row is added to a solved model as documentation has it (``freeTransform``). For all solutions of
the queens that takes minutes, so there a constraint handler rejects each solution and adds its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pyscipopt
from pyscipopt.scip import PY_SCIP_PARAMEMPHASIS, PY_SCIP_PARAMSETTING, PY_SCIP_RESULT

from results.studies.speed.scripts import columns
from results.studies.speed.small_models import QUEENS, Solutions, built_each_call


class Program(columns.Program):
    """A model of SCIP."""

    def __init__(self) -> None:
        self.model: Any = pyscipopt.Model()
        self.model.hideOutput()

    def binary(self) -> Any:
        return self.model.addVar(vtype="B")

    def integer(self, high: int) -> Any:
        return self.model.addVar(vtype="I", lb=0, ub=high)

    def total(self, terms: Iterable[Any]) -> Any:
        return pyscipopt.quicksum(terms)

    def post(self, row: Any) -> None:
        self.model.addCons(row)

    def cut(self, row: Any) -> None:
        self.model.freeTransform()
        self.model.addCons(row)

    def fix(self, column: Any) -> None:
        self.model.fixVar(column, 1)

    def solve(self) -> Callable[[Any], float] | None:
        self.model.optimize()
        return self.model.getVal if self.model.getStatus() == "optimal" else None

    def minimise(self, column: Any) -> Callable[[Any], float]:
        self.model.setObjective(column, "minimize")
        self.model.optimize()
        value: Callable[[Any], float] = self.model.getVal
        return value


class Collector(pyscipopt.Conshdlr):  # type: ignore[misc]
    """Collects solutions and is content with none."""

    def __init__(self, board: columns.Choices) -> None:
        self.board = board
        self.answers: set[tuple[int, ...]] = set()

    def look(self, solution: Any) -> list[Any]:
        value = self.model.getSolVal
        ones = [
            next((row, one) for row, one in column.items() if value(solution, one) > 0.5)
            for column in self.board
        ]
        self.answers.add(tuple(row for row, _ in ones))
        return [one for _, one in ones]

    def conscheck(self, constraints: Any, solution: Any, *arguments: Any) -> Any:
        self.look(solution)
        return {"result": PY_SCIP_RESULT.INFEASIBLE}

    def consenfolp(self, *arguments: Any) -> Any:
        self.model.addCons(pyscipopt.quicksum(self.look(None)) <= QUEENS - 1)
        return {"result": PY_SCIP_RESULT.CONSADDED}

    def conslock(self, constraint: Any, kind: Any, positive: int, negative: int) -> None:
        for column in self.board:
            for one in column.values():
                self.model.addVarLocksType(one, kind, positive + negative, positive + negative)


@built_each_call
def queens() -> Solutions:
    """At most one in each row and on each diagonal."""
    program = Program()
    model, board = program.model, columns.place_queens(program)
    model.setEmphasis(PY_SCIP_PARAMEMPHASIS.COUNTER)
    model.setPresolve(PY_SCIP_PARAMSETTING.OFF)
    handler = Collector(board)
    model.includeConshdlr(
        handler, "all", "", enfopriority=-1000000, chckpriority=-1000000, needscons=False
    )
    model.optimize()
    return list(handler.answers)


_, sudoku, send_more, golomb, pigeons = columns.list_scripts(Program)
