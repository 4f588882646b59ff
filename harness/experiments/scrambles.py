"""Does a solver gain from the order in which a set's puzzles are written? Scrambles tell.

    python -m harness.experiments.scrambles [--folder ../shared/puzzles] [--limit N] [--copies K]
                                            [--seed S] [--seconds T] [--backend B]... [--out DIR]

Every backend proves the uniqueness of the first ``--limit`` puzzles of each set as they are
written, and of ``--copies`` isomorphic scrambles of each (``puzzles.sudoku.scrambling``), the
versions of a puzzle in a random order, in this process.

To a solver that does not care, a puzzle as it is written is one version among others: of all K + 1,
sorted by nodes, it takes each place as often (ties share their mean place). So under this
hypothesis a puzzle's place has mean 1/2 and a known variance once it is put on the scale from 0 to
1, and the mean over all puzzles is as good as normal: ``z`` is how many standard deviations it lies
away, below 0 if the puzzles as written take fewer nodes (or less time). Beyond ``FOUND_OUT`` a
solver is said to depend on the order. Times are CPU seconds of this process.

Writes ``scrambles.json`` and ``scrambles.md`` to ``--out``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from math import inf, sqrt
from pathlib import Path
from time import process_time

import msgspec
import numpy as np

from backends import registry
from backends.api import Backend, Limits, Solutions
from harness.machine import this_machine
from modelling.errors import InputError
from puzzles.family import Instance, family
from puzzles.random_stream import Stream
from puzzles.sets import instances
from puzzles.sudoku.scrambling import scrambled

FOUND_OUT = 4.0
"""So many standard deviations are believed."""

SETS = ("anchor_17clue_200.txt", "random_minimal.txt.gz", "anchor_hardest_11plus_100.txt")
"""The first lines of a sorted list are nearly the same puzzle: then they say the same thing many
times, and ``z`` is too large. So of the sorted lists these are slices with wide steps."""

BACKENDS = (
    "compiled",
    "propagation",
    "ladder:norvig",
    "ladder:trail",
    "ladder:one_integer",
    "sat",
    "cpsat",
)


@dataclass(frozen=True)
class Gain:
    """One backend on one set.

    ``nodes`` and ``milliseconds`` are means a puzzle as it is written, ``ratio_*`` those of the
    scrambles divided by them; ``timeouts`` counts versions that were left, which are not in any
    figure, nor are the other versions of the same puzzle.
    """

    set: str
    backend: str
    puzzles: int
    timeouts: int
    nodes: float
    ratio_nodes: float
    z_nodes: float
    milliseconds: float
    ratio_time: float
    z_time: float

    @property
    def depends(self) -> bool:
        """Whether the nodes tell that the order matters."""
        return abs(self.z_nodes) > FOUND_OUT


def versions(path: Path, limit: int, copies: int, seed: int) -> list[list[str]]:
    """For each puzzle of a file its text as it is written, then its scrambles'."""
    entries = (entry for entry in instances(str(path)) if isinstance(entry, Instance))
    found = [
        [entry.text, *(scrambled(entry, seed, item, k).text for k in range(1, copies + 1))]
        for item, entry in enumerate(islice(entries, limit))
    ]
    if not found:
        raise InputError(f"{path}: no puzzles; this experiment runs on the public sets")
    return found


def measured(backend: Backend, every: list[list[str]], seed: int, seconds: float) -> np.ndarray:
    """float64[puzzles, versions, 2]: nodes and CPU seconds; not a number where time was up."""
    sudoku = family("sudoku")
    backend.solve(sudoku.problem(every[0][0]), Solutions(2))  # what is made once is made now
    found = np.full((len(every), len(every[0]), 2), np.nan)
    for number, texts in enumerate(every):
        # a stream apart from the scrambles' own, so that the order says nothing about them
        for version in Stream(seed, number, 0).shuffled(range(len(texts))):
            problem = sudoku.problem(texts[version])
            started = process_time()
            result = backend.solve(problem, Solutions(2), Limits(seconds=seconds))
            spent = process_time() - started
            if result.stopped_by != "time":
                if result.count != 1:
                    raise AssertionError(f"{backend.name}: not one solution of {texts[version]}")
                found[number, version] = result.statistics.get("nodes", np.nan), spent
    return found


