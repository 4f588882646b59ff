"""The ladder against the posts' tables: run time by rung, incremental and cumulative speed-up.

    python -m results.studies.speed.ladder [--folder ../shared/puzzles] [--sample N] [--budget S]
                                           [--timeout S] [--repeat K] [--out DIR]

Three measurements, all in this process, in CPU seconds (machines are shared), statement of the
problem included:

seventeen    each rung looks for the first solution of puzzles of 17 clues: a random sample of
             ``--sample``, the same for all rungs, of which it takes as many as ``--budget``
             seconds allow. A puzzle is left after ``--timeout`` seconds of wall time and counted as
             a timeout, with the CPU time that it took. From the mean follows the run time over
             the whole list of 49,151, *extrapolated*, and only a lower bound where there were
             timeouts.
top95        the same on all of top95, in the file's order; average and worst time.
yardstick    medians of ``--repeat`` interleaved repeats over the anchor slices: norvig to the first
             solution, the upper rungs to a limit of 2, so that uniqueness is proven.

Writes ``seventeen.json``, ``top95.json``, ``yardstick.json`` and ``ladder.md`` to ``--out``.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from backends.interface import registry
from backends.interface.api import Limits, Solutions
from puzzles.family import family
from results.studies.runner import write_json, write_text
from results.studies.speed.measuring import read_texts

SEED = 17
WHOLE = 49_151
"""The puzzles of 17 clues that the posts' run times are for."""

HASKELL: dict[str, float] = {
    "ladder:pruning": 47450,
    "ladder:exclusives": 258.97,
    "ladder:bitset": 69.44,
    "ladder:flat,settle=equality": 88.53,
    "ladder:flat": 57.67,
    "ladder:mutable_table": 35.04,
}
"""Seconds for all of them in *Fast Sudoku Solver in Haskell* #3 (exclusives with the threaded
runtime: 282.98)."""

MOONEY: dict[str, tuple[float, float]] = {
    "ladder:placing,peers=recomputed,copy=comprehension": (1.027, 16.5),
    "ladder:placing,copy=comprehension": (0.843, 13.6),
    "ladder:placing": (0.328, 5.30),
    "ladder:norvig": (0.04, 0.18),
}
"""Average and worst seconds on top95 in *Sudoku Solver and Generator*."""

SEQUENCE = (
    "ladder:generate_and_test",
    "ladder:placing,peers=recomputed,copy=comprehension",
    "ladder:placing,copy=comprehension",
    "ladder:placing",
    "ladder:placing,copy=undo",
    "ladder:pruning",
    "ladder:norvig",
    "ladder:exclusives",
    "ladder:bitset",
    "ladder:flat,settle=equality",
    "ladder:flat",
    "ladder:mutable_table",
    "ladder:trail",
    "ladder:one_integer",
)
"""From the bottom to the top."""

ANCHORS = ("anchor_17clue_200", "anchor_magictour_200", "anchor_hardest_11plus_100")
ENTRANTS = (("ladder:norvig", 1), ("ladder:trail", 2), ("ladder:one_integer", 2))
"""What the yardstick compares: backend and the limit to which it searches."""


@dataclass(frozen=True)
class Timing:
    """One rung on one set; seconds of CPU. ``taken`` puzzles of ``sample`` were tried."""

    backend: str
    sample: int
    taken: int
    timeouts: int
    mean: float
    worst: float
    nodes: float


@dataclass(frozen=True)
class Comparison:
    """Milliseconds a puzzle (median of the repeats), and how many times as fast as norvig."""

    set: str
    backend: str
    limit: int
    puzzles: int
    repeats: int
    milliseconds: float
    times_norvig: float


