"""Do the laws of the vocabulary hold? Many draws for each class, and a table.

    python -m results.studies.correctness.laws [--draws 2000] [--most 12] [--first SEED]
                                               [--only CLASS]... [--out FOLDER]

For each class of ``modelling.vocabulary`` and each seed, a constraint over drawn domains (at most
``--most`` assignments) is tried by every law of ``modelling.laws``; the tests do the same with
fewer draws. A row for each class and law: draws, assignments that were compared with the
definition, how many of them are true, and failures, which are printed. Exit status 1 if there is
one. ``laws.md`` and ``laws.json`` in ``--out`` are the table. What ``--only`` leaves out keeps its
rows in them, so that the study may be run class by class.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from modelling.laws import LAWS, PROFILES, draw_case, faults_of
from modelling.terms import is_true
from modelling.vocabulary import VOCABULARY


class Row(msgspec.Struct):
    """What came out for one class and all laws; ``failures`` by the name of the law."""

    kind: str
    draws: int
    assignments: int
    true: int
    failures: dict[str, int]
    seconds: float


def study(kind: Any, seeds: range, most: int) -> Row:
    """All laws on a draw for each seed."""
    before = process_time()
    assignments = true = 0
    failures: Counter[str] = Counter()
    for seed in seeds:
        for fault in faults_of(kind, seed, most):
            failures[fault.partition(":")[0]] += 1
            print(f"{kind.__name__}, seed {seed}: {fault}", flush=True)
        case = draw_case(kind, seed, most)
        truths = [is_true(case.constraint, values) for values in case.assignments()]
        assignments, true = assignments + len(truths), true + sum(truths)
    seconds = round(process_time() - before, 1)
    return Row(kind.__name__, len(seeds), assignments, true, dict(failures), seconds)


def report(rows: Sequence[Row], command: str) -> str:
    """The table, with what was tried."""
    lines = [
        "# The laws of the vocabulary",
        "",
        f"Made by `{command}`.",
        "",
        "A draw is a constraint of the class (or a comparison of the function) over drawn domains. "
        "`same when rewritten` is tried for the profiles " + ", ".join(PROFILES) + ".",
        "",
        "| class | law | draws | assignments | true | failures |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        share = f"{row.true / max(1, row.assignments):.0%}"
        lines.extend(
            f"| {row.kind} | {law} | {row.draws:,} | {row.assignments:,} | {share} | "
            f"{row.failures.get(law, 0)} |"
            for law in LAWS
        )
    draws, failures = sum(row.draws for row in rows), sum(sum(r.failures.values()) for r in rows)
    lines += [
        "",
        f"{draws * len(LAWS):,} trials of {len(LAWS)} laws on {draws:,} draws of {len(rows)} "
        f"classes, {failures} failures; {sum(row.seconds for row in rows):.0f} s of CPU time.",
    ]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Try them, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="the laws of every class of the vocabulary")
    parser.add_argument("--draws", type=int, default=2000, help="draws for each class")
    parser.add_argument("--most", type=int, default=12, help="assignments of a draw at most")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="first seed")
    parser.add_argument("--only", action="append", metavar="CLASS", help="these classes alone")
    parser.add_argument("--out", type=Path, help="folder for laws.md and laws.json")
    chosen = parser.parse_args(arguments)
    rows = {row.kind: row for row in _rows_before(chosen.out)} if chosen.only else {}
    known = [kind for kind in VOCABULARY if not chosen.only or kind.__name__ in chosen.only]
    for kind in known:
        row = study(kind, range(chosen.first, chosen.first + chosen.draws), chosen.most)
        print(msgspec.json.encode(row).decode(), flush=True)
        rows[row.kind] = row
        if chosen.out is not None:
            _save(chosen.out, [rows[k.__name__] for k in VOCABULARY if k.__name__ in rows], chosen)
    return int(any(row.failures for row in rows.values()))


def _rows_before(folder: Path | None) -> list[Row]:
    path = folder / "laws.json" if folder is not None else None
    if path is None or not path.is_file():
        return []
    return msgspec.json.decode(path.read_bytes(), type=list[Row])


def _save(folder: Path, rows: Sequence[Row], chosen: argparse.Namespace) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(rows), indent=2)
    (folder / "laws.json").write_bytes(text + b"\n")
    first = f" --first {chosen.first}" if chosen.first else ""
    command = (
        f"python -m results.studies.correctness.laws --draws {chosen.draws} "
        f"--most {chosen.most}{first} "
        "--out results/reference/laws"
    )
    (folder / "laws.md").write_text(report(rows, command), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
