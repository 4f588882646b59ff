"""`concord bisect` and `concord environments`: solvers at other releases than the installed one."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from harness.cli import options
from harness.cli.command import FINE, app, format_examples, status_of, verb
from harness.cli.consent import make_provider
from harness.cli.screen import Screen
from modelling.errors import InputError
from modelling.wording import did_you_mean, plural

if TYPE_CHECKING:
    from harness.runs.bisecting import Bisection, Case, ReleaseAnswer

WITNESS = "propagation"
"""Who is asked beside the releases about a file."""


@verb(
    "concord bisect latest --package ortools",
    "concord bisect mine 17 --package ortools --good 9.15 --yes",
    "concord bisect mine.py --package ortools --count all --good 9.15 --bad 9.12",
    "concord bisect mine.py -b cpsat:presolve=on --package ortools --bad 9.12",
)
def bisect(
    dispute: str = options.argument(
        ..., "RUN|FILE", "A run with a dispute, or a file with one problem."
    ),
    row: int | None = options.argument(
        None, "ROW", "Number of the job of the run (default: the first disputed one).", min=1
    ),
    package: str = options.value(
        ..., "PACKAGE", "Package whose releases are tried, as ortools.", "--package"
    ),
    good: str | None = options.value(
        None, "R", "Release that answers rightly (default: the newest)."
    ),
    bad: str | None = options.value(
        None, "R", "Release that answers wrongly (default: that of the run)."
    ),
    backend: str | None = options.backend(
        "Solver with its options, for a file (default: the first one of the package)."
    ),
    witness: str = options.value(WITNESS, "B", "Solver to compare with, for a file."),
    count: str = options.value("1", "N-or-all", "Number of solutions to find, for a file."),
    optimum: bool = options.flag("--optimum", "Ask for the best solution, for a file."),
    family: str | None = options.value(None, "F", "Puzzle family of the file."),
    seconds: float = options.seconds(30.0, "Limit in seconds for each release, for a file."),
    yes: bool = options.YES,
    offline: bool = options.OFFLINE,
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Find the release of a solver where a verdict changes.

    The releases that pip finds in its index are tried by bisection, each in an environment of its
    own, so that of N releases at most log2(N) + 2 are installed. Environments are kept: to continue
    after an interruption, give the same command again.
    """
    from backends.interface.registry import distributions, shipped_for
    from harness.environments.releases import find_newest, list_releases
    from harness.runs.bisecting import bisect as search
    from harness.runs.bisecting import make_case_from_run
    from harness.runs.loading import load_run

    screen = Screen(quiet)
    solver = shipped_for(package)
    if solver is None:
        known = distributions()
        raise InputError(
            f"--package: no backend that ships has its solver in {package!r}"
            f"{did_you_mean(package, known)} (there are: {', '.join(known)})"
        )
    if Path(dispute.partition(":")[0]).is_file():
        question = _read_question(count, optimum)
        _check_backend(backend or solver, package)
        case = _read_case(dispute, family, backend or solver, witness, question, seconds)
    else:
        case = make_case_from_run(load_run(dispute), package, row)
    releases = list_releases(package)
    bad = bad or case.version
    if not bad:
        raise InputError("--bad is missing: the release of which an answer is known to be wrong")
    ends = [find_newest(end, releases, package) for end in (good or releases[-1], bad)]
    low, high = sorted(map(releases.index, ends))
    tried = releases[low : high + 1]
    screen.note(f"{plural(len(tried), 'release')} of {package}: {', '.join(tried)}")
    provide = make_provider(screen, yes, offline)
    found = search(case, tried, ends[0], ends[1], provide, partial(_tell, screen))
    return _print_found(screen, found, case, package, as_json)


def _tell(screen: Screen, asked: ReleaseAnswer) -> None:
    screen.note(f"{asked.release}: {asked.word}{f', {asked.claim}' if asked.claim else ''}")


def _read_question(count: str, optimum: bool) -> Any:
    from harness.job import Question

    number = options.parse_count(count)
    limit = None if number == "all" else number
    return Question(limit=1 if optimum else limit, keep=10, optimum=optimum)


def _check_backend(name: str, package: str) -> None:
    from backends.interface.registry import find_distribution, split

    head, release, _ = split(name)
    if release is not None:
        raise InputError(f"--backend: write {head} without a release; --good and --bad name those")
    if find_distribution(f"{head}@0") != package:
        raise InputError(f"--backend: the solver of {head} is not in {package}")


def _read_case(
    source: str, family: str | None, backend: str, witness: str, question: Any, seconds: float
) -> Case:
    """The one problem of a file, with what the witness says of it."""
    from harness.plan.expansion import Expansion
    from harness.plan.experiment import SetChoice
    from harness.plan.reading import choose_models, plan_comparison
    from harness.runs.bisecting import make_case_from_instance

    is_model = Path(source.partition(":")[0]).suffix == ".py"
    choices = choose_models([source]) if is_model else [SetChoice(source, family=family)]
    found = list(Expansion(plan_comparison(choices, [backend])).instances())
    if len(found) != 1:
        raise InputError(f"{source} has {plural(len(found), 'problem')}; give a file with one")
    if isinstance(found[0], Exception):
        raise found[0]
    return make_case_from_instance(found[0], backend, witness, question, seconds)


