"""How long does a large file of clauses take to be read, checked, encoded and solved, and how much
memory?

    python -m results.studies.speed.cnf_block [--repeat 3] [--variables 1600000] [--clauses 4000000]
                                              [--backend sat] [--out FOLDER]

The file is drawn: random clauses of three literals, so few for their variables that a solver needs
next to no search. Each measurement is in a process of its own. ``read`` is from bytes to a problem,
``digest`` what tells the structure from others, ``solve`` the whole of ``concord.solve``, with its
phases below it and the check of the solution; seconds of CPU time and of the clock. ``memory`` is
the most that the process has held, in MB. ``cnf_block.md`` in ``--out`` has the medians and the
worst, ``cnf_block.json`` every measurement.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

import concord
from harness.machine import this_machine
from modelling.formats import find_format
from results.studies.runner import (
    Known,
    Options,
    Study,
    option,
)
from results.studies.speed.measuring import read_peak_mb

PIECE = 100_000
"""Clauses that are drawn and written together."""

Measured = dict[str, float]


def draw(path: Path, variables: int, clauses: int, seed: int = 1) -> int:
    """Write a file of random clauses of three literals; its size in bytes."""
    rng = np.random.default_rng(seed)
    with path.open("wb") as file:
        file.write(f"c random clauses\np cnf {variables} {clauses}\n".encode())
        for begin in range(0, clauses, PIECE):
            shape = min(PIECE, clauses - begin), 3
            drawn = rng.integers(1, variables + 1, shape) * rng.choice((-1, 1), shape)
            file.write("".join(f"{a} {b} {c} 0\n" for a, b, c in drawn.tolist()).encode())
    return path.stat().st_size


def measure(path: Path, backend: str) -> Measured:
    """One file read and solved, in this process."""
    found: Measured = {}

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        cpu, clock = process_time(), perf_counter()
        yield
        found[name], found[f"{name} clock"] = process_time() - cpu, perf_counter() - clock

    data = path.read_bytes()
    with timed("read"):
        problem = find_format("cnf").read(data, path.name)
    del data
    found["memory after read"] = read_peak_mb()
    with timed("digest"):
        problem.structure.digest  # noqa: B018 (it is kept)
    with timed("solve"):
        result = concord.solve(problem, backend=backend)
    assert result.count == 1
    found |= {f"phase {name}": seconds for name, seconds in result.phases.items()}
    found["memory"] = read_peak_mb()
    return found


def _spread(rows: Sequence[Measured], name: str, digits: int = 1) -> str:
    values = [row[name] for row in rows]
    return f"{median(values):.{digits}f} ({max(values):.{digits}f})"


def measure_all(chosen: Options, known: Known) -> Iterator[Measured]:
    """The file ``--repeat`` times, each time in a new process."""
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory() as folder, context.Pool(1, maxtasksperchild=1) as pool:
        path = Path(folder) / "random.cnf"
        size = draw(path, chosen.variables, chosen.clauses)
        for turn in range(chosen.repeat):
            if turn not in known:
                yield pool.apply(measure, (path, chosen.backend)) | {"turn": turn, "bytes": size}


def report(rows: Sequence[Measured], chosen: Options) -> str:
    """The medians and the worst of each step."""
    lines = [
        "# A large file of clauses, read and solved",
        "",
        f"Made by `{chosen.command}` on {this_machine().processor}, shared with other work: "
        f"{chosen.variables:,} variables, {chosen.clauses:,} clauses of three literals, "
        f"{rows[0]['bytes'] / 1e6:.0f} MB, by `{chosen.backend}`. Seconds of CPU time and of the "
        "clock, of phases by the clock alone: median (worst). Memory at its peak, in MB.",
        "",
        "| step | CPU | clock |",
        "|---|---:|---:|",
    ]
    for step in ("read", "digest", "solve"):
        lines.append(f"| {step} | {_spread(rows, step)} | {_spread(rows, f'{step} clock')} |")
    lines += [
        f"| - {name.removeprefix('phase ')} | | {_spread(rows, name)} |"
        for name in rows[0]
        if name.startswith("phase ")
    ]
    lines += [
        "",
        f"Memory: {_spread(rows, 'memory after read', 0)} when the file is read, "
        f"{_spread(rows, 'memory', 0)} in all.",
    ]
    return "\n".join(lines) + "\n"


STUDY = Study(
    "speed.cnf_block",
    __doc__,
    Measured,
    key=lambda row: row["turn"],
    measure=measure_all,
    report=report,
    options=(
        option("--repeat", 3, "processes"),
        option("--variables", 1_600_000),
        option("--clauses", 4_000_000),
        option("--backend", "sat"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
