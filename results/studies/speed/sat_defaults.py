"""Which engine and encoding `sat` has by default: CPU time of each on sets of many kinds.

    python -m results.studies.speed.sat_defaults [--set NAME-or-FILE]... [--limit N] [--repeat K]
                                                 [--only BACKEND]... [--out FOLDER]

Each configuration answers, in this process and in turn, instance by instance: the first solution,
and of sets in ``COUNTED`` all of them up to 1000. Ten pigeons in nine holes are there because a
default must not be lost on anything. CPU milliseconds of ``Backend.solve``, formulas kept; of the
repeats the median, and the worst instance beside the mean. ``penalised_ms`` counts an instance that
was not settled within ``SECONDS`` tenfold, as PAR-10 does. ``--out`` gets every time
(``samples.csv``).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import msgspec

from backends.interface.api import Limits, Solutions
from modelling.constraints import NotEqual
from modelling.problem import Problem, state
from puzzles.family import Instance, family
from puzzles.formats import label
from puzzles.sets import instances
from results.studies.runner import find_installed, write_csv, write_rows

ENGINES = ("cadical153", "cadical195", "glucose4", "minisat22", "maplesat", "pycosat")
CONFIGURATIONS = (
    *(f"sat:extended,{engine}" for engine in ENGINES),
    *(f"sat:direct,{engine}" for engine in ENGINES),
    *(f"sat:extended,cadical153,amo={amo}" for amo in ("sequential", "product", "commander")),
)

SETS = (
    "sudoku-minimal",
    "sudoku-hard",
    "sudoku-many-solutions",
    "sudoku-no-solution",
    "latin",
    "queens",
    "cryptarithm",
    "sudoku-16x16",
    "sudoku-25x25",
    "pigeons",
)
COUNTED = frozenset({"sudoku-many-solutions", "queens", "latin", "cryptarithm"})
SECONDS = 30.0
SLOW = 1.0
"""Calls that take longer than this many seconds of CPU are not repeated."""


def pigeons(number: int) -> Problem:
    """Pigeons in one hole fewer, stated pair by pair: hard for resolution."""
    birds = [f"p{i}" for i in range(number)]
    pairs = [NotEqual((a, b)) for i, a in enumerate(birds) for b in birds[:i]]
    return state({bird: range(number - 1) for bird in birds}, pairs)


def problems(name: str, limit: int) -> list[Problem]:
    """The problems of a set; ``pigeons`` are made here."""
    if name == "pigeons":
        return [pigeons(number) for number in (8, 9, 10)]
    found = [entry for entry in instances(name) if isinstance(entry, Instance)]
    return [family(entry.family).problem(entry.text) for entry in found[:limit]]


def measure(
    backends: dict[str, Any], posed: Sequence[Problem], ask: Solutions, repeats: int
) -> Iterator[dict[str, Any]]:
    """Every single time, in milliseconds; raises if counts differ."""
    limits = Limits(seconds=SECONDS)
    for number, problem in enumerate(posed):
        counts: dict[str, int] = {}
        slow: set[str] = set()
        for turn in range(repeats + 1):  # the first is not counted: it encodes
            for name, backend in backends.items():
                if name in slow:
                    continue
                begun = process_time()
                result = backend.solve(problem, ask, limits)
                took = process_time() - begun
                settled = result.stopped_by in ("exhausted", "enough")
                if settled:
                    counts[name] = result.count
                if took > SLOW:
                    slow.add(name)
                if turn or took > SLOW:
                    yield {
                        "backend": name,
                        "problem": number,
                        "repeat": turn,
                        "settled": int(settled),
                        "ms": round(1e3 * took, 3),
                    }
        if len(set(counts.values())) > 1:
            raise AssertionError(f"problem {number}: the counts differ: {counts}")


def summary(name: str, samples: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row a backend, the best first."""
    rows = []
    for backend in dict.fromkeys(sample["backend"] for sample in samples):
        own = [sample for sample in samples if sample["backend"] == backend]
        times = []
        for problem in dict.fromkeys(sample["problem"] for sample in own):
            part = [sample for sample in own if sample["problem"] == problem]
            took = median(sample["ms"] for sample in part)
            settled = all(sample["settled"] for sample in part)
            times.append(took if settled else 1e4 * SECONDS)
        rows.append(
            {
                "set": name,
                "backend": backend,
                "problems": len(times),
                "penalised_ms": round(sum(times) / len(times), 3),
                "worst_ms": round(max(times), 3),
            }
        )
    return sorted(rows, key=lambda row: row["penalised_ms"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="which engine and encoding sat has by default")
    parser.add_argument("--set", action="append", dest="sets", metavar="NAME-or-FILE")
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", action="append", metavar="BACKEND")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    every: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    backends = dict(find_installed(chosen.only or CONFIGURATIONS))
    for name in chosen.sets or SETS:
        ask = Solutions(1000, 1) if name in COUNTED else Solutions(1)
        posed = problems(name, chosen.limit)
        samples = list(measure(backends, posed, ask, chosen.repeat))
        every += [{"set": label(name), **sample} for sample in samples]
        for row in summary(label(name), samples):
            rows.append(row)
            print(msgspec.json.encode(row).decode(), flush=True)
        if chosen.out is not None:
            save(chosen.out, rows, every)


def save(folder: Path, rows: Sequence[dict[str, Any]], samples: Sequence[dict[str, Any]]) -> None:
    """Write ``sat_defaults.json`` and ``samples.csv``."""
    write_rows(folder / "sat_defaults.json", rows)
    write_csv(folder / "samples.csv", samples)


if __name__ == "__main__":
    main()