def _print_found(screen: Screen, found: Bisection, case: Case, package: str, as_json: bool) -> int:
    rows = [asdict(one) for one in found.in_order()]
    assert found.good is not None
    assert found.bad is not None
    ends = sorted((found.good, found.bad), key=lambda one: found.releases.index(one.release))
    places = [found.releases.index(one.release) for one in ends]
    between = list(found.releases[places[0] + 1 : places[1]])
    tried = {
        "installs": found.installs,
        "there": len(found.asked) - found.installs,
        "releases": len(found.releases),
    }
    if as_json:
        return screen.json(
            {
                "package": package,
                "backend": case.job.backend,
                "instance": case.job.instance,
                "ask": case.job.question.text,
                "last": asdict(ends[0]),
                "first": asdict(ends[1]),
                "between": between,
                **tried,
                "asked": rows,
            }
        )
    older, newer = ends
    text = (
        f"{package}: {case.job.backend} is {older.word} up to {older.release}, and {newer.word} "
        f"from {newer.release} on."
    )
    if between:
        text += f" {', '.join(between)} between them could not be asked."
    screen.hang("", text)
    screen.line("")
    screen.table(
        [
            {
                "release": row["release"],
                "verdict": row["word"],
                "answer": row["claim"],
                "because": row["evidence"][:MOST_SAID],
                "environment": "made" if row["installed"] else "was there",
            }
            for row in rows
        ]
    )
    screen.hang("", f"{plural(found.installs, 'install')} for {len(found.releases)} releases.")
    return screen.status


MOST_SAID = 36
"""Number of characters of the cause that are shown in a row of the table."""


# --- environments --------------------------------------------------------------------------

group = typer.Typer(
    name="environments",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog=format_examples("concord environments", "concord environments make cpsat@9.12 --yes"),
)
app.add_typer(group)


@group.callback()
def list_environments(context: typer.Context, as_json: bool = options.JSON) -> None:
    """List the environments of releases; make them, remove them.

    A backend such as cpsat@9.12 runs in an environment of its own. Without a command those that
    were made are listed.
    """
    if context.invoked_subcommand is None:
        raise typer.Exit(status_of(partial(_list_environments, as_json)))
    if as_json:
        raise typer.Exit(status_of(_refuse_json))


def _refuse_json() -> int:
    raise InputError("--json belongs to `concord environments` alone, without a command")


def _list_environments(as_json: bool) -> int:
    from msgspec import to_builtins

    from harness.environments.making import list_made

    screen, found = Screen(), list_made()
    if as_json:
        return screen.json(
            [
                to_builtins(one) | {"version": one.version, "folder": str(one.recipe.folder)}
                for one in found
            ]
        )
    if not found:
        screen.note("There is no environment; `concord environments make cpsat@9.12` makes one.")
        return FINE
    screen.table(
        [
            {
                "package": one.recipe.distribution,
                "release": one.recipe.release,
                "version": one.version,
                "python": one.recipe.python,
                "made": f"{one.made:%Y-%m-%d}",
                "by": one.made_by,
            }
            for one in found
        ]
    )
    return FINE


NAMES = options.argument(..., "BACKEND...", "Backends at a release, as cpsat@9.12.")


@verb("concord environments make cpsat@9.12 cpsat@9.15 --yes", group=group)
def make(
    names: list[str] = NAMES,
    yes: bool = options.YES,
    offline: bool = options.OFFLINE,
    quiet: bool = options.QUIET,
) -> int:
    """Make the environments of releases that are missing."""
    screen = Screen(quiet)
    _check_named(names)
    for one in make_provider(screen, yes, offline)(names):
        screen.line(f"{one.recipe}: {one.recipe.distribution} {one.version}")
    return screen.status


@verb("concord environments remove cpsat@9.12", group=group)
def remove(names: list[str] = NAMES) -> int:
    """Remove the environments of releases; they can be made again.

    No run should be using them.
    """
    from harness.environments.making import list_made
    from harness.environments.making import remove as remove_environment

    screen = Screen()
    wanted = _check_named(names)
    found = [one for one in list_made() if (one.recipe.distribution, one.recipe.release) in wanted]
    if not found:
        raise InputError(f"no environment was made for {', '.join(names)}")
    for one in found:
        remove_environment(one)
        screen.line(f"{one.recipe}: removed")
    return screen.status


def _check_named(names: list[str]) -> set[tuple[str, str]]:
    """Each with its package and release. Raises InputError for one that names no release."""
    from harness.environments.recipe import recipe_for

    found = set()
    for name in names:
        recipe = recipe_for(name)
        if recipe is None:
            raise InputError(f"{name} names no release; write it as in cpsat@9.12")
        found.add((recipe.distribution, recipe.release))
    return found
