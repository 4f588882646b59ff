"""`concord solve`: solve puzzles, line by line."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.command import (
    FINE,
    TROUBLE,
    Jobs,
    Quiet,
    Source,
    announce_waiting,
    seconds_above_0,
    solution_limit,
    verb,
)


@verb(
    "concord solve sudoku --show",
    "concord solve puzzles.txt --count 2        # is each one unique?",
    "concord solve sudoku-several --count all --backend cpsat",
    "concord solve 1.....2..3.....4",
)
def solve(
    source: Source = "-",
    backend: Annotated[
        str | None,
        typer.Option(
            *("--backend", "-b"),
            metavar="B",
            help="Solver (default: compiled if numba is installed, else propagation).",
        ),
    ] = None,
    count: Annotated[
        str, typer.Option(metavar="N-or-all", help="Number of solutions to find for each puzzle.")
    ] = "1",
    family: Annotated[
        str | None,
        typer.Option(metavar="F", help="Puzzle family of the lines, if the file does not name it."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=seconds_above_0, metavar="T", help="Limit in seconds for each puzzle."),
    ] = None,
    jobs: Jobs = 1,
    show: Annotated[
        bool, typer.Option("--show", help="Draw each puzzle with its solution.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Solve puzzles: line i of the output belongs to puzzle i.

    A line is a solution, `# unsatisfiable`, `# unknown` (out of time) or `# error`; standard error
    has the cause. With --count above 1 each solution is preceded by the puzzle's number and a tab.
    """
    from harness.cli.screen import Screen
    from harness.streams.solving import SolveRequest
    from harness.streams.solving import solve as answers

    screen = Screen(quiet)
    limit = solution_limit(count)
    request = SolveRequest(backend, None if limit == "all" else limit, seconds, show)
    announce_waiting(source, screen)
    status = FINE
    for answer in answers(source, family, request, jobs):
        for line in answer.lines:
            screen.line(line)
        if answer.trouble:
            status = TROUBLE
            screen.complain(answer.trouble)
    return status
