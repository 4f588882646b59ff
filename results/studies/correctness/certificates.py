"""What certifies which answers, and what that costs beside solving?

    python -m results.studies.correctness.certificates [--problem NAME]... [--out FOLDER]

Each problem is asked of each solver that writes proofs, without and with them. CPU time is that of
this process and of those that it started: solving, then checking the proof, then comparing what it
is of with the constraints. One run each: the figures say which order of magnitude a proof costs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import msgspec

import concord
from backends.interface.registry import get
from backends.proofs.checking import check
from backends.proofs.encodings.check import check_encoding
from modelling.problem import Problem
from results.studies.correctness.proofs import knapsack, mycielski, pigeons, queens, squares
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

SECONDS = 300.0
"""For solving, and for a check; this machine may be busy."""

KINDS = {
    "sat": "clauses",
    "exact": "cutting planes",
    "pumpkin": "inferences",
    "propagation:learning": "inferences",
}
"""The solvers that write proofs, and of what kind."""


def of_family(name: str, **spec: Any) -> Problem:
    """The first problem that a family draws."""
    (drawn,) = concord.generate(1, family=name, seed=1, **spec)
    return concord.family(name).problem(drawn.text)


def graph() -> Problem:
    """A random graph that three colours do not do for."""
    return of_family("graph_colouring", vertices=150, colours=3, degree=5.2)


PROBLEMS: dict[str, tuple[Callable[[], Problem], Any]] = {
    "pigeonhole 7": (lambda: pigeons(7), concord.Solutions(1)),
    "QWH 15, without solution": (lambda: next(squares(1, 15, "0.55")), concord.Solutions(1)),
    "colouring of 150 nodes": (graph, concord.Solutions(1)),
    "Mycielski graph, 4 colours": (lambda: mycielski(4), concord.Solutions(1)),
    "Sudoku without solution": (lambda: of_family("sudoku", solutions=0), concord.Solutions(1)),
    "Golomb ruler of 7 marks": (lambda: concord.family("golomb").problem("7"), concord.Optimum()),
    "knapsack of 16": (lambda: knapsack(16), concord.Optimum()),
    "knapsack of 12, all optima": (lambda: knapsack(12), concord.AllOptima()),
    "tour of 6 cities": (lambda: of_family("tsp", cities=6), concord.Optimum()),
    "8 queens, counted": (lambda: queens(8), concord.Solutions(None)),
}


class Row(msgspec.Struct):
    """One problem and one solver: what became of the proof and of what it is of, CPU seconds
    without proofs, with them, of the checks, and the size of the proof."""

    problem: str
    solver: str
    state: str
    encoding: str
    said: str
    without: float
    solving: float
    checking: float
    comparing: float
    lines: int
    size: int


def spent() -> float:
    """CPU time of this process, and of those that it has waited for."""
    found = os.times()
    return found.user + found.system + found.children_user + found.children_system


def certify(name: str, solver: str) -> Row:
    """Solve without and with proofs, then check them."""
    make, ask = PROBLEMS[name]
    problem, limits = make(), concord.Limits(seconds=SECONDS)
    separator = "," if ":" in solver else ":"
    without, proving = get(solver), get(f"{solver}{separator}proof=check")
    started = spent()
    without.solve(problem, ask, limits)
    first = spent() - started
    started = spent()
    result = proving.solve(problem, ask, limits)
    row = Row(name, solver, "", "", result.status, first, spent() - started, 0.0, 0.0, 0, 0)
    for one in result.refutations or ():
        started = spent()
        found = check(replace(one, seconds=SECONDS), SECONDS)
        row.checking += spent() - started
        row.lines, row.size = row.lines + found.steps, row.size + len(one.proof or b"")
        row.state, row.said = found.state, found.said
        if found.state != "checked":
            return row
        started = spent()
        encoding = check_encoding(one, problem, perf_counter() + SECONDS)
        row.comparing += spent() - started
        row.encoding, row.said = encoding.state, encoding.said
    return row


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """A row for each problem and solver."""
    for name in chosen.problem or PROBLEMS:
        for solver in KINDS:
            if (name, solver) not in known:
                yield certify(name, solver)


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The figures as Markdown."""
    certified = sum(row.state == "checked" for row in rows)
    compared = sum(not is_short(row) for row in rows)
    lines = (
        f"{row.problem} | {row.solver} | {row.state or 'none'} | {row.encoding} "
        f"| {row.without:.2f} | {row.solving:.2f} | {row.checking:.2f} | {row.comparing:.2f} "
        f"| {row.lines:,} | {row.size / 1000:,.0f}"
        for row in rows
    )
    head = "problem | solver | proof | encoding | without: | with: | check: | comparison:"
    kinds = ", ".join(f"{solver}: {kind}" for solver, kind in KINDS.items())
    return join_page(
        "# Proofs beside solving",
        f"Made by `{chosen.command}`. {certified} of {len(rows)} answers have a proof that was "
        f"checked, {compared} of these with their encoding. Proofs of {kinds}. CPU seconds: of the "
        "solver without proofs and with them, of the check of the proof, with the start of its "
        "process, and of the comparison of what it is of with the constraints. One run each.",
        list_table(f"{head} | lines: | KB:", lines),
        [f"- {row.problem}, {row.solver}: {row.said}" for row in rows if is_short(row)],
    )


def is_short(row: Row) -> bool:
    """Whether an answer is not certified together with its encoding."""
    return row.state != "checked" or row.encoding not in ("enumerated", "agreed")


STUDY = Study(
    "correctness.certificates",
    __doc__,
    Row,
    key=lambda row: (row.problem, row.solver),
    keeps=True,
    measure=measure,
    report=report,
    faults=lambda rows: [
        f"{r.problem}, {r.solver}: {r.said}" for r in rows if r.state == "rejected"
    ],
    order=lambda rows: sorted(
        rows, key=lambda row: (list(PROBLEMS).index(row.problem), list(KINDS).index(row.solver))
    ),
    options=(option("--problem", [], "this one alone", choices=tuple(PROBLEMS)),),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
