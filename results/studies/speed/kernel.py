"""The compiled kernel beside Norvig's algorithm, on whole public sets and on their anchor slices.

    python -m results.studies.speed.kernel [--folder ../shared/puzzles] [--repeat K] [--sample N]
                                           [--out DIR]

Four measurements, in this process unless told otherwise:

sets        the 9x9 kernel to a limit of 2, so that uniqueness is proven, on one thread, after it
            was loaded, on the whole set and on a sample: up to ``--sample`` puzzles that are spread
            evenly over it. ``norvig`` of the ladder to the first solution (or the proof that there
            is none) on the same sample, its problems stated beforehand. CPU seconds; the repeats of
            all three alternate, and the ratio is that of the medians on the sample.
effort      guesses and sweeps a puzzle, counted in a run of its own; nanoseconds a sweep are all
            of the kernel's time over its sweeps, reading and writing of grids included.
overhead    what ``Backend.solve`` costs beside the kernel: its time for stated 17-clue problems
            less the kernel's time for the same grids, in microseconds a puzzle.
cache       wall seconds of a fresh process that solves one grid: without cache, and with it;
            ``imports`` is the part that goes by before there is any kernel. And of ``concord
            solve`` over the whole 17-clue file, start-up included.

A small set is gone through again and again until 50 ms have passed. Writes ``kernel.json`` and
``kernel.md`` to ``--out``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from backends.interface import registry
from backends.interface.api import Backend, Solutions
from harness.machine import this_machine
from modelling.versions import find_version
from puzzles.family import family
from results.studies.runner import write_json, write_text
from results.studies.speed.measuring import read_texts

LEAST_SECONDS = 0.05
"""So long, at least, the kernel is timed at a time."""

OVERHEAD_PUZZLES = 2000


SETS = {
    "17-clue": "17clue.txt.gz",
    "top1465": "magictour_top1465.txt",
    "hardest 11+": "forum_hardest_1905_11plus.txt.gz",
    "several solutions": "serg_multi_solution.txt",
    "random minimal": "random_minimal.txt.gz",
    "random easy": "random_easy.txt",
    "zero solutions": "zero_solutions.txt",
    "17-clue anchor": "anchor_17clue_200.txt",
    "top1465 anchor": "anchor_magictour_200.txt",
    "hardest 11+ anchor": "anchor_hardest_11plus_100.txt",
}

SAMPLE = 200


@dataclass(frozen=True)
class Times:
    """CPU seconds a puzzle, repeat by repeat: of the kernel, and of both on the sample."""

    kernel: list[float]
    kernel_on_sample: list[float]
    norvig_on_sample: list[float]


@dataclass(frozen=True)
class Row:
    """One set; medians. ``thousands`` a second on the whole set; the rest on the sample."""

    set: str
    puzzles: int
    thousands: float
    sample: int
    kernel_us: float
    norvig_ms: float
    times_norvig: float
    guesses: float
    sweeps: float
    ns_a_sweep: float


def array_of(lines: Sequence[str]) -> Any:
    """uint8[N, 81] of canonical texts."""
    signs = np.frombuffer("".join(lines).encode("ascii"), np.uint8).reshape(-1, 81)
    return np.where(signs == ord("."), 0, signs - ord("0")).astype(np.uint8)


# --- timing --------------------------------------------------------------------------------------


def kernel_seconds(grids: Any) -> float:
    """CPU seconds of one pass over the grids, to a limit of 2."""
    from backends.sudoku_kernel import bitboard
    from backends.sudoku_kernel.endings import UNLIMITED

    counts, first = np.zeros(len(grids), np.int64), np.zeros_like(grids)
    status = np.zeros(len(grids), np.uint8)
    passes, started = 0, thread_time()
    while (taken := thread_time() - started) < LEAST_SECONDS:
        bitboard.count(grids, 2, counts, first, status, UNLIMITED, None)
        passes += 1
    return taken / passes


def kernel_effort(grids: Any) -> tuple[float, float]:
    """Guesses and sweeps a puzzle."""
    from backends.sudoku_kernel import bitboard
    from backends.sudoku_kernel.endings import GUESSES, PROPAGATIONS, STATISTICS, UNLIMITED

    counts, first = np.zeros(len(grids), np.int64), np.zeros_like(grids)
    status, statistics = np.zeros(len(grids), np.uint8), np.zeros(STATISTICS, np.int64)
    bitboard.count(grids, 2, counts, first, status, UNLIMITED, statistics)
    return float(statistics[GUESSES]) / len(grids), float(statistics[PROPAGATIONS]) / len(grids)


def norvig_seconds(backend: Backend, lines: Sequence[str], grids: Any) -> Callable[[], float]:
    """A function that times the first solutions of stated problems, CPU seconds a pass.

    Where it finds a solution and the kernel does not, or the other way round, it raises.
    """
    from backends.sudoku_kernel import bitboard
    from backends.sudoku_kernel.endings import UNLIMITED

    problems = [family("sudoku").problem(text) for text in lines]
    counts, status = np.zeros(len(grids), np.int64), np.zeros(len(grids), np.uint8)
    bitboard.count(grids, 1, counts, np.zeros_like(grids), status, UNLIMITED, None)

    def seconds() -> float:
        started = thread_time()
        found = [backend.solve(problem, Solutions(1)).count for problem in problems]
        taken = thread_time() - started
        if found != counts.tolist():
            raise AssertionError(f"{backend.name} and the kernel disagree")
        return taken

    return seconds


def timed(folder: Path, sample: int, repeats: int) -> tuple[dict[str, Any], dict[str, Times]]:
    """The grids of every set, and the times of the kernel and of norvig in turn."""
    backend = registry.get("ladder:norvig")
    sets, samples, norvig = {}, {}, {}
    for name, file in SETS.items():
        lines = read_texts(folder / file)
        sets[name] = array_of(lines)
        places = spread(len(lines), sample)
        samples[name] = sets[name][places]
        norvig[name] = norvig_seconds(backend, [lines[place] for place in places], samples[name])
    kernel_seconds(next(iter(sets.values()))[:1])  # the kernel is loaded outside the clock
    times = {name: Times([], [], []) for name in sets}
    for turn in range(repeats):
        for name, found in times.items():
            found.kernel.append(kernel_seconds(sets[name]) / len(sets[name]))
            found.kernel_on_sample.append(kernel_seconds(samples[name]) / len(samples[name]))
            found.norvig_on_sample.append(norvig[name]() / len(samples[name]))
            norvig_ms = 1e3 * found.norvig_on_sample[-1]
            print(f"{turn + 1}/{repeats} {name}: norvig {norvig_ms:.2f} ms", flush=True)
    return sets, times


def spread(number: int, limit: int) -> list[int]:
    """At most ``limit`` of the places 0 to ``number`` - 1, evenly spread."""
    chosen = min(number, limit)
    return [place * number // chosen for place in range(chosen)]


def row(name: str, grids: Any, sample: int, times: Times) -> Row:
    """A line of the table."""
    guesses, sweeps = kernel_effort(grids)
    kernel, on_sample = median(times.kernel), median(times.kernel_on_sample)
    norvig = median(times.norvig_on_sample)
    return Row(
        set=name,
        puzzles=len(grids),
        thousands=round(1e-3 / kernel, 1),
        sample=min(sample, len(grids)),
        kernel_us=round(1e6 * on_sample, 4),
        norvig_ms=round(1e3 * norvig, 3),
        times_norvig=round(norvig / on_sample),
        guesses=round(guesses, 4),
        sweeps=round(sweeps, 2),
        ns_a_sweep=round(1e9 * kernel / sweeps, 1),
    )


def overhead(folder: Path, repeats: int) -> dict[str, float]:
    """Microseconds a puzzle through ``Backend.solve``, in the kernel, and their difference."""
    lines = read_texts(folder / "17clue.txt.gz")[:OVERHEAD_PUZZLES]
    problems, grids = [family("sudoku").problem(text) for text in lines], array_of(lines)
    backend = registry.get("compiled")
    backend.solve(problems[0], Solutions(2))
    through: list[float] = []
    kernel: list[float] = []
    for _ in range(repeats):
        started = thread_time()
        for problem in problems:
            backend.solve(problem, Solutions(2))
        through.append(thread_time() - started)
        kernel.append(kernel_seconds(grids))
    per = 1e6 / len(lines)
    return {
        "puzzles": len(lines),
        "solve_us": round(per * median(through), 2),
        "kernel_us": round(per * median(kernel), 2),
        "overhead_us": round(per * (median(through) - median(kernel)), 2),
    }


ONE_GRID = """
from backends.interface import registry
from puzzles.family import family
backend = registry.get("compiled")
problem = family("sudoku").problem("." * 81)
if __import__("sys").argv[1:]:
    backend.solve(problem)
