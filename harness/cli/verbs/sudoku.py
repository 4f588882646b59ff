"""Verbs for Sudoku alone: `concord grade`, `explain`, `scramble` and `canonical`."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from contextlib import closing
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli import options
from harness.cli.bars import count_items
from harness.cli.command import TROUBLE, verb
from harness.cli.screen import Screen
from modelling.errors import InstanceError

if TYPE_CHECKING:
    from puzzles.family import Instance

GradeFormat = StrEnum("GradeFormat", ["text", "markdown", "csv"])


@verb(
    "concord grade sudoku",
    "concord grade sudoku-minimal --backend compiled",
    "concord grade puzzles.txt --format csv > grades.csv",
)
def grade(
    source: str = options.SOURCE,
    backends: list[str] | None = options.backend(
        "Solver whose nodes are counted; may be given several times."
    ),
    seconds: float = options.seconds(30.0, "Limit in seconds for each puzzle and solver."),
    form: GradeFormat = options.flag("--format", "Format of the table.", GradeFormat.text),
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Grade how hard Sudoku are for people and for solvers.

    The grade is the hardest technique that a person needs; the score is the cost of all steps. With
    --backend there is a column with the nodes that the solver takes to find the solution and to
    prove that it is the only one. A summary by grade follows; CSV has no summary.
    """
    from harness.streams import grading
    from puzzles.sudoku.entries import read_sudokus

    screen = Screen(quiet)
    screen.await_input(source)
    solvers = grading.load_backends(backends or [])
    entries: Iterable[grading.Entry] = read_sudokus(source)
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
            _print_grades(found, grading.summarise(found), form, as_json, screen)
    return screen.status


def _print_grades(
    found: list[dict[str, Any]],
    summary: list[dict[str, Any]],
    form: GradeFormat,
    as_json: bool,
    screen: Screen,
) -> None:
    from harness.report.table_text import to_markdown

    if as_json:
        for line in summary:
            floats = [name for name, cell in line.items() if isinstance(cell, float)]
            line.update({name: None for name in floats if not isfinite(line[name])})
        screen.json({"puzzles": found, "summary": summary})
    elif form is GradeFormat.markdown:
        sys.stdout.write(f"{to_markdown(found)}\n{to_markdown(summary)}")
    else:
        screen.table(found)
        screen.table(summary)


@verb(
    "concord explain sudoku-medium | head -40",
    "concord explain 1.....2..3.....4",
    "concord explain puzzle.sdk --grids",
)
def explain(
    source: str = options.SOURCE,
    grids: bool = options.flag(
        "--grids", "Draw the candidates before each step that is not a single."
    ),
    as_json: bool = options.JSON,
) -> int:
    """Show step by step how a person solves a Sudoku.

    It also prints how hard the puzzle is. Every step has the technique and why it holds.
    The grid of candidates is drawn before the first step. On a terminal, with --grids, the
    candidates that a step rests on are yellow, those that it places green, those that it removes
    red.
    """
    from puzzles.sudoku import explaining
    from puzzles.sudoku.entries import read_sudokus

    screen = Screen()
    screen.await_input(source)
    coloured = screen.out.color_system is not None and not screen.out.no_color
    painter = explaining.paint if screen.out.is_terminal and coloured else None
    found, gap = [], False
    for entry in read_sudokus(source):
        if isinstance(entry, InstanceError):
            screen.report_fault(entry)
        elif as_json:
            found.append(explaining.explain_as_data(entry))
        else:
            lines = explaining.explain(entry, grids, painter, screen.width)
            for line in [*([""] if gap else []), *lines]:
                screen.line(line)
            gap = True
    return screen.json(found) if as_json else screen.status


@verb(
    "concord scramble sudoku-hard --seed 7",
    "concord scramble puzzles.txt --copies 9 --out scrambled.txt",
)
def scramble(
    source: str = options.SOURCE,
    seed: int = options.value(0, "S", "Random seed; the same seed gives the same lines.", min=0),
    copies: int = options.value(1, "K", "Number of scrambled copies of each puzzle.", min=1),
    out: Path | None = options.OUT_FILE,
    force: bool = options.FORCE,
    quiet: bool = options.QUIET,
) -> int:
    """Disguise Sudoku by random symmetries.

    Values are renamed, bands, rows, stacks and columns are moved, and grids are transposed. The
    puzzles stay as hard as they are, but a solver that gains from the order of their cells loses
    that. Each line is a puzzle and its name with the number of the copy, as in `top~1`. A line that
    cannot be read becomes `# error`, and standard error has the cause. The same seed gives the same
    lines.
    """
    from harness.cli.output_file import open_output
    from puzzles.sets import given
    from puzzles.sudoku.scrambling import line, scrambles

    screen = Screen(quiet or (out is None and sys.stdout.isatty()))
    entries = scrambles(given(source), seed, copies)
    written = 0
    screen.await_input(source)
    with open_output(out, force) as stream:
        if out is not None:
            stream.write(f"# about: {source}, scrambled (seed {seed}, copies {copies})\n")
        for entry in count_items(entries, screen, "scrambles"):
            if isinstance(entry, InstanceError):
                stream.write("# error\n")
                stream.flush()
                screen.report_fault(entry)
            else:
                written += 1
                stream.write(line(entry) + "\n")
    if out is not None:
        screen.note(f"{written} puzzles: {out}")
    return screen.status


@verb("concord canonical puzzles.txt", "concord canonical puzzles.txt --duplicates")
def canonical(
    source: str = options.SOURCE,
    duplicates: bool = options.flag(
        "--duplicates", "Name only the puzzles that equal an earlier one in disguise."
    ),
    quiet: bool = options.QUIET,
) -> int:
    """Print a form of Sudoku that is equal for equal puzzles.

    Puzzles that are the same in disguise have the same canonical form. It is the first, in the
    order of the alphabet and blanks first, of the puzzles that renaming values, moving bands, rows,
    stacks and columns, and transposition make. Line i belongs to puzzle i; a puzzle that has
    no such form becomes `# error`, and standard error has the cause. With --duplicates each line
    names a puzzle that equals an earlier one, and the exit status is 1 if there is any.
    """
    from puzzles.formats import describe
    from puzzles.sets import given
    from puzzles.sudoku.canonical import find_forms

    screen = Screen(quiet or sys.stdout.isatty())
    screen.await_input(source)
    first: dict[str, Instance] = {}
    for found in count_items(find_forms(given(source)), screen, "puzzles"):
        if isinstance(found, InstanceError):
            if not duplicates:
                screen.line("# error")
            screen.report_fault(found)
            continue
        puzzle, form = found
        if not duplicates:
            screen.line(form)
        elif (earliest := first.setdefault(form, puzzle)) is not puzzle:
            screen.status = TROUBLE
            screen.line(f"{describe(puzzle)} is {describe(earliest)} in disguise")
    return screen.status
