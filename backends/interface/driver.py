"""The driver: makes a Backend of a solver that gives capabilities, handlers, and sessions.

It asks the solver's sessions about what ``preparation`` has made of a structure: counts by the
collector, projects, optimises, and emits events; ``session`` says what a solver must give.

``Structure.output``, by default all declared variables, distinguishes solutions. A solver that
cannot do that itself gives all solutions, and the driver skips those whose output came before. It
remembers at most ``MOST_OUTPUTS`` outputs; if there are more, the search ends with
``stopped_by="memory"``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

from backends.interface.api import (
    Accepted,
    AllOptima,
    Ask,
    Deadline,
    Limits,
    Optimum,
    Phases,
    Refused,
    Result,
    Sink,
    Solutions,
    StoppedBy,
)
from backends.interface.collector import Collector, solution_hash
from backends.interface.events import Bound, Emit, Found, sink_of
from backends.interface.optimise import (
    bounded,
    join_configurations,
    merge_statistics,
    required_objective,
)
from backends.interface.options import write_settings
from backends.interface.preparation import Preparation, PreparedStructure, keep_garbage
from backends.interface.proofs import Refutation
from backends.interface.session import (
    Call,
    Choice,
    Session,
    SessionReport,
    Solver,
    Take,
    with_defaults,
)
from modelling.check import refuted
from modelling.constraint import Constraint
from modelling.constraints import VOCABULARY
from modelling.errors import Unsupported
from modelling.problem import Assignment, Objective, Problem, Structure
from modelling.stopping import Stopped, stop_when

MOST_OUTPUTS = 1_000_000
"""Most outputs that are remembered to tell solutions apart, about 100 bytes each (limits.md)."""


class Driver:
    """A Backend made of a solver.

    ``name`` is with its options; ``keep`` says whether encodings are kept between calls.
    """

    emits = True

    def __init__(self, name: str, solver: Solver, keep: bool = True) -> None:
        capabilities = solver.capabilities
        self.name = name
        self.solver = solver
        self.family = capabilities.family
        self.version = capabilities.version
        self.complete = capabilities.proves
        self.exact = capabilities.exact
        self.most_solutions = capabilities.most_solutions
        self._solver = with_defaults(solver)
        self.refuted: StoppedBy = "exhausted" if self.complete else "gave_up"
        self.optimises = capabilities.optimises
        self._certifies = capabilities.certifies
        self._settings = write_settings(self._solver.parameters)
        self.preparation = Preparation(name, self._solver, keep)
        kinds = VOCABULARY if self.preparation.takes_any else solver.handlers
        self.native: frozenset[type[Constraint]] = frozenset(
            kind for kind in kinds if issubclass(kind, Constraint)
        )
        self._plain_cache = self.preparation.cache("")
        self._prepare_plain = partial(self.preparation.prepare, "")

    def accepts(self, problem: Problem) -> Accepted | Refused:
        """Refuses what no rewrite makes native, and what is too large for the solver."""
        reason = self._solver.too_large(problem)
        if reason:
            return Refused(reason)
        return self.preparation.plan(problem.structure).verdict

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
        *,
        emit: Emit | None = None,
    ) -> Result:
        """See ``api`` and ``events``; ``emit`` comes before a ``sink``."""
        started = perf_counter()
        self._check(problem, ask, limits)
        structure, phases = problem.structure, Phases()
        deadline = Deadline(limits.seconds)
        choice = self._solver.plan_call(structure, ask, limits)
        try:
            with keep_garbage(), stop_when(deadline.has_passed):
                kept, reused = self._prepared(structure, choice)
        except Stopped:
            phases.add("encode", started)
            refuted = () if self._certifies else None
            optimising = not isinstance(ask, Solutions)
            return Result(0, "time", optimising=optimising, phases=phases, refutations=refuted)
        posed, on = (problem, None) if kept.plain else (kept.lift(problem), structure.output)
        several, optimum = (ask.limit != 1, False) if isinstance(ask, Solutions) else (False, True)
        given = (posed, ask, limits, deadline, phases, started, reused, several, optimum, on)
        call = Call(*given, structure.size, None, self._certifies, choice)
        if isinstance(ask, Solutions):
            if emit is not None:
                sink = sink_of(emit)
            result, refutations = self._solutions(problem, kept, call, ask, sink)
        else:
            phases.add("encode", started)
            search = OptimumSearch(self, problem, kept, call, emit or _emitting(sink))
            result, refutations = search.optimum(ask), search.report.refutations
        if not self._certifies:
            return result
        shown = tuple(refutation.of_declared(kept.rewritten) for refutation in refutations)
        return replace(result, refutations=shown)

    def _prepared(
        self, structure: Structure, choice: Choice | None
    ) -> tuple[PreparedStructure, bool]:
        """What is kept of a structure, and whether it was kept before."""
        if choice is None:
            return self._plain_cache.get(structure, self._prepare_plain)
        prepare = partial(self.preparation.prepare, choice.encoding)
        return self.preparation.cache(choice.encoding).get(structure, prepare)

    def load(self) -> None:
        """What the solver can do before the first problem."""
        self._solver.load()

    def _check(self, problem: Problem, ask: Ask, limits: Limits) -> None:
        """Raise ``Unsupported`` for what is asked in vain."""
        reason = self._solver.too_large(problem)
        if reason:
            raise Unsupported(self.name, "this problem", reason)
        uncountable = problem.structure.uncountable
        if uncountable and not (ask == Solutions(1) or isinstance(ask, Optimum)):
            raise Unsupported(self.name, "a question for several solutions", uncountable)
        if not self.optimises and not isinstance(ask, Solutions):
            raise Unsupported(self.name, type(ask).__name__, "it finds and counts solutions only")
        found = self._solver.unsupported(ask, limits)
        if found is not None:
            raise Unsupported(self.name, *found)

    # --- solutions ---

    def _solutions(
        self,
        problem: Problem,
        kept: PreparedStructure,
        call: Call,
        ask: Solutions,
        sink: Sink | None,
    ) -> tuple[Result, tuple[Refutation, ...]]:
        collector = Collector(ask, sink)
        if kept.impossible or 0 in call.problem.masks:
            call.phases.add("encode", call.started)
            refuted = collector.result(
                self.refuted, phases=call.phases, encoding_reused=call.reused
            )
            return refuted, ()
        take = collector.add if kept.plain else self._projecting(problem, kept, collector)
        stopped_by, report = self.run(kept.encoding, call, _each, take, call.started)
        if stopped_by == "sink" and collector.stopped_by is None:
            stopped_by = "exhausted"  # nothing tells solutions apart: there is one
        result = collector.result(
            stopped_by,
            native_status=_said(collector, report),
            statistics=report.statistics,
            phases=call.phases,
            encoding_reused=call.reused,
            configuration=report.configuration,
        )
        return result, report.refutations

    def _projecting(self, problem: Problem, kept: PreparedStructure, collector: Collector) -> Take:
        """Gives the collector declared variables, and of solutions with one output the first.

        Of an output its hash is remembered, whose 128 bits digests rely on too.
        """
        project, on = kept.rewritten.project, problem.structure.output
        if on is None:
            return lambda values: collector.add(project(values))
        seen: set[int] = set()

        def take(values: Assignment) -> bool:
            fingerprint = solution_hash(tuple([values[v] for v in on]))
            if not self.solver.capabilities.projects:
                if fingerprint in seen:
                    return True
                if len(seen) >= MOST_OUTPUTS:
                    collector.stopped_by = "memory"
                    return False
                seen.add(fingerprint)
            return collector.add(project(values), fingerprint) and bool(on)

        return take

    def run(
        self, encoding: Any, call: Call, search: SearchOf, take: Take, started: float
    ) -> tuple[StoppedBy, SessionReport]:
        """One session: ``search(session, take)`` says why it ended.

        The time between ``started`` and the session counts as ``encode``.
        """
        phases = call.phases
        try:
            with keep_garbage(), stop_when(call.deadline.has_passed):
                session = self.solver.open(encoding, call)
        except Stopped:
            phases.add("encode", started)
            return "time", SessionReport()
        now = phases.add("encode", started)
        before = 0.0 if session.timed else sum(phases.values())
        try:
            stopped_by: StoppedBy = search(session, take)
        finally:
            session.close()
        if not session.timed:
            rest = perf_counter() - now - (sum(phases.values()) - before)
            phases["solve"] = phases.get("solve", 0.0) + max(0.0, rest)
        report = session.report()
        if self._settings:
            said = filter(None, (report.configuration, self._settings))
            report = report._replace(configuration=",".join(said))
        return stopped_by, report


SearchOf = Callable[[Session, Take], StoppedBy]


def _each(session: Session, take: Take) -> StoppedBy:
    return session.each(take)


def _said(collector: Collector, report: SessionReport) -> str:
    """The solver's own words, or what ended the search in its place."""
    if collector.stopped_by != "memory":
        return report.native_status
    return f"there are more than {MOST_OUTPUTS:,} outputs, and no more are told apart"


