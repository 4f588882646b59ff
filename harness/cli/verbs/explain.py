"""`concord explain`: how a person solves a Sudoku, step by step."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from harness.cli.command import FINE, TROUBLE, Json, announce_waiting, verb, write_json


@verb(
    "concord explain sudoku-medium | head -40",
    "concord explain 1.....2..3.....4",
    "concord explain puzzle.sdk --grids",
)
def explain(
    source: Annotated[
        str,
        typer.Argument(
            metavar="[PUZZLE|FILE|SET|-]",
            help="A puzzle, a file, or a set; - is standard input.",
        ),
    ] = "-",
    grids: Annotated[
        bool,
        typer.Option("--grids", help="Draw the candidates before each step that is no single."),
    ] = False,
    as_json: Json = False,
) -> int:
    """Show step by step how a person solves a Sudoku.

    It also says how hard that is. Every step is one line: the technique and why it holds. The grid
    of candidates is drawn before the first step. On a terminal, with --grids, what a step rests on
    is yellow, what it places green, what it removes red.
    """
    from harness.cli.screen import Screen
    from harness.streams.explaining import data, painted, told
    from harness.streams.grading import sudokus
    from modelling.errors import PuzzleError

    screen = Screen()
    announce_waiting(source, screen)
    coloured = screen.out.color_system is not None and not screen.out.no_color
    paint = painted if screen.out.is_terminal and coloured else None
    status, found, first = FINE, [], True
    for entry in sudokus(source):
        if isinstance(entry, PuzzleError):
            status = TROUBLE
            sys.stdout.flush()
            screen.complain(str(entry))
            continue
        if as_json:
            found.append(data(entry))
            continue
        if not first:
            screen.line("")
        first = False
        for line in told(entry, grids, paint):
            screen.line(line)
    if as_json:
        write_json(found)
    return status
