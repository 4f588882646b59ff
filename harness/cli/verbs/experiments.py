"""`concord compare` and `concord run`: run an experiment, validate, print who won: the main job."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli import options
from harness.cli.bars import show_run
from harness.cli.command import INTERRUPTED, discard_output, verb
from harness.cli.consent import make_provider
from harness.cli.screen import Screen
from modelling.errors import ExperimentError, InputError, StoreError
from modelling.wording import format_duration, plural

if TYPE_CHECKING:
    from harness.plan.expansion import Totals
    from harness.plan.experiment import Experiment
    from harness.report.run import Run

OPTIONS = {"sets": "--set", "backends": "--backend"} | {
    key: f"--{key}"
    for key in (
        "answers",
        "family",
        "witness",
        "optimum",
        "seconds",
        "budget",
        "limit",
        "sample",
        "repeat",
        "jobs",
    )
}
OPTIONS["seed"] = "--seed"
"""What the keys of an experiment are called here."""

TABLES = ("kinds", "summary", "agreement", "timing", "optima", "reasons")
"""What JSON has of a run."""

PLOT = "cactus.png"


Place = StrEnum("Place", ["here", "dask"])


@verb(
    "concord compare",
    "concord compare --set sudoku-hard --set mine.txt -b cpsat -b sat",
    "concord compare --set queens --count all --seconds 10 --repeat 3",
    "concord compare --set sudoku-minimal --sample 20 --seed 7",
    "concord compare --set knapsack --budget 60    # all jobs together",
    "concord compare model.mzn small.dzn large.dzn -b cpsat -b sat",
    "concord compare --model mine.py -b cpsat -b sat",
    "concord compare mine.mzn -b cp -b mip    # all of these kinds",
    "concord compare -b cpsat@9.12 -b cpsat@9.15      # releases side by side",
    "concord compare -s queens -b 'a=cpsat:presolve={on,off}'    # a grid",
)
def compare(
    files: list[str] | None = options.argument(
        None, "SET|FILE", "Sets and files to solve; files of data follow their model."
    ),
    sets: list[str] | None = options.value(
        None, "NAME-or-FILE", "Set or file to solve; may be given several times.", "--set", "-s"
    ),
    models: list[str] | None = options.value(
        None,
        "FILE.py[:NAME]",
        "Models in a Python file: one, a list, a mapping or a function; several times.",
        "--model",
        "-m",
    ),
    backends: list[str] | None = options.backend(
        "Solver from `concord backends`, or a group: all, installed, cp, lcg, sat, smt, asp, "
        "mip, pb; may be given several times (default: one of each kind that fits)."
    ),
    witness: list[str] | None = options.value(
        None,
        "B",
        "Solver to ask, untimed, where only one family answered; may be given several times.",
    ),
    answers: str | None = options.value(
        None, "FILE", "TOML file of answers that are known of the instances."
    ),
    seconds: float | None = options.seconds(
        None, "Limit in seconds for each job (default: 30, or its part of the budget)."
    ),
    budget: float | None = options.seconds(
        None,
        "Seconds for all jobs together; a solver that is hopelessly behind is stopped (default: "
        "none, or 50 where neither --backend nor --seconds is given).",
        "--budget",
    ),
    count: str | None = options.value(
        None,
        "N-or-all",
        "Number of solutions to find for each instance; 2 decides uniqueness (default: the "
        "best one where there is an objective, else 1).",
    ),
    optimum: bool = options.flag(
        "--optimum", "With --count: that many of the best, where there is an objective."
    ),
    limit: int | None = options.value(None, "N", "Take the first N instances of each set.", min=1),
    sample: int | None = options.value(None, "N", "Take N random instances of each set.", min=1),
    repeat: int = options.value(1, "K", "Number of runs of each job.", min=1),
    jobs: int = options.jobs(1),
    cold: bool = options.flag(
        "--cold", "Start the solver anew for each job, and show what that takes."
    ),
    certify: bool = options.CERTIFY,
    proof_seconds: int | None = options.PROOF_SECONDS,
    family: str | None = options.value(None, "F", "Puzzle family of the files."),
    seed: int = options.value(0, "S", "Random seed for the order of jobs and the sample."),
    sandbox: options.Sandbox = options.SANDBOX,
    yes: bool = options.YES,
    offline: bool = options.OFFLINE,
    out: Path | None = options.OUT,
    wide: bool = options.WIDE,
    plot: bool = options.flag("--plot", "Draw a cactus plot in the folder of the run."),
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Compare solvers: who wins, who agrees, on which sets.

    Every job is run within its limits, every answer is validated, and the tables are printed.
    An instance that has an objective is asked for its best solution, unless --count is given;
    backends are then ranked by optima proven, then by how good their solutions are.
    Each file of data that follows a MiniZinc model is an instance.
    Without sets and --model it takes some of each set that ships. Without --backend it asks one
    installed solver of each kind, those that take the problem natively for the most part.
    """
    from harness.plan.candidates import settle
    from harness.plan.checking import check
    from harness.plan.grids import split_backends, tell_apart
    from harness.plan.reading import choose_files, choose_models, plan_comparison
    from harness.report.table_text import wrap
    from puzzles.sets.toml_positions import Source

    screen = Screen(quiet)
    files, more = split_backends(files or [])
    backends = tell_apart([*(backends or []), *more])
    if family is not None:
        ensure_family(family)
    named = choose_files([*(sets or []), *files], family)
    stated = choose_models(models or [])
    experiment = plan_comparison(
        [*named, *stated],
        backends,
        witness,
        answers=answers,
        count=None if count is None else options.parse_count(count),
        optimum="possible" if optimum else None,
        limit=limit,
        sample=sample,
        seed=seed,
        repeat=repeat,
        jobs=jobs,
        cold=cold,
    )
    called = OPTIONS | ({"sets": ""} if files else {})  # a set by its position is not an option
    experiment.source = Source(options=called)
    if choice := settle(experiment, backends or None, seconds, budget):
        check(experiment)  # before anything is said of it
        for line in wrap(choice.text, screen.width):
            screen.note(line)
    ask_for_proofs(experiment, certify, proof_seconds, screen)
    if plot:
        from harness.report.plots import require_matplotlib

        require_matplotlib()
    provide = make_provider(screen, yes, offline)
    kept = {"provide": provide, "sandbox": sandbox.value}
    return _run_and_report(experiment, out, screen, as_json, wide, plot, **kept)


