"""`concord advise`: which solver for my own instances, within the seconds given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli import options
from harness.cli.clock import find_beginning
from harness.cli.command import INTERRUPTED, TROUBLE, verb
from harness.cli.screen import Screen
from harness.cli.verbs.experiments import OPTIONS, ensure_family
from modelling.errors import InputError

if TYPE_CHECKING:
    from harness.advise.advice import Event
    from puzzles.sets.toml_positions import Source


@verb(
    "concord advise model.mzn small.dzn large.dzn",
    "concord advise instances/*.xml --seconds 120",
    "concord advise --model rota.py -b cpsat -b choco -b pumpkin",
    "concord advise queens --count all --seconds 30 --json",
    "concord advise model.mzn small.dzn --from-features   # a guess at once",
)
def advise(
    files: list[str] | None = options.argument(
        None, "SET|FILE", "Sets and files to solve; files of data follow their model."
    ),
    models: list[str] | None = options.value(
        None,
        "FILE.py[:NAME]",
        "Model in a Python file; may be given several times.",
        "--model",
        "-m",
    ),
    backends: list[str] | None = options.backend(
        "Candidate from `concord backends` (default: what is installed and takes the problem)."
    ),
    seconds: float = options.seconds(60.0, "Seconds for all of it."),
    count: str | None = options.value(
        None,
        "N-or-all",
        "Number of solutions to find (default: the best one where there is an objective, else 1).",
    ),
    from_features: bool = options.flag(
        "--from-features", "Guess by what the instances look like; run nothing."
    ),
    jobs: int = options.jobs(1),
    family: str | None = options.value(None, "F", "Puzzle family of the files."),
    out: Path | None = options.folder(
        None, "Folder of the rounds (default: a new one under ./results/runs)."
    ),
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Recommend a solver for your instances within given seconds.

    All candidates run for a short time, the better half of them for longer, until two are left
    (successive halving). Answers are validated: a solver with a wrong answer is out. It prints who
    is out and why, then the solver, the evidence, the runner-up, and an experiment that repeats the
    comparison. Ctrl-C ends it with what is known so far; the exit status is then 130, and 1 if no
    solver can be recommended.

    With --from-features nothing is run: the instances are compared with measured ones, and the
    error of such advice about unknown families is printed beside it.
    """
    from harness.advise.advice import describe_event, write_advice
    from harness.advise.advising import advise as find_advice
    from harness.plan.reading import choose_files, choose_models

    screen = Screen(quiet or as_json)
    if family is not None:
        ensure_family(family)
    sets = [*choose_files(files or [], family), *choose_models(models or [])]
    if not sets:
        raise InputError("name what to solve: a set, a file, or a model with --model")

    if from_features:
        if count is not None or out is not None:
            raise InputError("--from-features runs nothing: leave out --count and --out")
        return _print_guess(sets, backends, screen, as_json)

    def show(event: Event) -> None:
        for line in describe_event(event, screen.width):
            screen.note(line)

    advice = find_advice(
        sets,
        backends,
        seconds=seconds,
        count=None if count is None else options.parse_count(count),
        jobs=jobs,
        out=out,
        begun=find_beginning(),
        on_event=show,
        on_fault=screen.report_fault,
        source=_name_options(),
    )
    if as_json:
        screen.json(advice.as_table())
    else:
        for line in write_advice(advice, screen.width):
            screen.line(line)
    if advice.interrupted:
        return INTERRUPTED
    return screen.status if advice.solver else TROUBLE


def _name_options() -> Source:
    """What errors call the keys of the experiment: as they are called here."""
    from puzzles.sets.toml_positions import Source

    return Source(options=OPTIONS | {"sets": ""})


def _print_guess(sets: list[Any], backends: list[str] | None, screen: Screen, as_json: bool) -> int:
    from harness.advise.guessing import guess_advice, write_guess

    advice = guess_advice(sets, backends, screen.report_fault, _name_options())
    if as_json:
        return screen.json(advice.as_table())
    for line in write_guess(advice, screen.width):
        screen.line(line)
    return screen.status