def _emitting(sink: Sink | None) -> Emit | None:
    """A sink as a receiver of events."""
    if sink is None:
        return None
    return lambda event: isinstance(event, Bound) or sink(event.values)


class OptimumSearch:
    """One search for an optimum: incumbents, events, and what all its sessions cost together."""

    def __init__(
        self,
        driver: Driver,
        problem: Problem,
        kept: PreparedStructure,
        call: Call,
        emit: Emit | None,
    ) -> None:
        self.driver = driver
        self.problem = problem
        self.kept = kept
        self.call = call
        self.emit = emit
        self.objective = required_objective(problem)
        self.started = perf_counter()
        self.incumbent: Assignment | None = None
        self.value: int | None = None
        self.bound: int | None = None
        self.report = SessionReport()

    @property
    def posed(self) -> Objective:
        """The objective as a sum, in the structure that the solver has."""
        return required_objective(self.call.problem)

    def optimum(self, ask: Optimum | AllOptima) -> Result:
        """What answers ``ask``."""
        if isinstance(ask, AllOptima):
            every_sink, self.emit = self.emit, None
        if self.kept.impossible or 0 in self.call.problem.masks:
            return self._result(self.driver.refuted)
        if self.emit is not None:
            self.call = self.call._replace(bounded=self._bounded)
        stopped_by = self._by_improving() if self._improves() else self._by_asking_again()
        best = self._result(stopped_by)
        if isinstance(ask, Optimum) or stopped_by != "exhausted" or self.value is None:
            return best
        return self._every(ask, best, every_sink)

    # --- the best ---

    def _improves(self) -> bool:
        """Whether a session can look for better solutions."""
        solver = self.driver._solver
        return solver.capabilities.improves or solver.improves(self.kept.encoding, self.posed)

    def _by_improving(self) -> StoppedBy:
        return self._run(self.kept.encoding, self.call, self._best, self._take)

    def _best(self, session: Session, take: Take) -> StoppedBy:
        return session.best(self.posed, take)

    def _by_asking_again(self) -> StoppedBy:
        """Each round asks for one solution of the structure with a tighter bound."""
        strictly = "<" if self.objective.sense == "minimize" else ">"
        encoding, problem = self.kept.encoding, self.call.problem
        while True:
            before = self.value
            call = self.call._replace(problem=problem, limits=self._limits())
            stopped_by = self._run(encoding, call, _each, self._take_one)
            if self.value is None or self.value == before:
                return stopped_by
            if self.stopped:
                return "sink"
            problem = bounded(self.call.problem, strictly, self.value)
            if refuted(problem):  # of a constant nothing is better
                return "exhausted"
            encoding = self._encoded(problem)

    stopped = False

    def _take(self, values: Assignment) -> bool:
        """Take a solution; skip it if it is not better."""
        declared = self.kept.rewritten.project(values)
        value = self.objective.value(declared)
        if self.value is not None and not self.objective.better(value, self.value):
            return True
        self.incumbent, self.value = declared, value
        if self.emit is not None:
            self.stopped = not self.emit(Found(declared, value, self._seconds()))
        return not self.stopped

    def _take_one(self, values: Assignment) -> bool:
        self._take(values)
        return False

    def _bounded(self, value: int) -> bool:
        """Take a proven bound; skip it if it is not tighter."""
        assert self.emit is not None
        if self.bound is not None and not self.objective.better(self.bound, value):
            return True
        self.bound = value
        return self.emit(Bound(value, self._seconds()))

    def _seconds(self) -> float:
        return perf_counter() - self.started

    # --- all of them ---

    def _every(self, ask: AllOptima, best: Result, emit: Emit | None) -> Result:
        """The solutions whose objective is that of ``best``."""
        call = self.call._replace(limits=self._limits(), several=True, bounded=None)
        encoding, fixes = self.kept.encoding, self.driver.solver.capabilities.fixes
        value = self.value
        assert value is not None
        if not fixes:
            call = call._replace(problem=bounded(call.problem, "==", value))
            encoding = self._encoded(call.problem)
        sink: Sink | None = None
        if emit is not None:
            sink = lambda values: emit(Found(values, value, self._seconds()))  # noqa: E731
        collector = Collector(ask, sink)
        take = (
            collector.add
            if self.kept.plain
            else self.driver._projecting(self.problem, self.kept, collector)
        )

        def search(session: Session, take: Take) -> StoppedBy:
            if fixes:
                session.fix(self.posed, value)
            return session.each(take)

        stopped_by = self._run(encoding, call, search, take)
        if not collector.count:  # out of time before the first: the proven optimum itself is one
            return replace(self._result(stopped_by), bound=best.bound)
        if stopped_by == "sink" and collector.stopped_by is None:
            stopped_by = "exhausted"
        found = collector.result(
            stopped_by,
            native_status=_said(collector, self.report),
            statistics=self.report.statistics,
            phases=call.phases,
            encoding_reused=call.reused,
            configuration=self.report.configuration,
        )
        return replace(found, objective=value, bound=value, optimising=True)

    # --- sessions ---

    def _run(self, encoding: Any, call: Call, search: SearchOf, take: Take) -> StoppedBy:
        stopped_by, report = self.driver.run(encoding, call, search, take, perf_counter())
        before = self.report
        self.report = SessionReport(
            report.native_status,
            merge_statistics(before.statistics, report.statistics),
            join_configurations(before.configuration, report.configuration),
            report.bound,
            before.refutations + report.refutations,
        )
        return stopped_by

    def _limits(self) -> Limits:
        return replace(self.call.limits, seconds=self.call.deadline.left)

    def _encoded(self, problem: Problem) -> Any:
        """What the solver makes of a structure that is needed once."""
        now = perf_counter()
        choice = self.call.choice
        variant = "" if choice is None else choice.encoding
        encoding = self.driver.preparation.encode(variant, problem.structure)
        self.call.phases.add("encode", now)
        return encoding

    def _result(self, stopped_by: StoppedBy) -> Result:
        proven = self.value if stopped_by == "exhausted" else None
        found = self.incumbent is not None
        return Result(
            count=int(found),
            stopped_by=stopped_by,
            solutions=() if self.incumbent is None else (self.incumbent,),
            objective=self.value,
            bound=None if not found else proven if self.report.bound is None else self.report.bound,
            optimising=True,
            native_status=self.report.native_status,
            statistics=self.report.statistics,
            phases=self.call.phases,
            encoding_reused=self.call.reused,
            configuration=self.report.configuration,
        )
