"""Does a solver gain from the order in which a set's puzzles are written? Scrambles tell how much.

    python -m results.studies.puzzles.scrambles [--folder ../shared/puzzles] [--limit N]
                                                [--copies K] [--seed S] [--seconds T]
                                                [--backend B]... [--set FILE]... [--out DIR]

Every backend proves the uniqueness of puzzles as they are written, and of ``--copies`` isomorphic
scrambles of each (``puzzles.sudoku.scrambling``), the versions of a puzzle in a random order, in
this process. The kernel of ``compiled`` takes the whole set; the others take ``--limit`` puzzles
that are spread evenly over it, since neighbours in a sorted list are nearly the same puzzle.

Words
-----
row         what is paired: one puzzle in all its versions; for the kernel, whose puzzles take less
            than a microsecond, ``BLOCK`` consecutive ones
effort      nodes as the backend counts them, for the kernel its guesses; they are the same in each
            run. And CPU seconds of this process, which are not
effect      by how many per cent the scrambles take more effort than what is written: of the sums
            over all rows (``total``), and of the geometric means of effort + 1 (``typical``), which
            a few hard puzzles cannot govern
interval    95 %, from the differences between the rows; of a ratio of sums by its linear part
finds       the smallest effect that would have been told from none with a probability of 80 %

Writes ``scrambles.json``, ``scrambles.md`` and ``raw.csv.gz`` (every row and version) to ``--out``.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import exp, sqrt
from pathlib import Path
from statistics import NormalDist
from time import process_time
from typing import Any

import numpy as np

from backends.interface import registry
from backends.interface.api import Backend, Limits, Solutions
from modelling.errors import InputError
from puzzles.family import Instance, family
from puzzles.random_stream import Stream, Streams
from puzzles.sets import instances
from puzzles.sudoku import sudoku_layout
from puzzles.sudoku.scrambling import scrambled
from puzzles.sudoku.symmetries import drawn_images
from results.studies.runner import write_json, write_text
from results.studies.speed.kernel import array_of, spread

KERNEL = "compiled"
BLOCK = 100
"""Puzzles in a row of the kernel."""

WITHIN = NormalDist().inv_cdf(0.975)
FOUND = WITHIN + NormalDist().inv_cdf(0.8)
"""Standard errors: half an interval of 95 %, and an effect that is found with probability 80 %."""

SETS = ("17clue.txt.gz", "random_minimal.txt.gz", "forum_hardest_1905_11plus.txt.gz")

BACKENDS = (
    KERNEL,
    "propagation",
    "ladder:norvig",
    "ladder:trail",
    "ladder:one_integer",
    "sat",
    "cpsat",
)

Measured = np.ndarray
"""float64[rows, versions, 2]: nodes and CPU seconds; version 0 is what is written."""


@dataclass(frozen=True)
class Effect:
    """Per cent by which the scrambles take more, its interval of 95 %, and what would be found."""

    percent: float
    low: float
    high: float
    finds: float

    @property
    def is_shown(self) -> bool:
        """Whether the interval leaves out no effect at all."""
        return not self.low <= 0 <= self.high


@dataclass(frozen=True)
class Gain:
    """One backend on one set; ``nodes`` and ``milliseconds`` are means a puzzle as written.

    ``timeouts`` counts versions that were left; the rows that they belong to are in no figure. An
    effect is None where there is no effort to compare.
    """

    set: str
    backend: str
    puzzles: int
    rows: int
    timeouts: int
    nodes: float
    nodes_total: Effect | None
    nodes_typical: Effect | None
    milliseconds: float
    time_total: Effect | None
    time_typical: Effect | None


# --- estimates -----------------------------------------------------------------------------------


def total(values: np.ndarray) -> Effect | None:
    """The effect on the sums of float64[rows, versions]; None without two rows or any effort."""
    written, scrambles = values[:, 0], values[:, 1:].mean(axis=1)
    if len(values) < 2 or not written.sum():
        return None
    ratio = scrambles.sum() / written.sum()
    residuals = scrambles - ratio * written
    error = sqrt(len(values) / (len(values) - 1) * float((residuals**2).sum())) / written.sum()
    return _effect(ratio, WITHIN * error, WITHIN * error, FOUND * error)


def typical(values: np.ndarray, plus: float) -> Effect | None:
    """The effect on the geometric mean of effort + ``plus``; None without two rows or effort."""
    if len(values) < 2 or not values.any():
        return None
    logs = np.log(values + plus)
    differences = logs[:, 1:].mean(axis=1) - logs[:, 0]
    mean = float(differences.mean())
    error = float(differences.std(ddof=1)) / sqrt(len(values))
    ratio, within = exp(mean), exp(WITHIN * error)
    return _effect(ratio, ratio - ratio / within, ratio * within - ratio, exp(FOUND * error) - 1)


def _effect(ratio: float, below: float, above: float, finds: float) -> Effect:
    percents = (100 * (ratio - 1), 100 * (ratio - below - 1), 100 * (ratio + above - 1))
    return Effect(*(round(float(value), 2) for value in (*percents, 100 * finds)))


def compared(name: str, backend: str, found: Measured, puzzles: int) -> Gain:
    """What the measurements of a backend on a set say."""
    timeouts = int(np.isnan(found[:, :, 1]).sum())
    whole = found[~np.isnan(found[:, :, 1]).any(axis=1)]
    if not len(whole):
        raise InputError(
            f"{backend} on {name}: no puzzle was solved in all versions; --seconds more"
        )
    nodes, times = whole[:, :, 0], whole[:, :, 1]
    per_row = puzzles / len(found)
    return Gain(
        set=name,
        backend=backend,
        puzzles=round(per_row * len(whole)),
        rows=len(whole),
        timeouts=timeouts,
        nodes=round(float(nodes[:, 0].mean()) / per_row, 3),
        nodes_total=total(nodes),
        nodes_typical=typical(nodes, 1.0),
        milliseconds=round(1e3 * float(times[:, 0].mean()) / per_row, 5),
        time_total=total(times),
        time_typical=typical(times, 1e-9),
    )


# --- measuring -----------------------------------------------------------------------------------


def puzzles_of(path: Path) -> list[Instance]:
    """The puzzles of a file."""
    found = [entry for entry in instances(str(path)) if isinstance(entry, Instance)]
    if not found:
        raise InputError(f"{path}: no puzzles; this experiment runs on the public sets")
    return found


def versions(every: Sequence[Instance], limit: int, copies: int, seed: int) -> list[list[str]]:
    """For each puzzle that is taken its text as it is written, then its scrambles'."""
    return [
        [
            every[item].text,
            *(scrambled(every[item], seed, item, k).text for k in range(1, copies + 1)),
        ]
        for item in spread(len(every), limit)
    ]


