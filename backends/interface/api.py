"""The Backend interface: one method; question, resources and answer are three values.

Words
-----
ask         the question: ``Solutions(limit)``, ``Optimum()`` or ``AllOptima(limit)``
limits      the resources: seconds, nodes, conflicts, seed, threads
result      the answer; its ``status`` is derived, so it cannot contradict the evidence
sink        a function that sees each solution as it is found; false stops the search
phase       a part of the work that is timed apart, in seconds of wall time: ``import`` a solver,
            ``model`` (a text becomes a Problem; the harness does that), ``encode`` (a Problem
            becomes what the solver's library takes; what is kept of a structure costs nothing the
            second time), ``load`` (the library takes it: clauses, variables, constraints),
            ``solve``, ``decode`` (the library's answer becomes values). They lie one after the
            other, so they add up to no more than the call. ``first_solution``, the time until it
            is known, overlaps them
family      backends of one family share so much that their agreement proves little; validation
            counts a family once

The counting contract: solutions are counted on the declared variables, each once, whatever
auxiliary variables an encoding has. Removing projection duplicates is the backend's duty.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal, Protocol, runtime_checkable

from backends.interface.magnitudes import every_part
from backends.interface.proofs import NO_CERTIFICATE, Certificate, Refutation
from backends.interface.shipped import list_with_ranges
from modelling.constraints import Constraint
from modelling.errors import ContradictoryResult, ModelError, Unsupported
from modelling.problem import Assignment, Problem, Structure

Sink = Callable[[Assignment], bool]
Status = Literal["SATISFIABLE", "UNSATISFIABLE", "OPTIMUM", "UNKNOWN"]
StoppedBy = Literal["exhausted", "enough", "time", "memory", "gave_up", "sink"]
Reuse = Literal["none", "encoding", "solver"]


@dataclass(frozen=True)
class Solutions:
    """Find up to ``limit`` solutions and return the first ``keep`` of them.

    ``Solutions(1)`` solves, ``Solutions(2)`` decides uniqueness, ``Solutions(None)`` counts them
    all; ``keep=None`` keeps every solution found. An objective is ignored.
    """

    limit: int | None = 1
    keep: int | None = 1

    def __post_init__(self) -> None:
        _check_count("limit", self.limit, least=1)
        _check_count("keep", self.keep, least=0)


@dataclass(frozen=True)
class Optimum:
    """Find one best solution and prove it."""


@dataclass(frozen=True)
class AllOptima:
    """Find up to ``limit`` of the best solutions; None means all."""

    limit: int | None = None
    keep: int | None = 1

    def __post_init__(self) -> None:
        _check_count("limit", self.limit, least=1)
        _check_count("keep", self.keep, least=0)


Ask = Solutions | Optimum | AllOptima


def _check_count(name: str, value: int | None, least: int) -> None:
    if value is not None and (type(value) is not int or value < least):
        raise ModelError(f"{name} must be an integer of at least {least}, or None for all")


@dataclass(frozen=True)
class Limits:
    """Resources for one call; None means no limit (seed and threads: the solver's default).

    ``seconds`` is wall time. Backends keep limits as well as they can; the harness enforces time
    and memory from outside all the same.
    """

    seconds: float | None = None
    nodes: int | None = None
    conflicts: int | None = None
    seed: int | None = None
    threads: int | None = None


@dataclass(frozen=True)
class Accepted:
    """The backend can pose this problem."""


@dataclass(frozen=True)
class Refused:
    """The backend cannot pose this problem, and why."""

    reason: str


@dataclass(frozen=True)
class Result:
    """What a backend answers.

    ``solutions``
        those kept, in the order found, values in the structure's order
    ``count``
        how many were found (for Optimum: 1 once any solution is known)
    ``digest``
        32 hex digits, the sum modulo 2**128 of a hash per solution: equal sets, equal digests,
        whatever the order
    ``repeats``
        solutions that were reported twice, as far as seen; always a defect
    ``exhausted``
        the search space was searched to its end (for Optimum: the best is proven)
    ``objective``, ``bound``
        the best value known, the best proven bound; None without one
    ``native_status``
        the solver's own words
    ``configuration``
        how a backend that chooses for itself has posed and solved it; empty for one that has
        nothing to choose
    ``statistics``
        MiniZinc's standard names in snake_case: nodes, failures, propagations, ...; what is
        infinite or NaN is left out of records
    ``phases``
        seconds of wall time by phase
    ``refutations``
        of a search to the end what was refuted there, with proofs to be checked
        (``backends.proofs``); None where no proofs were asked for
    ``certificate``
        what became of these proofs, said by whoever checked them
    """

    count: int
    stopped_by: StoppedBy
    solutions: tuple[Assignment, ...] = ()
    digest: str = "0" * 32
    repeats: int = 0
    objective: int | None = None
    bound: int | None = None
    optimising: bool = False
    native_status: str = ""
    statistics: Mapping[str, int | float] = field(default_factory=dict)
    phases: Mapping[str, float] = field(default_factory=dict)
    encoding_reused: bool = False
    configuration: str = ""
    refutations: tuple[Refutation, ...] | None = field(default=None, compare=False, repr=False)
    certificate: Certificate = NO_CERTIFICATE

    def __post_init__(self) -> None:
        what = ""
        if self.count < 0:
            what = "that fewer than no solutions were found"
        elif len(self.solutions) > self.count:
            what = "more solutions than it counted"
        elif self.stopped_by == "enough" and self.count == 0:
            what = "enough without any solution"
        elif self.objective is None:
            if self.optimising and self.count:
                what = "a best solution without its objective"
        elif not self.count:
            what = "an objective without a solution"
        elif not self.optimising:
            what = "an objective nobody asked for"
        if what:
            raise ContradictoryResult(f"a result cannot say {what}: {self!r}")

    def named(self, problem: Problem) -> list[dict[str, int]]:
        """The solutions by the names of the problem's variables: ``[{"x": 1, "y": 2}]``."""
        return [problem.named(values) for values in self.solutions]

    @property
    def exhausted(self) -> bool:
        """Whether the search space was searched to its end."""
        return self.stopped_by == "exhausted"

    @property
    def status(self) -> Status:
        """The claim that follows from the evidence, in XCSP3's words."""
        if self.count == 0:
            return "UNSATISFIABLE" if self.exhausted else "UNKNOWN"
        if self.optimising and self.stopped_by in ("exhausted", "enough"):
            return "OPTIMUM"
        return "SATISFIABLE"


@runtime_checkable
class Backend(Protocol):
    """A solver behind the common interface.

    ``name`` includes the options, as in ``sat:direct,cadical195``; ``native`` lists the
    constraints that are posed without a rewrite.

    Optional attributes, with what is assumed without them: ``family`` (the name up to the colon),
    ``complete`` (True: it may say UNSATISFIABLE, and count; False: may give up),
    ``exact`` (True; False: it calculates with doubles, so its claims about all solutions or the
    best one are not evidence), ``most_solutions`` (None: any number; else it gives up beyond),
    ``optimises`` (True; False: ``Optimum`` and ``AllOptima`` raise ``Unsupported``),
    ``version`` (the solver's own version, ``""``), ``load`` (nothing to do; called without
    arguments it does beforehand what the first problem would otherwise pay for), ``give_text``
    (nothing; called with a problem and the text of the instance before it is asked about it).
    """

    name: str
    native: frozenset[type[Constraint]]

    def accepts(self, problem: Problem) -> Accepted | Refused:
        """Whether the backend can pose ``problem``, and if not, why."""
        ...

    def solve(
        self, problem: Problem, ask: Ask = ..., limits: Limits = ..., sink: Sink | None = None
    ) -> Result:
        """Answer ``ask`` within ``limits``; raises ``Unsupported`` for a problem it refuses."""
        ...


@runtime_checkable
class BatchBackend(Protocol):
    """A backend that also takes many instances of one structure at once, as arrays.

    ``grids`` is uint8[N, variables]: 0 leaves a variable open, k gives it the k-th value of its
    base domain. Generators and ``concord solve`` use it; the timings of a comparison never do.
    """

    def takes(self, structure: Structure) -> bool:
        """Whether instances of ``structure`` can be given as arrays."""
        ...

    def count_batch(
        self, structure: Structure, grids: Any, limit: int = 2, nodes: int | None = None
    ) -> Any:
        """int64[N]: how many solutions each instance has, counted up to ``limit``.

        An instance that is not settled within ``nodes`` (None: no limit) has the count -1.
        """
        ...

    def solve_batch(
        self,
        structure: Structure,
        grids: Any,
        limit: int = 1,
        keep: int = 1,
        nodes: int | None = None,
    ) -> tuple[Any, Any]:
        """The counts as of ``count_batch``, and uint8[N, keep, variables]: the first solutions.

        They come in the order in which ``solve`` finds them; where an instance has fewer than
        ``keep``, the rest is 0.
        """
        ...


def family_of(backend: Backend) -> str:
    """The independent family that a backend belongs to."""
    return str(getattr(backend, "family", "") or backend.name.partition(":")[0])


def is_complete(backend: Backend) -> bool:
    """Whether the backend's UNSATISFIABLE is a proof."""
    return bool(getattr(backend, "complete", True))


def give_text(backend: Backend, problem: Problem, read: Callable[[], str]) -> None:
    """Give the backend the text that a problem was read from, if it wants that."""
    give = getattr(backend, "give_text", None)
    if give is not None:
        give(problem, read())


def load_ahead(backend: Backend) -> None:
    """Let the backend do beforehand what the first problem would otherwise pay for."""
    getattr(backend, "load", lambda: None)()


def ensure_accepted(backend: Backend, problem: Problem) -> None:
    """Raise ``Unsupported``, with the reason, for a problem that the backend refuses."""
    verdict = backend.accepts(problem)
    if isinstance(verdict, Refused):
        raise Unsupported(backend.name, "this problem", verdict.reason)


def domain_size_refusal(structure: Structure) -> str:
    """Why a backend that lists domains cannot take ``structure``; empty if it can."""
    if structure.ranges:
        name = structure.names[structure.ranges[0]]
        others = ", ".join(list_with_ranges())
        return f"the domain of {name} is too large to be listed ({others} take some such domains)"
    return ""


def not_interval(structure: Structure, kinds: Collection[type]) -> str:
    """Why a backend that takes a large domain as an interval, within constraints of these kinds
    alone, cannot take ``structure``; empty if it can."""
    large = set(structure.ranges)
    if not large:
        return ""
    for variable in structure.ranges:
        if structure.domains[variable].step != 1:  # type: ignore[attr-defined]  # a range
            name = structure.names[variable]
            return f"the domain of {name} is too large to be listed, and it is no interval"
    for part in every_part(structure):
        if type(part) not in kinds and not large.isdisjoint(part.scope):
            first = next(v for v in part.scope if v in large)
            return (
                f"the domain of {structure.names[first]} is too large to be listed, as "
                f"{type(part).__name__} needs it"
            )
    return ""


def projection_refusal(structure: Structure) -> str:
    """Why a backend that lists domains and cannot project solutions cannot take ``structure``."""
    if structure.output is not None:
        return "it cannot tell solutions apart by an output, some of the variables"
    return domain_size_refusal(structure)


class Phases(dict[str, float]):
    """Seconds of wall time by phase: ``with phases("encode"): ...`` adds to ``encode``.

    Phases that follow on one another, in calls that take microseconds, share their points in time:
    ``now = phases.add("encode", before)``.
    """

    def __call__(self, name: str) -> _Timer:
        return _Timer(self, name)

    def add(self, name: str, before: float) -> float:
        """Add to a phase the time since ``before``, a ``perf_counter()``; return what it is now."""
        now = perf_counter()
        self[name] = self.get(name, 0.0) + now - before
        return now


class _Timer:
    """One stretch of a phase. A class, for it runs several times a call and must cost nothing."""

    __slots__ = ("_name", "_phases", "_start")

    def __init__(self, phases: Phases, name: str) -> None:
        self._phases = phases
        self._name = name

    def __enter__(self) -> None:
        self._start = perf_counter()

    def __exit__(self, *error: object) -> None:
        seconds = perf_counter() - self._start
        self._phases[self._name] = self._phases.get(self._name, 0.0) + seconds


class Deadline:
    """A point in time that a search asks for: ``if deadline.passed: ...``; None never passes."""

    __slots__ = ("at",)

    def __init__(self, seconds: float | None) -> None:
        self.at = float("inf") if seconds is None else perf_counter() + seconds

    @property
    def passed(self) -> bool:
        return self.has_passed()

    def has_passed(self) -> bool:
        """``passed``, as a function."""
        return perf_counter() >= self.at

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None without a limit."""
        return None if self.at == float("inf") else max(0.0, self.at - perf_counter())
