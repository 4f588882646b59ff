"""The suite that every backend passes, ours or a third party's: one call in your tests runs it.

    from backends.conformance import conform
    conform(MyBackend())          # raises ConformanceFailure with every fault found

It draws small random problems from the vocabulary that the backend declares (native constraints
and those that rewrites lead to), asks each question of the interface, and compares with the
brute-force oracle. Each drawn structure is posed at least twice, with other givens and with its
constraints in another order, so that a cache that mixes instances up or an answer that depends on
the order is found out. Refusals must match: what ``accepts`` refuses, ``solve`` refuses too; and a
backend that declares ``optimises = False`` refuses to be asked for an optimum.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

from backends.api import (
    AllOptima,
    Ask,
    Backend,
    Limits,
    Optimum,
    Refused,
    Result,
    Solutions,
    is_complete,
)
from backends.collector import Collector
from modelling.brute_force import optima, solutions
from modelling.check import violations
from modelling.constraints import (
    RELATIONS,
    AllDifferent,
    Constraint,
    Linear,
    NotEqual,
    Table,
)
from modelling.errors import Unsupported
from modelling.problem import Assignment, Objective, Problem, Structure
from modelling.rewrite import express

MOST_ASSIGNMENTS = 1500
"""Drawn problems stay this small, so that the oracle takes a millisecond or two."""


class ConformanceFailure(AssertionError):
    """The backend answered wrongly; the message lists the faults with the problems."""


@dataclass
class Report:
    """What a run of the suite did: problems by kind that were accepted, refusals, faults."""

    backend: str
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def conform(backend: Backend, problems: int = 300, seed: int = 0, most_faults: int = 5) -> Report:
    """Run the suite until ``problems`` problems were accepted; raise on any fault.

    A backend that accepts fewer than one drawn problem in fifty fails too: a declaration that
    lets nothing through cannot be tested.
    """
    report = examine(backend, problems, seed, most_faults)
    if report.faults:
        listed = "\n\n".join(report.faults)
        raise ConformanceFailure(f"{backend.name}: {len(report.faults)} faults\n\n{listed}")
    return report


def examine(backend: Backend, problems: int = 300, seed: int = 0, most_faults: int = 5) -> Report:
    """Like ``conform``, but returns the report instead of raising."""
    report = Report(backend.name)
    for drawn, (kind, problem) in enumerate(drawn_problems(seed, vocabulary(backend)), 1):
        if sum(report.accepted.values()) >= problems or len(report.faults) >= most_faults:
            break
        if drawn > 50 * problems:
            report.faults.append(f"only {sum(report.accepted.values())} of {drawn} were accepted")
            break
        _examine_problem(backend, kind, problem, random.Random(f"{seed}/{drawn}"), report)
    return report


def vocabulary(backend: Backend) -> list[type[Constraint]]:
    """The constraint types that the backend declares, natively or through a rewrite."""
    probe = Structure(("a", "b"), ((0, 1), (0, 1)), ())
    samples: list[Constraint] = [
        AllDifferent((0, 1)),
        NotEqual((0, 1)),
        Linear((0, 1), (1, 1), "==", 1),
        Table((0, 1), ((0, 1),)),
    ]
    return [type(c) for c in samples if express(c, probe, backend.native) is not None]


# --- drawing problems ---------------------------------------------------------------------------


def drawn_problems(seed: int, kinds: Sequence[type[Constraint]]) -> Iterator[tuple[str, Problem]]:
    """Random small problems without end, each with the name of what it is about."""
    shapes: tuple[tuple[str, Callable[[random.Random, Sequence[type[Constraint]]], Problem]], ...]
    shapes = (
        ("mixed", _mixed),
        ("free variables", _free),
        ("permutation", _permutation),
        ("gapped and negative", _gapped),
        ("spare values", _spare),
        ("unsatisfiable", _unsatisfiable),
        ("latin", _latin),
        ("empty domain", _empty_domain),
        ("dense", _dense),
        ("no variables", _tiny),
    )
    number = 0
    while True:
        rng = random.Random(f"conformance/{seed}/{number}")
        kind, draw = shapes[number % len(shapes)]
        problem = draw(rng, kinds)
        yield kind, problem
        yield f"{kind}, other givens", _other_givens(rng, problem)
        number += 1


def _domain(rng: random.Random, size: int, gapped: bool) -> tuple[int, ...]:
    if gapped:
        return tuple(sorted(rng.sample(range(-9, 12), size)))
    start = rng.choice((0, 1, 1, -2))
    return tuple(range(start, start + size))


def _domains(rng: random.Random, count: int, gapped: bool) -> tuple[tuple[int, ...], ...]:
    domains, room = [], MOST_ASSIGNMENTS
    for left in range(count, 0, -1):
        largest = max(1, min(5, int(room ** (1 / left)) + 1))
        domains.append(_domain(rng, rng.randint(1, largest), gapped))
        room //= len(domains[-1])
    return tuple(domains)


def _constraint(
    rng: random.Random, kind: type[Constraint], domains: Sequence[Sequence[int]]
) -> Constraint:
    """A constraint of ``kind`` over randomly chosen variables."""
    variables = range(len(domains))

    def some(least: int, most: int) -> tuple[int, ...]:
        most = min(most, len(domains))
        return tuple(rng.sample(variables, rng.randint(min(least, most), most)))

    if kind is NotEqual and len(domains) >= 2:
        return NotEqual(tuple(rng.sample(variables, 2)))
    if kind is Linear:
        scope = some(1, 5) if rng.random() < 0.95 else ()
        coefficients = tuple(rng.choice((1, 1, 1, -1, 2, -3, 7, 0)) for _ in scope)
        target = sum(
            c * rng.choice(domains[v] or (0,)) for c, v in zip(coefficients, scope, strict=True)
        )
        return Linear(scope, coefficients, rng.choice(tuple(RELATIONS)), target)
    if kind is Table:
        scope = some(1, 3) if rng.random() < 0.95 else ()
        every = list(product(*(domains[v] for v in scope)))
        rows = rng.sample(every, rng.randint(0, len(every)))
        if rng.random() < 0.3 and scope:  # a tuple outside the domains must not matter
            rows.append(tuple(99 for _ in scope))
        return Table(scope, tuple(rows), allowed=rng.random() < 0.6)
    return AllDifferent(some(0, 4))


def _structure(
    rng: random.Random,
    kinds: Sequence[type[Constraint]],
    domains: tuple[tuple[int, ...], ...],
    count: int,
) -> Structure:
    constraints = [_constraint(rng, rng.choice(kinds), domains) for _ in range(count)]
    objective = None
    if domains and rng.random() < 0.5:
        scope = tuple(rng.sample(range(len(domains)), rng.randint(1, len(domains))))
        weights = tuple(rng.randint(-4, 4) for _ in scope)
        objective = Objective(rng.choice(("minimize", "maximize")), scope, weights)
    names = tuple(f"x{i}" for i in range(len(domains)))
    return Structure(names, domains, tuple(constraints), objective)


def _mixed(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    domains = _domains(rng, rng.randint(2, 6), gapped=False)
    return _structure(rng, kinds, domains, rng.randint(1, 4)).problem()


def _dense(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    domains = _domains(rng, rng.randint(3, 6), gapped=rng.random() < 0.5)
    return _structure(rng, kinds, domains, rng.randint(5, 9)).problem()


def _gapped(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    domains = _domains(rng, rng.randint(2, 5), gapped=True)
    return _structure(rng, kinds, domains, rng.randint(1, 4)).problem()


def _free(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """Some variables occur in no constraint: each multiplies the count by its domain."""
    domains = _domains(rng, rng.randint(3, 5), gapped=rng.random() < 0.3)
    bound = domains[: rng.randint(0, len(domains) - 1)]
    inner = _structure(rng, kinds, bound, rng.randint(1, 2)) if bound else None
    names = tuple(f"x{i}" for i in range(len(domains)))
    return Structure(names, domains, inner.constraints if inner else ()).problem()


def _permutation(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """AllDifferent with exactly as many values as variables, where hidden values are sound."""
    size = rng.randint(2, 5)
    domain = _domain(rng, size, gapped=rng.random() < 0.3)
    names = tuple(f"x{i}" for i in range(size))
    extra = tuple(
        _constraint(rng, rng.choice(kinds), [domain] * size) for _ in range(rng.randint(0, 2))
    )
    whole = (AllDifferent(tuple(range(size))),) if AllDifferent in kinds else ()
    return _thinned(rng, Structure(names, (domain,) * size, whole + extra))


def _spare(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """AllDifferent with more values than variables, where hidden values are not sound."""
    size = rng.randint(2, 4)
    domain = _domain(rng, size + rng.randint(1, 2), gapped=rng.random() < 0.3)
    names = tuple(f"x{i}" for i in range(size))
    groups = [tuple(rng.sample(range(size), rng.randint(2, size))) for _ in range(2)]
    whole = tuple(AllDifferent(g) for g in groups) if AllDifferent in kinds else ()
    return _thinned(rng, Structure(names, (domain,) * size, whole))


def _latin(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """Overlapping AllDifferent groups: a Latin square of order 2 or 3, partly filled."""
    n = rng.choice((2, 3, 3, 3))
    names = tuple(f"x{i}" for i in range(n * n))
    rows = [AllDifferent(tuple(range(r * n, r * n + n))) for r in range(n)]
    columns = [AllDifferent(tuple(range(c, n * n, n))) for c in range(n)]
    groups = tuple(rows + columns) if AllDifferent in kinds else ()
    structure = Structure(names, (tuple(range(1, n + 1)),) * (n * n), groups)
    givens = {rng.randrange(n * n): rng.randint(1, n) for _ in range(rng.randint(2, 4) * (n - 1))}
    return _shrunk(rng, structure.problem(givens))


def _unsatisfiable(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """More variables than values, or constraints that exclude each other."""
    size = rng.randint(2, 5)
    domain = _domain(rng, size - 1, gapped=rng.random() < 0.3)
    names = tuple(f"x{i}" for i in range(size))
    constraints: list[Constraint] = []
    if AllDifferent in kinds:
        constraints.append(AllDifferent(tuple(range(size))))
    elif Linear in kinds:
        constraints.append(Linear((0, 1), (1, 1), ">", 2 * max(domain)))
    constraints.extend(_constraint(rng, rng.choice(kinds), [domain] * size) for _ in range(1))
    return Structure(names, (domain,) * size, tuple(constraints)).problem()


def _empty_domain(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """A variable without any value, by its base domain or by its mask."""
    problem = _mixed(rng, kinds)
    victim = rng.randrange(problem.structure.size)
    if rng.random() < 0.5:
        masks = list(problem.masks)
        masks[victim] = 0
        return Problem(problem.structure, tuple(masks))
    domains = list(problem.structure.domains)
    domains[victim] = ()
    return replace(problem.structure, domains=tuple(domains)).problem()


def _tiny(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """No variables at all, or one; constraints over no variables included."""
    size = rng.randint(0, 1)
    domains = tuple(_domain(rng, rng.randint(1, 4), gapped=True) for _ in range(size))
    constraints: list[Constraint] = []
    if rng.random() < 0.5 and AllDifferent in kinds:
        constraints.append(AllDifferent(()))
    if rng.random() < 0.3 and Linear in kinds:
        constraints.append(Linear((), (), rng.choice(tuple(RELATIONS)), rng.randint(-1, 1)))
    if rng.random() < 0.3 and Table in kinds:
        constraints.append(Table((), ((),) * rng.randint(0, 1), allowed=rng.random() < 0.5))
    return Structure(("x0",)[:size], domains, tuple(constraints)).problem()


def _thinned(rng: random.Random, structure: Structure) -> Problem:
    masks = [full & ~(rng.getrandbits(6) & rng.getrandbits(6)) for full in structure.full_masks]
    return Problem(structure, tuple(masks))


def _shrunk(rng: random.Random, problem: Problem) -> Problem:
    """The problem with further values closed until the oracle can enumerate it quickly."""
    masks = list(problem.masks)
    while True:
        size = 1
        for mask in masks:
            size *= max(1, mask.bit_count())
        if size <= MOST_ASSIGNMENTS:
            return Problem(problem.structure, tuple(masks))
        wide = rng.choice([i for i, mask in enumerate(masks) if mask.bit_count() > 1])
        masks[wide] = rng.choice(
            [1 << k for k in range(masks[wide].bit_length()) if masks[wide] >> k & 1]
        )


def _other_givens(rng: random.Random, problem: Problem) -> Problem:
    """The same structure with other values open: what a reused encoding must not mix up."""
    masks = []
    for full in problem.structure.full_masks:
        mask = full & ~(rng.getrandbits(8) & rng.getrandbits(8))
        masks.append(mask or full)
    return _shrunk(rng, Problem(problem.structure, tuple(masks)))


# --- examining answers --------------------------------------------------------------------------


def _examine_problem(
    backend: Backend, kind: str, problem: Problem, rng: random.Random, report: Report
) -> None:
    if isinstance(backend.accepts(problem), Refused):
        report.refused[kind] += 1
        report.faults.extend(_refusal_faults(backend, problem))
        return
    report.accepted[kind] += 1
    expected = list(solutions(problem))
    for question, faults_of in _questions(backend, problem, expected, rng):
        try:
            faults = faults_of()
        except Exception as error:  # whatever a backend raises here is a fault of its own
            faults = [f"accepted the problem, then raised {type(error).__name__}: {error}"]
        for fault in faults:
            report.faults.append(f"{kind}, {question}: {fault}\n{described(problem)}")


def _refusal_faults(backend: Backend, problem: Problem) -> list[str]:
    try:
        backend.solve(problem, Solutions(1), Limits())
    except Unsupported:
        return []
    return [f"accepts() refused a problem that solve() answered\n{described(problem)}"]


def _questions(
    backend: Backend, problem: Problem, expected: list[Assignment], rng: random.Random
) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    if not is_complete(backend):
        yield "Solutions(1)", lambda: incomplete_faults(backend, problem, expected)
        return
    limits = {1, 2, max(1, len(expected)), len(expected) + 1}
    yield "Solutions(None)", lambda: enumeration_faults(backend, problem, expected)
    for limit in sorted(limits):
        question = f"Solutions({limit})"
        yield question, partial(limited_faults, backend, problem, expected, limit)
    yield "constraints in another order", lambda: reordered_faults(backend, problem, expected, rng)
    if len(expected) > 1:
        yield "sink", lambda: sink_faults(backend, problem, rng.randint(1, len(expected) - 1))
    if problem.structure.objective is None:
        return
    if not getattr(backend, "optimises", True):
        yield "Optimum", lambda: refused_ask_faults(backend, problem, Optimum())
        yield "AllOptima", lambda: refused_ask_faults(backend, problem, AllOptima())
        return
    yield "Optimum", lambda: optimum_faults(backend, problem)
    yield "AllOptima", lambda: all_optima_faults(backend, problem)


def enumeration_faults(backend: Backend, problem: Problem, expected: list[Assignment]) -> list[str]:
    """Every solution once, and the claims that follow from it."""
    result = backend.solve(problem, Solutions(None, None), Limits())
    faults = _set_faults(problem, result, expected)
    if not result.exhausted:
        faults.append(f"not exhausted, but {result.stopped_by}")
    if result.status != ("SATISFIABLE" if expected else "UNSATISFIABLE"):
        faults.append(f"status {result.status} with {len(expected)} solutions")
    return faults


def limited_faults(
    backend: Backend, problem: Problem, expected: list[Assignment], limit: int
) -> list[str]:
    """At most ``limit`` solutions, and exhausted exactly when there are fewer."""
    result = backend.solve(problem, Solutions(limit, limit), Limits())
    faults = _solution_faults(problem, result)
    if result.count != min(limit, len(expected)):
        faults.append(f"count {result.count} of {len(expected)} with limit {limit}")
    if result.exhausted != (len(expected) < limit):
        faults.append(f"stopped by {result.stopped_by} with limit {limit} of {len(expected)}")
    if len(result.solutions) != result.count:
        faults.append(f"kept {len(result.solutions)} of {result.count}, asked for all")
    return faults


def reordered_faults(
    backend: Backend, problem: Problem, expected: list[Assignment], rng: random.Random
) -> list[str]:
    """The order of the constraints must not matter."""
    constraints = list(problem.structure.constraints)
    rng.shuffle(constraints)
    other = Problem(replace(problem.structure, constraints=tuple(constraints)), problem.masks)
    if isinstance(backend.accepts(other), Refused):
        return []
    return _set_faults(other, backend.solve(other, Solutions(None, None), Limits()), expected)


def sink_faults(backend: Backend, problem: Problem, after: int) -> list[str]:
    """A sink sees every solution as it is found, and its false ends the search."""
    seen: list[Assignment] = []

    def sink(values: Assignment) -> bool:
        seen.append(values)
        return len(seen) < after

    result = backend.solve(problem, Solutions(None, None), Limits(), sink)
    if len(seen) != after or result.count != after or result.stopped_by != "sink":
        return [
            f"the sink stopped after {after}, yet it saw {len(seen)}, the count is "
            f"{result.count} and the search was stopped by {result.stopped_by}"
        ]
    return []


def optimum_faults(backend: Backend, problem: Problem) -> list[str]:
    """The best value, with a solution that reaches it."""
    best, reached = optima(problem)
    result = backend.solve(problem, Optimum(), Limits())
    return _optimum_claim_faults(problem, result, best, bool(reached))


def all_optima_faults(backend: Backend, problem: Problem) -> list[str]:
    """All solutions that reach the best value, and no others."""
    best, reached = optima(problem)
    result = backend.solve(problem, AllOptima(None, None), Limits())
    return _optimum_claim_faults(problem, result, best, bool(reached)) + _set_faults(
        problem, result, reached
    )


def refused_ask_faults(backend: Backend, problem: Problem, ask: Ask) -> list[str]:
    """A backend with ``optimises = False`` raises ``Unsupported`` when asked for an optimum."""
    try:
        result = backend.solve(problem, ask, Limits())
    except Unsupported:
        return []
    return [f"declares that it does not optimise, yet answered {result.status}"]


def incomplete_faults(backend: Backend, problem: Problem, expected: list[Assignment]) -> list[str]:
    """An incomplete backend may give up, but what it says must be true."""
    result = backend.solve(problem, Solutions(1), Limits())
    faults = _solution_faults(problem, result)
    if result.exhausted:
        faults.append("an incomplete backend claims to have exhausted the search space")
    if result.count and not expected:
        faults.append("a solution to a problem that has none")
    return faults


def _optimum_claim_faults(
    problem: Problem, result: Result, best: int, satisfiable: bool
) -> list[str]:
    faults = _solution_faults(problem, result)
    if not satisfiable:
        if result.status != "UNSATISFIABLE":
            faults.append(f"status {result.status}, but there is no solution")
        return faults
    objective = problem.structure.objective
    assert objective is not None
    if result.status != "OPTIMUM" or result.objective != best:
        faults.append(f"{result.status} {result.objective}, but the optimum is {best}")
    for values in result.solutions:
        if not violations(problem, values) and objective.value(values) != best:
            faults.append(f"{values} does not reach the optimum {best}")
    if not result.solutions:
        faults.append("no solution is kept")
    return faults


def _solution_faults(problem: Problem, result: Result) -> list[str]:
    faults = []
    for values in result.solutions:
        if not isinstance(values, tuple) or any(type(v) is not int for v in values):
            faults.append(f"a solution must be a tuple of integers, not {values!r}")
        faults.extend(f"{values}: {v}" for v in violations(problem, values))
    faults.extend(
        f"statistic {name} is {number!r}"
        for name, number in result.statistics.items()
        if isinstance(number, bool) or not isinstance(number, (int, float)) or number < 0
    )
    return faults


def _set_faults(problem: Problem, result: Result, expected: list[Assignment]) -> list[str]:
    faults = _solution_faults(problem, result)
    found = Counter(result.solutions)
    absent = set(expected) - set(found)
    if absent:
        faults.append(f"{len(absent)} solutions are missing, such as {min(absent)}")
    repeated = [values for values, times in found.items() if times > 1]
    if repeated or result.repeats:
        faults.append(f"{len(repeated)} solutions are repeated, {result.repeats} reported")
    if result.count != len(expected):
        faults.append(f"count {result.count}, but there are {len(expected)}")
    if not faults and result.digest != _digest(expected):
        faults.append(f"digest {result.digest} does not belong to the solutions")
    return faults


def _digest(expected: list[Assignment]) -> str:
    collector = Collector(Solutions(None, 0))
    for values in expected:
        collector.add(values)
    return collector.digest


def described(problem: Problem) -> str:
    """The problem as Python that states it again, for a bug report."""
    structure = problem.structure
    lines = ["Problem(Structure(", f"    {structure.names!r},", f"    {structure.domains!r},"]
    lines.append("    (")
    lines.extend(f"        {constraint!r}," for constraint in structure.constraints)
    lines.append("    ),")
    lines.append(f"    {structure.objective!r},")
    lines.append(f"), {problem.masks!r})")
    return "\n".join(lines)
