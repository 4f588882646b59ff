"""Is a native handler worth it? Each class native beside its rewrite, on the same instances.

    python -m results.studies.speed.native [--repeat 5] [--seeds 3] [--seconds 2] [--only CLASS]...
                                           [--backend BACKEND]... [--out FOLDER]

Of each class of ``native_instances`` instances of three sizes and ``--seeds`` seeds are asked of
each backend: up to 2,000 solutions (``count``), one (``solve``) and, where there
is an objective, the ``optimum``. ``rewritten`` is the same backend without the handler of that
class; for connectives, sums and tables, without any formula or reified constraint. Of
python-constraint it has AllDifferent, sums and tables alone, and ``definition`` is each constraint
as a function that is asked when all its variables are known. What is compared is interleaved,
``--repeat`` times; CPU time with the encoding made anew and the rewrite kept. The ratio of an
instance is that of its medians; a row has the median of the ratios. ``native.md`` and
``native.json`` in ``--out`` are the table; what ``--only`` leaves out keeps its rows. Exit status 1
where answers differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from itertools import product
from statistics import median
from time import process_time
from typing import Any

import msgspec

from backends import python_constraint
from backends.cpsat.backend import CpSat
from backends.cpsat.backend import make as make_cpsat
from backends.interface import registry
from backends.interface.api import Ask, Limits, Optimum, Refused, Result, Solutions
from backends.interface.driver import Driver
from backends.interface.handlers import Handler, Handlers
from backends.python_constraint.posing import NATIVE, Form, Poser
from harness.machine import this_machine
from modelling.constraint import Constraint
from modelling.constraints import And, Iff, Implies, Linear, Not, Or, Table, Xor
from modelling.problem import Problem
from results.studies.runner import (
    Fault,
    Known,
    Options,
    Study,
    option,
)
from results.studies.speed.native_instances import MAKERS, kind, problem_of

FORMULAS = (And, Or, Not, Implies, Iff, Xor)
MOST_SOLUTIONS = 2000
BACKENDS = (
    "cpsat",
    "python_constraint",
    "choco",
    "clingo",
    "scip",
    "pumpkin",
    "bitwuzla",
    "toulbar2",
    "z3",
    "exact",
)
WAYS = (
    ("cpsat", "rewritten"),
    ("python_constraint", "rewritten"),
    ("python_constraint", "definition"),
    *((name, "rewritten") for name in BACKENDS[2:]),
)

DROPPED: dict[tuple[str, str], str] = {
    ("cpsat", "Element over constants"): "count 1.17, solve 1.06, optimum 1.12: a table of two "
    "columns, as the rewrite has it, is faster",
    ("cpsat", "Element2D of constants, as a table"): "count 0.99, solve 1.05, optimum 1.04: the "
    "rewrite is that table",
    ("cpsat", "IfThenElse, two enforced equations"): "count 1.01, solve 1.01: the rewrite comes to "
    "the same",
    ("cpsat", "MDD, as an automaton"): "count 1.03, solve 1.03: the rewrite is that automaton",
    ("cpsat", "Regular, enforced"): "CP-SAT repeats solutions (docs/disagreements.md)",
    ("choco", "Clauses, a disjunction each"): "count 1.36 to 2.13, solve 0.88 to 1.76",
    ("choco", "Xor, a Boolean after each part"): "count 1.26 to 1.41 and solve 1.26 to 2.10 from "
    "seven parts on, before them 0.65 and 0.91",
    ("pumpkin", "Xor, a Boolean after each part"): "count 1.49 to 2.27, solve 1.46 to 2.32",
    (
        "python_constraint",
        "Minimum and Maximum, checked early",
    ): "1.10 to 1.24 beside the definition",
    ("python_constraint", "Element, checked early"): "1.04 to 1.06 beside the definition",
    ("python_constraint", "AllDifferent over views, in pairs"): "count 2.73, solve 2.07; it is "
    "one constraint now",
}
"""Handlers that were written and are not kept, with what they took beside the rewrite."""

KEPT: dict[tuple[str, str], str] = {
    ("choco", "Regular"): "0.16 to 0.20 with nine places, 0.02 to 0.08 with 18: Choco's automaton "
    "takes a millisecond to be made",
}
"""Handlers that are slower than the rewrite on these small instances, and are kept."""


class Row(msgspec.Struct):
    """What came out for one class, backend, way and ask; seconds are medians over instances."""

    backend: str
    kind: str
    beside: str
    ask: str
    instances: int
    capped: int
    ratio: float
    least: float
    most: float
    native_ms: float
    beside_ms: float


class ByDefinition(Poser):
    """Each constraint that the library has no form for as one function of all its variables."""

    def all_forms(self, constraints: Sequence[Constraint]) -> list[Form]:
        return list(map(self._one, constraints))

    def _one(self, constraint: Constraint) -> Form:
        if type(constraint) in NATIVE and constraint.is_plain and _has_form(constraint):
            return Form(self.form(constraint), constraint.scope)
        holds = constraint.holds
        return Form(self._function(lambda *values: holds(values)), constraint.scope)


def _has_form(constraint: Constraint) -> bool:
    return type(constraint) is not Linear or constraint.relation != "!="


def beside(backend: str, name: str) -> dict[str, Driver]:
    """What a class is compared with: the same backend without its handler."""
    if backend == "cpsat":
        made = make_cpsat("reuse=none")
        assert isinstance(made.solver, CpSat)
        solver: Any = CpSat(made.name, made.solver._options)
        solver.handlers = _without(CpSat.handlers, name)
        return {"rewritten": Driver("rewritten", solver, keep=False)}
    if backend != "python_constraint":
        changed: Any = copy(driver(backend).solver)
        changed.handlers = _without(changed.handlers, name)
        return {"rewritten": Driver("rewritten", changed, keep=False)}
    rewriting, defining = (_python_constraint() for _ in range(2))
    rewriting.handlers = {k: Handler(lambda draft, c: draft.append(c)) for k in NATIVE}
    defining.poser = ByDefinition(defining.poser.library)
    return {
        "rewritten": Driver("rewritten", rewriting, keep=False),
        "definition": Driver("definition", defining, keep=False),
    }


def _without(handlers: Handlers, name: str) -> Handlers:
    dropped = kind(name)
    if dropped not in (*FORMULAS, Linear, Table):
        return {k: handler for k, handler in handlers.items() if k is not dropped}
    return {
        k: Handler(h.post, ("root",), h.when, h.repeats, h.arguments)
        for k, h in handlers.items()
        if k not in FORMULAS
    }


def native(backend: str) -> Driver:
    """The backend as it ships, without kept encodings."""
    if backend == "cpsat":
        return make_cpsat("reuse=none")
    if backend == "python_constraint":
        return Driver("python_constraint", _python_constraint(), keep=False)
    return Driver(backend, driver(backend).solver, keep=False)


def driver(backend: str) -> Driver:
    """A backend that the driver made, by its name."""
    made = registry.get(backend)
    assert isinstance(made, Driver)
    return made


def _python_constraint() -> Any:
    class Changeable(python_constraint.PythonConstraint):
        handlers = python_constraint.HANDLERS

    return Changeable("python_constraint", "backtracking")


def asks(problem: Problem) -> dict[str, Ask]:
    """What is asked of an instance."""
    found: dict[str, Ask] = {"count": Solutions(MOST_SOLUTIONS, 0), "solve": Solutions(1)}
    if problem.structure.objective is not None:
        found["optimum"] = Optimum()
    return found


def compare(
    one: Driver, two: Driver, problem: Problem, ask: Ask, chosen: argparse.Namespace
) -> tuple[float, float, bool] | str | None:
    """Median seconds of CPU time of both, and whether one of them was stopped by the limit; None
    where both were, or one refuses the problem; a disagreement as text."""
    times: list[list[float]] = [[], []]
    results: list[Result] = []
    for turn in range(chosen.repeat):
        order = ((0, one), (1, two)) if turn % 2 else ((1, two), (0, one))
        for place, backend in order:
            if turn == 0 and isinstance(backend.accepts(problem), Refused):
                return None
            before = process_time()
            result = backend.solve(problem, ask, Limits(seconds=chosen.seconds))
            times[place].append(process_time() - before)
            if turn == 0:
                results.append(result)
        if min(map(min, times)) > chosen.seconds / 4:
            break
    late = [result.stopped_by == "time" for result in results]
    if all(late):
        return None
    if not any(late) and len({_answer(result) for result in results}) > 1:
        return " and ".join(str(_answer(result)) for result in results)
    return median(times[0]), median(times[1]), any(late)


def _answer(result: Result) -> tuple[Any, ...]:
    return result.count, result.status, result.objective


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The tables."""
    lines = [
        "# Native and rewritten",
        "",
        f"Made by `{chosen.command}` on {this_machine().processor}, shared with other work.",
        "",
        "Ratios of CPU time, native to what it is compared with; below 1 native is faster. Of each "
        "row the median over instances, and the least and greatest; `capped` are instances that "
        "one of the two did not finish, and both unfinished ones are left out.",
        "",
        "## Over the asks",
        "",
        "The median of the ratios of a class's asks.",
        "",
        "| class | " + " | ".join(f"{one}, {way}" for one, way in WAYS) + " |",
        "|---|" + "---:|" * len(WAYS),
        *(_over_asks(rows, name) for name in MAKERS),
        "",
        "## By ask",
        "",
        "| backend | class | beside | ask | instances | capped | ratio | least | most | native ms "
        "| other ms |",
        "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {r.backend} | {r.kind} | {r.beside} | {r.ask} | {r.instances} | {r.capped} "
        f"| {r.ratio:.2f} | {r.least:.2f} | {r.most:.2f} | {r.native_ms:.2f} | {r.beside_ms:.2f} |"
        for r in rows
    ]
    lines += ["", "## Not kept", "", "| backend | class | figure |", "|---|---|---|"]
    lines += [f"| {one} | {name} | {why} |" for (one, name), why in DROPPED.items()]
    lines += ["", "## Kept", "", "| backend | class | figure |", "|---|---|---|"]
    lines += [f"| {one} | {name} | {why} |" for (one, name), why in KEPT.items()]
    return "\n".join(lines) + "\n"


