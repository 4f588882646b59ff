"""The suite that every backend passes, ours or a third party's: one call in your tests runs it.

    from backends.conformance import conform
    conform(MyBackend())          # raises ConformanceFailure with every fault found

It draws small random problems from the vocabulary that the backend declares (native constraints
and those that rewrites lead to), asks each question of the interface, and compares with the
brute-force oracle. Each drawn structure is posed at least twice, with other givens and with its
constraints in another order, so that a cache that mixes instances up or an answer that depends on
the order is found out. Some problems have constraints that no backend knows, defined by ``holds``
alone: they must be answered rightly, or refused with the name of the constraint's class; a backend
that skips what it does not know is found out. Then come as many problems of one plain constraint of
the vocabulary each, whose solutions are asked for: what a solver may have a constraint of its own
for is not hidden among terms and formulas there. As many again have a constraint of every class in
turn at the root; that constraint neither always holds nor never. Problems come from several
seeds, and the report says what was drawn, by class and position. Refusals must match: what
``accepts`` refuses, ``solve`` refuses too; and a backend that declares ``optimises = False``
refuses to be asked for an optimum.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from math import inf
from time import perf_counter
from typing import Any

from backends.conformance.drawn_problems import (
    Class,
    Placed,
    drawn_problems,
    plain_problems,
    root_problems,
)
from backends.conformance.foreign_constraints import LEAST
from backends.conformance.oracle import (
    Oracle,
    consult,
    judge,
    judge_every,
    judge_given_up,
    judge_incomplete,
    judge_limited,
    judge_optimum,
    judge_set,
)
from backends.interface.api import (
    AllOptima,
    Ask,
    Backend,
    Limits,
    Optimum,
    Refused,
    Result,
    Sink,
    Solutions,
    is_complete,
)
from backends.interface.evidence.answer import shortfall
from modelling.constraints import (
    VOCABULARY,
    AllDifferent,
    Constraint,
    Linear,
    NotEqual,
    Table,
)
from modelling.errors import Unsupported
from modelling.problem import Assignment, Problem, Structure
from modelling.rewriting import Profile, Rewritten, rewrite


class ConformanceFailure(AssertionError):
    """The backend answered wrongly; the message lists the faults with the problems."""


@dataclass
class Report:
    """What a run of the suite did: problems by kind that were accepted, those of one plain
    constraint and those with one at the root beside them, by class and position; refusals,
    faults."""

    backend: str
    accepted: Counter[str] = field(default_factory=Counter)
    plain: Counter[tuple[str, str]] = field(default_factory=Counter)
    root: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def drawn(self) -> Counter[tuple[str, str]]:
        """Accepted problems of plain constraints by the name of the class and its position."""
        return self.plain + self.root

    def __str__(self) -> str:
        """The numbers, and a line for each class."""
        lines = [
            f"{self.backend}: {self.accepted.total()} problems accepted, {self.refused.total()} "
            f"refused; {self.plain.total()} plain, {self.root.total()} at the root; "
            f"{len(self.faults)} faults"
        ]
        for kind in sorted({kind for kind, _ in self.drawn}):
            numbers = {place: n for (one, place), n in sorted(self.drawn.items()) if one == kind}
            lines.append(f"  {kind}: {', '.join(f'{n} {place}' for place, n in numbers.items())}")
        return "\n".join(lines)


def conform(
    backend: Backend,
    problems: int = 300,
    seed: Any = 0,
    most_faults: int = 5,
    also: Sequence[Class] = (),
    seeds: int = 5,
) -> Report:
    """Run the suite until ``problems`` problems were accepted; raise on any fault.

    Each of ``seeds`` seeds, ``seed`` and those derived from it, gives its share of the problems.

    A backend that accepts fewer than one drawn problem in fifty fails too: a declaration that
    lets nothing through cannot be tested. ``also`` are classes of constraints or functions of one's
    own, with a ``draw`` as those of the vocabulary have it: every second problem is about these.
    """
    report = examine(backend, problems, seed, most_faults, also, seeds)
    if report.faults:
        listed = "\n\n".join(report.faults)
        raise ConformanceFailure(f"{backend.name}: {len(report.faults)} faults\n\n{listed}")
    return report


def examine(
    backend: Backend,
    problems: int = 300,
    seed: Any = 0,
    most_faults: int = 5,
    also: Sequence[Class] = (),
    seeds: int = 5,
) -> Report:
    """Like ``conform``, but returns the report instead of raising."""
    report = Report(backend.name)
    for number in range(seeds):
        own = seed if number == 0 else f"{seed}.{number}"
        share = problems * (number + 1) // seeds
        _examine_drawn(backend, share, own, most_faults, also, report)
        begin = problems * number // seeds
        plain, root = _draw_placed(str(own), begin, share)
        for placed, tally in chain(
            zip(plain, repeat(report.plain)), zip(root, repeat(report.root))
        ):
            if len(report.faults) >= most_faults:
                return report
            _examine_plain(backend, placed, tally, report)
    return report


@lru_cache(maxsize=32)
def _draw_placed(seed: str, begin: int, end: int) -> tuple[list[Placed], list[Placed]]:
    """The plain problems and those at the root from one number to another; kept, as they are the
    same for all backends."""
    drawings = (draw(seed, VOCABULARY, begin) for draw in (plain_problems, root_problems))
    plain, root = (list(islice(drawing, end - begin)) for drawing in drawings)
    return plain, root


def _examine_drawn(
    backend: Backend,
    problems: int,
    seed: Any,
    most_faults: int,
    also: Sequence[Class],
    report: Report,
) -> None:
    """Drawn problems of one seed, until ``problems`` were accepted in all."""
    before = report.accepted.total()
    drawing = drawn_problems(seed, vocabulary(backend), also, before // 2)
    for drawn, (kind, problem) in enumerate(drawing, 1):
        accepted = report.accepted.total()
        if accepted >= problems or len(report.faults) >= most_faults:
            return
        if drawn > 50 * (problems - before):
            report.faults.append(f"only {accepted - before} of {drawn} were accepted")
            return
        _examine_problem(backend, kind, problem, random.Random(f"{seed}/{drawn}"), report)


def vocabulary(backend: Backend) -> list[type[Constraint]]:
    """The constraint types that the backend declares, natively or through a rewrite.

    All of them where it declares ``Constraint`` itself, which it then takes by ``holds``; and where
    it declares nothing from which this could be seen, so that ``accepts`` decides.
    """
    profile = Profile.of_plain(backend.native)
    names, domains = ("a", "b"), ((0, 1), (0, 1))
    samples: list[Constraint] = [
        AllDifferent((0, 1)),
        NotEqual((0, 1)),
        Linear((0, 1), (1, 1), "==", 1),
        Table((0, 1), ((0, 1),)),
    ]
    probes = ((c, Structure(names, domains, (c,))) for c in samples)
    found = [type(c) for c, probe in probes if isinstance(rewrite(probe, profile), Rewritten)]
    return found if found and Constraint not in backend.native else list(map(type, samples))


# --- examining answers --------------------------------------------------------------------------


def _examine_problem(
    backend: Backend, kind: str, problem: Problem, rng: random.Random, report: Report
) -> None:
    verdict = backend.accepts(problem)
    if isinstance(verdict, Refused):
        report.refused[kind] += 1
        report.faults.extend(refusal_faults(backend, problem))
        report.faults.extend(unnamed_faults(backend, problem, verdict.reason))
        return
    report.accepted[kind] += 1
    _examine_answers(kind, problem, _questions(backend, consult(problem), rng), report)


def _examine_answers(
    kind: str,
    problem: Problem,
    questions: Iterable[tuple[str, Callable[[], list[str]]]],
    report: Report,
) -> None:
    for question, faults_of in questions:
        try:
            faults = faults_of()
        except Exception as error:  # whatever a backend raises here is a fault of its own
            faults = [f"accepted the problem, then raised {type(error).__name__}: {error}"]
        for fault in faults:
            report.faults.append(f"{kind}, {question}: {fault}\n{described(problem)}")


def _examine_plain(
    backend: Backend, placed: Placed, tally: Counter[tuple[str, str]], report: Report
) -> None:
    """The first question alone: for all solutions, of a complete backend; nothing where it is
    refused, which the drawn ones look at."""
    drawn, position, problem = placed
    if isinstance(backend.accepts(problem), Refused):
        return
    tally[drawn.__name__, position] += 1
    kind = f"plain {drawn.__name__}, {position}"
    questions = _questions(backend, consult(problem), random.Random(kind))
    _examine_answers(kind, problem, islice(questions, 1), report)


def refusal_faults(backend: Backend, problem: Problem) -> list[str]:
    """What ``accepts`` refuses, ``solve`` refuses too."""
    try:
        backend.solve(problem, Solutions(1), Limits())
    except Unsupported:
        return []
    return [f"accepts() refused a problem that solve() answered\n{described(problem)}"]


def unnamed_faults(backend: Backend, problem: Problem, reason: str) -> list[str]:
    """A refusal that is due to foreign constraints names the class of one of them."""
    structure = problem.structure
    known = tuple(c for c in structure.constraints if type(c) not in LEAST)
    names = {type(c).__name__ for c in structure.constraints if type(c) in LEAST}
    if not names or any(name in reason for name in names):
        return []
    without = Problem(replace(structure, constraints=known), problem.masks)
    if isinstance(backend.accepts(without), Refused):
        return []
    return [f"the refusal {reason!r} names none of {sorted(names)}\n{described(problem)}"]


def _questions(
    backend: Backend, oracle: Oracle, rng: random.Random
) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    many = len(oracle.expected)
    if not is_complete(backend):
        yield "Solutions(1)", lambda: incomplete_faults(backend, oracle)
        return
    most = most_solutions(backend)
    limits = {1, 2, max(1, many), many + 1}
    yield "Solutions(None)", lambda: enumeration_faults(backend, oracle)
    for limit in sorted(limit for limit in limits if limit <= most):
        yield f"Solutions({limit})", partial(limited_faults, backend, oracle, limit)
    if many <= most:
        yield "constraints in another order", lambda: reordered_faults(backend, oracle, rng)
    if 1 < many <= most:
        yield "sink", lambda: sink_faults(backend, oracle, rng.randint(1, many - 1))
    if oracle.problem.structure.objective is None:
        return
    if not getattr(backend, "optimises", True):
        yield "Optimum", lambda: refused_ask_faults(backend, oracle, Optimum())
        yield "AllOptima", lambda: refused_ask_faults(backend, oracle, AllOptima())
        return
    yield "Optimum", lambda: optimum_faults(backend, oracle)
    yield "AllOptima", lambda: all_optima_faults(backend, oracle)


def most_solutions(backend: Backend) -> float:
    """How many solutions it enumerates."""
    declared = getattr(backend, "most_solutions", None)
    return inf if declared is None else declared


def _asked(
    backend: Backend, problem: Problem, ask: Ask, sink: Sink | None = None
) -> tuple[Result, list[str]]:
    """The answer, and what it claims and does not show.

    Of the solutions only the first is checked for what it says: the oracle knows them all.
    """
    started = perf_counter()
    result = backend.solve(problem, ask, Limits(), sink)
    seconds = perf_counter() - started
    fault = shortfall(result, ask, problem, seconds=seconds, sink=sink is not None, most=1)
    return result, [fault] if fault else []


def enumeration_faults(backend: Backend, oracle: Oracle) -> list[str]:
    """Every solution once, and the claims that follow from it; see also ``most_solutions``."""
    if len(oracle.expected) > most_solutions(backend):
        return given_up_faults(backend, oracle, Solutions(None, None))
    result, faults = _asked(backend, oracle.problem, Solutions(None, None))
    return faults + judge_every(oracle, result)


def given_up_faults(backend: Backend, oracle: Oracle, ask: Ask) -> list[str]:
    """Where there are too many solutions: the declared number of them, each once, and no claim."""
    result, faults = _asked(backend, oracle.problem, ask)
    expected = oracle.expected if isinstance(ask, Solutions) else oracle.reached
    return faults + judge_given_up(oracle, result, expected, most_solutions(backend))


def limited_faults(backend: Backend, oracle: Oracle, limit: int) -> list[str]:
    """At most ``limit`` solutions, and exhausted exactly when there are fewer."""
    result, faults = _asked(backend, oracle.problem, Solutions(limit, limit))
    return faults + judge_limited(oracle, limit, result, oracle.expected)


def reordered_faults(backend: Backend, oracle: Oracle, rng: random.Random) -> list[str]:
    """The order of the constraints must not matter."""
    problem = oracle.problem
    constraints = list(problem.structure.constraints)
    rng.shuffle(constraints)
    other = Problem(replace(problem.structure, constraints=tuple(constraints)), problem.masks)
    if isinstance(backend.accepts(other), Refused):
        return []
    result, faults = _asked(backend, other, Solutions(None, None))
    return faults + judge_set(oracle, result, oracle.expected)


def sink_faults(backend: Backend, oracle: Oracle, after: int) -> list[str]:
    """A sink sees every solution as it is found, and its false ends the search."""
    seen: list[Assignment] = []

    def sink(values: Assignment) -> bool:
        seen.append(values)
        return len(seen) < after

    result, faults = _asked(backend, oracle.problem, Solutions(None, None), sink)
    if len(seen) != after or result.count != after or result.stopped_by != "sink":
        return [
            f"the sink stopped after {after}, yet it saw {len(seen)}, the count is "
            f"{result.count} and the search was stopped by {result.stopped_by}"
        ]
    return faults


def optimum_faults(backend: Backend, oracle: Oracle) -> list[str]:
    """The best value, with a solution that reaches it."""
    result, faults = _asked(backend, oracle.problem, Optimum())
    return faults + judge_optimum(oracle, result)


def all_optima_faults(backend: Backend, oracle: Oracle) -> list[str]:
    """All solutions that reach the best value, and no others; see also ``most_solutions``."""
    if len(oracle.reached) > most_solutions(backend):
        return given_up_faults(backend, oracle, AllOptima(None, None))
    result, faults = _asked(backend, oracle.problem, AllOptima(None, None))
    return faults + judge(oracle, AllOptima(None, None), result)


def refused_ask_faults(backend: Backend, oracle: Oracle, ask: Ask) -> list[str]:
    """A backend with ``optimises = False`` raises ``Unsupported`` when asked for an optimum."""
    try:
        result = backend.solve(oracle.problem, ask, Limits())
    except Unsupported:
        return []
    return [f"declares that it does not optimise, yet answered {result.status}"]


def incomplete_faults(backend: Backend, oracle: Oracle) -> list[str]:
    """An incomplete backend may give up, but what it says must be true."""
    result, faults = _asked(backend, oracle.problem, Solutions(1))
    return faults + judge_incomplete(oracle, result)


def described(problem: Problem) -> str:
    """The problem as Python that states it again, for a bug report."""
    structure = problem.structure
    lines = ["Problem(Structure(", f"    {structure.names!r},", f"    {structure.domains!r},"]
    lines.append("    (")
    lines.extend(f"        {constraint!r}," for constraint in structure.constraints)
    lines.append("    ),")
    lines.append(f"    {structure.objective!r}, {structure.output!r},")
    lines.append(f"), {problem.masks!r})")
    return "\n".join(lines)
