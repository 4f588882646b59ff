"""CP-SAT's calls: solutions by enumeration or by one search, optima by its own optimisation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from backends.cpsat.callback import callback_class
from backends.cpsat.configuration import LOCAL, Configuration, Plan
from backends.cpsat.formulations import Model
from backends.cpsat.handlers.guards import LARGEST
from backends.cpsat.own_parameters import set_parameters
from backends.cpsat.parameters import make_solver
from backends.interface.api import StoppedBy
from backends.interface.magnitudes import sum_reach
from backends.interface.optimise import join_configurations, merge_statistics
from backends.interface.options import Value
from backends.interface.session import Call, Session, SessionReport, Take
from backends.signals import stop_when_interrupted
from modelling.errors import BackendError, Unsupported
from modelling.problem import Assignment, Objective


class Library:
    """ortools, and CP-SAT's statuses as numbers: its own type takes microseconds to compare."""

    def __init__(self, cp: Any) -> None:
        self.cp = cp
        self.invalid = int(cp.MODEL_INVALID)
        self.ended = (int(cp.OPTIMAL), int(cp.INFEASIBLE))
        self.found = (int(cp.OPTIMAL), int(cp.FEASIBLE))
        self.names: dict[int, str] = {}


class CpSatSession(Session):
    """One call: all solutions by callback, one solution, or CP-SAT's own optimum.

    ``model`` is the one that the plan begins with, ``reformulate`` makes that of ``plan.main``
    where it differs. What a plan's trial leaves undecided is asked again of ``main``. An
    enumeration whose trial came upon solutions continues as the trial did: its presolve would cost
    more than it gains.
    """

    timed = True

    def __init__(
        self,
        name: str,
        library: Library,
        plan: Plan,
        model: Model,
        reformulate: Callable[[], Model],
        call: Call,
        parameters: Mapping[str, Value],
    ) -> None:
        self.name = name
        self.library = library
        self.plan = plan
        self.model = model
        self.reformulate = reformulate
        self.call = call
        self.parameters = parameters
        self.session_report = SessionReport()

    def each(self, take: Take) -> StoppedBy:
        return self._enumerate(take) if self.call.several else self._find_one(take)

    def _find_one(self, take: Take) -> StoppedBy:
        for chosen, is_trial in self._stages():
            solver, status = self._run(chosen, is_trial, None)
            if status in self.library.found:
                with self.call.phases("decode"):
                    values = self.model.reader(self.call.problem)(solver.response_proto.solution)
                take(values)
                return self._stopped_by(status)
            if status in self.library.ended:
                break
        return self._stopped_by(status)

    def _enumerate(self, take: Take) -> StoppedBy:
        before: set[Assignment] = set()

        def take_first(values: Assignment) -> bool:
            before.add(values)
            return take(values)

        def take_new(values: Assignment) -> bool:
            if values in before:
                before.remove(values)  # once: what CP-SAT repeats is counted again
                return True
            return take(values)

        for chosen, is_trial in self._stages(continued=lambda: bool(before)):
            taking = take_first if is_trial else take_new if before else take
            read = self.model.reader(self.call.problem)
            callback = callback_class(self.library.cp)(read, taking)
            _, status = self._run(chosen, is_trial, callback)
            if callback.stopped:
                return "sink"
            if status in self.library.ended:
                break
        return self._stopped_by(status)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """CP-SAT's own search for the optimum, which reports incumbents and bounds."""
        reach = sum_reach(objective.scope, objective.coefficients, self.call.problem.structure)
        if reach > LARGEST:  # it ends its search by a bound that is a double
            what = f"an objective that reaches beyond {LARGEST}"
            raise Unsupported(self.name, what, "CP-SAT's bounds are inexact there")
        for chosen, is_trial in self._stages():
            stopped_by = self._improve(chosen, is_trial, objective, take)
            if stopped_by != "time" and stopped_by != "gave_up":
                break
        return stopped_by

    def _improve(
        self, chosen: Configuration, is_trial: bool, objective: Objective, take: Take
    ) -> StoppedBy:
        model, call = self.model, self.call
        total = self.library.cp.LinearExpr.weighted_sum(
            [model.expressions[v] for v in objective.scope], objective.coefficients
        )
        getattr(model.model, objective.sense)(total)
        read = model.reader(call.problem)
        callback = None
        if call.bounded is not None:  # somebody listens
            callback = callback_class(self.library.cp)(read, take)
        try:
            solver, status = self._run(chosen, is_trial, callback)
        finally:
            model.model.clear_objective()
        response = solver.response_proto
        if status in self.library.found:
            with call.phases("decode"):
                take(read(response.solution))
            self.session_report = self.session_report._replace(
                bound=round(response.best_objective_bound)
            )
        return "sink" if callback is not None and callback.stopped else self._stopped_by(status)

    def _stages(
        self, continued: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[Configuration, bool]]:
        """Each configuration, and whether it is the trial; ``self.model`` is its model.

        ``continued`` says after the trial whether its configuration is kept.
        """
        trial, main = self.plan
        if trial is not None:
            yield trial, True
            if continued():
                main = replace(trial, workers=main.workers)
            elif trial.formulation != main.formulation:
                with self.call.phases("encode"):
                    self.model = self.reformulate()
        yield main, False

    def _run(self, chosen: Configuration, is_trial: bool, callback: Any) -> tuple[Any, int]:
        """The CpSolver that has run, and CP-SAT's status."""
        model, call, library = self.model, self.call, self.library
        limits = call.limits
        if self.session_report.configuration:  # the second one
            used = int(self.session_report.statistics["failures"])
            conflicts = None if limits.conflicts is None else max(0, limits.conflicts - used)
            limits = replace(limits, seconds=call.deadline.left, conflicts=conflicts)
        alone = bool(self.parameters)
        solver = make_solver(library.cp, limits, chosen, call.several, is_trial, alone=alone)
        if self.parameters:
            set_parameters(solver.parameters, self.parameters)
        if call.bounded is not None and callback is not None:
            solver.best_bound_callback = partial(self._report_bound, solver)
        try:
            model.narrow(call.problem)
            with call.phases("solve"), stop_when_interrupted(solver.stop_search):
                status = solver.solve(model.model, callback)
        finally:
            model.widen(call.problem)
        if callback is not None and callback.error is not None:
            raise callback.error
        number = int(status)
        if number not in library.names:
            library.names[number] = solver.status_name(status)
        if number == library.invalid:
            raise BackendError(f"{self.name}: {model.model.validate() or 'invalid model'}")
        before = self.session_report
        self.session_report = SessionReport(
            library.names[number],
            merge_statistics(before.statistics, statistics(solver.response_proto)),
            join_configurations(before.configuration, chosen.text),
            before.bound,
        )
        return solver, number

    def _report_bound(self, solver: Any, value: float) -> None:
        assert self.call.bounded is not None
        if abs(value) < LARGEST and not self.call.bounded(round(value)):
            solver.stop_search()

    def _stopped_by(self, status: int) -> StoppedBy:
        if status in self.library.ended:  # of a local search, by presolve
            return "exhausted" if self.plan.main.search != LOCAL else "gave_up"
        limits, spent = self.call.limits, self.session_report.statistics.get("failures", 0)
        if limits.conflicts is not None and spent >= limits.conflicts:
            return "gave_up"
        return "gave_up" if limits.seconds is None else "time"

    def report(self) -> SessionReport:
        return self.session_report


def statistics(response: Any) -> dict[str, int | float]:
    """CP-SAT's counters under MiniZinc's names."""
    return {
        "nodes": response.num_branches,
        "failures": response.num_conflicts,
        "booleans": response.num_booleans,
        "propagations": response.num_binary_propagations + response.num_integer_propagations,
    }
