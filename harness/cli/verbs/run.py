"""`concord run`: run a designed experiment, or continue a run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.command import FINE, Json, Out, Quiet, Wide, report_bad_lines, verb, write_json
from harness.cli.run_and_report import run_and_report
from modelling.errors import ExperimentError, InputError

if TYPE_CHECKING:
    from harness.cli.screen import Screen
    from harness.plan.expansion import Totals


class Place(StrEnum):
    here = "here"
    dask = "dask"


@verb(
    "concord run quickstart",
    "concord run mine.toml --dry-run            # how many jobs, how long at most?",
    "concord run mine.toml --jobs 4 --out mine",
    "concord run --resume mine",
)
def run(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME-or-FILE.toml", help="Experiment that ships, or a file of your own."
        ),
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Continue this run where it stopped.")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print the number of jobs and the maximum duration only."),
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, metavar="J", help="Run at most J jobs at the same time."),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="i/N", help="Run share i of N only; `concord merge` joins the shares."
        ),
    ] = None,
    on: Annotated[
        Place, typer.Option("--on", help="Run the jobs on this machine, or on a Dask cluster.")
    ] = Place.here,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDR", help="Dask scheduler, as tcp://host:8786 (default: a local one)."
        ),
    ] = None,
    out: Out = None,
    wide: Wide = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Run an experiment, or continue a run.

    The experiment is one that ships, or a TOML file of your own; without a name all names are
    listed. The studies that measured results/reference run from a checkout: `python -m
    results.studies.NAME`.
    """
    from harness.cli.screen import Screen
    from harness.plan.expansion import Share
    from harness.plan.reading import STUDIES, list_shipped, load
    from harness.runs.execution import estimate, estimate_remaining

    screen = Screen(quiet)
    if name is None and resume is None:
        raise ExperimentError(
            f"name an experiment (there are: {', '.join(list_shipped())}), or a run to "
            f"--resume; studies run from a checkout, as `python -m results.studies.NAME` (there "
            f"are: {', '.join(STUDIES)})"
        )
    experiment = None if name is None else load(name)
    executor = _make_executor(on, scheduler)
    if resume is not None:
        if shard is not None:
            raise InputError("--shard cannot be combined with --resume: a run keeps its share")
        if out is not None:
            raise InputError("--out cannot be combined with --resume: a run stays in its folder")
        if dry_run:
            return _print_totals(
                screen, estimate_remaining(experiment, resume, jobs), as_json, " left"
            )
        more = {"resume": True, "wide": wide, "jobs": jobs, "executor": executor}
        return run_and_report(experiment, Path(resume), screen, as_json, **more)
    assert experiment is not None
    if jobs is not None:
        experiment.jobs = jobs
    share = Share() if shard is None else Share.parse(shard)
    if dry_run:
        totals, bad = estimate(experiment, share)
        _print_totals(screen, totals, as_json)
        return report_bad_lines(screen, bad)
    return run_and_report(
        experiment, out, screen, as_json, wide=wide, share=share, executor=executor
    )


def _print_totals(screen: Screen, totals: Totals, as_json: bool, more: str = "") -> int:
    """How many jobs there are, and how long they take at most."""
    from harness.wording import format_duration, plural

    if as_json:
        return write_json({"jobs": totals.jobs, "seconds_at_worst": totals.seconds})
    longest = format_duration(totals.seconds)
    screen.line(f"{plural(totals.jobs, 'job')}{more}, at most {longest} (hours:minutes:seconds)")
    return FINE


def _make_executor(on: Place, scheduler: str | None) -> Any:
    """Where the jobs run; None is this machine."""
    if on is Place.here:
        if scheduler is not None:
            raise InputError("--scheduler needs --on dask")
        return None
    from harness.runs.dask_executor import DaskExecutor

    return DaskExecutor(scheduler)
