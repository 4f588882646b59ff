"""How long does a large model take from its first variable to its structure, and how much memory?

    python -m results.studies.speed.modelling [--repeat 5] [--variables 10000] [--constraints 50000]
                                              [--out FOLDER]

A model over drawn variables for each kind of constraint, and one of all kinds in turn; each in a
process of its own, in turn, ``--repeat`` times. ``build`` is until all is added, ``structure`` what
``Model.problem()`` takes from there, both in seconds of CPU time; ``memory`` is what the process
holds at its peak above what it held before, in MB. ``modelling.md`` in ``--out`` has the medians
and the worst, ``modelling.json`` every measurement.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from statistics import median
from time import process_time
from typing import Any

import msgspec

import concord
from harness.machine import this_machine
from results.studies.runner import (
    Known,
    Options,
    Study,
    option,
)
from results.studies.speed.measuring import read_peak_mb

KINDS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a + 2*b <= c + 50": lambda a, b, c: a + 2 * b <= c + 50,
    "a != b": lambda a, b, c: a != b,
    "(a > 5).implies(b <= c)": lambda a, b, c: (a > 5).implies(b <= c),
    "abs(a - b) >= 2": lambda a, b, c: abs(a - b) >= 2,
    "all_different(a, b, c)": lambda a, b, c: concord.all_different(a, b, c),
}
ALL = "all in turn"


class Row(msgspec.Struct):
    """One model: seconds of CPU time, and MB."""

    kind: str
    turn: int
    build: float
    structure: float
    memory: float


def measure(kind: str, variables: int, constraints: int) -> dict[str, float]:
    """One model, in this process."""
    makers = list(KINDS.values()) if kind == ALL else [KINDS[kind]]
    rng = random.Random(0)
    chosen = [[rng.randrange(variables) for _ in range(3)] for _ in range(constraints)]
    before_mb, began = read_peak_mb(), process_time()
    m = concord.Model()
    x = m.ints(variables, 0, 99, "x").flat
    for k, (a, b, c) in enumerate(chosen):
        m.add(makers[k % len(makers)](x[a], x[b], x[c]))
    built = process_time()
    structure = m.problem().structure
    ended = process_time()
    assert (structure.size, len(structure.constraints)) == (variables, constraints)
    memory_mb = read_peak_mb() - before_mb
    return {"build": built - began, "structure": ended - built, "memory": memory_mb}


def measure_all(chosen: Options, known: Known) -> Iterator[Row]:
    """Each kind ``--repeat`` times, in turn, each time in a new process."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for turn, kind in product(range(chosen.repeat), (*KINDS, ALL)):
            if (kind, turn) not in known:
                figures = pool.apply(measure, (kind, chosen.variables, chosen.constraints))
                yield Row(kind, turn, **figures)


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The medians and the worst of each kind."""
    lines = [
        "# From the first variable to the structure",
        "",
        f"Made by `{chosen.command}` on {this_machine().processor}, shared with other work: "
        f"{chosen.variables:,} variables, {chosen.constraints:,} constraints, {chosen.repeat} "
        "processes each. Seconds of CPU time, median (worst); memory at its peak above that "
        "before, in MB.",
        "",
        "| constraints | build | structure | together | memory |",
        "|---|---:|---:|---:|---:|",
    ]
    for kind in dict.fromkeys(row.kind for row in rows):
        own = [row for row in rows if row.kind == kind]
        columns = [[row.build for row in own], [row.structure for row in own]]
        columns.append([row.build + row.structure for row in own])
        cells = [f"{median(c):.2f} ({max(c):.2f})" for c in columns]
        memory = [row.memory for row in own]
        cells.append(f"{median(memory):.0f} ({max(memory):.0f})")
        lines.append(f"| {kind if kind == ALL else f'`{kind}`'} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


STUDY = Study(
    "speed.modelling",
    __doc__,
    Row,
    key=lambda row: (row.kind, row.turn),
    measure=measure_all,
    report=report,
    options=(
        option("--repeat", 5, "processes for each kind"),
        option("--variables", 10_000),
        option("--constraints", 50_000),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