def timed(name: str, texts: Sequence[str], budget: float, timeout: float) -> Timing:
    """A rung on puzzles until they end or the budget is spent; at least one is tried."""
    backend, sudoku = registry.get(name), family("sudoku")
    backend.solve(sudoku.problem("." * 81), Solutions(1), Limits(nodes=1))  # tables are kept
    times: list[float] = []
    timeouts, nodes = 0, 0.0
    for text in texts:
        if sum(times) >= budget:
            break
        started = process_time()
        result = backend.solve(sudoku.problem(text), Solutions(1), Limits(seconds=timeout))
        times.append(process_time() - started)
        nodes += result.statistics["nodes"]
        if result.stopped_by == "time":
            timeouts += 1
        elif result.count != 1:
            raise AssertionError(f"{name}: no solution of {text}")
    mean = sum(times) / len(times)
    return Timing(name, len(texts), len(times), timeouts, mean, max(times), nodes / len(times))


def compared(label: str, texts: Sequence[str], repeats: int) -> Iterator[Comparison]:
    """The entrants on one set, set by set in turn, in an order that alternates."""
    sudoku = family("sudoku")
    backends = [(registry.get(name), limit) for name, limit in ENTRANTS]
    for backend, limit in backends:
        backend.solve(sudoku.problem(texts[0]), Solutions(limit))
    times: list[list[float]] = [[] for _ in backends]
    for turn in range(repeats):
        order = range(len(backends)) if turn % 2 else reversed(range(len(backends)))
        for which in order:
            backend, limit = backends[which]
            started = process_time()
            for text in texts:
                if backend.solve(sudoku.problem(text), Solutions(limit)).count != 1:
                    raise AssertionError(f"{backend.name}: not one solution of {text}")
            times[which].append(process_time() - started)
    yardstick = median(times[0])
    for (backend, limit), per in zip(backends, times, strict=True):
        yield Comparison(
            label,
            backend.name,
            limit,
            len(texts),
            repeats,
            round(1e3 * median(per) / len(texts), 4),
            round(yardstick / median(per), 2),
        )


# --- tables --------------------------------------------------------------------------------------


def seconds_text(seconds: float, bound: bool) -> str:
    """A time to three digits, ``≥`` in front when it is a lower bound."""
    return f"{'≥ ' if bound else ''}{float(f'{seconds:.3g}'):,g}"