"""


def process_seconds(arguments: Sequence[str], environment: Mapping[str, str]) -> float:
    """Wall seconds of a fresh Python process."""
    started = perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
    )
    return perf_counter() - started


def cache(folder: Path, repeats: int) -> dict[str, float]:
    """Wall seconds of fresh processes; the median, but one run only without a cache."""
    whole = ["-m", "harness.cli.entry", "solve", str(folder / "17clue.txt.gz")]
    with tempfile.TemporaryDirectory() as empty:
        place = {"NUMBA_CACHE_DIR": empty}
        cold = process_seconds(["-c", ONE_GRID, "solve"], place)
        process_seconds(whole, place)

        def again(*arguments: str) -> float:
            return round(median(process_seconds(arguments, place) for _ in range(repeats)), 3)

        return {
            "imports_s": again("-c", ONE_GRID),
            "one_grid_without_cache_s": round(cold, 3),
            "one_grid_s": again("-c", ONE_GRID, "solve"),
            "concord_solve_17clue_s": again(*whole),
        }


# --- tables --------------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """The sets as a Markdown table."""
    lines = [
        "| set | puzzles | thousand/s | sample | kernel us | norvig ms | times norvig "
        "| guesses a puzzle | sweeps a puzzle | ns a sweep |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines.extend(
        f"| {r.set} | {r.puzzles:,} | {r.thousands:,g} | {r.sample} | {r.kernel_us:.3g} "
        f"| {r.norvig_ms:.3g} | {r.times_norvig:,} | {r.guesses:.3f} | {r.sweeps:.1f} "
        f"| {r.ns_a_sweep:.1f} |"
        for r in rows
    )
    return "\n".join(lines)


def page(
    rows: Sequence[Row], repeats: int, per_solve: Mapping[str, float], start: Mapping[str, float]
) -> str:
    """All figures with how they were measured, as Markdown."""
    return f"""# The compiled kernel, measured

