"""Makes a committed reference run: an experiment that ships, carried out and saved.

    python -m results.studies.reference NAME-or-FILE.toml [--out DIR] [--jobs N] [--repeat K]

writes records, machines, tables and plots to ``results/reference/NAME``. It refuses to save a run
with a dispute, a wrong answer or a job that failed: a reference is to be looked at, not explained.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.cli.bars import show_run
from harness.cli.screen import Screen
from harness.plan.reading import load
from harness.report.run import Run, run_experiment, save_reference

REFERENCE = Path("results") / "reference"
FAILURES = ("crashed", "error", "lost")


def faults(run: Run) -> list[str]:
    """Return the jobs that keep a run from being a reference."""
    jobs = run.jobs
    bad = jobs[jobs["verdict"].isin(["wrong", "disputed"]) | jobs["outcome"].isin(FAILURES)]
    return [
        f"{row['set']} {row['instance']}, {row['backend']}: {row['outcome']}, {row['verdict']}"
        for row in bad.to_dict("records")
    ]


def draw(run: Run, folder: Path) -> None:
    """The cactus plot of all sets together, as ``cactus.png``."""
    figure = run.plot("cactus", title=run.experiment.name if run.experiment else "")
    figure.savefig(folder / "cactus.png", dpi=120)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, look at it, save it."""
    parser = argparse.ArgumentParser(description="make a committed reference run")
    parser.add_argument("experiment")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--repeat", type=int, help="number of runs of each job")
    chosen = parser.parse_args(arguments)
    experiment = load(chosen.experiment)
    experiment.jobs = chosen.jobs
    experiment.repeat = chosen.repeat or experiment.repeat
    target = chosen.out or REFERENCE / experiment.name
    with TemporaryDirectory() as folder, show_run(Screen()) as show:
        run = run_experiment(experiment, Path(folder) / "run", on_progress=show)
        found = faults(run)
        if found:
            print("\n".join(["not saved:", *found]), file=sys.stderr)
            return 1
        save_reference(run, target)
        draw(run, target)
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