@verb(
    "concord run quickstart",
    "concord run mine.toml --dry-run       # how many jobs, how long at most?",
    "concord run mine.toml --jobs 4 --out mine",
    "concord run --resume mine",
)
def run(
    name: str | None = options.argument(
        None, "NAME-or-FILE.toml", "Experiment that ships, or a file of your own."
    ),
    resume: str | None = options.value(None, "RUN", "Continue this run where it stopped."),
    dry_run: bool = options.flag(
        "--dry-run", "Print the number of jobs and the maximum duration only."
    ),
    jobs: int | None = options.jobs(None),
    shard: str | None = options.value(
        None, "i/N", "Run share i of N only; `concord merge` joins the shares."
    ),
    on: Place = options.flag(
        "--on", "Run the jobs on this machine, or on a Dask cluster.", Place.here
    ),
    scheduler: str | None = options.value(
        None, "ADDR", "Dask scheduler, as tcp://host:8786 (default: a local one)."
    ),
    certify: bool = options.CERTIFY,
    proof_seconds: int | None = options.PROOF_SECONDS,
    sandbox: options.Sandbox = options.SANDBOX,
    yes: bool = options.YES,
    offline: bool = options.OFFLINE,
    out: Path | None = options.OUT,
    wide: bool = options.WIDE,
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Run an experiment, or continue a run.

    The experiment is one that ships, or a TOML file of your own; without a name all names are
    listed. The studies that measured results/reference run from a checkout: `python -m
    results.studies.ROOM.NAME`.
    """
    from harness.plan.candidates import ensure_instances
    from harness.plan.expansion import Share
    from harness.plan.reading import list_shipped, load
    from harness.runs.execution import estimate, estimate_remaining

    screen = Screen(quiet)
    provide = make_provider(screen, yes, offline)
    if name is None and resume is None:
        raise ExperimentError(
            f"name an experiment (there are: {', '.join(list_shipped())}), or a run to "
            "--resume; studies run from a checkout, as `python -m results.studies.ROOM.NAME` "
            "(CONTRIBUTING.md)"
        )
    experiment = None if name is None else load(name)
    executor = _make_executor(on, scheduler)
    more: dict[str, Any]
    if resume is not None:
        if shard is not None:
            raise InputError("--shard cannot be combined with --resume: a run keeps its share")
        if out is not None:
            raise InputError("--out cannot be combined with --resume: a run stays in its folder")
        if certify or proof_seconds is not None:
            option = "--certify" if certify else "--proof-seconds"
            raise InputError(f"{option} cannot be combined with --resume: a run keeps its solvers")
        if dry_run:
            left = estimate_remaining(experiment, resume, jobs)
            return _print_totals(screen, left, as_json, " left")
        more = {"resume": True, "jobs": jobs, "executor": executor, "provide": provide}
        more["sandbox"] = sandbox.value
        return _run_and_report(experiment, Path(resume), screen, as_json, wide, **more)
    assert experiment is not None
    ask_for_proofs(experiment, certify, proof_seconds, screen)
    if jobs is not None:
        experiment.jobs = jobs
        experiment.source = experiment.source._replace(options={"jobs": OPTIONS["jobs"]})
    share = Share() if shard is None else Share.parse(shard)
    if dry_run:
        totals, bad_lines = estimate(experiment, share)
        _print_totals(screen, totals, as_json)
        return screen.report_faults(bad_lines)
    ensure_instances(experiment)  # the first thing that a user is to hear
    more = {"share": share, "executor": executor, "provide": provide, "sandbox": sandbox.value}
    return _run_and_report(experiment, out, screen, as_json, wide, **more)


def ask_for_proofs(
    experiment: Experiment, certify: bool, seconds: int | None, screen: Screen
) -> None:
    """Have the solvers asked for proofs, and say which give none."""
    if not certify:
        if seconds is not None:
            raise InputError("--proof-seconds needs --certify")
        return
    from harness.plan import certifying
    from harness.plan.checking import check
    from harness.report.table_text import wrap

    check(experiment)  # before anything is known of it
    for line in wrap(certifying.certify(experiment, seconds).text, screen.width):
        screen.note(line)


def ensure_family(name: str) -> None:
    """Raise ``InputError`` for a wrong ``--family``; an error would otherwise blame a set."""
    from puzzles.family import family, is_own

    try:
        if not is_own(name):  # whose module the workers import
            family(name)
    except InputError as error:
        raise InputError(f"--family: {error}") from error


def _print_totals(screen: Screen, totals: Totals, as_json: bool, more: str = "") -> int:
    """How many jobs there are, and how long they take at most."""
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


def _run_and_report(
    experiment: Experiment | None,
    out: Path | None,
    screen: Screen,
    as_json: bool,
    wide: bool,
    plot: bool = False,
    **more: Any,
) -> int:
    """Run it with progress, then print the tables; the exit status says whether all is well.

    With ``plot`` a cactus plot is drawn into the run's folder. ``more`` goes to
    ``execute_experiment``: a share, an executor, whether it is resumed.
    """
    from harness.plan.checking import ensure_usable
    from harness.runs.execution import Interrupted, execute_experiment

    if experiment is not None and more.get("executor") is None:  # else it is known elsewhere
        for name, cause in ensure_usable(experiment).items():
            screen.complain(f"{name} will answer nothing: {cause}")
    try:
        with show_run(screen) as show:
            folder = execute_experiment(
                experiment, out, on_progress=show, on_warning=screen.complain, **more
            )
    except Interrupted as stopped:
        screen.complain(
            f"{stopped}\ncontinue with: concord run --resume {shlex.quote(str(stopped.folder))}"
        )
        return INTERRUPTED
    from harness.report.run import load_and_write  # pandas would only delay the run

    run = load_and_write(folder)
    if not run.total:
        screen.note("this share has no jobs: the sets have fewer instances than there are shares")
    print_run(run, screen, as_json, wide)
    screen.note(f"run: {run.folder}")
    if plot:
        path = run.folder / PLOT
        try:
            run.plot().savefig(path, dpi=150)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
        screen.note(f"plot: {path}")
    return screen.report_faults(run.bad_lines)


def print_run(run: Run, screen: Screen, as_json: bool, wide: bool = False) -> int:
    """Print what came out; 1 if there are faults (``run.faults``), which are named.

    They are named even where the reader of the output has left.
    """
    faults = run.faults
    try:
        _print_tables(run, screen, as_json, wide)
        sys.stdout.flush()
    except BrokenPipeError:
        if not faults:
            raise
        discard_output()
    return screen.report_faults(faults)


def _print_tables(run: Run, screen: Screen, as_json: bool, wide: bool) -> None:
    from harness.report.table_text import wrap
    from harness.report.terminal import is_single, lay_out

    if as_json:
        tables = {name: getattr(run, name) for name in TABLES}
        screen.json({"run": str(run.folder), "headline": run.headline, **tables})
    else:
        for heading, lines in lay_out(run, screen.width, wide, screen.out.is_terminal):
            screen.section(heading, lines)
        for text in run.footnotes if wide or not is_single(run) else run.brief_footnotes:
            for line in wrap(text, screen.width):
                screen.note(line)
