"""Does every backend say what the oracle says? The conformance suite on many drawn problems.

    python -m results.studies.correctness.conformance [--problems 1000] [--seed 1] [--seeds 5]
                                                      [--only BACKEND]... [--out FOLDER]

Each of ``CONFIGURATIONS`` answers the suite until ``--problems`` problems were accepted: all
solutions, some, constraints in another order, sinks, optima, all optima. Every second problem is
about a class of the vocabulary, drawn from all of them. Then come as many of one plain constraint
each, whose solutions are asked for, and as many with a constraint of each class in turn at the
root, which some assignments fulfil and others do not. Each of ``--seeds`` seeds gives its share.
The tests do the same with fewer problems, of which one in thirteen is about a class. A row for each
backend: problems accepted and refused, plain ones, those of the root, faults, which are printed;
and a second table of what was drawn, by class and position. Exit status 1 if there is one.
``conformance.md`` in ``--out`` is the table; what ``--only`` leaves out keeps its rows in it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import msgspec

from backends.conformance import examine
from backends.interface import registry
from backends.interface.shipped import SHIPPED
from modelling.errors import BackendUnavailable
from modelling.rewriting import keep_rewrites
from modelling.vocabulary import VOCABULARY

OF_ALL_DIFFERENT = ("ladder", "compiled")
"""They take AllDifferent only, and say so; their own tests have what they are to conform to."""

CONFIGURATIONS = (
    *(shipped.name for shipped in SHIPPED if shipped.name not in OF_ALL_DIFFERENT),
    "propagation:branching=smallest",
    "propagation:branching=first,reuse=none",
    "cpsat:alldifferent",
    "cpsat:alldifferent,presolve=on",
    "cpsat:alldifferent,presolve=off",
    "cpsat:booleans,presolve=on",
    "cpsat:booleans,presolve=off,reuse=none",
    "cpsat:alldifferent,presolve=light",
    "cpsat:booleans,presolve=light,workers=1",
    "sat:direct,pycosat",
    "sat:direct,cadical153",
    "sat:extended,cadical195",
    "sat:direct,glucose4,reuse=solver",
    "sat:extended,minisat22,amo=sequential",
    "sat:direct,minisat22,reuse=none,amo=product",
    "sat:integers=direct,sums=diagram",
    "sat:integers=order,sums=totalizer",
    "sat:integers=log,sums=adder",
    "sat:pycosat,integers=order,sums=counter",
    "python_constraint:backtracking",
    "python_constraint:recursive",
    "python_constraint:minconflicts",
    "xcsp3:ace",
    "xcsp3:choco",
)
"""Every backend as it is by default, and then with some of its options; the tests of conformance
take the same."""


class Row(msgspec.Struct):
    """What came out for one configuration, from how many seeds; ``note`` is about this row."""

    backend: str
    version: str
    accepted: int
    refused: int
    kinds: int
    faults: int
    seconds: float
    plain: int = 0
    root: int = 0
    drawn: dict[str, dict[str, int]] = {}
    seeds: int = 5
    note: str = ""


def study(name: str, problems: int, seed: int, seeds: int = 5) -> Row | None:
    """The suite on one configuration; None where it is not installed."""
    try:
        backend = registry.get(name)
    except BackendUnavailable as error:
        print(f"left out: {error}")
        return None
    before = process_time()
    report = examine(backend, problems, seed, also=VOCABULARY, seeds=seeds)
    drawn: dict[str, dict[str, int]] = {}
    for (kind, position), number in sorted(report.drawn.items()):
        drawn.setdefault(kind, {})[position] = number
    print(*report.faults, sep="\n\n")
    return Row(
        name,
        str(getattr(backend, "version", "")),
        report.accepted.total(),
        report.refused.total(),
        len({kind.removesuffix(", other givens") for kind in report.accepted}),
        len(report.faults),
        round(process_time() - before, 1),
        report.plain.total(),
        report.root.total(),
        drawn,
        seeds,
    )


def report_of(rows: Sequence[Row], command: str) -> str:
    """The table."""
    lines = [
        "# Conformance",
        "",
        f"Made by `{command}`.",
        "",
        "The same problems for each backend, of as many kinds as `kinds` says; every second one is "
        f"about one of the {len(VOCABULARY)} classes of the vocabulary. Each is asked up to "
        "nine questions (one of `minconflicts`, which is incomplete), and every answer is compared "
        "with the oracle's. `plain` are further problems, each of one constraint over variables "
        "alone, or of one function compared with a number, for all solutions of each; `root` those "
        "with a constraint of each class in turn at the root, which excludes something and allows "
        "something, in every other problem beside another one.",
        "",
        "| backend | version | seeds | accepted | refused | kinds | plain | root | faults |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.backend} | {row.version} | {row.seeds} | {row.accepted:,} | {row.refused:,} | "
        f"{row.kinds} | {_number(row.plain)} | {_number(row.root)} | {row.faults} |"
        for row in rows
    ]
    notes = dict.fromkeys(row.note for row in rows if row.note)
    for note in notes:
        names = ", ".join(f"`{row.backend}`" for row in rows if row.note == note)
        lines += ["", f"{names}: {note}"]
    lines += _list_drawn(rows)
    return "\n".join(lines) + "\n"


def _number(number: int) -> str:
    return f"{number:,}" if number else "-"


def _list_drawn(rows: Sequence[Row]) -> list[str]:
    """What was drawn, by class and position: the least and the largest number over the backends."""
    told = [row.drawn for row in rows if row.drawn]
    kinds = sorted({kind for drawn in told for kind in drawn})
    places = sorted({place for drawn in told for of in drawn.values() for place in of})
    lines = [
        "",
        "## What was drawn",
        "",
        "Accepted plain problems and those of the root, by class and position: of the backend with "
        "the fewest to that with the most.",
        "",
        f"| class | {' | '.join(places)} |",
        f"|---|{'---:|' * len(places)}",
    ]
    for kind in kinds:
        ranges = []
        for place in places:
            numbers = [drawn.get(kind, {}).get(place, 0) for drawn in told]
            least, most = min(numbers), max(numbers)
            ranges.append(str(most) if least == most else f"{least} to {most}")
        lines.append(f"| {kind} | {' | '.join(ranges)} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="the conformance suite on many drawn problems")
    parser.add_argument("--problems", type=int, default=1000, help="that each backend accepts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=5, help="that share the problems")
    parser.add_argument("--only", action="append", metavar="BACKEND", help="these backends alone")
    parser.add_argument("--out", type=Path, help="folder for conformance.md and conformance.json")
    chosen = parser.parse_args(arguments)
    keep_rewrites(4 * chosen.problems)
    rows = {row.backend: row for row in _rows_before(chosen.out)} if chosen.only else {}
    for name in chosen.only or CONFIGURATIONS:
        row = study(name, chosen.problems, chosen.seed, chosen.seeds)
        if row is None:
            continue
        rows[name] = row
        print(msgspec.json.encode(row).decode(), flush=True)
        if chosen.out is not None:
            listed = [*CONFIGURATIONS, *(other for other in rows if other not in CONFIGURATIONS)]
            _save(chosen.out, [rows[name] for name in listed if name in rows], chosen)
    return int(any(row.faults for row in rows.values()))


def _rows_before(folder: Path | None) -> list[Row]:
    path = folder / "conformance.json" if folder is not None else None
    if path is None or not path.is_file():
        return []
    return msgspec.json.decode(path.read_bytes(), type=list[Row])


def _save(folder: Path, rows: Sequence[Row], chosen: argparse.Namespace) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(rows), indent=2)
    (folder / "conformance.json").write_bytes(text + b"\n")
    command = (
        f"python -m results.studies.correctness.conformance --problems {chosen.problems} "
        f"--seed {chosen.seed} --seeds {chosen.seeds} "
        f"{'--only ... ' if chosen.only else ''}--out {folder.as_posix()}"
    )
    (folder / "conformance.md").write_text(report_of(rows, command), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