def _over_asks(rows: Sequence[Row], name: str) -> str:
    cells = []
    for one, way in WAYS:
        ratios = [r.ratio for r in rows if (r.backend, r.kind, r.beside) == (one, name, way)]
        cells.append(f"{median(ratios):.2f}" if ratios else "")
    return f"| {name} | {' | '.join(cells)} |"


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """Rows for each backend and class that has a handler there, and disagreements."""
    for backend, name in product(chosen.backend or BACKENDS, chosen.only or MAKERS):
        if backend == "python_constraint" or kind(name) in driver(backend).solver.handlers:
            for row in measure_class(backend, name, chosen):
                if isinstance(row, Fault) or key(row) not in known:
                    yield row


def measure_class(backend: str, name: str, chosen: Options) -> Iterator[Row | Fault]:
    """The rows of a class, and disagreements."""
    own = native(backend)
    for way, other in beside(backend, name).items():
        ratios: dict[str, list[tuple[float, float, bool]]] = {}
        for maker in MAKERS[name]:
            sizes = maker.sizes if backend == "cpsat" else maker.sizes[:2]
            for size, seed in product(sizes, range(chosen.seeds)):
                problem = problem_of(maker, size, seed)
                for ask_name, ask in asks(problem).items():
                    pair = compare(own, other, problem, ask, chosen)
                    if isinstance(pair, str):
                        place = f"{backend}, {name}, {way}, {ask_name}, {size}/{seed}"
                        yield Fault(f"{place}: {pair}")
                    elif pair is not None:
                        ratios.setdefault(ask_name, []).append(pair)
        for ask_name, pairs in ratios.items():
            each = [one / two for one, two, _ in pairs]
            yield Row(
                backend,
                name,
                way,
                ask_name,
                len(pairs),
                sum(capped for *_, capped in pairs),
                round(median(each), 3),
                round(min(each), 3),
                round(max(each), 3),
                round(1000 * median(one for one, *_ in pairs), 3),
                round(1000 * median(two for _, two, _ in pairs), 3),
            )


def key(row: Row) -> tuple[str, str, str, str]:
    """What a row is known by."""
    return row.backend, row.kind, row.beside, row.ask


def order(rows: Iterable[Row]) -> list[Row]:
    """Rows in the order of backends and classes."""
    names = list(MAKERS)
    return sorted(rows, key=lambda row: (BACKENDS.index(row.backend), names.index(row.kind)))


STUDY = Study(
    "speed.native",
    __doc__,
    Row,
    key=key,
    measure=measure,
    report=report,
    order=order,
    keeps=True,
    options=(
        option("--repeat", 5, "of each instance"),
        option("--seeds", 3, "instances of each size"),
        option("--seconds", 2.0, "limit of each call"),
        option("--only", [], "these classes alone", metavar="CLASS"),
        option("--backend", [], "this one alone", choices=BACKENDS),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
