"""`concord compare`: run, validate, and print who won, agreement and timing: the main job."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from harness.cli.command import Jobs, Json, Out, Quiet, Wide, solution_limit, verb
from harness.cli.run_and_report import run_and_report


@verb(
    "concord compare",
    "concord compare --set sudoku-hard --set mine.txt --backend cpsat --backend sat",
    "concord compare --set queens --count all --seconds 10 --repeat 3",
    "concord compare --set sudoku-minimal --sample 20 --seed 7",
)
def compare(
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="NAME-or-FILE",
            help="Set or file to solve; may be given several times.",
        ),
    ] = None,
    backends: Annotated[
        list[str] | None,
        typer.Option(
            *("--backend", "-b"),
            metavar="B",
            help="Solver from `concord backends`; may be given several times.",
        ),
    ] = None,
    witness: Annotated[
        list[str] | None,
        typer.Option(
            metavar="B",
            help="Solver to ask, untimed, where only one family answered; "
            "may be given several times.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="T", help="Limit in seconds for each job.")
    ] = 30.0,
    count: Annotated[
        str,
        typer.Option(
            metavar="N-or-all",
            help="Number of solutions to find for each instance; 2 decides uniqueness.",
        ),
    ] = "1",
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Take the first N instances of each set.")
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Take N random instances of each set."),
    ] = None,
    repeat: Annotated[
        int, typer.Option(min=1, metavar="K", help="Number of runs of each job.")
    ] = 1,
    jobs: Jobs = 1,
    family: Annotated[
        str | None, typer.Option(metavar="F", help="Puzzle family of the files.")
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="S", help="Random seed for the order of jobs and the sample.")
    ] = 0,
    out: Out = None,
    wide: Wide = False,
    plot: Annotated[
        bool, typer.Option("--plot", help="Draw a cactus plot in the folder of the run.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Compare solvers: who wins, who agrees, on which sets.

    Every job is run within its limits, every answer is validated, and the tables are printed.
    Without --set and --backend it runs some of each set that ships on four kinds of solver, and on
    the compiled one if numba is installed.
    """
    from harness.cli.screen import Screen
    from harness.plan.experiment import Experiment, SetChoice
    from harness.plan.reading import load
    from harness.plan.toml_positions import Source
    from harness.report.plots import require_matplotlib

    screen = Screen(quiet)
    named = [SetChoice(name, family=family) if family else name for name in sets or []]
    experiment = Experiment(
        name="compare",
        sets=named or load("quickstart").sets,
        backends=backends or _choose_backends(screen),
        seconds=seconds,
        count=solution_limit(count),
        limit=limit,
        sample=sample,
        repeat=repeat,
        jobs=jobs,
        seed=seed,
        warm_ups=1,
        witness=witness or [],
    )
    experiment.with_source(Source("compare"))
    if plot:
        require_matplotlib()
    return run_and_report(experiment, out, screen, as_json, wide=wide, plot=plot)


def _choose_backends(screen: Any) -> list[str]:
    """The default backends that can be used here; those that cannot are named."""
    from harness.plan.reading import default_backends

    usable, hints = default_backends()
    for hint in hints:
        screen.complain(f"left out: {hint}")
    return usable
