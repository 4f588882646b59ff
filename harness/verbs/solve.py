"""`concord solve`: solve puzzles, line by line."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from harness.command import FINE, TROUBLE, Jobs, Quiet, solution_limit, verb


@verb()
def solve(
    source: Annotated[
        str, typer.Argument(metavar="[FILE or -]", help="Puzzles, or a set that ships.")
    ] = "-",
    backend: Annotated[
        str | None,
        typer.Option(
            *("--backend", "-b"),
            metavar="B",
            help="What to solve with; compiled where numba is installed, else propagation.",
        ),
    ] = None,
    count: Annotated[
        str, typer.Option(metavar="N-or-all", help="Solutions to print for each.")
    ] = "1",
    family: Annotated[
        str | None, typer.Option(metavar="F", help="What the lines are; sudoku if not told.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="T", help="Wall time for each puzzle.")
    ] = None,
    jobs: Jobs = 1,
    show: Annotated[bool, typer.Option("--show", help="Draw puzzle and solution.")] = False,
    quiet: Quiet = False,
) -> int:
    """Solve puzzles: line i of the output belongs to puzzle i.

    A line is a solution, `# unsatisfiable`, `# unknown` (out of time) or `# error`, with the
    detail on standard error. With --count above 1 each solution is preceded by the puzzle's
    number and a tab.
    """
    from harness.screen import Screen
    from harness.solving import Question
    from harness.solving import solve as answers

    screen = Screen(quiet)
    limit = solution_limit(count)
    question = Question(backend, None if limit == "all" else limit, seconds, show)
    status = FINE
    for answer in answers(source, family, question, jobs):
        for line in answer.lines:
            screen.line(line)
        if answer.trouble:
            status = TROUBLE
            sys.stdout.flush()
            screen.complain(answer.trouble)
    return status
