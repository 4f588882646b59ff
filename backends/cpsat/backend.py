"""CP-SAT's calls: solutions by enumeration or by one search, optima by its own optimisation.

The model of a structure is built once; the givens of an instance narrow it in place and are taken
back after the call. Constraints that CP-SAT does not know are listed as tables where the tuples are
few, and refused by name where they are not. One worker unless more are asked for, and enumeration
with more than one is refused: CP-SAT then returns wrong counts under status OPTIMAL (in 9.15, two
workers find 80 of the 92 solutions of the 8 queens).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

from backends.cpsat.configuration import AUTO, FIXED, FREE, Configuration, configure
from backends.cpsat.formulations import FORMULATIONS, NATIVE, Model, Read
from backends.cpsat.parameters import LEVELS, make_solver
from backends.interface.api import (
    Accepted,
    Ask,
    Limits,
    Optimum,
    Phases,
    Refused,
    Result,
    Sink,
    Solutions,
    StoppedBy,
    ensure_accepted,
)
from backends.interface.collector import Collector
from backends.interface.encoding_cache import EncodingCache
from backends.interface.optimise import optimise, required_objective
from backends.interface.options import Option, canonical, parse
from backends.interface.registry import distribution_version, require
from backends.interface.restating import Restating
from modelling.check import refuted
from modelling.errors import BackendError, Unsupported
from modelling.problem import Assignment, Problem, Structure

LARGEST = 1 << 53
"""Values beyond this are refused, far below where CP-SAT's 64-bit sums overflow."""

OPTIONS = (
    Option("formulation", (AUTO, *FORMULATIONS), AUTO, "how to pose it"),
    Option("presolve", (AUTO, *LEVELS), AUTO, "CP-SAT's work on the model before it searches"),
    Option("search", (AUTO, FREE, FIXED), AUTO, "what CP-SAT branches on"),
    Option("workers", (AUTO,), AUTO, "threads that search; enumeration takes one", least=1),
    Option("reuse", ("none", "encoding"), "encoding", "keep the model of a structure"),
)


def make(options: str = "") -> CpSat:
    """The backend with its options, e.g. ``booleans,presolve=off``."""
    return CpSat(**parse("cpsat", OPTIONS, options))