def deviation(values: np.ndarray) -> float:
    """How far column 0 lies from an average place in its row, in standard deviations."""
    versions = values.shape[1]
    below = (values < values[:, :1]).sum(axis=1)
    equal = (values == values[:, :1]).sum(axis=1)  # itself included
    place = (below + (equal - 1) / 2) / (versions - 1)
    ties = np.array([(np.unique(row, return_counts=True)[1] ** 3).sum() for row in values])
    # the variance of a mean rank among K, with ties of t, is (K**3 - sum of t**3) / (12 K)
    variance = (versions**3 - ties) / (12 * versions * (versions - 1) ** 2)
    total = float(variance.sum())
    return float((place - 0.5).sum()) / sqrt(total) if total > 0 else 0.0


def compared(name: str, backend: str, found: np.ndarray) -> Gain:
    """What the measurements of a backend on a set say."""
    timeouts = int(np.isnan(found[:, :, 1]).sum())
    whole = found[~np.isnan(found[:, :, 1]).any(axis=1)]
    if not len(whole):
        raise InputError(
            f"{backend} on {name}: no puzzle was solved in all versions; --seconds more"
        )
    nodes, times = whole[:, :, 0], whole[:, :, 1]
    return Gain(
        name,
        backend,
        len(whole),
        timeouts,
        round(float(nodes[:, 0].mean()), 2),
        _ratio(nodes),
        round(deviation(nodes), 2),
        round(1e3 * float(times[:, 0].mean()), 4),
        _ratio(times),
        round(deviation(times), 2),
    )


def _ratio(values: np.ndarray) -> float:
    """The mean of the scrambles by that of what is written; 1 where both are 0."""
    written, scrambles = float(values[:, 0].mean()), float(values[:, 1:].mean())
    if written == scrambles:
        return 1.0
    return round(scrambles / written, 3) if written else inf


def page(gains: Sequence[Gain], chosen: argparse.Namespace) -> str:
    """The figures with how they were measured, as Markdown."""
    lines = [
        "| set | backend | puzzles | timeouts | nodes | scrambled / written | z "
        "| ms | scrambled / written | z | the order matters |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines.extend(
        f"| {g.set} | {g.backend} | {g.puzzles} | {g.timeouts} | {g.nodes:g} "
        f"| {g.ratio_nodes:.3f} | {g.z_nodes:+.1f} | {g.milliseconds:.3g} "
        f"| {g.ratio_time:.3f} | {g.z_time:+.1f} | {'yes' if g.depends else 'no'} |"
        for g in gains
    )
    table = "\n".join(lines)
    return f"""# Puzzles as they are written, and scrambled

Written by `python -m harness.experiments.scrambles`. Uniqueness is proven (two solutions are asked
for) of {chosen.limit} puzzles of each set as they are written and of {chosen.copies} isomorphic
scrambles of each (seed {chosen.seed}); what took longer than {chosen.seconds:g} s of wall time was
left. Nodes and milliseconds of CPU are means a puzzle as written; the ratios say how much the
scrambles take. `z` is by how many standard deviations the places of the written puzzles among their
scrambles are off the middle: below 0, they take less as they are written. The order is said to
matter where the `z` of the nodes is beyond {FOUND_OUT:g}. Times stand beside it: on a shared
machine they are noisy.

{table}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="solvers on puzzles as written, and scrambled")
    parser.add_argument("--folder", type=Path, default=Path("../shared/puzzles"))
    parser.add_argument("--limit", type=int, default=100, metavar="N")
    parser.add_argument("--copies", type=int, default=9, metavar="K")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0, metavar="T")
    parser.add_argument("--set", action="append", metavar="FILE", dest="sets")
    parser.add_argument("--backend", action="append", metavar="B", dest="backends")
    parser.add_argument("--out", type=Path, default=Path("results/reference/scrambles"))
    chosen = parser.parse_args(arguments)
    if chosen.limit < 1 or chosen.copies < 1:
        parser.error("--limit and --copies are at least 1")
    gains = []
    for name in chosen.sets or SETS:
        every = versions(chosen.folder / name, chosen.limit, chosen.copies, chosen.seed)
        for backend in chosen.backends or BACKENDS:
            found = measured(registry.get(backend), every, chosen.seed, chosen.seconds)
            gains.append(compared(name.partition(".")[0], backend, found))
            print(gains[-1], flush=True)
    chosen.out.mkdir(parents=True, exist_ok=True)
    settings = {key: getattr(chosen, key) for key in ("limit", "copies", "seed", "seconds")}
    figures = {
        "gains": [asdict(gain) for gain in gains],
        "settings": settings,
        "machine": msgspec.to_builtins(this_machine()),
    }
    text = msgspec.json.format(msgspec.json.encode(figures), indent=2)
    (chosen.out / "scrambles.json").write_bytes(text + b"\n")
    (chosen.out / "scrambles.md").write_text(page(gains, chosen), encoding="utf-8")


if __name__ == "__main__":
    main()
