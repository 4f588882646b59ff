"""What does the sandbox cost? CPU time of whole runs, in pairs: with ``require`` and with ``off``.

    python -m results.studies.runs.sandbox [--pairs 6] [--jobs 60] [--out FOLDER]

A run is a process of its own: ``concord run`` of one solver over Sudoku, a worker for each job
(``fresh``) or one for all (``pooled``). Its CPU time is that of all its processes. The two of a
pair follow each other, in turn the one and the other first. Ratios are medians of pairs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from textwrap import dedent

import msgspec

from modelling.errors import ExperimentError
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

MODES = ("pooled", "fresh")
MAIN = "from harness.cli.entry import main; main()"
MOST = 1.05
"""The ratio that is asked for."""


class Pair(msgspec.Struct):
    """CPU seconds of two runs, and of how many jobs each."""

    mode: str
    number: int
    jobs: int
    off: float
    require: float


def experiment(mode: str, jobs: int) -> str:
    """The text of an experiment."""
    return dedent(
        f"""
        name = "sandbox"
        seconds = 10
        limit = {jobs}
        mode = "{mode}"
        jobs = 1

        [[sets]]
        name = "sudoku"

        [[backends]]
        name = "propagation"
        """
    )


def run_once(folder: Path, mode: str, jobs: int, sandbox: str) -> float:
    """CPU seconds of one run with all its processes."""
    file, out = folder / "experiment.toml", folder / f"{mode}-{sandbox}"
    file.write_text(experiment(mode, jobs))
    words = [sys.executable, "-c", MAIN, "run", str(file)]
    before = os.times()
    done = subprocess.run(
        [*words, "--out", str(out), "--sandbox", sandbox], capture_output=True, text=True
    )
    after = os.times()
    if done.returncode:
        raise ExperimentError(f"{' '.join(words)}: {done.stderr.strip()[-500:]}")
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def measure(chosen: Options, known: Known) -> Iterator[Pair]:
    """Pairs of each mode."""
    for mode in MODES:
        for number in range(1, chosen.pairs + 1):
            if (mode, number) in known:
                continue
            order = ("off", "require") if number % 2 else ("require", "off")
            with TemporaryDirectory() as name:
                spent = {s: run_once(Path(name), mode, chosen.jobs, s) for s in order}
            yield Pair(mode, number, chosen.jobs, spent["off"], spent["require"])


def ratio(pairs: Sequence[Pair]) -> float:
    """The median of how much more ``require`` takes."""
    return median(pair.require / pair.off for pair in pairs)


def report(rows: Sequence[Pair], chosen: Options) -> str:
    """The figures as Markdown."""
    lines = []
    for mode in MODES:
        pairs = [row for row in rows if row.mode == mode]
        if pairs:
            ratios = sorted(pair.require / pair.off for pair in pairs)
            off = 1000 * median(pair.off / pair.jobs for pair in pairs)
            lines.append(
                f"{mode} | {len(pairs)} | {off:.1f} | {ratio(pairs):.3f} "
                f"| {ratios[0]:.3f} to {ratios[-1]:.3f}"
            )
    return join_page(
        "# What the sandbox costs",
        f"Made by `{chosen.command}`. CPU time of whole runs with `--sandbox require` by that with "
        f"`off`; at most {MOST} is asked for.",
        list_table("mode | pairs: | ms a job, off: | ratio, median: | of all pairs", lines),
    )


STUDY = Study(
    "runs.sandbox",
    __doc__,
    Pair,
    key=lambda row: (row.mode, row.number),
    measure=measure,
    report=report,
    options=(
        option("--pairs", 6, "pairs of each mode"),
        option("--jobs", 60, "jobs of each run"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
