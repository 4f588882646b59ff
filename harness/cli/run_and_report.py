"""Run an experiment for a verb: progress while it runs, then tables, and an exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.command import INTERRUPTED
from modelling.errors import StoreError

if TYPE_CHECKING:
    from harness.cli.screen import Screen
    from harness.plan.experiment import Experiment
    from harness.report.run import Run

PLOT = "cactus.png"

TABLES = ("summary", "agreement", "timing", "reasons")
"""What JSON has of a run."""


def run_and_report(
    experiment: Experiment | None,
    out: Path | None,
    screen: Screen,
    as_json: bool,
    wide: bool = False,
    plot: bool = False,
    **more: Any,
) -> int:
    """Run it with progress, then print the tables; the exit status says whether all is well.

    With ``wide`` the tables are whole; with ``plot`` a cactus plot is drawn into the run's folder.
    ``more`` goes to ``run_experiment``: a share, an executor, whether it is resumed.
    """
    from harness.cli.bars import show_run
    from harness.report.run import run_experiment
    from harness.runs.execution import Interrupted

    try:
        with show_run(screen) as show:
            run = run_experiment(
                experiment, out, on_progress=show, on_warning=screen.complain, **more
            )
    except Interrupted as stopped:
        screen.complain(f"{stopped}\ncontinue with: concord run --resume {stopped.folder}")
        return INTERRUPTED
    if not run.total:
        screen.note("this share has no jobs: the sets have fewer instances than there are shares")
    print_run(run, screen, as_json, wide)
    screen.note(f"run: {run.folder}")
    if plot:
        screen.note(f"plot: {draw_plot(run)}")
    for bad in run.bad_lines:
        screen.report_fault(bad)
    return screen.status


def draw_plot(run: Run) -> Path:
    """Draw the cactus plot of a run into its folder."""
    path = run.folder / PLOT
    try:
        run.plot().savefig(path, dpi=150)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error
    return path


def print_run(run: Run, screen: Screen, as_json: bool, wide: bool = False) -> int:
    """Print what came out; 1 if there are faults (``run.faults``), which are named."""
    from harness.report.table_text import wrap
    from harness.report.terminal import lay_out

    if as_json:
        tables = {name: getattr(run, name) for name in TABLES}
        screen.json({"run": str(run.folder), "headline": run.headline, **tables})
    else:
        for heading, lines in lay_out(run, screen.width, wide, screen.out.is_terminal):
            screen.section(heading, lines)
        for text in run.footnotes:
            for line in wrap(text, screen.width):
                screen.note(line)
    for fault in run.faults:
        screen.report_fault(fault)
    return screen.status
