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

import argparse
import json
import multiprocessing
import random
import resource
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import msgspec

import concord
from harness.machine import this_machine

KINDS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a + 2*b <= c + 50": lambda a, b, c: a + 2 * b <= c + 50,
    "a != b": lambda a, b, c: a != b,
    "(a > 5).implies(b <= c)": lambda a, b, c: (a > 5).implies(b <= c),
    "abs(a - b) >= 2": lambda a, b, c: abs(a - b) >= 2,
    "all_different(a, b, c)": lambda a, b, c: concord.all_different(a, b, c),
}
ALL = "all in turn"

Measured = dict[str, float]


def measure(kind: str, variables: int, constraints: int) -> Measured:
    """One model, in this process."""
    makers = list(KINDS.values()) if kind == ALL else [KINDS[kind]]
    rng = random.Random(0)
    chosen = [[rng.randrange(variables) for _ in range(3)] for _ in range(constraints)]
    before_mb, began = _peak_mb(), process_time()
    m = concord.Model()
    x = m.ints(variables, 0, 99, "x").flat
    for k, (a, b, c) in enumerate(chosen):
        m.add(makers[k % len(makers)](x[a], x[b], x[c]))
    built = process_time()
    structure = m.problem().structure
    ended = process_time()
    assert (structure.size, len(structure.constraints)) == (variables, constraints)
    memory_mb = _peak_mb() - before_mb
    return {"build": built - began, "structure": ended - built, "memory": memory_mb}


def _peak_mb() -> float:
    """The most that this process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def measure_all(repeat: int, variables: int, constraints: int) -> dict[str, list[Measured]]:
    """Each kind ``repeat`` times, in turn, each time in a new process."""
    found: dict[str, list[Measured]] = {kind: [] for kind in (*KINDS, ALL)}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for _ in range(repeat):
            for kind, measured in found.items():
                measured.append(pool.apply(measure, (kind, variables, constraints)))
                print(f"{kind}: {measured[-1]}")
    return found


def write(found: dict[str, list[Measured]], arguments: argparse.Namespace) -> str:
    """The table."""
    lines = [
        "# From the first variable to the structure",
        "",
        f"Made by `python -m results.studies.speed.modelling --repeat {arguments.repeat}` on "
        f"{this_machine().processor}, shared with other work: {arguments.variables:,} variables, "
        f"{arguments.constraints:,} constraints, {arguments.repeat} processes each. Seconds of CPU "
        "time, median (worst); memory at its peak above that before, in MB.",
        "",
        "| constraints | build | structure | together | memory |",
        "|---|---:|---:|---:|---:|",
    ]
    for kind, measured in found.items():
        together = [one["build"] + one["structure"] for one in measured]
        columns = [[one["build"] for one in measured], [one["structure"] for one in measured]]
        cells = [f"{median(c):.2f} ({max(c):.2f})" for c in (*columns, together)]
        memory = [one["memory"] for one in measured]
        told = " | ".join([*cells, f"{median(memory):.0f} ({max(memory):.0f})"])
        name = kind if kind == ALL else f"`{kind}`"
        lines.append(f"| {name} | {told} |")
    return "\n".join(lines) + "\n"


def main(words: Sequence[str] | None = None) -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--variables", type=int, default=10_000)
    parser.add_argument("--constraints", type=int, default=50_000)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args(words)
    found = measure_all(arguments.repeat, arguments.variables, arguments.constraints)
    table = write(found, arguments)
    print(table)
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "modelling.md").write_text(table, encoding="utf-8")
        content = {"machine": msgspec.to_builtins(this_machine()), "measured": found}
        text = json.dumps(content, indent=1) + "\n"
        (arguments.out / "modelling.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
