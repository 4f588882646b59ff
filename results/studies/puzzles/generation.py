"""Generating puzzles: how fast, how large; and every puzzle checked by other solvers.

    python -m results.studies.puzzles.generation [--puzzles N] [--million N] [--jobs J] [--out DIR]

speed     minimal 9x9 puzzles a second of CPU on one core, with ``compiled`` and in pure Python,
          after the kernel was loaded; and which part of the time filling takes. For each kind of
          wish as well.
large     seconds for one puzzle, one at a time: minimal 16x16, 25x25 of 400 clues, minimal 25x25.
          ``sure`` is the share of puzzles of which no count gave up.
memory    ``concord generate`` in a process of its own: seconds, and the most memory that it held,
          for a tenth of the number of puzzles and for all of it.
checked   all puzzles that were generated are counted again, by solvers that had no part in making
          them: one solution each; and not one without any of its clues. ``wrong`` is how many
          are not so.

Writes ``generation.json`` and ``generation.md`` to ``--out``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import msgspec
import numpy as np

from backends.counting import counter
from backends.interface import registry
from harness.machine import this_machine
from harness.streams.generating import GenerateRequest, generate_portions
from modelling.errors import InputError
from modelling.versions import find_version
from puzzles.grid import model
from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.filling.random_fill import random_fill
from puzzles.sudoku.generating import FILL, TOGETHER
from puzzles.sudoku.wish import Wish
from results.studies.runner import write_json, write_text

NINE, SIXTEEN, TWENTY_FIVE = Layout(9, (3, 3)), Layout(16, (4, 4)), Layout(25, (5, 5))
PURE = "ladder:one_integer"
CHECKERS = ("ladder:one_integer", "sat:extended,minisat22,reuse=solver")
"""Of the ladder in pure Python and of the SAT encodings: families of their own. The first is the
faster, so it also looks at what is left without each clue."""
CHECKED_TOGETHER = 500

WISHES = {
    "minimal": Wish(),
    "half-turn, minimal": Wish(symmetry="half-turn"),
    "24 clues": Wish(clues=24),
    "20 clues": Wish(clues=20),
    "5 solutions": Wish(solutions=5),
    "1,000 solutions": Wish(solutions=1000),
    "unsatisfiable": Wish(solutions=0),
    "grade hidden-single": Wish(grade="hidden-single"),
    "grade x-wing": Wish(grade="x-wing"),
}

SLOW = {
    "20 clues": 500,
    "1,000 solutions": 5000,
    "grade hidden-single": 1000,
    "grade x-wing": 5000,
}
"""Of these wishes a smaller part is measured, one in so many; of the others a tenth."""


# --- speed ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Speed:
    """Puzzles a second of CPU; ``met`` is the share that is as wished."""

    wish: str
    backend: str
    puzzles: int
    a_second: float
    clues: float
    attempts: float
    met: float


def speed(name: str, backend: str, puzzles: int) -> Speed:
    """Make so many puzzles in this process, as ``concord generate`` does."""
    request = GenerateRequest("sudoku", NINE, WISHES[name], 1, backend)
    list(generate_portions(request, 0, 1))  # the kernel is loaded outside the clock
    started = process_time()
    batches = list(generate_portions(request, 0, puzzles))
    taken = process_time() - started
    met = np.concatenate([made.met for made in batches])
    clues = np.concatenate([(made.grids > 0).sum(axis=1) for made in batches])
    attempts = np.concatenate([made.attempts for made in batches])
    return Speed(
        name,
        backend,
        puzzles,
        round(puzzles / taken, 2),
        round(float(clues[met].mean()), 2) if met.any() else 0.0,
        round(float(attempts.mean()), 2),
        round(float(met.mean()), 4),
    )


def filling_share(puzzles: int, a_second: float) -> float:
    """Which part of the CPU time of minimal puzzles goes by in filling grids."""
    count = counter(model.structure(NINE), "compiled")
    started = process_time()
    for start in range(0, puzzles, TOGETHER):
        items = range(start, min(puzzles, start + TOGETHER))
        random_fill(NINE, count, Streams(1, items, 0, FILL))
    return round((process_time() - started) / (puzzles / a_second), 3)


# --- large grids ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Large:
    """CPU seconds of one puzzle; ``clues`` is the mean."""

    grid: str
    backend: str
    puzzles: int
    median_s: float
    most_s: float
    clues: float
    sure: float


def large(layout: Layout, wish: Wish, backend: str, puzzles: int) -> Large:
    """Make puzzles of a large grid one at a time, filling included."""
    request = GenerateRequest("sudoku", layout, wish, 1, backend)
    list(generate_portions(GenerateRequest("sudoku", Layout(4, (2, 2)), Wish(), 1, backend), 0, 1))
    seconds, clues, sure = [], [], []
    for item in range(puzzles):
        started = process_time()
        (made,) = generate_portions(request, item, 1)
        seconds.append(process_time() - started)
        if not made.met[0]:
            raise AssertionError(f"item {item} of {layout} is not as wished")
        clues.append(int((made.grids[0] > 0).sum()))
        sure.append(bool(made.sure[0]))
    size = f"{layout.order}x{layout.order}"
    what = "minimal" if wish.clues is None else f"{wish.clues} clues"
    return Large(
        f"{size}, {what}",
        backend,
        puzzles,
        round(median(seconds), 3),
        round(max(seconds), 3),
        round(sum(clues) / puzzles, 1),
        round(sum(sure) / puzzles, 3),
    )


# --- memory --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Memory:
    """One run of ``concord generate``: wall seconds, CPU seconds and peak memory."""

    puzzles: int
    wall_s: float
    cpu_s: float
    peak_mb: float


def memory(puzzles: int) -> Memory:
    """Generate so many puzzles into a file in another process; raises if lines are missing."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "set.txt"
        arguments = ["generate", "sudoku", "--number", str(puzzles), "--seed", "1", "--quiet"]
        started = perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "harness.cli.entry", *arguments, "--out", str(out)]
        )
        _, status, usage = os.wait4(process.pid, 0)
        taken = perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise AssertionError(f"concord generate ended with status {process.returncode}")
        with out.open("rb") as file:
            lines = sum(not line.startswith(b"#") for line in file)
        if lines != puzzles:
            raise AssertionError(f"{lines} lines for {puzzles} puzzles")
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    cpu = usage.ru_utime + usage.ru_stime
    return Memory(puzzles, round(taken, 1), round(cpu, 1), round(kilobytes / 1024, 1))