def seventeen_table(timings: Sequence[Timing]) -> str:
    """Run times over all puzzles, extrapolated, beside the posts'."""
    lines = [
        "| rung | puzzles | timeouts | ms a puzzle | worst s | nodes a puzzle "
        "| run time s, extrapolated | incremental | cumulative | post: s | incremental |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    first, last, post_last = timings[0].mean, timings[0].mean, 0.0
    for timing in timings:
        post = HASKELL.get(timing.backend, 0.0)
        bound = timing.timeouts > 0
        lines.append(
            f"| {timing.backend.partition(':')[2]} | {timing.taken} | {timing.timeouts} "
            f"| {seconds_text(1e3 * timing.mean, bound)} | {seconds_text(timing.worst, bound)} "
            f"| {seconds_text(timing.nodes, bound)} | {seconds_text(timing.mean * WHOLE, bound)} "
            f"| {last / timing.mean:.3g}x | {first / timing.mean:.3g}x "
            f"| {f'{post:g}' if post else ''} "
            f"| {f'{post_last / post:.3g}x' if post and post_last else ''} |"
        )
        if timing.backend != "ladder:norvig":  # stands aside: the posts continue from pruning
            last, post_last = timing.mean, post or post_last
    return "\n".join(lines)


def top95_table(timings: Sequence[Timing]) -> str:
    """Average and worst time on top95 beside the posts'."""
    lines = [
        "| rung | puzzles | timeouts | average s | worst s | nodes a puzzle "
        "| post: average s | worst s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for timing in timings:
        average, worst = MOONEY.get(timing.backend, (None, None))
        bound = timing.timeouts > 0
        lines.append(
            f"| {timing.backend.partition(':')[2]} | {timing.taken} | {timing.timeouts} "
            f"| {seconds_text(timing.mean, bound)} | {seconds_text(timing.worst, bound)} "
            f"| {seconds_text(timing.nodes, bound)} "
            f"| {'' if average is None else f'{average:g}'} "
            f"| {'' if worst is None else f'{worst:g}'} |"
        )
    return "\n".join(lines)


def yardstick_table(comparisons: Sequence[Comparison]) -> str:
    """The upper rungs in multiples of norvig."""
    lines = ["| set | rung | limit | ms a puzzle | times norvig |", "|---|---|---|---|---|"]
    lines.extend(
        f"| {c.set} | {c.backend.partition(':')[2]} | {c.limit} | {c.milliseconds:.3g} "
        f"| {c.times_norvig:.3g} |"
        for c in comparisons
    )
    return "\n".join(lines)


def page(
    chosen: argparse.Namespace,
    seventeen: Sequence[Timing],
    top95: Sequence[Timing],
    yardstick: Sequence[Comparison],
) -> str:
    """All three tables with how they were measured, as Markdown."""
    return f"""# The ladder, measured

Written by `python -m results.studies.speed.ladder`; CPU seconds of one process, pure Python.
Each rung had {chosen.budget:g} s for each set; a puzzle was left after {chosen.timeout:g} s of wall
time and counts as a timeout, with the CPU time that it took. `≥` marks what is a lower bound for
that reason, and speed-ups from or to such a rung are no more than indications. Other machines,
languages and years than the posts': compare the steps rather than the seconds.

## Puzzles of 17 clues, first solution

A random sample of {seventeen[0].sample} puzzles (seed {SEED}), the same for all rungs. No rung ran
over the whole list: every run time for its {WHOLE:,} puzzles is **extrapolated** from the mean.
The post measured exclusives at 282.98 s with the threaded runtime. An increment is over the row
above, but for norvig, which stands aside: exclusives continues from pruning.

{seventeen_table(seventeen)}

## top95, first solution

{top95_table(top95)}

## Against norvig

Medians of {yardstick[0].repeats} interleaved repeats. A limit of 1 stops at the first solution; a
limit of 2 proves that there is no other.

{yardstick_table(yardstick)}
"""


def write(path: Path, name: str, rows: Sequence[Any], settings: dict[str, Any]) -> None:
    """One measurement as JSON, with the settings and the machine."""
    write_json(path / f"{name}.json", {name: rows, "settings": settings})


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="the ladder against the posts' tables")
    parser.add_argument("--folder", type=Path, default=Path("../shared/puzzles"))
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--budget", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--timeout", type=float, default=5.0, metavar="SECONDS")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", action="append", metavar="BACKEND")
    parser.add_argument("--out", type=Path, default=Path("results/reference/ladder"))
    chosen = parser.parse_args(arguments)
    rungs = chosen.only or SEQUENCE
    every = read_texts(chosen.folder / "17clue.txt.gz")
    drawn = random.Random(SEED).sample(every, min(chosen.sample, len(every)))
    hard = read_texts(chosen.folder / "top95.txt")
    yardstick: list[Comparison] = []
    for anchor in ANCHORS:
        yardstick.extend(
            compared(anchor, read_texts(chosen.folder / f"{anchor}.txt"), chosen.repeat)
        )
    print(yardstick_table(yardstick), flush=True)
    seventeen, top95 = [], []
    for name in rungs:
        seventeen.append(timed(name, drawn, chosen.budget, chosen.timeout))
        top95.append(timed(name, hard, chosen.budget, chosen.timeout))
        print(seventeen[-1], top95[-1], sep="\n", flush=True)
    settings = {
        "seed": SEED,
        "sample": len(drawn),
        "budget_s": chosen.budget,
        "timeout_s": chosen.timeout,
        "clock": "CPU time of the process",
    }
    write(chosen.out, "seventeen", seventeen, settings)
    write(chosen.out, "top95", top95, settings)
    write(chosen.out, "yardstick", yardstick, {"clock": settings["clock"]})
    text = page(chosen, seventeen, top95, yardstick)
    write_text(chosen.out / "ladder.md", text)


if __name__ == "__main__":
    main()
