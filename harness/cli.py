"""The command line: one verb for each thing a person does.

Results go to standard output, talk to standard error. Exit status: 0 fine, 1 a dispute, a wrong
answer or bad lines in the input, 2 wrong usage, 130 interrupted. Heavy imports happen in the verbs
that need them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modelling.errors import BackendError, ConcordError, ExperimentError, InputError

if TYPE_CHECKING:
    import pandas as pd

    from harness.experiment import Experiment
    from harness.run import Run

FINE, TROUBLE, USAGE, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="concord",
    help="Compare constraint solvers: which for my problem, how much faster, and do they agree?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def verb(
    name: str | None = None, **settings: Any
) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Make a function that returns an exit status a command of the line."""

    def register(function: Callable[..., int]) -> Callable[..., None]:
        @wraps(function)
        def command(**arguments: Any) -> None:
            raise typer.Exit(status_of(lambda: function(**arguments)))

        app.command(name, **settings)(command)
        return command

    return register


def status_of(action: Callable[[], int]) -> int:
    """Every expected error becomes one line on standard error and an exit status."""
    try:
        status = action()
        sys.stdout.flush()
    except ConcordError as error:
        print(f"concord: {error}", file=sys.stderr)
        return USAGE if isinstance(error, InputError | BackendError) else TROUBLE
    except KeyboardInterrupt:
        print("concord: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has left, as in `| head`: nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    return status


JOB_COLUMNS = (
    *("job", "set", "instance", "backend", "repeat", "ask", "outcome", "status", "count"),
    *("verdict", "evidence", "wall_s"),
)
"""What is shown of jobs where width matters; `export` has everything."""


class TableFormat(StrEnum):
    text = "text"
    markdown = "markdown"
    csv = "csv"
    latex = "latex"


class TableName(StrEnum):
    all = "all"
    agreement = "agreement"
    timing = "timing"
    jobs = "jobs"


class ExportFormat(StrEnum):
    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"


# Options that several verbs share.
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes.")]
Json = Annotated[bool, typer.Option("--json", help="Results as JSON.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="The run's folder; by default one under ./results/runs."
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, metavar="J", help="So many at a time.")]
RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="A run: its folder, its name, or latest.")
]


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
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Run, validate, and print agreement and timing: the main job.

    Without --set and --backend: the sets that ship, on four kinds of solver.
    """
    from harness.experiment import Experiment, SetChoice, check
    from harness.screen import Screen

    screen = Screen(quiet)
    chosen = sets or ["quickstart"]
    experiment = Experiment(
        name="compare",
        sets=[SetChoice(name, family=family) if family else name for name in chosen],
        backends=backends or _installed(screen),
        seconds=seconds,
        count=_count(count),
        limit=limit,
        repeat=repeat,
        jobs=jobs,
        seed=seed,
    )
    check(experiment, "concord compare")
    return _carry_out(experiment, out, screen, as_json)


@verb(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME-or-FILE.toml]", help="One that ships, or your own."),
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Go on with this run where it stopped.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many jobs it is and how long at worst.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, metavar="J", help="So many at a time.")
    ] = None,
    out: Out = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Run a designed experiment: one that ships, a TOML file of your own, or a measurement.

    The measurements (dispatch, kernel, ladder, overhead) take options of their own behind the
    name; `python -m harness.experiments.NAME --help` lists them.
    """
    from harness import experiment as experiments
    from harness.experiments import MEASUREMENTS
    from harness.screen import Screen, clock

    screen = Screen(quiet)
    if name is None and resume is None:
        known = ", ".join([*experiments.shipped(), *MEASUREMENTS])
        raise ExperimentError(f"name an experiment (there are: {known}), or a run to --resume")
    if name in MEASUREMENTS and not Path(name).is_file():
        shared = {"--out": out, "--jobs": jobs}
        given = [word for key, value in shared.items() if value for word in (key, str(value))]
        return _measure(name, [*context.args, *given])
    if context.args:
        raise InputError(f"concord run: {' '.join(context.args)} is not understood; see --help")
    experiment = None if name is None else experiments.load(name)
    if experiment is not None and jobs is not None:
        experiment.jobs = jobs
    if resume is not None:
        return _carry_out(experiment, Path(resume), screen, as_json, resume=True)
    assert experiment is not None
    if dry_run:
        expanded, bad = experiments.expand(experiment)
        worst = sum(job.limits.seconds or 0 for job in expanded) / experiment.jobs
        screen.line(f"{len(expanded)} jobs, at worst {clock(worst)} (hours:minutes:seconds)")
        return _told(screen, bad)
    return _carry_out(experiment, out, screen, as_json)