# --- checked -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Checked:
    """What a solver said about all puzzles; ``cpu_s`` is over all processes."""

    backend: str
    question: str
    puzzles: int
    counts: int
    wrong: int
    cpu_s: float


_counters: dict[str, Callable[[Any, int], Any]] = {}


def unique(backend: str, grids: Any) -> tuple[int, int, float]:
    """How many of the grids have not exactly one solution, the counts made, CPU seconds."""
    count = _counters.setdefault(backend, counter(model.structure(NINE), backend))
    started = process_time()
    wrong = int((count(grids, 2) != 1).sum())
    return wrong, len(grids), process_time() - started


def minimal(backend: str, grids: Any) -> tuple[int, int, float]:
    """How many of the grids have one solution still without some clue; counts, CPU seconds."""
    count = _counters.setdefault(backend, counter(model.structure(NINE), backend))
    started = process_time()
    row, cell = np.nonzero(grids)
    without = grids[row]
    without[np.arange(len(row)), cell] = 0
    idle = np.unique(row[count(without, 2) != 2])
    return len(idle), len(row), process_time() - started


def checked(grids: Any, jobs: int) -> Iterator[Checked]:
    """Every question put to a solver that did not make the grids."""
    questions = [(unique, "one solution", backend) for backend in CHECKERS]
    questions.append((minimal, "no clue can go", CHECKERS[0]))
    parts = [grids[k : k + CHECKED_TOGETHER] for k in range(0, len(grids), CHECKED_TOGETHER)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawn) as pool:
        for question, words, backend in questions:
            found = list(pool.map(question, [backend] * len(parts), parts))
            wrong, counts, seconds = (sum(column) for column in zip(*found, strict=True))
            yield Checked(backend, words, len(grids), counts, wrong, round(seconds, 1))


def generated(puzzles: int, jobs: int) -> Any:
    """uint8[N, 81]: minimal puzzles as ``concord generate`` makes them."""
    request = GenerateRequest("sudoku", NINE, Wish(), 1, "compiled")
    return np.concatenate([made.grids for made in generate_portions(request, 0, puzzles, jobs)])


# --- tables --------------------------------------------------------------------------------------


