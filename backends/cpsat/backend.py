"""CP-SAT's calls: solutions by enumeration or by one search, optima by its own optimisation.

The model of a structure is built once; the givens of an instance narrow it in place and are taken
back after the call. Constraints that CP-SAT does not know are listed as tables where the tuples are
few, and refused by name where they are not. One worker unless more are asked for, and enumeration
with more than one is refused: CP-SAT then returns wrong counts under status OPTIMAL (in 9.15, two
workers find 80 of the 92 solutions of the 8 queens).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from backends.cpsat.configuration import AUTO, FIXED, FREE, Configuration, configure
from backends.cpsat.formulations import FORMULATIONS, Model, Read
from backends.cpsat.handlers import HANDLERS
from backends.cpsat.handlers.guards import LARGEST, find_too_large, sum_reach
from backends.cpsat.parameters import LEVELS, make_solver
from backends.interface.api import Ask, Limits, Optimum, Solutions, StoppedBy
from backends.interface.driver import Driver
from backends.interface.options import Option, canonical, parse
from backends.interface.registry import require
from backends.interface.session import Call, Capabilities, Session, Take, Told
from modelling.errors import BackendError, Unsupported
from modelling.problem import Assignment, Objective, Structure
from modelling.versions import find_version

OPTIONS = (
    Option("formulation", (AUTO, *FORMULATIONS), AUTO, "how to pose it"),
    Option("presolve", (AUTO, *LEVELS), AUTO, "CP-SAT's work on the model before it searches"),
    Option("search", (AUTO, FREE, FIXED), AUTO, "what CP-SAT branches on"),
    Option("workers", (AUTO,), AUTO, "threads that search; enumeration takes one", least=1),
    Option("reuse", ("none", "encoding"), "encoding", "keep the model of a structure"),
)


def make(options: str = "") -> Driver:
    """The backend with its options, e.g. ``booleans,presolve=off``."""
    values = parse("cpsat", OPTIONS, options)
    name = canonical("cpsat", OPTIONS, values)
    return Driver(name, CpSat(name, values), keep=values["reuse"] != "none")


class CpSat:
    """Complete; statistics: nodes (branches), failures (conflicts), propagations."""

    handlers = HANDLERS

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        self.name = name
        self.cp = require("ortools", "ortools.sat.python.cp_model", "cpsat", "pip install ortools")
        self.capabilities = Capabilities(
            family="cpsat", version=find_version("ortools"), improves=True, threads=True
        )
        self.invalid = int(self.cp.MODEL_INVALID)
        self.ended = (int(self.cp.OPTIMAL), int(self.cp.INFEASIBLE))
        self.found = (int(self.cp.OPTIMAL), int(self.cp.FEASIBLE))
        self.status_names: dict[int, str] = {}
        workers = options["workers"]
        self._options = options
        self._workers = None if workers == AUTO else int(workers)

    def configuration(self, structure: Structure, ask: Ask, limits: Limits) -> Configuration:
        """How ``ask`` is put: what the options say, and where they say auto, what was measured."""
        every = isinstance(ask, Solutions) and ask.limit is None
        said = self._options
        return configure(
            structure,
            not isinstance(ask, Solutions),
            every,
            said["formulation"],
            said["presolve"],
            self._threads(limits),
            said["search"],
        )

    def variant(self, structure: Structure, ask: Ask, limits: Limits) -> str:
        """The formulation."""
        return self.configuration(structure, ask, limits).formulation

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """Enumeration takes one worker."""
        workers = self._threads(limits)
        one = isinstance(ask, Optimum) or (isinstance(ask, Solutions) and ask.limit == 1)
        if workers == 1 or one:
            return None
        return (
            f"enumeration with {workers} workers",
            "CP-SAT returns wrong counts under status OPTIMAL; use one worker",
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that its integers may not hold."""
        return find_too_large(structure)

    def encode(self, structure: Structure, formulation: str) -> Model:
        """The variables."""
        return FORMULATIONS[formulation](self.cp, structure)

    def finish(self, model: Model) -> Model:
        """The model."""
        return model.finish()

    def open(self, model: Model, call: Call) -> Search:
        """One call of CP-SAT."""
        return Search(self, model, call)

    def _threads(self, limits: Limits) -> int:
        """As many as the option says, but no more than the limit; without option, the limit."""
        if self._workers is None:
            return limits.threads or 1
        return min(self._workers, limits.threads or self._workers)


