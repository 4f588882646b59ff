"""How do encodings grow? Clauses, variables, time and memory by n, and the exponent of each.

    python -m results.studies.speed.growth [--only CLASS]... [--n N]... [--out FOLDER]

One constraint of each of ``CASES`` with n terms, tasks or nodes, for each n of ``NUMBERS``: its
formula for ``sat`` with each ``integers=``, and its flat rewrite for ``propagation`` and ``cpsat``
(size: numbers and terms written). Each is made in a process of its own, a copy of this one, whose
peak memory beyond what it began with is told. An exponent is the slope of log size over log n, by
least squares over the n from ``LARGE`` on, where constant parts do not matter. It is compared with
the order that the docstring of the class states for the decomposition; a logarithm of n, which
binary digits bring, passes as ``LOGARITHM``. Exit status 1 if one grows faster.

The exponent up to ``LARGE`` is shown beside it. For direct integers (and auto, which is direct
there) it may be higher: up to 64 literals at-most-one is pairwise, the square of a domain that here
grows with n; it is the fastest there, and no part of what is compared.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import log
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time
from typing import Any, NamedTuple

import msgspec

from backends.interface import registry
from backends.interface.handlers import profile_of
from backends.sat.cnf import TooLarge
from modelling.constraints import Define, Element
from modelling.problem import Structure, state
from modelling.rewriting import Rewritten, rewrite
from modelling.terms import constant, constants
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.scheduling.cumulative import Cumulative
from results.studies.runner import Known, Options, Study, option
from results.studies.speed.measuring import read_peak_mb

NUMBERS = (10, 20, 40, 60, 100, 200)
MOST_REWRITTEN = 200
"""A flat rewrite of more takes minutes."""

LARGE = 40
LOGARITHM = 0.35
"""Between 40 and 200 the digits of n grow from 6 to 8, n ** 0.18; and fits are not exact."""

FORMS = ("auto", "direct", "order", "log")
REWRITTEN = ("propagation", "cpsat")
MAKERS = (*(f"sat:integers={form}" for form in FORMS), *REWRITTEN)

STATES, VALUES, HORIZON = 5, 3, 60


def circuit(n: int) -> Structure:
    """n nodes, each next to any."""
    return state({f"x{i}": range(n) for i in range(n)}, [Circuit(tuple(range(n)))]).structure


def cumulative(n: int) -> Structure:
    """n tasks in a time that does not grow."""
    names = {f"s{i}": range(HORIZON) for i in range(n)}
    return state(
        names, [Cumulative(tuple(range(n)), constants(*[3] * n), constants(*[2] * n), constant(7))]
    ).structure


def regular(n: int) -> Structure:
    """n terms, one automaton."""
    arcs = tuple((s, v, (2 * s + v) % STATES) for s in range(STATES) for v in range(VALUES))
    names = {f"x{i}": range(VALUES) for i in range(n)}
    return state(names, [Regular(tuple(range(n)), arcs, 0, (0, 1))]).structure


def inverse(n: int) -> Structure:
    """Two permutations of n."""
    names = {f"x{i}": range(n) for i in range(2 * n)}
    return state(names, [Inverse(tuple(range(n)), tuple(range(n, 2 * n)))]).structure


def element_of_constants(n: int) -> Structure:
    """n constants from 0 to 9."""
    terms = constants(*(i * i % 10 for i in range(n)))
    return state({"i": range(n), "z": range(10)}, [Define(1, Element(terms, 0))]).structure


def element_of_variables(n: int) -> Structure:
    """n variables from 0 to 9."""
    names = {"i": range(n), "z": range(10), **{f"x{i}": range(10) for i in range(n)}}
    return state(names, [Define(1, Element(tuple(range(2, n + 2)), 0))]).structure


class Case(NamedTuple):
    """A constraint by n, and the exponent of n in the order that its class states."""

    build: Callable[[int], Structure]
    stated: int


CASES: Mapping[str, Case] = {
    "Circuit": Case(circuit, 2),
    "Cumulative": Case(cumulative, 2),
    "Regular": Case(regular, 1),
    "Inverse": Case(inverse, 2),
    "Element of constants": Case(element_of_constants, 1),
    "Element of variables": Case(element_of_variables, 1),
}


class Row(msgspec.Struct):
    """One encoding; ``size`` is of clauses, or of what is written flat; -1: refused."""

    case: str
    maker: str
    n: int
    size: int
    variables: int
    seconds: float
    megabytes: float


def measure(case: str, maker: str, n: int) -> Row:
    """One encoding, in a process of its own."""
    context = get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_measure, args=(case, maker, n, there))
    process.start()
    there.close()
    row: Row = msgspec.json.decode(here.recv_bytes(), type=Row)
    process.join()
    return row


def _measure(case: str, maker: str, n: int, pipe: Connection) -> None:
    structure = CASES[case].build(n)
    before, begun = read_peak_mb(), process_time()
    size, variables = (_encoded if maker.startswith("sat") else _rewritten)(structure, maker)
    seconds, megabytes = process_time() - begun, read_peak_mb() - before
    row = Row(case, maker, n, size, variables, round(seconds, 3), round(megabytes, 1))
    pipe.send_bytes(msgspec.json.encode(row))


def _encoded(structure: Structure, maker: str) -> tuple[int, int]:
    driver: Any = registry.get(maker)
    found = rewrite(structure, profile_of(driver.solver.handlers))
    if not isinstance(found, Rewritten):
        return -1, 0
    try:
        encoding = driver.preparation.encode("", found.structure)
    except TooLarge:
        return -1, 0
    return len(encoding.clauses), encoding.top


def _rewritten(structure: Structure, maker: str) -> tuple[int, int]:
    found = rewrite(structure, profile_of(_handlers(maker)))
    if not isinstance(found, Rewritten):
        return -1, 0
    return sum(c.size() for c in found.structure.constraints), found.structure.size


def _handlers(maker: str) -> Any:
    driver: Any = registry.get(maker)
    return driver.solver.handlers


def exponent(rows: Sequence[Row], least: int = LARGE, most: int = max(NUMBERS)) -> float:
    """The slope of log size over log n, from ``least`` to ``most``."""
    fitted = [row for row in rows if least <= row.n <= most and row.size > 0]
    points = [(log(row.n), log(row.size)) for row in fitted]
    if len(points) < 2:
        return 0.0
    x, y = (sum(column) / len(points) for column in zip(*points, strict=True))
    slope: float = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return slope


def report_of(rows: Sequence[Row]) -> str:
    """The tables."""
    lines = [
        "# How encodings grow",
        "",
        f"Made by `python -m results.studies.speed.growth --out results/reference/growth` "
        f"(n from {min(NUMBERS)} to {max(NUMBERS)}; exponents from {LARGE} on).",
        "",
        "Size is clauses for `sat`, and for the others the numbers and terms of the flat rewrite. "
        "A dash: refused. Seconds of CPU and megabytes at the largest n. Up to 40: the exponent "
        "there, where at-most-one of direct integers is pairwise.",
        "",
        "| constraint | for | stated | exponent | up to 40 | at 10 | at 40 | at the last n | n "
        "| variables | s | MB |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for case, found in CASES.items():
        for maker in dict.fromkeys(row.maker for row in rows):
            own = [row for row in rows if (row.case, row.maker) == (case, maker)]
            if not own:
                continue
            sizes = {row.n: "–" if row.size < 0 else f"{row.size:,}" for row in own}
            last = own[-1]
            shown = " | ".join(sizes.get(n, "") for n in (10, 40, last.n))
            lines.append(
                f"| {case} | {maker} | {found.stated} | {exponent(own):.2f} | "
                f"{exponent(own, 1, LARGE):.2f} | {shown} | "
                f"{last.n} | {last.variables:,} | {last.seconds:.2f} | {last.megabytes:.0f} |"
            )
    return "\n".join(lines) + "\n"


def faster(rows: Sequence[Row]) -> list[str]:
    """What grows faster than it is stated to."""
    found = []
    for case, known in CASES.items():
        for maker in dict.fromkeys(row.maker for row in rows if row.case == case):
            slope = exponent([row for row in rows if (row.case, row.maker) == (case, maker)])
            if slope > known.stated + LOGARITHM:
                found.append(f"{case}, {maker}: exponent {slope:.2f}, stated {known.stated}")
    return found


def measure_all(chosen: Options, known: Known) -> Iterator[Row]:
    """A row for each class, encoding and n."""
    for case, maker in product(CASES, MAKERS):
        if chosen.only and not any(case.startswith(name) for name in chosen.only):
            continue
        most = MOST_REWRITTEN if maker in REWRITTEN else max(NUMBERS)
        for n in chosen.n or [number for number in NUMBERS if number <= most]:
            if (case, maker, n) not in known:
                yield measure(case, maker, n)


def order(rows: Iterable[Row]) -> list[Row]:
    """Rows by class and encoding, with ascending n."""
    cases = list(CASES)
    return sorted(rows, key=lambda row: (cases.index(row.case), MAKERS.index(row.maker), row.n))


STUDY = Study(
    "speed.growth",
    __doc__,
    Row,
    key=lambda row: (row.case, row.maker, row.n),
    measure=measure_all,
    report=lambda rows, chosen: report_of(rows),
    order=order,
    faults=faster,
    options=(
        option("--only", [], "these alone", metavar="CLASS"),
        option("--n", [], f"instead of {NUMBERS}", type=int),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
