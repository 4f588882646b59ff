"""Carry out an experiment for a verb: progress while it runs, tables behind it, an exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.command import FINE, INTERRUPTED, TROUBLE, records, told, write_json
from modelling.errors import StoreError

if TYPE_CHECKING:
    from harness.plan.experiment import Experiment
    from harness.report.run import Run

PLOT = "cactus.png"

TABLES = ("summary", "agreement", "timing", "reasons")
"""What JSON has of a run."""


def carry_out(
    experiment: Experiment | None,
    out: Path | None,
    screen: Any,
    as_json: bool,
    resume: bool = False,
    wide: bool = False,
    plot: bool = False,
    **more: Any,
) -> int:
    """Run it with progress, then print the tables; the exit status says whether all is well.

    With ``wide`` the tables are whole; with ``plot`` a cactus plot is drawn into the run's folder.
    ``more`` goes to ``run_experiment``: a share, an executor.
    """
    from harness.report.run import run_experiment
    from harness.runs.execution import Interrupted

    told_of = {"on_warning": screen.complain, "resume": resume}
    try:
        with screen.progress() as show:
            done = run_experiment(experiment, out, on_progress=show, **told_of, **more)
    except Interrupted as stopped:
        screen.complain(f"{stopped}\ngo on with: concord run --resume {stopped.folder}")
        return INTERRUPTED
    if not done.total:
        screen.note("this share has no jobs: the sets have fewer instances than there are shares")
    status = shown(done, screen, as_json, wide)
    screen.note(f"run: {done.folder}")
    if plot:
        screen.note(f"plot: {drawn(done)}")
    return max(status, told(screen, done.bad_lines))


def drawn(run: Run) -> Path:
    """Draw the cactus plot of a run into its folder."""
    path = run.folder / PLOT
    try:
        run.plot().savefig(path, dpi=150)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from error
    return path


def shown(run: Run, screen: Any, as_json: bool, wide: bool = False) -> int:
    """Print what came out; 1 when there are faults (``harness.report.faults``), which are told."""
    from harness.report import closing
    from harness.report.faults import faults
    from harness.report.headline import headline

    if as_json:
        tables = {name: records(getattr(run, name)) for name in TABLES}
        write_json({"run": str(run.folder), "headline": headline(run.summary), **tables})
    else:
        closing.show(run, screen, wide)
    found = faults(run)
    for fault in found:
        screen.complain(fault)
    return TROUBLE if found else FINE