@verb()
def solve(
    source: Annotated[
        str, typer.Argument(metavar="[FILE or -]", help="Puzzles, or a set that ships.")
    ] = "-",
    backend: Annotated[
        str | None,
        typer.Option(
            *("--backend", "-b"),
            metavar="B",
            help="What to solve with; compiled where numba is installed, else propagation.",
        ),
    ] = None,
    count: Annotated[
        str, typer.Option(metavar="N-or-all", help="Solutions to print for each.")
    ] = "1",
    family: Annotated[
        str | None, typer.Option(metavar="F", help="What the lines are; sudoku if not told.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="T", help="Wall time for each puzzle.")
    ] = None,
    jobs: Jobs = 1,
    show: Annotated[bool, typer.Option("--show", help="Draw puzzle and solution.")] = False,
    quiet: Quiet = False,
) -> int:
    """Solve puzzles: line i of the output belongs to puzzle i.

    A line is a solution, `# unsatisfiable`, `# unknown` (out of time) or `# error`, with the
    detail on standard error. With --count above 1 each solution is preceded by the puzzle's
    number and a tab.
    """
    from harness.screen import Screen
    from harness.solving import Question
    from harness.solving import solve as answers

    screen = Screen(quiet)
    limit = _count(count)
    question = Question(backend, None if limit == "all" else limit, seconds, show)
    status = FINE
    for answer in answers(source, family, question, jobs):
        for line in answer.lines:
            screen.line(line)
        if answer.trouble:
            status = TROUBLE
            sys.stdout.flush()
            screen.complain(answer.trouble)
    return status


@verb()
def backends(as_json: Json = False) -> int:
    """What there is to run, and what to install for what is missing."""
    from dataclasses import asdict

    from backends.registry import infos

    found = [asdict(info) for info in infos()]
    if as_json:
        return _json(found)
    import pandas as pd

    from harness.screen import Screen

    screen = Screen()
    rows = [
        {
            "backend": info["name"],
            "installed": "yes" if info["installed"] else "no",
            "version": info["version"],
            "native constraints": " ".join(info["native"]),
            "options and defaults": " ".join(info["options"]),
            "about": info["about"],
        }
        for info in found
    ]
    screen.table(pd.DataFrame(rows))
    for info in found:
        if info["hint"]:
            screen.line(f"{info['name']}: {info['hint']}")
    return FINE


@verb("sets")
def list_sets(as_json: Json = False) -> int:
    """What there is to run on."""
    from dataclasses import asdict

    from puzzles.sets import sets

    found = [asdict(puzzle_set) for puzzle_set in sets()]
    if as_json:
        return _json(found)
    import pandas as pd

    from harness.screen import Screen

    columns = {"name": "set", "family": "family", "number": "puzzles", "about": "about"}
    Screen().table(pd.DataFrame(found)[list(columns)].rename(columns=columns))
    return FINE


@verb()
def table(
    name: RunName = "latest",
    which: Annotated[TableName, typer.Option(help="Which table.")] = TableName.all,
    form: Annotated[TableFormat, typer.Option("--format", help="How to write it.")] = (
        TableFormat.text
    ),
    as_json: Json = False,
) -> int:
    """The tables of a run, agreement and timing by default."""
    from harness.run import load
    from harness.screen import Screen

    loaded = load(name)
    if which is TableName.all and form is TableFormat.text:
        return _shown(loaded, Screen(), as_json)
    wanted = ("agreement", "timing") if which is TableName.all else (which.value,)
    frames = {key: getattr(loaded, key) for key in wanted}
    if as_json:
        return _json({key: _records(frame) for key, frame in frames.items()})
    from harness.table_text import FORMATS

    if "jobs" in frames and form is not TableFormat.csv:
        frames["jobs"] = frames["jobs"][list(JOB_COLUMNS)]
    sys.stdout.write("\n".join(FORMATS[form.value](frame) for frame in frames.values()))
    return FINE


@verb()
def export(
    name: RunName = "latest",
    form: Annotated[ExportFormat, typer.Option("--format", help="How to write it.")] = (
        ExportFormat.csv
    ),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where; else standard output.")
    ] = None,
) -> int:
    """All jobs of a run, one row each, for other tools."""
    from harness.run import load

    frame = load(name).jobs
    if form is ExportFormat.parquet:
        if out is None:
            raise InputError("parquet is binary: name a file with --out")
        try:
            flat = frame.assign(solutions=frame["solutions"].map(json.dumps))
            flat.to_parquet(out, index=False)
        except ImportError as error:
            raise InputError(
                "parquet needs pyarrow: pip install 'solver-concord[parquet]'"
            ) from error
        return FINE
    text = (
        frame.to_csv(index=False)
        if form is ExportFormat.csv
        else frame.to_json(orient="records", lines=True)
    )
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
    return FINE


