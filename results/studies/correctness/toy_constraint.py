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

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from backends.conformance.positions import POSITIONS, ask_position, draw_position
from backends.interface import registry
from backends.interface.shipped import SHIPPED
from modelling.errors import BackendUnavailable

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


def available(names: Sequence[str]) -> dict[str, Any]:
    """The backends that can be used here."""
    found = {}
    for name in names:
        try:
            found[name] = import_module(TESTS).make() if name == "toy" else registry.get(name)
        except BackendUnavailable as error:
            print(f"left out: {error}")
    return found


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


def report(rows: Sequence[Row], draws: int, command: str) -> str:
    """The tables."""
    kind = import_module(TESTS).Close.__name__
    lines = [
        "# A constraint that one file defines, in every position, on every backend",
        "",
        f"Made by `{command}`.",
        "",
        f"`{kind}` and the solver `toy` stand in `tests/backends/conformance/"
        f"test_toy_constraint.py` alone. {draws:,} problems of two to four variables with two to "
        "four values each; of each all solutions and the first two, with an objective the optimum "
        "and all optima, beside the oracle. Cells: problems asked; disagreements after a slash.",
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="a constraint that one file defines, everywhere")
    parser.add_argument("--draws", type=int, default=5000, help="problems, over all positions")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="of the first draw")
    parser.add_argument("--only", action="append", metavar="BACKEND", help="these backends alone")
    parser.add_argument("--out", type=Path, help="folder for toy_constraint.md")
    chosen = parser.parse_args(arguments)
    rows = ask_all(available(chosen.only or BACKENDS), chosen.draws, chosen.first)
    first = f" --first {chosen.first}" if chosen.first else ""
    command = (
        f"python -m results.studies.correctness.toy_constraint --draws {chosen.draws}{first} "
        "--out results/reference/toy_constraint"
    )
    text = report(rows, chosen.draws, command)
    print(text)
    for row in rows:
        print(f"{row.backend}: {row.seconds:.1f} s of CPU time", file=sys.stderr)
    if chosen.out is not None:
        chosen.out.mkdir(parents=True, exist_ok=True)
        (chosen.out / "toy_constraint.md").write_text(text, encoding="utf-8")
    return int(any(row.disagreements for row in rows))


if __name__ == "__main__":
    sys.exit(main())
