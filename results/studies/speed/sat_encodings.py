"""Which handlers, integers and sums `sat` has by default: each against what it replaces.

    python -m results.studies.speed.sat_encodings [--only NAME]... [--repeat K] [--out FOLDER]

Instances of each of ``DRAWS`` (a class of the vocabulary in a small problem of random domains,
weights or arcs) are answered by ``sat`` as it is and by ``sat`` with one thing else: without its
handler, so that the class is rewritten, or with another ``integers=`` or ``sums=``. All answer in
turn, in this process, nothing kept, so that encoding counts too: CPU time of rewriting, encoding
and the first solution, or the proof that there is none, of each the median of the repeats. A row
has the median of an instance's ratios, the other by the default: above 1, the default is faster.
Status and objective must agree.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any

import msgspec

from backends.interface import registry
from backends.interface.api import Ask, Limits, Optimum, Solutions
from backends.interface.driver import Driver
from backends.interface.handlers import Handler
from backends.sat.backend import Sat
from backends.sat.constraints.handlers import HANDLERS
from modelling.constraints import (
    AllDifferent,
    And,
    Constraint,
    Define,
    Element,
    Iff,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Sum,
    Table,
    Truth,
    Xor,
)
from modelling.problem import Objective, Problem, state
from modelling.terms import constant, constants
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from results.studies.runner import Known, Options, Study, option

SECONDS = 5.0
INSTANCES = 5
OF_OPTIONS = 3
"""Their number for another ``integers=`` or ``sums=``, which may take long; asked once."""
FORMULAS = (And, Or, Not, Implies, Iff, Xor, Truth, Sum)


def _named(number: int, values: range) -> dict[str, range]:
    return {f"x{k}": values for k in range(number)}


def circuit(rng: random.Random) -> Problem:
    """A tour with few arcs and a bound on its length."""
    n = 12
    arcs = [sorted({(i + 1) % n, *rng.sample(range(n), 4)} - {i}) for i in range(n)]
    return state({f"x{i}": arc for i, arc in enumerate(arcs)}, [Circuit(tuple(range(n)))])


def inverse(rng: random.Random) -> Problem:
    """A permutation whose inverse has a given sum."""
    n = 15
    factors = tuple(rng.randint(1, 9) for _ in range(n))
    total = Linear(tuple(range(n)), factors, "==", sum(factors) * n // 2)
    return state(_named(2 * n, range(n)), [Inverse(tuple(range(n)), tuple(range(n, 2 * n))), total])


def cumulative(rng: random.Random) -> Problem:
    """Tasks that must end as early as can be."""
    n, durations = 7, [rng.randint(1, 5) for _ in range(7)]
    demands = [rng.randint(1, 4) for _ in range(n)]
    ends = [Linear((i, n), (1, -1), "<=", -duration) for i, duration in enumerate(durations)]
    task = Cumulative(tuple(range(n)), constants(*durations), constants(*demands), constant(5))
    domains = {**_named(n, range(20)), "end": range(26)}
    return state(domains, [task, *ends], objective=Objective("minimize", ("end",), (1,)))


def no_overlap(rng: random.Random) -> Problem:
    """Two machines, tasks in order: a small shop."""
    jobs, lengths = 4, [[rng.randint(1, 9) for _ in range(2)] for _ in range(4)]
    last, horizon = 2 * jobs, sum(map(sum, lengths))
    order = [
        part
        for j, (one, other) in enumerate(lengths)
        for part in (
            Linear((2 * j, 2 * j + 1), (1, -1), "<=", -one),
            Linear((2 * j + 1, last), (1, -1), "<=", -other),
        )
    ]
    machines = [
        NoOverlap(tuple(range(m, last, 2)), constants(*(row[m] for row in lengths)))
        for m in range(2)
    ]
    names = _named(last + 1, range(horizon + 1))
    return state(names, [*order, *machines], objective=Objective("minimize", (last,), (1,)))


def _function(make: Callable[[random.Random], Any]) -> Callable[[random.Random], Problem]:
    """Chains of a function: x3 is that of x0, x1 and x2, and so on; the values all differ."""

    def draw(rng: random.Random) -> Problem:
        parts: list[Constraint] = [AllDifferent(tuple(range(0, 12, 3)))]
        for k in range(0, 9, 3):
            function = make(rng).mapped(lambda v, k=k: v + k)
            parts.append(Define(k + 3, function))
        return state(_named(12, range(-6, 12)), parts)

    return draw


def count(rng: random.Random) -> Problem:
    """How often values occur is what the first terms say."""
    n = 9
    counts = [Define(v, Count(tuple(range(n)), (constant(v),))) for v in range(n)]
    total = Linear(tuple(range(n)), tuple(rng.choice((1, 1, 2)) for _ in range(n)), "<=", 2 * n)
    return state(_named(n, range(n)), [*counts, total])


def knapsack(rng: random.Random) -> Problem:
    """Several of each thing, two bounds, the value maximal."""
    n = 10
    rows = [tuple(rng.randint(5, 99) for _ in range(n)) for _ in range(3)]
    bounds = (Linear(tuple(range(n)), row, "<=", sum(row)) for row in rows[:2])
    return state(
        _named(n, range(4)), list(bounds), objective=Objective("maximize", tuple(range(n)), rows[2])
    )


def wide(rng: random.Random) -> Problem:
    """Sums over two hundred values."""
    n = 6
    parts = [
        Linear(tuple(rng.sample(range(n), 3)), tuple(rng.randint(1, 30) for _ in range(3)), "==", c)
        for c in (rng.randint(2000, 6000) for _ in range(2))
    ]
    return state(_named(n, range(200)), parts)


def chain(rng: random.Random) -> Problem:
    """Differences over hundreds of values."""
    n = 12
    parts = [
        Linear((i, j), (1, -1), "<=", -rng.randint(1, 25))
        for i in range(n)
        for j in rng.sample(range(i + 1, n + 1), min(3, n - i))
    ]
    return state(_named(n + 1, range(300)), parts, objective=Objective("minimize", (n,), (1,)))


def at_most(rng: random.Random) -> Problem:
    """Booleans of which some sets have so many true."""
    n = 40
    parts = [
        Linear(tuple(rng.sample(range(n), 15)), (1,) * 15, rng.choice(("<=", "==", ">=")), 7)
        for _ in range(14)
    ]
    return state(_named(n, range(2)), parts)


DRAWS: Mapping[str, tuple[Callable[[random.Random], Problem], tuple[Any, ...]]] = {
    "Element of variables": (_function(lambda rng: Element((0, 1, 2), 1)), (Element,)),
    "Distance": (_function(lambda rng: Distance(0, rng.choice((1, 2)))), (Distance,)),
    "Product": (_function(lambda rng: Product((0, 1))), (Product,)),
    "Quotient": (_function(lambda rng: Quotient(0, 1)), (Quotient,)),
    "Remainder": (_function(lambda rng: Remainder(0, 1)), (Remainder,)),
    "Minimum": (_function(lambda rng: Minimum((0, 1, 2))), (Minimum,)),
    "Maximum": (_function(lambda rng: Maximum((0, 1, 2))), (Maximum,)),
    "Circuit": (circuit, (Circuit,)),
    "Inverse": (inverse, (Inverse,)),
    "Cumulative": (cumulative, (Cumulative,)),
    "NoOverlap": (no_overlap, FORMULAS),
    "Count": (count, FORMULAS),
    "knapsacks": (knapsack, ()),
    "wide sums": (wide, ()),
    "chains of differences": (chain, ()),
    "cardinalities": (at_most, ()),
}
"""How an instance is drawn, and which handlers are taken away."""

OPTIONS = (
    *(f"integers={form}" for form in ("direct", "order", "log")),
    *(f"sums={technique}" for technique in ("diagram", "totalizer", "counter", "adder")),
)


class Row(msgspec.Struct):
    """One thing else: the median of its ratios to the default, and in how many instances neither
    was settled, and it alone."""

    name: str
    other: str
    ratio: float
    default_ms: float
    other_ms: float
    instances: int
    unsettled: int


def without(kinds: Sequence[Any]) -> Driver:
    """``sat`` that rewrites these classes; without formulas, none is reified natively either."""
    known: Any = registry.get("sat")
    solver = Sat("sat", registry.spec("sat").options, known.solver.engine)
    handlers = {k: h for k, h in HANDLERS.items() if k not in kinds}
    if kinds is FORMULAS:
        handlers |= {kind: Handler(HANDLERS[kind].post) for kind in (Linear, NotEqual, Table)}
    solver.handlers = handlers
    return Driver("sat", solver, keep=False)


def asked(backend: Any, problem: Problem) -> tuple[float, Any]:
    """Seconds of CPU, and what was said; nothing if it took too long."""
    ask: Ask = Solutions(1) if problem.structure.objective is None else Optimum()
    fresh = Driver(backend.name, backend.solver, keep=False)
    begun = process_time()
    result = fresh.solve(problem, ask, Limits(seconds=SECONDS))
    took = process_time() - begun
    settled = result.stopped_by in ("exhausted", "enough")
    return took, (result.status, result.objective) if settled else None


def compare(name: str, other: str, backend: Any, instances: int, repeats: int) -> Row:
    """The default against another one, on all instances of a name."""
    draw, _ = DRAWS[name]
    times: list[tuple[float, float]] = []
    unsettled = 0
    for number in range(instances):
        problem = draw(random.Random(f"{name}/{number}"))
        sides = (registry.get("sat"), backend)
        seconds: tuple[list[float], list[float]] = ([], [])
        for turn in range(repeats):
            said = []
            for side in (0, 1) if turn % 2 else (1, 0):
                took, answer = asked(sides[side], problem)
                seconds[side].append(took)
                said.append(answer)
            if None in said:
                unsettled += 1
                break
            if said[0] != said[1]:
                raise AssertionError(f"{name} {number}, {other}: {said}")
        times.append((median(seconds[0]), median(seconds[1])))
    return Row(
        name,
        other,
        round(median(b / a for a, b in times), 2),
        round(1e3 * median(a for a, _ in times), 2),
        round(1e3 * median(b for _, b in times), 2),
        len(times),
        unsettled,
    )


def report_of(rows: Sequence[Row]) -> str:
    """The table."""
    lines = [
        "# Encodings of `sat`",
        "",
        "Made by `python -m results.studies.speed.sat_encodings "
        "--out results/reference/sat_encodings`.",
        "",
        "Each row: `sat` as it is, and with one thing else. Ratio: median of the other's time by "
        "the default's (above 1, the default is faster). Milliseconds of CPU, medians; unsettled: "
        f"instances for which one of the two took more than {SECONDS:.0f} s.",
        "",
        "| instances | other | ratio | default ms | other ms | instances | unsettled |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.name} | {row.other} | {row.ratio:.2f} | {row.default_ms:.1f} | "
        f"{row.other_ms:.1f} | {row.instances} | {row.unsettled} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """A row for each name and other encoding."""
    for name, (_, kinds) in DRAWS.items():
        if chosen.only and not any(name.startswith(wanted) for wanted in chosen.only):
            continue
        others = {f"sat:{options}": registry.get(f"sat:{options}") for options in OPTIONS}
        sizes = (INSTANCES, chosen.repeat) if kinds else (OF_OPTIONS, 1)
        if kinds:
            others = {"rewritten": without(kinds)}
        for other, backend in others.items():
            if (name, other) not in known:
                yield compare(name, other, backend, *sizes)


STUDY = Study(
    "speed.sat_encodings",
    __doc__,
    Row,
    key=lambda row: (row.name, row.other),
    measure=measure,
    report=lambda rows, chosen: report_of(rows),
    options=(
        option("--only", [], "these alone", metavar="NAME"),
        option("--repeat", 3, "of each instance"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
