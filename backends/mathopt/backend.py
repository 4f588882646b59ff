"""MathOpt's calls: one solution at a time, or the best, with its incumbents and bounds."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from backends.integer_programs.draft import IntegerProgramDraft
from backends.integer_programs.instance import Row
from backends.integer_programs.listening import Listener
from backends.integer_programs.searching import MOST_SOLUTIONS, SolvingAnew
from backends.integer_programs.solver import IntegerProgramSolver
from backends.interface.api import StoppedBy
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.session import Call, SessionReport, Take
from backends.mathopt.parameters import MODULE, PARAMETERS, as_fields
from backends.signals import defer
from modelling.problem import Objective

OPTIONS = (Option("solver", ("gscip",), "gscip", "which of MathOpt's solvers", always=True),)

_ENDED = ("OPTIMAL", "INFEASIBLE", "INFEASIBLE_OR_UNBOUNDED")
"""Every column has bounds, so that nothing is unbounded."""


class MathOpt(IntegerProgramSolver):
    """Inexact; statistics: nodes, lp_iterations."""

    def __init__(self, name: str, solver: str) -> None:
        super().__init__(
            name,
            "scip",
            backend="mathopt",
            module=MODULE,
            most_solutions=MOST_SOLUTIONS,
        )
        self.solver = getattr(self.library.SolverType, solver.upper())

    def open(self, draft: IntegerProgramDraft, call: Call) -> MathOptSession:
        """One model."""
        return MathOptSession(self, draft, call)


class MathOptSession(SolvingAnew):
    """One model of one instance, with a row more for each solution that was found."""

    def __init__(self, solver: MathOpt, draft: IntegerProgramDraft, call: Call) -> None:
        super().__init__(solver.name, draft, call)
        self.library = solver.library
        self.parameters = solver.parameters
        self.model = solver.library.Model()
        add = self.model.add_integer_variable
        program = self.instance.program
        self.columns = [add(lb=low, ub=high) for low, high in program.bounds]
        for row in program.rows:
            self.add(row)
        self.engine: Any = solver.library.IncrementalSolver(self.model, solver.solver)
        self.nodes = self.iterations = 0

    def add(self, row: Row) -> None:
        terms, relation, constant = row
        ends: dict[str, int] = {}
        if relation != "<=":
            ends["lb"] = constant
        if relation != ">=":
            ends["ub"] = constant
        added = self.model.add_linear_constraint(**ends)
        for factor, column in terms:
            added.set_coefficient(self.columns[column], factor)

    def solve(self) -> Sequence[float] | StoppedBy:
        found, stopped_by = self._run()
        return (
            self._columns(found.variable_values())
            if found.has_primal_feasible_solution()
            else (stopped_by)
        )

    def optimise(self, objective: Objective, take: Take) -> StoppedBy:
        """Incumbents and bounds come from the callback on solutions."""
        library = self.library
        terms = self.instance.terms(objective.scope, objective.coefficients)
        for factor, column in terms:
            self.model.objective.set_linear_coefficient(self.columns[column], factor)
        self.model.objective.is_maximize = objective.sense == "maximize"

        def tell(said: Any) -> bool:
            found = self.read(self._columns(said.solution))
            bound = said.mip_stats.dual_bound
            return (found is None or take(found)) and self.tell_bound(bound, objective)

        def answer(said: Any) -> Any:
            return library.CallbackResult(terminate=not listener.callback(said))

        listener, listening = Listener(tell), dict[str, Any]()
        if self.call.bounded is not None:  # somebody listens
            events = library.CallbackRegistration(events={library.Event.MIP_SOLUTION})
            listening = {"callback_reg": events, "cb": answer}
        result, stopped_by = self._run(**listening)
        listener.check()
        self.tell_bound(result.best_objective_bound(), objective)
        if listener.stopped:
            return "sink"
        feasible = result.has_primal_feasible_solution()
        numbers = self._columns(result.variable_values()) if feasible else None
        return self.take_best(numbers, take, stopped_by)

    def _columns(self, values: Any) -> list[float]:
        return [values[column] for column in self.columns]

    def _run(self, **listening: Any) -> tuple[Any, StoppedBy]:
        limits, left = self.call.limits, self.call.deadline.left
        asked = self.library.SolveParameters(
            time_limit=None if left is None else timedelta(seconds=left),
            node_limit=limits.nodes,
            random_seed=None if limits.seed is None else limits.seed % (1 << 31),
            relative_gap_tolerance=0.0,
            **as_fields(self.library, self.parameters),
        )
        asked.gscip.bool_params["misc/catchctrlc"] = False
        with defer(signal.SIGINT) as interrupted:  # it would be lost in what MathOpt imports late
            result = self.engine.solve(params=asked, **listening)
        if interrupted.is_set():  # its own interrupter has SCIP print errors
            signal.raise_signal(signal.SIGINT)
        reason, limit = result.termination.reason.name, result.termination.limit
        self.status = reason if limit is None else f"{reason}, {limit.name}"
        self.nodes += result.solve_stats.node_count
        self.iterations += result.solve_stats.simplex_iterations
        if reason in _ENDED:
            return result, "exhausted"
        return result, "time" if limit is not None and limit.name == "TIME" else "gave_up"

    def close(self) -> None:
        self.engine.close()

    def report(self) -> SessionReport:
        statistics = {"nodes": self.nodes, "lp_iterations": self.iterations}
        return SessionReport(self.status, statistics, bound=self.bound)


make = maker("mathopt", OPTIONS, MathOpt, PARAMETERS)
