"""Does a constraint that one file defines work in every position, on every backend?

    python -m results.studies.correctness.toy_constraint [--draws 5000] [--first NUMBER]
                                                         [--only BACKEND]... [--out FOLDER]

The constraint and the toy solver are those of ``tests/backends/conformance/test_toy_constraint.py``
and stand nowhere else. ``--draws`` small problems, as many in each position (at the root, negated,
as condition and consequence, equivalent to a variable, in a disjunction, counted, in the
objective), are asked of every backend: all solutions, the first two, and with an objective the
optimum and all optima, beside the oracle. Disagreements are printed. Exit status 1 if there is one.
``toy_constraint.md`` in ``--out`` is the table.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from time import process_time
from typing import Any

import msgspec

from backends.conformance.positions import POSITIONS, ask_position, draw_position
from backends.interface.shipped import SHIPPED
from results.studies.runner import (
    Known,
    Options,
    Study,
    find_installed,
    option,
)

TESTS = "tests.backends.conformance.test_toy_constraint"

BACKENDS = (
    "toy",
    *(shipped.name for shipped in SHIPPED),
    "propagation:branching=smallest",
    "cpsat:booleans",
    "sat:direct,minisat22,amo=product",
)


class Row(msgspec.Struct):
    """What came out for one backend: by position the problems asked and the disagreements; by
    reason the refusals."""

    backend: str
    asked: Counter[str] = msgspec.field(default_factory=Counter)
    disagreements: Counter[str] = msgspec.field(default_factory=Counter)
    refusals: Counter[str] = msgspec.field(default_factory=Counter)
    seconds: float = 0.0


def ask_all(backends: dict[str, Any], draws: int, first: int) -> list[Row]:
    """Every backend about every draw."""
    kind = import_module(TESTS).Close
    rows = {name: Row(name) for name in backends}
    for draw in range(first, first + draws):
        number, position = divmod(draw, len(POSITIONS))
        problem = draw_position(kind, POSITIONS[position], number)
        for name, backend in backends.items():
            row, before = rows[name], process_time()
            answered = ask_position(backend, problem)
            row.seconds += process_time() - before
            if answered.refused:
                row.refusals[answered.refused] += 1
                continue
            row.asked[POSITIONS[position]] += 1
            if answered.faults:
                row.disagreements[POSITIONS[position]] += 1
                print(*answered.faults, sep="\n", flush=True)
    return list(rows.values())


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The tables."""
    kind = import_module(TESTS).Close.__name__
    lines = [
        "# A constraint that one file defines, in every position, on every backend",
        "",
        f"Made by `{chosen.command}`.",
        "",
        f"`{kind}` and the solver `toy` stand in `tests/backends/conformance/"
        f"test_toy_constraint.py` alone. {chosen.draws:,} problems of two to four variables "
        "with two to four values each; of each all solutions and the first two, with an objective "
        "the optimum and all optima, beside the oracle. Cells: problems asked; disagreements "
        "after a slash.",
        "",
        "| backend | " + " | ".join(POSITIONS) + " | all | disagreements |",
        "|---|" + "---:|" * (len(POSITIONS) + 2),
    ]
    for row in rows:
        cells = [
            f"{row.asked[p]:,}" + (f" / {row.disagreements[p]}" if row.disagreements[p] else "")
            for p in POSITIONS
        ]
        wrong = row.disagreements.total()
        lines.append(f"| {row.backend} | {' | '.join(cells)} | {row.asked.total():,} | {wrong} |")
    lines += ["", "| backend | refused | reason |", "|---|---:|---|"]
    lines += [
        f"| {row.backend} | {number:,} | {reason} |"
        for row in rows
        for reason, number in row.refusals.most_common()
    ]
    return "\n".join(lines) + "\n"


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """A row for each backend; all are asked about one draw after the other."""
    names = [name for name in chosen.only or BACKENDS if name not in known]
    backends = dict(find_installed(name for name in names if name != "toy"))
    if "toy" in names:
        backends = {"toy": import_module(TESTS).make(), **backends}
    yield from ask_all(backends, chosen.draws, chosen.first)


STUDY = Study(
    "correctness.toy_constraint",
    __doc__,
    Row,
    key=lambda row: row.backend,
    measure=measure,
    report=report,
    describe=lambda row: f"{row.backend}: {row.seconds:.1f} s of CPU time",
    faults=lambda rows: [f"{r.backend}: {r.disagreements}" for r in rows if r.disagreements],
    options=(
        option("--draws", 5000, "problems, over all positions"),
        option("--first", 0, "number of the first draw", metavar="NUMBER"),
        option("--only", [], "these backends alone", metavar="BACKEND"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
