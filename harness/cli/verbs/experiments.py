"""`concord compare` and `concord run`: run an experiment, validate, print who won: the main job."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli import options
from harness.cli.command import verb
from harness.cli.run_and_report import run_and_report
from harness.cli.screen import Screen
from modelling.errors import ExperimentError, InputError

if TYPE_CHECKING:
    from harness.plan.expansion import Totals

OPTIONS = {"sets": "--set", "backends": "--backend"} | {
    key: f"--{key}"
    for key in ("family", "witness", "seconds", "limit", "sample", "repeat", "jobs", "seed")
}
"""What the keys of an experiment are called here."""


class Place(StrEnum):
    here = "here"
    dask = "dask"


@verb(
    "concord compare",
    "concord compare --set sudoku-hard --set mine.txt -b cpsat -b sat",
    "concord compare --set queens --count all --seconds 10 --repeat 3",
    "concord compare --set sudoku-minimal --sample 20 --seed 7",
)
def compare(
    sets: Annotated[
        list[str] | None,
        options.value(
            "NAME-or-FILE", "Set or file to solve; may be given several times.", "--set", "-s"
        ),
    ] = None,
    backends: Annotated[
        list[str] | None,
        options.backend("Solver from `concord backends`; may be given several times."),
    ] = None,
    witness: Annotated[
        list[str] | None,
        options.value(
            "B",
            "Solver to ask, untimed, where only one family answered; may be given several times.",
        ),
    ] = None,
    seconds: Annotated[float, options.seconds("Limit in seconds for each job.")] = 30.0,
    count: Annotated[
        str,
        options.value(
            "N-or-all", "Number of solutions to find for each instance; 2 decides uniqueness."
        ),
    ] = "1",
    limit: Annotated[
        int | None, options.value("N", "Take the first N instances of each set.", min=1)
    ] = None,
    sample: Annotated[
        int | None, options.value("N", "Take N random instances of each set.", min=1)
    ] = None,
    repeat: Annotated[int, options.value("K", "Number of runs of each job.", min=1)] = 1,
    jobs: options.Jobs = 1,
    family: Annotated[str | None, options.value("F", "Puzzle family of the files.")] = None,
    seed: Annotated[
        int, options.value("S", "Random seed for the order of jobs and the sample.")
    ] = 0,
    out: options.Out = None,
    wide: options.Wide = False,
    plot: Annotated[
        bool, options.flag("--plot", "Draw a cactus plot in the folder of the run.")
    ] = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> int:
    """Compare solvers: who wins, who agrees, on which sets.

    Every job is run within its limits, every answer is validated, and the tables are printed.
    Without --set and --backend it runs some of each set that ships on four kinds of solver, and on
    the compiled one if numba is installed.
    """
    from harness.plan.experiment import SetChoice
    from harness.plan.reading import choose_backends, plan_comparison
    from harness.plan.toml_positions import Source
    from harness.report.plots import require_matplotlib

    screen = Screen(quiet)
    usable, hints = (backends, []) if backends else choose_backends()
    for hint in hints:
        screen.complain(f"left out: {hint}")
    experiment = plan_comparison(
        [SetChoice(name, family=family) if family else name for name in sets or []],
        usable,
        witness,
        count=options.parse_count(count),
        seconds=seconds,
        limit=limit,
        sample=sample,
        seed=seed,
        repeat=repeat,
        jobs=jobs,
    )
    experiment.with_source(Source(options=OPTIONS))
    if plot:
        require_matplotlib()
    return run_and_report(experiment, out, screen, as_json, wide, plot)


@verb(
    "concord run quickstart",
    "concord run mine.toml --dry-run       # how many jobs, how long at most?",
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
        str | None, options.value("RUN", "Continue this run where it stopped.")
    ] = None,
    dry_run: Annotated[
        bool, options.flag("--dry-run", "Print the number of jobs and the maximum duration only.")
    ] = False,
    jobs: Annotated[int | None, options.JOBS] = None,
    shard: Annotated[
        str | None, options.value("i/N", "Run share i of N only; `concord merge` joins the shares.")
    ] = None,
    on: Annotated[
        Place, typer.Option(help="Run the jobs on this machine, or on a Dask cluster.")
    ] = Place.here,
    scheduler: Annotated[
        str | None,
        options.value("ADDR", "Dask scheduler, as tcp://host:8786 (default: a local one)."),
    ] = None,
    out: options.Out = None,
    wide: options.Wide = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> int:
    """Run an experiment, or continue a run.

    The experiment is one that ships, or a TOML file of your own; without a name all names are
    listed. The studies that measured results/reference run from a checkout: `python -m
    results.studies.NAME`.
    """
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
            left = estimate_remaining(experiment, resume, jobs)
            return _print_totals(screen, left, as_json, " left")
        more = {"resume": True, "jobs": jobs, "executor": executor}
        return run_and_report(experiment, Path(resume), screen, as_json, wide, **more)
    assert experiment is not None
    if jobs is not None:
        experiment.jobs = jobs
        experiment.with_source(experiment.source._replace(options={"jobs": OPTIONS["jobs"]}))
    share = Share() if shard is None else Share.parse(shard)
    if dry_run:
        totals, bad_lines = estimate(experiment, share)
        _print_totals(screen, totals, as_json)
        for bad in bad_lines:
            screen.report_fault(bad)
        return screen.status
    return run_and_report(experiment, out, screen, as_json, wide, share=share, executor=executor)


def _print_totals(screen: Screen, totals: Totals, as_json: bool, more: str = "") -> int:
    """How many jobs there are, and how long they take at most."""
    from harness.wording import format_duration, plural

    if as_json:
        return screen.json({"jobs": totals.jobs, "seconds_at_worst": totals.seconds})
    longest = format_duration(totals.seconds)
    screen.line(f"{plural(totals.jobs, 'job')}{more}, at most {longest} (hours:minutes:seconds)")
    return screen.status


def _make_executor(on: Place, scheduler: str | None) -> Any:
    """Where the jobs run; None is this machine."""
    if on is Place.here:
        if scheduler is not None:
            raise InputError("--scheduler needs --on dask")
        return None
    from harness.runs.dask_executor import DaskExecutor

    return DaskExecutor(scheduler)