def table(rows: Sequence[Any], names: Sequence[str]) -> str:
    """Rows of one kind as Markdown."""
    head = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    for row in rows:
        cells = [f"{v:,}" if isinstance(v, int | float) else v for v in asdict(row).values()]
        head.append("| " + " | ".join(cells) + " |")
    return "\n".join(head)


def page(figures: dict[str, Any], rows: dict[str, Sequence[Any]]) -> str:
    """All figures with how they were measured, as Markdown."""
    wrong = sum(row.wrong for row in rows["checked"])
    number = figures["puzzles"]
    return f"""# Generating puzzles, measured

Written by `python -m results.studies.puzzles.generation` on {this_machine().processor}, shared with
other work; so speeds are by CPU time of one process.

## 9x9, puzzles a second of CPU

{table(rows["speed"], ("wish", "backend", "puzzles", "a second", "clues", "attempts", "as wished"))}

Of the time for minimal puzzles with `compiled`, {100 * figures["filling_share"]:.0f}% is filling
grids.

## Large grids, one at a time

{table(rows["large"], ("grid", "backend", "puzzles", "median s", "most s", "clues", "sure"))}

Sure are the puzzles of which no count gave up: they are proven to be minimal.

## A large set in one process

{table(rows["memory"], ("puzzles", "wall s", "CPU s", "peak MB"))}

## Checked by other solvers

{number:,} minimal puzzles were made by `compiled` and looked at by solvers that share no code
with it.

{table(rows["checked"], ("backend", "question", "puzzles", "counts", "wrong", "CPU s"))}

{"None is wrong." if not wrong else f"{wrong} answers are wrong."}
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write to ``--out``; 1 if a puzzle is wrong."""
    parser = argparse.ArgumentParser(description="generating puzzles: speed, memory, correctness")
    parser.add_argument("--puzzles", type=int, default=100_000, help="to be checked")
    parser.add_argument("--million", type=int, default=1_000_000, help="for the large set; 0: none")
    parser.add_argument(
        "--large", type=int, default=20, help="16x16 puzzles; half as many of 25x25"
    )
    parser.add_argument("--pure", type=int, default=500, help="puzzles in pure Python")
    parser.add_argument("--jobs", type=int, default=2, help="processes that generate and check")
    parser.add_argument("--out", type=Path, default=Path("results/reference/generation"))
    chosen = parser.parse_args(arguments)
    for name in ("puzzles", "large", "pure", "jobs"):
        if getattr(chosen, name) < 1:
            raise InputError(f"--{name} takes a number of at least 1")
    registry.get("compiled")  # without numba: what to install
    rows: dict[str, Sequence[Any]] = {}

    def collect(kind: str, measured: Iterator[Any]) -> None:
        rows[kind] = kept = []
        for row in measured:
            print(kind, msgspec.json.encode(asdict(row)).decode(), flush=True)
            kept.append(row)

    collect("speed", speeds(chosen.puzzles, chosen.pure))
    share = filling_share(chosen.puzzles, rows["speed"][0].a_second)
    collect("large", larges(chosen.large))
    sizes = (chosen.million // 10, chosen.million) if chosen.million else ()
    collect("memory", (memory(size) for size in sizes if size))
    collect("checked", checked(generated(chosen.puzzles, chosen.jobs), chosen.jobs))
    figures: dict[str, Any] = {
        "puzzles": chosen.puzzles,
        "filling_share": share,
        "numba": find_version("numba"),
    }
    text = page(figures, rows)
    print(text)
    tables = {kind: [asdict(row) for row in found] for kind, found in rows.items()}
    write_json(chosen.out / "generation.json", {**tables, **figures})
    write_text(chosen.out / "generation.md", text)
    return int(any(row.wrong for row in rows["checked"]))


def speeds(puzzles: int, pure: int) -> Iterator[Speed]:
    """Minimal puzzles with both solvers, and fewer of the other wishes."""
    yield speed("minimal", "compiled", puzzles)
    yield speed("minimal", PURE, pure)
    for name in islice(WISHES, 1, None):
        yield speed(name, "compiled", max(1, puzzles // SLOW.get(name, 10)))


def larges(puzzles: int) -> Iterator[Large]:
    """16x16, and 25x25 with a number of clues and without."""
    yield large(SIXTEEN, Wish(), "compiled", puzzles)
    yield large(TWENTY_FIVE, Wish(clues=400), "compiled", -(-puzzles // 2))
    yield large(TWENTY_FIVE, Wish(), "compiled", -(-puzzles // 4))


if __name__ == "__main__":
    sys.exit(main())