def _in_random_order(
    rows: int, copies: int, seed: int, measure: Callable[[int, int], tuple[float, float]]
) -> Measured:
    """What ``measure(row, version)`` gives; the versions of a row follow each other at random."""
    found = np.full((rows, copies + 1, 2), np.nan)
    for row in range(rows):
        # a stream apart from the scrambles' own, so that the order says nothing about them
        for version in Stream(seed, row, 0).shuffled(range(copies + 1)):
            found[row, version] = measure(row, version)
    return found


def measured(backend: Backend, every: list[list[str]], seed: int, seconds: float) -> Measured:
    """Nodes and CPU seconds through ``Backend.solve``; not a number where time was up."""
    sudoku = family("sudoku")
    backend.solve(sudoku.problem(every[0][0]), Solutions(2))  # what is made once is made now

    def measure(row: int, version: int) -> tuple[float, float]:
        text = every[row][version]
        problem = sudoku.problem(text)
        started = process_time()
        result = backend.solve(problem, Solutions(2), Limits(seconds=seconds))
        spent = process_time() - started
        if result.stopped_by == "time":
            return np.nan, np.nan
        if result.count != 1:
            raise AssertionError(f"{backend.name}: not one solution of {text}")
        return result.statistics.get("nodes", 0), spent

    return _in_random_order(len(every), len(every[0]) - 1, seed, measure)