class CpSat:
    """Complete; statistics: nodes (branches), failures (conflicts), propagations."""

    family = "cpsat"
    native = NATIVE

    def __init__(
        self,
        formulation: str = AUTO,
        presolve: str = AUTO,
        search: str = AUTO,
        workers: str = AUTO,
        reuse: str = "encoding",
    ) -> None:
        values = {
            "formulation": formulation,
            "presolve": presolve,
            "search": search,
            "workers": workers,
            "reuse": reuse,
        }
        self.name = canonical("cpsat", OPTIONS, values)
        self._cp = require("ortools", "ortools.sat.python.cp_model", "cpsat", "pip install ortools")
        self.version = distribution_version("ortools")
        self._invalid = int(self._cp.MODEL_INVALID)
        self._ended = (int(self._cp.OPTIMAL), int(self._cp.INFEASIBLE))
        self._found = (int(self._cp.OPTIMAL), int(self._cp.FEASIBLE))
        self._formulation = formulation
        self._presolve = presolve
        self._search = search
        self._workers = None if workers == AUTO else int(workers)
        size = 0 if reuse == "none" else None
        self._status_names: dict[int, str] = {}
        self._restating = Restating(NATIVE)
        self._verdicts: EncodingCache[Accepted | Refused] = EncodingCache(64)
        self._models = {name: EncodingCache[Model](size) for name in FORMULATIONS}

    def accepts(self, problem: Problem) -> Accepted | Refused:
        return self._verdicts.get(problem.structure, self._judge)[0]

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        ensure_accepted(self, problem)
        if isinstance(ask, Solutions):
            return self._solutions(problem, ask, limits, sink)
        if not isinstance(ask, Optimum):
            self._ensure_one_worker(limits)
        at_best = partial(self._solutions, optimum=True)
        return optimise(at_best, problem, ask, limits, sink, self._optimum)

    def configuration(self, structure: Structure, ask: Ask, limits: Limits) -> Configuration:
        """How ``ask`` is put: what the options say, and where they say auto, what was measured."""
        every = isinstance(ask, Solutions) and ask.limit is None
        return self._configure(structure, not isinstance(ask, Solutions), every, limits)

    def _configure(
        self, structure: Structure, optimum: bool, every: bool, limits: Limits
    ) -> Configuration:
        said = self._formulation, self._presolve, self._threads(limits), self._search
        return configure(structure, optimum, every, *said)

    def _solutions(
        self,
        problem: Problem,
        ask: Solutions,
        limits: Limits,
        sink: Sink | None,
        optimum: bool = False,
    ) -> Result:
        """``optimum``: these are the solutions at an optimum, and posed as the optimum was."""
        if ask.limit != 1:
            self._ensure_one_worker(limits)
        collector = Collector(ask, sink)
        if refuted(problem):
            return collector.result("exhausted")
        phases, now, every = Phases(), perf_counter(), ask.limit != 1
        chosen, model, reused = self._pose(problem, optimum, ask.limit is None, limits)
        solver = make_solver(self._cp, limits, chosen, every)
        read = model.reader(problem)
        callback = _callback_class(self._cp)(read, collector.add) if every else None
        now = phases.add("encode", now)
        status = self._run(solver, model, problem, callback)
        now = phases.add("solve", now)
        response = solver.response_proto
        if not every and status in self._found:
            collector.add(read(response.solution))
            phases.add("decode", now)
        return collector.result(
            self._stopped_by(status, limits),
            native_status=self._status_names[status],
            statistics=statistics(response),
            phases=phases,
            encoding_reused=reused,
            configuration=chosen.text,
        )

    def _optimum(
        self, problem: Problem, ask: Solutions, limits: Limits, sink: Sink | None
    ) -> Result:
        objective = required_objective(problem)
        if refuted(problem):
            return Result(count=0, stopped_by="exhausted", optimising=True)
        phases = Phases()
        with phases("encode"):
            chosen, model, reused = self._pose(problem, True, False, limits)
            solver = make_solver(self._cp, limits, chosen, False)
            read = model.reader(problem)
            total = self._cp.LinearExpr.weighted_sum(
                [model.expressions[v] for v in objective.scope], objective.coefficients
            )
            getattr(model.model, objective.sense)(total)
        callback = None if sink is None else _callback_class(self._cp)(read, sink)
        try:
            with phases("solve"):
                status = self._run(solver, model, problem, callback)
        finally:
            model.model.clear_objective()
        found, response = status in self._found, solver.response_proto
        best = read(response.solution) if found else None
        stopped_by = self._stopped_by(status, limits)
        if callback is not None and callback.stopped:
            stopped_by = "sink"
        return Result(
            count=int(found),
            stopped_by=stopped_by,
            solutions=() if best is None else (best,),
            objective=None if best is None else objective.value(best),
            bound=round(response.best_objective_bound) if found else None,
            optimising=True,
            native_status=self._status_names[status],
            statistics=statistics(response),
            phases=phases,
            encoding_reused=reused,
            configuration=chosen.text,
        )

    def _pose(
        self, problem: Problem, optimum: bool, every: bool, limits: Limits
    ) -> tuple[Configuration, Model, bool]:
        """The configuration, the structure's model in its formulation, whether it was reused."""
        chosen = self._configure(problem.structure, optimum, every, limits)

        def encode(structure: Structure) -> Model:
            formulate = FORMULATIONS[chosen.formulation]
            return formulate(self._cp, self._restating.restated(structure))

        model, reused = self._models[chosen.formulation].get(problem.structure, encode)
        return chosen, model, reused

    def _judge(self, structure: Structure) -> Accepted | Refused:
        for name, domain in zip(structure.names, structure.domains, strict=True):
            if domain and max(-domain[0], domain[-1]) > LARGEST:
                return Refused(f"{name} reaches beyond {LARGEST}")
        return self._restating.verdict(structure)

    def _threads(self, limits: Limits) -> int:
        """As many as the option says, but no more than the limit; without option, the limit."""
        if self._workers is None:
            return limits.threads or 1
        return min(self._workers, limits.threads or self._workers)

    def _ensure_one_worker(self, limits: Limits) -> None:
        workers = self._threads(limits)
        if workers > 1:
            raise Unsupported(
                self.name,
                f"enumeration with {workers} workers",
                "CP-SAT returns wrong counts under status OPTIMAL; use one worker",
            )

    def _run(self, solver: Any, model: Model, problem: Problem, callback: Any) -> int:
        """CP-SAT's status; as a number, for its own type takes microseconds to compare."""
        try:
            model.narrow(problem)
            status = solver.solve(model.model, callback)
        finally:
            model.widen(problem)
        if callback is not None and callback.error is not None:
            raise callback.error
        number = int(status)
        if number not in self._status_names:
            self._status_names[number] = status.name
        if number == self._invalid:
            raise BackendError(f"{self.name}: {model.model.validate() or 'invalid model'}")
        return number

    def _stopped_by(self, status: int, limits: Limits) -> StoppedBy:
        if status in self._ended:
            return "exhausted"
        return "gave_up" if limits.seconds is None else "time"


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
