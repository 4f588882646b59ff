"""`concord grade` and `concord explain`: how hard Sudoku are, and how a person solves them."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from contextlib import closing
from enum import StrEnum
from typing import Annotated, Any

from harness.cli import options
from harness.cli.command import verb
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
    source: options.Source = "-",
    backends: Annotated[
        list[str] | None,
        options.backend("Solver whose nodes are counted; may be given several times."),
    ] = None,
    seconds: Annotated[
        float,
        options.seconds("Limit in seconds for each puzzle and solver."),
    ] = 30.0,
    form: Annotated[
        GradeFormat, options.flag("--format", "Format of the table.")
    ] = GradeFormat.text,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> int:
    """Grade how hard Sudoku are for people and for solvers.

    The grade is the hardest technique that a person needs; the score is the cost of all steps. With
    --backend there is a column with the nodes that the solver takes to find the solution and to
    prove that there is no other. A summary by grade follows; CSV has no summary.
    """
    from harness.cli.bars import count_items
    from harness.streams import grading

    screen = Screen(quiet)
    screen.await_input(source)
    solvers = grading.load_backends(backends or [])
    entries: Iterable[grading.Entry] = grading.read_sudokus(source)
    if form is GradeFormat.csv and not as_json:
        if not screen.out.is_terminal:
            entries = count_items(entries, screen, "puzzles")
        writer = csv.DictWriter(sys.stdout, grading.list_columns(solvers), lineterminator="\n")
        writer.writeheader()
        writer.writerows(grading.grade_all(entries, solvers, seconds, screen.report_fault))
        return screen.status
    known = list(entries)
    found: list[grading.Row] = []
    try:
        with closing(count_items(known, screen, "puzzles", len(known))) as shown:
            found.extend(grading.grade_all(shown, solvers, seconds, screen.report_fault))
    finally:  # when it is interrupted, what has been graded is shown
        if found:
            _print_grades(found, form, as_json, screen)
    return screen.status


def _print_grades(found: list[Any], form: GradeFormat, as_json: bool, screen: Screen) -> None:
    from harness.report.table_text import to_markdown
    from harness.streams import grading

    whole, summary = grading.make_table(found), grading.summarise(found)
    if as_json:
        screen.json({"puzzles": whole, "summary": summary})
    elif form is GradeFormat.markdown:
        sys.stdout.write(f"{to_markdown(whole)}\n{to_markdown(summary)}")
    else:
        screen.table(whole)
        screen.table(summary)


@verb(
    "concord explain sudoku-medium | head -40",
    "concord explain 1.....2..3.....4",
    "concord explain puzzle.sdk --grids",
)
def explain(
    source: options.Source = "-",
    grids: Annotated[
        bool, options.flag("--grids", "Draw the candidates before each step that is not a single.")
    ] = False,
    as_json: options.Json = False,
) -> int:
    """Show step by step how a person solves a Sudoku.

    It also prints how hard the puzzle is. Every step is one line: the technique and why it holds.
    The grid of candidates is drawn before the first step. On a terminal, with --grids, the
    candidates that a step rests on are yellow, those that it places green, those that it removes
    red.
    """
    from harness.streams.grading import read_sudokus
    from modelling.errors import PuzzleError
    from puzzles.sudoku import explaining

    screen = Screen()
    screen.await_input(source)
    coloured = screen.out.color_system is not None and not screen.out.no_color
    painter = explaining.paint if screen.out.is_terminal and coloured else None
    found, gap = [], False
    for entry in read_sudokus(source):
        if isinstance(entry, PuzzleError):
            screen.report_fault(entry)
        elif as_json:
            found.append(explaining.explain_as_data(entry))
        else:
            if gap:
                screen.line("")
            gap = True
            for line in explaining.explain(entry, grids, painter):
                screen.line(line)
    return screen.json(found) if as_json else screen.status
