"""`concord solve`: puzzles line by line."""

from __future__ import annotations

from harness.cli import options
from harness.cli.command import verb
from harness.cli.screen import Screen


@verb(
    "concord solve sudoku --show",
    "concord solve puzzles.txt --count 2        # is each one unique?",
    "concord solve sudoku-several --count all --backend cpsat",
    "concord solve 1.....2..3.....4",
    "concord solve model.mzn small.dzn large.dzn",
    "concord solve queens --picture > queens.html",
)
def solve(
    sources: list[str] | None = options.SOURCES,
    backend: str | None = options.backend(
        "Solver (default: compiled if numba is installed, else propagation)."
    ),
    count: str | None = options.value(
        None,
        "N-or-all",
        "Number of solutions to find for each puzzle (default: the best one where there is an "
        "objective, else 1).",
    ),
    optimum: bool = options.flag(
        "--optimum", "With --count: that many of the best, where there is an objective."
    ),
    family: str | None = options.value(
        None, "F", "Puzzle family of the lines, if the file does not name it."
    ),
    seconds: float | None = options.seconds(None, "Limit in seconds for each puzzle."),
    jobs: int = options.jobs(1),
    show: bool = options.flag("--show", "Draw each puzzle with its solution."),
    picture: bool = options.flag("--picture", "Write each solution as a picture (SVG)."),
    quiet: bool = options.QUIET,
) -> int:
    """Solve puzzles: line i of the output belongs to puzzle i.

    A line is a solution, `# unsatisfiable`, `# unknown` (out of time) or `# error`; standard error
    has the cause. With --count above 1 each solution is preceded by the puzzle's number and a tab.
    Where the best solution is asked, a comment after it says what it is worth, and if that is
    proven.
    """
    from backends.waiting import announce_by
    from harness.streams.solving import SolveRequest
    from harness.streams.solving import solve as answers

    screen = Screen(quiet)
    announce_by(screen.note if screen.err.is_terminal else None)
    limit = options.parse_count("1" if count is None else count)
    number = None if limit == "all" else limit
    seeks = optimum or count is None
    request = SolveRequest(backend, number, seconds, show, picture, seeks)
    named = sources or ["-"]
    for source in named:
        screen.await_input(source)
    for answer in answers(named, family, request, jobs):
        for line in answer.lines:
            screen.line(line)
        if answer.trouble:
            screen.report_fault(answer.trouble)
    return screen.status
