"""`concord conform`: is a solver right? `concord fuzz`: a hunt for wrong answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli import options
from harness.cli.command import INTERRUPTED, TROUBLE, verb
from harness.cli.screen import Screen
from modelling.errors import InputError

if TYPE_CHECKING:
    from harness.examination.examination import Mark
    from harness.hunting.fuzzing.hunt import Summary


@verb(
    "concord conform py:mine:Solver",
    "concord conform py:mine:Solver --json > points.json",
    "concord conform py:mine:Solver --picture wrong.svg",
    "concord conform cpsat --problems 1000 --seed 7",
)
def conform(
    backend: str = options.argument(
        ..., "BACKEND", "Solver: py:MODULE:CLASS for your own, or one from `concord backends`."
    ),
    seconds: float = options.seconds(10.0, "Limit in seconds for each answer."),
    problems: int = options.value(
        150, "N", "Number of random problems to draw.", min=1, max=100000
    ),
    seed: int = options.value(0, "N", "Random seed of the problems."),
    picture: Path | None = options.value(
        None,
        "FILE",
        "Write the smallest problem that fails as a picture (SVG).",
        parser=options.parse_file,
    ),
    as_json: bool = options.JSON,
    quiet: bool = options.QUIET,
    force: bool = options.FORCE,
) -> int:
    """Check a solver: a line for each check, with points.

    The solver runs in a process of its own, on small random problems and puzzles whose solutions
    are known. The exit status is 0 if all checks passed, 1 if one failed, and 2 for a solver that
    is not there.
    """
    from harness.cli.output_file import check_output, open_output
    from harness.examination import sheet
    from harness.examination.examination import examine
    from harness.report.table_text import format_cell

    screen = Screen(quiet)
    if picture is not None:
        check_output(picture, [".svg"], force, "--picture")
    marks: list[Mark] = []
    try:
        for mark in examine(backend, problems=problems, seed=seed, seconds=seconds):
            if not as_json:
                if not marks:
                    screen.line(sheet.HEAD.rstrip())
                said = sheet.shorten(mark, marks[-1] if marks else None)
                screen.hang(sheet.format_points(mark), format_cell(said))
                screen.flush()
            marks.append(mark)
    except KeyboardInterrupt:
        if marks and not as_json:
            screen.line("")
            screen.hang("", sheet.summarise(backend, marks, is_whole=False))
        raise
    if as_json:
        screen.json(sheet.to_data(backend, marks))
    else:
        _print_end(screen, backend, marks)
    smallest = sheet.find_smallest(marks)
    if picture is not None and smallest is not None:
        from puzzles.family import family, make_picture

        chosen = sheet.choose_pictured(smallest[1])
        with open_output(picture, force) as stream:
            stream.write(f"{make_picture(family(chosen.family), chosen.text)}\n")
        screen.note(f"The picture of the problem is in {picture}.")
    elif picture is not None:
        screen.note("No problem fails, so no picture was written.")
    return screen.status if all(mark.is_full for mark in marks) else TROUBLE


def _print_end(screen: Screen, backend: str, marks: Sequence[Mark]) -> None:
    from harness.examination import sheet

    screen.line("")
    screen.hang("", sheet.summarise(backend, marks))
    smallest = sheet.find_smallest(marks)
    if smallest is None:
        return
    for instance in smallest[1]:
        screen.line("")
        head, *drawing = sheet.describe_failure(smallest[0], instance, screen.width)
        screen.hang("", head)
        for line in drawing:
            screen.line(line)


# --- hunting ------------------------------------------------------------------------------------

DEFAULT_SECONDS = 60.0
SHRINK_SECONDS = 20.0
"""Time for a finding of each cause to be made small."""

LEFT_OUT = ("brute_force", "compiled", "ladder")
"""Not hunted unless they are named: the oracle itself, and solvers for Sudoku."""


@verb(
    "concord fuzz --seconds 600",
    "concord fuzz -b cpsat -b cpsat@9.12 -b sat --out hunts/cpsat",
    "concord fuzz -b command:flatzinc:./mine --rounds 2000",
)
def fuzz(
    backend: list[str] | None = options.value(
        None, "B", "Solver to hunt; repeatable (default: all installed ones).", "--backend", "-b"
    ),
    seconds: float | None = options.seconds(
        None, "Stop after T seconds (default: 60, or no limit with --rounds)."
    ),
    rounds: int | None = options.value(
        None, "N", "Stop when each solver has had N problems.", min=1
    ),
    seed: int = options.value(0, "N", "Random seed of the hunt."),
    out: Path = options.folder(Path("hunt"), "Folder of the hunt; one that is there is continued."),
    jobs: int = options.jobs(2),
    unguided: bool = options.flag("--unguided", "Draw every problem; make none of earlier ones."),
    no_shrink: bool = options.flag("--no-shrink", "Do not make findings small at the end."),
    yes: bool = options.YES,
    offline: bool = options.OFFLINE,
    as_json: bool = options.JSON,
    quiet: bool = options.QUIET,
) -> int:
    """Hunt for wrong answers of solvers.

    Problems, options and questions are drawn at random; answers are compared with brute force, with
    other solvers, and with those to related problems. Findings are folders below the hunt's one.
    Ctrl-C ends a hunt with what there is. The exit status is 1 if there are any findings.
    """
    from harness.cli.bars import show_hunt
    from harness.cli.consent import make_provider
    from harness.hunting.fuzzing.hunt import Plan, hunt

    screen = Screen(quiet)
    names = _choose_backends(backend)
    make_provider(screen, yes, offline)(names)
    if seconds is None and rounds is None:
        seconds = DEFAULT_SECONDS
    plan = Plan(tuple(names), out, seed, seconds, rounds, jobs, not unguided)
    with show_hunt(screen) as show:
        summary = hunt(plan, show)
    if as_json:
        screen.json(_to_data(summary))
    else:
        _print_summary(screen, summary, out)
    if summary.found and not (no_shrink or summary.is_interrupted):
        _write_up(screen, summary)
    if summary.is_interrupted:
        return INTERRUPTED
    return TROUBLE if summary.found or summary.broken else screen.status


def _write_up(screen: Screen, summary: Summary) -> None:
    """A finding of each cause, made small: what it has come to is a note."""
    from harness.hunting.fuzzing.writing_up import write_up

    for one in write_up(summary.found, SHRINK_SECONDS):
        screen.note(f"{one.cause}: {one.size or one.why}")
        if one.script is not None:
            screen.note(f"       {one.script}")


def _choose_backends(given: list[str] | None) -> list[str]:
    """The backends as they are named, or all that are installed."""
    from backends.interface import registry
    from harness.plan.grids import expand

    if given:
        names = [registry.without_label(one) for name in given for one in expand(name)]
        for name in names:
            registry.spec(name)
        return list(dict.fromkeys(names))
    found = [info.name for info in registry.summaries() if info.installed]
    found = [name for name in found if name not in LEFT_OUT]
    if not found:
        raise InputError("no solver is installed; see concord backends")
    return found


def _to_data(summary: Summary) -> dict[str, object]:
    from dataclasses import asdict

    return {
        "comparisons": summary.comparisons,
        "seconds": round(summary.seconds, 1),
        "coverage": asdict(summary.covered),
        "solvers": [
            {
                "backend": lane.backend,
                "problems": lane.rounds,
                "questions": lane.questions,
                "comparisons": lane.comparisons,
                "refused": lane.refused,
                "unanswered": lane.unanswered,
                "corpus": len(lane.corpus),
                "findings": sum(lane.wrong.values()),
            }
            for lane in summary.lanes
        ],
        "findings": [
            {
                "cause": one.cause,
                "number": one.number,
                "folder": str(one.folder),
                "also": list(one.also),
            }
            for one in summary.found
        ],
        "broken": summary.broken,
    }


def _print_summary(screen: Screen, summary: Summary, out: Path) -> None:
    from harness.report.table_text import format_cell
    from modelling.wording import plural

    rows = [
        {
            "backend": format_cell(lane.backend),
            "problems": lane.rounds,
            "comparisons": lane.comparisons,
            "refused": lane.refused,
            "unanswered": lane.unanswered,
            "corpus": len(lane.corpus),
            "findings": sum(lane.wrong.values()),
        }
        for lane in summary.lanes
    ]
    screen.table(rows)
    covered = summary.covered
    screen.hang(
        "Coverage: ",
        f"{covered.classes} constraints and functions in {plural(covered.positions, 'position')}, "
        f"by {plural(covered.options, 'option')} and {plural(covered.asks, 'question')}: "
        f"{covered.cells:,} combinations.",
    )
    if covered.missing:
        screen.hang("Not asked: ", f"{', '.join(covered.missing)}.")
    for name, why in summary.broken.items():
        screen.complain(f"{name}: not hunted any more: {why}")
    number = sum(one.number for one in summary.found)
    screen.hang(
        "",
        f"{plural(summary.comparisons, 'comparison')} in {summary.seconds:.0f} s, "
        f"{plural(number, 'finding')} of {plural(len(summary.found), 'cause')}.",
    )
    for one in summary.found:
        screen.hang(f"{one.number:>5}  ", format_cell(one.cause))
        screen.hang("       ", str(one.folder))
    if not summary.found:
        screen.note(f"The hunt is in {out}; the same command continues it.")