def kernel_measured(every: Sequence[Instance], copies: int, seed: int) -> Measured:
    """Guesses and CPU seconds of the kernel for blocks of puzzles, to a limit of 2."""
    from backends.sudoku_kernel import bitboard
    from backends.sudoku_kernel.endings import GUESSES, STATISTICS, UNLIMITED

    written = array_of([entry.text for entry in every])
    layout, items = sudoku_layout(9, (3, 3)), np.arange(len(every))
    grids = [written]
    for copy in range(1, copies + 1):
        streams = Streams(seed, items, copy)
        grids.append(np.ascontiguousarray(drawn_images(layout, streams, written)))
    first = np.zeros((BLOCK, 81), np.uint8)
    counts, status = np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.uint8)

    def count(block: Any, statistics: Any) -> None:
        n = len(block)
        bitboard.count(block, 2, counts[:n], first[:n], status[:n], UNLIMITED, statistics)
        if not (counts[:n] == 1).all():
            raise AssertionError(f"{KERNEL}: not one solution of every puzzle")

    def measure(row: int, version: int) -> tuple[float, float]:
        block = grids[version][row * BLOCK : (row + 1) * BLOCK]
        statistics = np.zeros(STATISTICS, np.int64)
        count(block, statistics)  # also brings the block into the caches
        started = process_time()
        count(block, None)
        return float(statistics[GUESSES]), process_time() - started

    return _in_random_order(-(-len(every) // BLOCK), copies, seed, measure)


# --- tables --------------------------------------------------------------------------------------


def _told(effect: Effect | None) -> str:
    if effect is None:
        return "- | -"
    shown = f"{effect.percent:+.1f} [{effect.low:+.1f}, {effect.high:+.1f}]"
    return f"{f'**{shown}**' if effect.is_shown else shown} | {effect.finds:.1f}"


def _table(gains: Iterable[Gain], effort: str, cells: Callable[[Gain], str]) -> str:
    head = (
        f"| set | backend | puzzles | {effort} | all together, % [95 %] | finds "
        "| typical, % [95 %] | finds |"
    )
    rows = [f"| {g.set} | {g.backend} | {g.puzzles:,} | {cells(g)} |" for g in gains]
    return "\n".join([head, "|---|---|---|---|---|---|---|---|", *rows])


def _nodes(gain: Gain) -> str:
    return f"{gain.nodes:g} | {_told(gain.nodes_total)} | {_told(gain.nodes_typical)}"


def _times(gain: Gain) -> str:
    return f"{gain.milliseconds:.3g} | {_told(gain.time_total)} | {_told(gain.time_typical)}"


def page(gains: Sequence[Gain], chosen: argparse.Namespace) -> str:
    """The figures with how they were measured, as Markdown."""
    effects = [
        effect
        for g in gains
        for effect in (g.nodes_total, g.nodes_typical, g.time_total, g.time_typical)
        if effect is not None
    ]
    left = sum(g.timeouts for g in gains)
    return f"""# Puzzles as they are written, and scrambled

Written by `python -m results.studies.puzzles.scrambles`. Uniqueness is proven (two solutions are
asked for) of puzzles as they are written and of {chosen.copies} isomorphic scrambles of each (seed
{chosen.seed}): by the kernel of `{KERNEL}` of all puzzles of a set, by the others of up to
{chosen.limit} that are spread evenly over it. {left} versions took longer than {chosen.seconds:g} s
and were left, with the other versions of their puzzles.

An effect says by how many per cent the scrambles take more than the puzzles as written: below 0, a
solver is slower on what is written. `all together` is the ratio of the sums, `typical` that of the
geometric means (of nodes + 1), which a few hard puzzles cannot govern. In brackets the interval of
95 %, in bold where it leaves out 0; `finds` is the smallest effect, in per cent, that this
measurement would have told from none with a probability of 80 %. Of {len(effects)} intervals about
{len(effects) / 20:.0f} leave out 0 by chance where there is no effect at all;
{sum(effect.is_shown for effect in effects)} do.

## Nodes

They are the same in every run. Those of `{KERNEL}` are the guesses of its kernel, over blocks of
{BLOCK} puzzles. A puzzle without any node says nothing.

{_table(gains, "nodes a puzzle", _nodes)}

## Milliseconds of CPU

Noise of the machine is in them.

{_table(gains, "ms a puzzle", _times)}
"""


def raw(parts: Iterable[tuple[str, str, Measured]]) -> str:
    """Every row and version: set, backend, row, version (0: as written), nodes, microseconds."""
    lines = ["set,backend,row,version,nodes,cpu_us"]
    for name, backend, found in parts:
        for (row, version), _ in np.ndenumerate(found[:, :, 0]):
            nodes, seconds = found[row, version]
            figures = ",," if np.isnan(seconds) else f",{nodes:.0f},{1e6 * seconds:.0f}"
            lines.append(f"{name},{backend},{row},{version}{figures}")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="solvers on puzzles as written, and scrambled")
    parser.add_argument("--folder", type=Path, default=Path("../shared/puzzles"))
    parser.add_argument("--limit", type=int, default=600, metavar="N")
    parser.add_argument("--copies", type=int, default=4, metavar="K")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0, metavar="T")
    parser.add_argument("--set", action="append", metavar="FILE", dest="sets")
    parser.add_argument("--backend", action="append", metavar="B", dest="backends")
    parser.add_argument("--out", type=Path, default=Path("results/reference/scrambles"))
    chosen = parser.parse_args(arguments)
    if chosen.limit < 2 or chosen.copies < 1:
        parser.error("--limit is at least 2, --copies at least 1")
    gains, parts = [], []
    for file in chosen.sets or SETS:
        name, every = file.partition(".")[0], puzzles_of(chosen.folder / file)
        some = versions(every, chosen.limit, chosen.copies, chosen.seed)
        for backend in chosen.backends or BACKENDS:
            solver = registry.get(backend)  # without numba: what to install
            if backend == KERNEL:
                found, number = kernel_measured(every, chosen.copies, chosen.seed), len(every)
            else:
                found, number = measured(solver, some, chosen.seed, chosen.seconds), len(some)
            parts.append((name, backend, found))
            gains.append(compared(name, backend, found, number))
            print(gains[-1], flush=True)
    settings = {key: getattr(chosen, key) for key in ("limit", "copies", "seed", "seconds")}
    figures = {
        "gains": [asdict(gain) for gain in gains],
        "settings": settings,
    }
    write_json(chosen.out / "scrambles.json", figures)
    write_text(chosen.out / "scrambles.md", page(gains, chosen))
    packed = gzip.compress(raw(parts).encode("ascii"), mtime=0)
    (chosen.out / "raw.csv.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
