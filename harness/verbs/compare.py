"""`concord compare`: run, validate, and print who won, agreement and timing: the main job."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from harness.carrying_out import carry_out
from harness.command import Jobs, Json, Out, Quiet, Wide, solution_limit, verb


@verb()
def compare(
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", metavar="NAME-or-FILE", help="What to solve; may be repeated."),
    ] = None,
    backends: Annotated[
        list[str] | None,
        typer.Option(
            "--backend", "-b", metavar="B", help="What to solve it with; may be repeated."
        ),
    ] = None,
    witness: Annotated[
        list[str] | None,
        typer.Option(
            metavar="B",
            help="Ask this family too, untimed, where one alone answered; may be repeated.",
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(metavar="T", help="Wall time for each job.")] = 30.0,
    count: Annotated[
        str, typer.Option(metavar="N-or-all", help="Solutions to find; 2 decides uniqueness.")
    ] = "1",
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N of each set.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, metavar="K", help="Run each job K times.")] = 1,
    jobs: Jobs = 1,
    family: Annotated[
        str | None, typer.Option(metavar="F", help="What the files' lines are.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Orders the jobs.")] = 0,
    out: Out = None,
    wide: Wide = False,
    plot: Annotated[
        bool, typer.Option("--plot", help="Draw a cactus plot into the run's folder.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Run, validate, and print who won, agreement and timing: the main job.

    Without --set and --backend: some of each set that ships, on four kinds of solver, and on the
    compiled one where numba is installed.
    """
    from harness.experiment import Experiment, SetChoice, check, load
    from harness.plots import require_matplotlib
    from harness.screen import Screen

    screen = Screen(quiet)
    named = [SetChoice(name, family=family) if family else name for name in sets or []]
    experiment = Experiment(
        name="compare",
        sets=named or load("quickstart").sets,
        backends=backends or _installed(screen),
        seconds=seconds,
        count=solution_limit(count),
        limit=limit,
        repeat=repeat,
        jobs=jobs,
        seed=seed,
        warm_ups=1,
        witness=witness or [],
    )
    check(experiment, "compare")
    if plot:
        require_matplotlib()
    return carry_out(experiment, out, screen, as_json, wide=wide, plot=plot)


def _installed(screen: Any) -> list[str]:
    """The default backends that can be used here; what is missing is said."""
    from harness.defaults import default_backends

    usable, hints = default_backends()
    for hint in hints:
        screen.complain(f"left out: {hint}")
    return usable
