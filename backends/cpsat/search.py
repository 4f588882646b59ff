"""CP-SAT's calls: solutions by enumeration or by one search, optima by its own optimisation."""

from __future__ import annotations

from typing import Any

from backends.cpsat.callback import callback_class
from backends.cpsat.configuration import LOCAL, Configuration
from backends.cpsat.formulations import Model
from backends.cpsat.handlers.guards import LARGEST
from backends.cpsat.parameters import make_solver
from backends.interface.api import StoppedBy
from backends.interface.magnitudes import sum_reach
from backends.interface.session import Call, Session, Take, Told
from backends.signals import stop_when_interrupted
from modelling.errors import BackendError, Unsupported
from modelling.problem import Objective


class Library:
    """ortools, and CP-SAT's statuses as numbers: its own type takes microseconds to compare."""

    def __init__(self, cp: Any) -> None:
        self.cp = cp
        self.invalid = int(cp.MODEL_INVALID)
        self.ended = (int(cp.OPTIMAL), int(cp.INFEASIBLE))
        self.found = (int(cp.OPTIMAL), int(cp.FEASIBLE))
        self.names: dict[int, str] = {}


class Search(Session):
    """One call: all solutions by callback, one solution, or CP-SAT's own optimum."""

    timed = True

    def __init__(
        self, name: str, library: Library, chosen: Configuration, model: Model, call: Call
    ) -> None:
        self.name = name
        self.library = library
        self.chosen = chosen
        self.model = model
        self.call = call
        self.search = make_solver(library.cp, call.limits, chosen, call.several)
        self.read = model.reader(call.problem)
        self.status = ""
        self.bound: int | None = None

    def each(self, take: Take) -> StoppedBy:
        callback = callback_class(self.library.cp)(self.read, take) if self.call.several else None
        status = self._run(callback)
        if callback is None and status in self.library.found:
            with self.call.phases("decode"):
                values = self.read(self.search.response_proto.solution)
            take(values)
        elif callback is not None and callback.stopped:
            return "sink"
        return self._stopped_by(status)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """CP-SAT's own search for the optimum, which tells of incumbents and bounds."""
        model, call = self.model, self.call
        reach = sum_reach(objective.scope, objective.coefficients, call.problem.structure)
        if reach > LARGEST:  # it ends its search by a bound that is a double
            what = f"an objective that reaches beyond {LARGEST}"
            raise Unsupported(self.name, what, "CP-SAT's bounds are inexact there")
        total = self.library.cp.LinearExpr.weighted_sum(
            [model.expressions[v] for v in objective.scope], objective.coefficients
        )
        getattr(model.model, objective.sense)(total)
        callback = None
        if call.bounded is not None:  # somebody listens
            callback = callback_class(self.library.cp)(self.read, take)
            self.search.best_bound_callback = self._tell_bound
        try:
            status = self._run(callback)
        finally:
            model.model.clear_objective()
        response = self.search.response_proto
        if status in self.library.found:
            with call.phases("decode"):
                take(self.read(response.solution))
            self.bound = round(response.best_objective_bound)
        return "sink" if callback is not None and callback.stopped else self._stopped_by(status)

    def _tell_bound(self, value: float) -> None:
        assert self.call.bounded is not None
        if abs(value) < LARGEST and not self.call.bounded(round(value)):
            self.search.stop_search()

    def _run(self, callback: Any) -> int:
        """CP-SAT's status."""
        model, problem, library = self.model, self.call.problem, self.library
        try:
            model.narrow(problem)
            with self.call.phases("solve"), stop_when_interrupted(self.search.stop_search):
                status = self.search.solve(model.model, callback)
        finally:
            model.widen(problem)
        if callback is not None and callback.error is not None:
            raise callback.error
        number = int(status)
        if number not in library.names:
            library.names[number] = self.search.status_name(status)
        self.status = library.names[number]
        if number == library.invalid:
            raise BackendError(f"{self.name}: {model.model.validate() or 'invalid model'}")
        return number

    def _stopped_by(self, status: int) -> StoppedBy:
        if status in self.library.ended:  # of a local search, by presolve
            return "exhausted" if self.chosen.search != LOCAL else "gave_up"
        return "gave_up" if self.call.limits.seconds is None else "time"

    def told(self) -> Told:
        return Told(
            self.status, statistics(self.search.response_proto), self.chosen.text, self.bound
        )


def statistics(response: Any) -> dict[str, int | float]:
    """CP-SAT's counters under MiniZinc's names."""
    return {
        "nodes": response.num_branches,
        "failures": response.num_conflicts,
        "booleans": response.num_booleans,
        "propagations": response.num_binary_propagations + response.num_integer_propagations,
    }
