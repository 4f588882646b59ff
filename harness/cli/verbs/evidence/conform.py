"""`concord conform`: is a solver right? One line for each check, with points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli import options
from harness.cli.command import TROUBLE, verb
from harness.cli.screen import Screen

if TYPE_CHECKING:
    from harness.examination.examination import Mark
    from puzzles.family import Instance

SHRINK_SECONDS = 30.0
"""Time for the problem that fails to be made small."""


@verb(
    "concord conform py:mine:Solver",
    "concord conform py:mine:Solver --json > points.json",
    "concord conform py:mine:Solver --picture wrong.svg",
    "concord conform py:mine:Solver --out wrong",
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
    out: Path | None = options.folder(
        None, "Make the problem that fails small, and write it up in this folder."
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
    if out is not None and smallest is not None:
        _write_small(screen, smallest[1], backend, out, seconds)
    elif out is not None:
        screen.note(f"No problem fails, so nothing was written to {out}.")
    return screen.status if all(mark.is_full for mark in marks) else TROUBLE


def _write_small(
    screen: Screen, failed: Sequence[Instance], backend: str, folder: Path, seconds: float
) -> None:
    """The smallest problem that fails, written up; why there is none, where there is none."""
    from harness.hunting.conforming import write_small
    from harness.hunting.reporting import SCRIPT
    from harness.hunting.shrinking import measure
    from modelling.errors import InputError

    try:
        small, reported = write_small(failed, backend, folder, seconds, SHRINK_SECONDS)
    except InputError as error:
        screen.complain(str(error))
        return
    script = f", {SCRIPT} shows it without Concord" if reported.lines else ""
    screen.note(f"Made small in {folder}: {small.fault}, {measure(small)}{script}.")


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
