"""`concord grade`: how hard Sudoku are, for people and for solvers."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.command import (
    FINE,
    TROUBLE,
    Json,
    Quiet,
    Source,
    announce_waiting,
    as_records,
    seconds_above_0,
    verb,
    write_json,
)

if TYPE_CHECKING:
    from harness.cli.screen import Screen


class GradeFormat(StrEnum):
    text = "text"
    markdown = "markdown"
    csv = "csv"


@verb(
    "concord grade sudoku",
    "concord grade sudoku-minimal --backend compiled",
    "concord grade puzzles.txt --format csv > grades.csv",
)
def grade(
    source: Source = "-",
    backends: Annotated[
        list[str] | None,
        typer.Option(
            *("--backend", "-b"),
            metavar="B",
            help="Solver whose nodes are counted; may be given several times.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            parser=seconds_above_0,
            metavar="T",
            help="Limit in seconds for each puzzle and solver.",
        ),
    ] = 30.0,
    form: Annotated[GradeFormat, typer.Option("--format", help="Format of the table.")] = (
        GradeFormat.text
    ),
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Grade how hard Sudoku are for people and for solvers.

    The grade is the hardest technique that a person needs; the score is the cost of all steps. With
    --backend there is a column with the nodes that the solver takes to find the solution and to
    prove that there is no other. A summary by grade follows; CSV has no summary.
    """
    from harness.cli.bars import count_items
    from harness.cli.screen import Screen
    from harness.streams import grading

    screen = Screen(quiet)
    status = FINE

    def complain(text: str) -> None:
        nonlocal status
        status = TROUBLE
        screen.complain(text)

    announce_waiting(source, screen)
    solvers = grading.load_backends(backends or [])
    entries: Iterable[grading.Entry] = grading.read_sudokus(source)
    if form is GradeFormat.csv and not as_json:
        if not screen.out.is_terminal:
            entries = count_items(entries, screen, "puzzles")
        heads = grading.list_columns(solvers)
        writer = csv.DictWriter(sys.stdout, heads, lineterminator="\n")
        writer.writeheader()
        for row in grading.grade_all(entries, solvers, seconds, complain):
            writer.writerow(row)
        return status
    known = list(entries)
    found: list[grading.Row] = []
    try:
        shown = count_items(known, screen, "puzzles", len(known))
        found.extend(grading.grade_all(shown, solvers, seconds, complain))
    finally:  # when it is interrupted, what has been graded is shown
        if found:
            _print_grades(found, form, as_json, screen)
    return status


def _print_grades(found: list[Any], form: GradeFormat, as_json: bool, screen: Screen) -> None:
    from harness.report.table_text import to_markdown
    from harness.streams import grading

    whole, summary = grading.make_table(found), grading.summarise(found)
    if as_json:
        write_json({"puzzles": as_records(whole), "summary": as_records(summary)})
    elif form is GradeFormat.markdown:
        sys.stdout.write(f"{to_markdown(whole)}\n{to_markdown(summary)}")
    else:
        screen.table(whole)
        screen.table(summary)