# --- what verbs share ----------------------------------------------------------------------------


def _count(text: str) -> int | Any:
    """``--count``: a number of at least 1, or ``all``."""
    if text == "all":
        return text
    if not text.isdigit() or int(text) < 1:
        raise InputError(f"--count takes a number of at least 1 or 'all', not {text!r}")
    return int(text)


def _installed(screen: Any) -> list[str]:
    """The default backends that can be used here; what is missing is said."""
    from backends.registry import four_kinds

    usable, hints = four_kinds()
    for hint in hints:
        screen.complain(f"left out: {hint}")
    return usable


def _measure(name: str, arguments: list[str]) -> int:
    """Run a measurement that ships; it explains its own options."""
    import importlib

    module = importlib.import_module(f"harness.experiments.{name}")
    return int(module.main(arguments) or FINE)


def _carry_out(
    experiment: Experiment | None,
    out: Path | None,
    screen: Any,
    as_json: bool,
    resume: bool = False,
) -> int:
    """Run it with progress, then print the tables; the exit status says whether all is well."""
    from harness.run import Interrupted, execute

    try:
        with screen.progress() as show:
            done = execute(experiment, out, on_progress=show, resume=resume)
    except Interrupted as stopped:
        screen.complain(f"{stopped}\ngo on with: concord run --resume {stopped.folder}")
        return INTERRUPTED
    status = _shown(done, screen, as_json)
    screen.note(f"run: {done.folder}")
    return max(status, _told(screen, done.bad_lines))


def _shown(run: Run, screen: Any, as_json: bool) -> int:
    """Print agreement and timing; 1 when there is a dispute or a wrong answer."""
    from harness import closing

    if as_json:
        tables = {"agreement": _records(run.agreement), "timing": _records(run.timing)}
        _json({"run": str(run.folder), **tables})
    else:
        closing.show(run, screen)
    return FINE if closing.is_clean(run) else TROUBLE


def _told(screen: Any, bad: list[Any]) -> int:
    """Say which lines of the input could not be read; 1 if there are any."""
    for error in bad:
        screen.complain(str(error))
    return TROUBLE if bad else FINE


def _records(frame: pd.DataFrame) -> Any:
    return json.loads(frame.to_json(orient="records"))


def _json(data: Any) -> int:
    sys.stdout.write(json.dumps(data, indent=2) + "\n")
    return FINE


def main() -> None:
    """The entry point. Usage errors are typer's: it prints them and leaves with status 2."""
    app(prog_name="concord")


if __name__ == "__main__":
    main()