Written by `python -m results.studies.speed.kernel` on {this_machine().processor}. CPU time of one
thread, medians of {repeats} interleaved repeats in one run. `thousand/s`, guesses, sweeps and their
time are of the kernel on the whole set. `kernel us` and `norvig ms`, a puzzle, are of the same
puzzles: the sample, so many that are spread evenly over the set. `times norvig` is their ratio. The
kernel searches to a limit of 2 (uniqueness proven), `ladder:norvig` stops at the first solution, so
that the ratio favours norvig.

{table(rows)}

`Backend.solve` takes {per_solve["solve_us"]:g} microseconds a 17-clue puzzle (limit 2), the kernel
{per_solve["kernel_us"]:g} of them: the overhead is {per_solve["overhead_us"]:g}.

A fresh process that solves one grid takes {start["one_grid_s"]:g} s of wall time with a warm cache,
{start["imports_s"]:g} s of which go by before the kernel is asked for, and
{start["one_grid_without_cache_s"]:g} s where it is compiled. `concord solve` takes
{start["concord_solve_17clue_s"]:g} s for the whole 17-clue file, start-up included.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="the compiled kernel beside Norvig's algorithm")
    parser.add_argument("--folder", type=Path, default=Path("../shared/puzzles"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--sample", type=int, default=SAMPLE, metavar="N")
    parser.add_argument("--out", type=Path, default=Path("results/reference/kernel"))
    chosen = parser.parse_args(arguments)
    registry.get("compiled")  # without numba: what to install
    sets, times = timed(chosen.folder, chosen.sample, chosen.repeat)
    rows = [row(name, sets[name], chosen.sample, times[name]) for name in SETS]
    per_solve = overhead(chosen.folder, chosen.repeat)
    start = cache(chosen.folder, chosen.repeat)
    text = page(rows, chosen.repeat, per_solve, start)
    print(text)
    figures = {
        "sets": [asdict(r) for r in rows],
        "seconds a puzzle": {name: asdict(found) for name, found in times.items()},
        "overhead": per_solve,
        "start": start,
        "settings": {
            "repeats": chosen.repeat,
            "sample": chosen.sample,
            "kernel_limit": 2,
            "norvig_limit": 1,
            "clock": "CPU time of the thread; wall time for start",
            "numba": find_version("numba"),
        },
    }
    write_json(chosen.out / "kernel.json", figures)
    write_text(chosen.out / "kernel.md", text)


if __name__ == "__main__":
    main()
