"""`concord explain`: how a person solves a Sudoku, step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.command import FINE, TROUBLE, Json, Source, announce_waiting, verb, write_json


@verb(
    "concord explain sudoku-medium | head -40",
    "concord explain 1.....2..3.....4",
    "concord explain puzzle.sdk --grids",
)
def explain(
    source: Source = "-",
    grids: Annotated[
        bool,
        typer.Option("--grids", help="Draw the candidates before each step that is not a single."),
    ] = False,
    as_json: Json = False,
) -> int:
    """Show step by step how a person solves a Sudoku.

    It also prints how hard the puzzle is. Every step is one line: the technique and why it holds.
    The grid of candidates is drawn before the first step. On a terminal, with --grids, the
    candidates that a step rests on are yellow, those that it places green, those that it removes
    red.
    """
    from harness.cli.screen import Screen
    from harness.streams.grading import read_sudokus
    from modelling.errors import PuzzleError
    from puzzles.sudoku import explaining

    screen = Screen()
    announce_waiting(source, screen)
    coloured = screen.out.color_system is not None and not screen.out.no_color
    painter = explaining.paint if screen.out.is_terminal and coloured else None
    status, found, first = FINE, [], True
    for entry in read_sudokus(source):
        if isinstance(entry, PuzzleError):
            status = TROUBLE
            screen.complain(str(entry))
            continue
        if as_json:
            found.append(explaining.explain_as_data(entry))
            continue
        if not first:
            screen.line("")
        first = False
        for line in explaining.explain(entry, grids, painter):
            screen.line(line)
    if as_json:
        write_json(found)
    return status
