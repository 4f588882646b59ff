"""Do the laws of the vocabulary hold? Many draws for each class, and a table.

    python results/studies/laws/study.py [--draws 2000] [--most 120] [--first 0] [--out DIR]

For each class of ``modelling.vocabulary`` and each seed, a constraint over drawn domains (at most
``--most`` assignments) is tried by every law of ``modelling.laws``. The table says how many draws
there were, how many assignments were compared with the definition, how many of them are true, over
how many auxiliaries the constraints were rewritten, and how many faults were found. Faults are
printed. Exit status 1 if there is one. ``laws.md`` in ``--out`` is the table.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[3]))

from modelling.laws import LAWS, PROFILES, draw_case, faults_of
from modelling.problem import Structure
from modelling.rewriting import Rewritten, rewrite
from modelling.terms import is_true
from modelling.vocabulary import VOCABULARY


class Row(NamedTuple):
    """What came out for one class."""

    kind: str
    draws: int
    assignments: int
    true: int
    auxiliaries: int
    faults: int
    seconds: float


def main() -> int:
    options = _options()
    rows = []
    for kind in VOCABULARY:
        rows.append(study(kind, range(options.first, options.first + options.draws), options.most))
        print(rows[-1], flush=True)
    text = report(rows, options)
    print(text)
    if options.out:
        Path(options.out).mkdir(parents=True, exist_ok=True)
        (Path(options.out) / "laws.md").write_text(text, encoding="utf-8")
    return int(any(row.faults for row in rows))


def study(kind: Any, seeds: range, most: int) -> Row:
    """All laws on a draw for each seed."""
    before = process_time()
    assignments = true = auxiliaries = faults = 0
    for seed in seeds:
        for fault in faults_of(kind, seed, most):
            faults += 1
            print(f"{kind.__name__}, seed {seed}: {fault}", flush=True)
        case = draw_case(kind, seed, most)
        truths = [is_true(case.constraint, values) for values in case.assignments()]
        assignments, true = assignments + len(truths), true + sum(truths)
        names = tuple(f"x{i}" for i in range(len(case.domains)))
        for profile in PROFILES.values():
            made = rewrite(Structure(names, case.domains, (case.constraint,)), profile)
            auxiliaries += made.auxiliaries if isinstance(made, Rewritten) else 0
    seconds = process_time() - before
    return Row(kind.__name__, len(seeds), assignments, true, auxiliaries, faults, seconds)


def report(rows: list[Row], options: argparse.Namespace) -> str:
    """The table, with what was tried."""
    lines = [
        "# The laws of the vocabulary",
        "",
        f"Made by `python results/studies/laws/study.py --draws {options.draws} --most "
        f"{options.most} --first {options.first} --out results/reference/laws`.",
        "",
        f"Laws: {', '.join(LAWS)}. Rewritten for: {', '.join(PROFILES)}.",
        "",
        "| class | draws | assignments | true | auxiliaries | faults | CPU s |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        share = f"{row.true / max(1, row.assignments):.0%}"
        lines.append(
            f"| {row.kind} | {row.draws:,} | {row.assignments:,} | {share} | "
            f"{row.auxiliaries:,} | {row.faults} | {row.seconds:.0f} |"
        )
    return "\n".join(lines) + "\n"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=2000, help="draws for each class")
    parser.add_argument("--most", type=int, default=120, help="assignments of a draw at most")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--out", help="folder for laws.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
