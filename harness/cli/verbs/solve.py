"""`concord solve`: solve puzzles, line by line."""

from __future__ import annotations

from typing import Annotated

from harness.cli import options
from harness.cli.command import verb
from harness.cli.screen import Screen


@verb(
    "concord solve sudoku --show",
    "concord solve puzzles.txt --count 2        # is each one unique?",
    "concord solve sudoku-several --count all --backend cpsat",
    "concord solve 1.....2..3.....4",
)
def solve(
    source: options.Source = "-",
    backend: Annotated[
        str | None,
        options.backend("Solver (default: compiled if numba is installed, else propagation)."),
    ] = None,
    count: Annotated[
        str, options.value("N-or-all", "Number of solutions to find for each puzzle.")
    ] = "1",
    family: Annotated[
        str | None, options.value("F", "Puzzle family of the lines, if the file does not name it.")
    ] = None,
    seconds: Annotated[float | None, options.seconds("Limit in seconds for each puzzle.")] = None,
    jobs: options.Jobs = 1,
    show: Annotated[bool, options.flag("--show", "Draw each puzzle with its solution.")] = False,
    quiet: options.Quiet = False,
) -> int:
    """Solve puzzles: line i of the output belongs to puzzle i.

    A line is a solution, `# unsatisfiable`, `# unknown` (out of time) or `# error`; standard error
    has the cause. With --count above 1 each solution is preceded by the puzzle's number and a tab.
    """
    from harness.streams.solving import SolveRequest
    from harness.streams.solving import solve as answers

    screen = Screen(quiet)
    limit = options.parse_count(count)
    request = SolveRequest(backend, None if limit == "all" else limit, seconds, show)
    screen.await_input(source)
    for answer in answers(source, family, request, jobs):
        for line in answer.lines:
            screen.line(line)
        if answer.trouble:
            screen.report_fault(answer.trouble)
    return screen.status
