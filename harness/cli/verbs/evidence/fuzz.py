"""`concord fuzz`: hunt for wrong answers of solvers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli import options
from harness.cli.command import INTERRUPTED, TROUBLE, verb
from harness.cli.screen import Screen
from modelling.errors import InputError

if TYPE_CHECKING:
    from harness.hunting.fuzzing.coverage import Covered
    from harness.hunting.fuzzing.hunt import Summary

DEFAULT_SECONDS = 60.0
SHRINK_SECONDS = 20.0
"""Time for a finding of each cause to be made small."""

LEFT_OUT = ("brute_force", "compiled", "ladder")
"""Not hunted unless they are named: the oracle itself, and solvers for Sudoku."""


@verb(
    "concord fuzz --seconds 600",
    "concord fuzz -b cpsat -b cpsat@9.12 -b sat --out hunts/cpsat",
    "concord fuzz -b command:flatzinc:./mine --rounds 2000",
    "concord fuzz -b choco -b cpsat --instances quickstart",
    "concord fuzz --files all --seconds 300 --out hunts/readers",
)
def fuzz(
    backend: list[str] | None = options.value(
        None, "B", "Solver to hunt; repeatable (default: all installed ones).", "--backend", "-b"
    ),
    files: list[str] | None = options.value(
        None, "FORMAT", "Hunt the reader of a format or family, or all; repeatable.", "--files"
    ),
    instances: list[str] | None = options.value(
        None, "SET|DIR", "Make problems of these instances, too; repeatable.", "--instances"
    ),
    seconds: float | None = options.seconds(
        None, "Stop after T seconds (default: 60, or no limit with --rounds)."
    ),
    rounds: int | None = options.value(
        None, "N", "Stop when each solver has had N problems.", min=1
    ),
    questions: int = options.value(
        1, "N", "Ask at most N questions about each small problem.", min=1, max=100
    ),
    seed: int = options.value(0, "N", "Random seed of the hunt."),
    out: Path = options.folder(Path("hunt"), "Folder of the hunt; one that is there is continued."),
    jobs: int = options.jobs(2),
    unguided: bool = options.flag("--unguided", "Draw problems without guidance, to compare."),
    no_shrink: bool = options.flag("--no-shrink", "Do not make findings small at the end."),
    yes: bool = options.YES,
    offline: bool = options.OFFLINE,
    as_json: bool = options.JSON,
    quiet: bool = options.QUIET,
) -> int:
    """Hunt for wrong answers of solvers.

    Problems, options and questions are drawn at random; answers are compared with brute force, with
    other solvers, and with those to related problems. Findings are folders below the hunt's one.
    With --files readers of files are hunted: files are changed by their grammar, and read.
    Ctrl-C ends a hunt with what there is. The exit status is 1 if there are any findings.
    """
    from harness.cli.bars import show_hunt
    from harness.cli.consent import make_provider
    from harness.hunting.fuzzing.hunt import Plan, hunt

    screen = Screen(quiet)
    formats = _choose_formats(files or [])
    names = [] if formats and not backend else _choose_backends(backend)
    make_provider(screen, yes, offline)(names)
    names += formats
    if seconds is None and rounds is None:
        seconds = DEFAULT_SECONDS
    if unguided and questions > 1:
        raise InputError(
            "--questions is for a guided hunt; with --unguided each problem gets two or three"
        )
    given = tuple(instances or ())
    plan = Plan(
        *(tuple(names), out, seed, seconds, rounds, jobs, not unguided),
        instances=given,
        questions=questions,
    )
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


def _choose_formats(given: list[str]) -> list[str]:
    """The lanes of the formats and families that are named; InputError for an unknown one."""
    from harness.hunting.fuzzing.files.playing import FILES
    from harness.hunting.fuzzing.files.reading import READABLE, list_families
    from modelling.wording import did_you_mean

    groups: dict[str, Sequence[str]] = {"all": READABLE}
    if not set(given) <= {"all", *READABLE}:
        groups["families"] = list_families()
    known = [*groups, *READABLE, *groups.get("families", ())]
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            raise InputError(f"--files {name}: no such format{hint}; there are {', '.join(known)}")
    names = dict.fromkeys(one for name in given for one in groups.get(name, (name,)))
    return [f"{FILES}{name}" for name in names]


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
    if covered.cells:  # there is none of readers
        _print_coverage(screen, covered)
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


def _print_coverage(screen: Screen, covered: Covered) -> None:
    from modelling.wording import plural

    screen.hang(
        "Coverage: ",
        f"{covered.classes} constraints and functions in {plural(covered.positions, 'position')}, "
        f"by {plural(covered.options, 'option')} and {plural(covered.asks, 'question')}: "
        f"{covered.cells:,} combinations.",
    )
    if covered.missing:
        screen.hang("Not asked: ", f"{', '.join(covered.missing)}.")