class Search(Session):
    """One call: all solutions by callback, one solution, or CP-SAT's own optimum."""

    timed = True

    def __init__(self, solver: CpSat, model: Model, call: Call) -> None:
        self.solver = solver
        self.model = model
        self.call = call
        structure = call.problem.structure
        self.chosen = solver.configuration(structure, call.ask, call.limits)
        self.search = make_solver(solver.cp, call.limits, self.chosen, call.several)
        self.read = model.reader(call.problem)
        self.status = ""
        self.bound: int | None = None

    def each(self, take: Take) -> StoppedBy:
        callback = _callback_class(self.solver.cp)(self.read, take) if self.call.several else None
        status = self._run(callback)
        if callback is None and status in self.solver.found:
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
            raise Unsupported(self.solver.name, what, "CP-SAT's bounds are inexact there")
        total = self.solver.cp.LinearExpr.weighted_sum(
            [model.expressions[v] for v in objective.scope], objective.coefficients
        )
        getattr(model.model, objective.sense)(total)
        callback = None
        if call.bounded is not None:  # somebody listens
            callback = _callback_class(self.solver.cp)(self.read, take)
            self.search.best_bound_callback = self._tell_bound
        try:
            status = self._run(callback)
        finally:
            model.model.clear_objective()
        response = self.search.response_proto
        if status in self.solver.found:
            with call.phases("decode"):
                take(self.read(response.solution))
            self.bound = round(response.best_objective_bound)
        return "sink" if callback is not None and callback.stopped else self._stopped_by(status)

    def _tell_bound(self, value: float) -> None:
        assert self.call.bounded is not None
        if abs(value) < LARGEST and not self.call.bounded(round(value)):
            self.search.stop_search()

    def _run(self, callback: Any) -> int:
        """CP-SAT's status; as a number, for its own type takes microseconds to compare."""
        model, problem, solver = self.model, self.call.problem, self.solver
        try:
            model.narrow(problem)
            with self.call.phases("solve"):
                status = self.search.solve(model.model, callback)
        finally:
            model.widen(problem)
        if callback is not None and callback.error is not None:
            raise callback.error
        number = int(status)
        if number not in solver.status_names:
            solver.status_names[number] = status.name
        self.status = solver.status_names[number]
        if number == solver.invalid:
            raise BackendError(f"{solver.name}: {model.model.validate() or 'invalid model'}")
        return number

    def _stopped_by(self, status: int) -> StoppedBy:
        if status in self.solver.ended:
            return "exhausted"
        return "gave_up" if self.call.limits.seconds is None else "time"

    def told(self) -> Told:
        return Told(
            self.status, statistics(self.search.response_proto), self.chosen.text, self.bound
        )


@lru_cache(maxsize=1)
def _callback_class(cp: Any) -> Any:
    """A solution callback; defined here because its base class is imported lazily."""

    class Callback(cp.CpSolverSolutionCallback):  # type: ignore[misc]  # cp is imported lazily
        def __init__(self, read: Read, take: Callable[[Assignment], bool]) -> None:
            super().__init__()
            self.read = read
            self.take = take
            self.stopped = False
            self.error: BaseException | None = None

        def on_solution_callback(self) -> None:
            # CP-SAT may deliver further solutions after stop_search(): they are not ours any more.
            if self.stopped:
                return
            try:
                go_on = self.take(self.read(self.response_proto.solution))
            except BaseException as error:  # carried out of the C++ frames and raised again
                self.error = error
                go_on = False
            if not go_on:
                self.stopped = True
                self.stop_search()

    return Callback


def statistics(response: Any) -> dict[str, int | float]:
    """CP-SAT's counters under MiniZinc's names."""
    return {
        "nodes": response.num_branches,
        "failures": response.num_conflicts,
        "booleans": response.num_booleans,
        "propagations": response.num_binary_propagations + response.num_integer_propagations,
    }
