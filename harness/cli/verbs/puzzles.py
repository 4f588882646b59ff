"""`concord solve` and `concord generate`: puzzles line by line."""

from __future__ import annotations

import re
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from harness.cli import options
from harness.cli.bars import show_items
from harness.cli.command import INTERRUPTED, verb
from harness.cli.screen import Screen
from modelling.errors import InputError

if TYPE_CHECKING:
    from harness.streams.generating import GenerateRequest
    from puzzles.sudoku.generating import Made

MOST_SEED = (1 << 64) - 1


@verb(
    "concord solve sudoku --show",
    "concord solve puzzles.txt --count 2        # is each one unique?",
    "concord solve sudoku-several --count all --backend cpsat",
    "concord solve 1.....2..3.....4",
)
def solve(
    source: str = options.SOURCE,
    backend: str | None = options.backend(
        "Solver (default: compiled if numba is installed, else propagation)."
    ),
    count: str = options.value("1", "N-or-all", "Number of solutions to find for each puzzle."),
    family: str | None = options.value(
        None, "F", "Puzzle family of the lines, if the file does not name it."
    ),
    seconds: float | None = options.seconds(None, "Limit in seconds for each puzzle."),
    jobs: int = options.jobs(1),
    show: bool = options.flag("--show", "Draw each puzzle with its solution."),
    quiet: bool = options.QUIET,
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


@verb(
    "concord generate sudoku --number 5",
    "concord generate sudoku --number 1000 --seed 7 --out minimal.txt",
    "concord generate sudoku --clues 26 --symmetry half-turn --grade x-wing",
    "concord generate latin --order 7",
)
def generate(
    family: str = options.argument(..., "FAMILY", "Puzzle family: sudoku or latin."),
    number: int = options.value(1, "N", "Number of puzzles to generate.", "--number", "-n", min=1),
    seed: int = options.value(
        0, "S", "Random seed; the same seed gives the same puzzles.", min=0, max=MOST_SEED
    ),
    box: str | None = options.value(None, "RxC", "Rows by columns of a box (default: 3x3)."),
    order: int | None = options.value(None, "N", "Number of rows of the grid (default: 9)."),
    clues: int | None = options.value(
        None, "C", "Exact number of clues (default: no clue can be removed)."
    ),
    symmetry: str = options.value(
        "none",
        "S",
        "Symmetry of the clues: none, half-turn, mirror, diagonal, quarter-turn, full.",
    ),
    grade: str | None = options.value(
        None, "G", "Hardest technique that is needed, as naked-single or x-wing."
    ),
    solutions: int | None = options.value(
        None, "K", "Exact number of solutions (default: 1).", min=1
    ),
    unsatisfiable: bool = options.flag(
        "--unsatisfiable", "Generate puzzles that look valid and have no solution."
    ),
    attempts: int | None = options.value(
        None, "A", "Maximum number of attempts for each puzzle (default: 1000).", min=1
    ),
    seconds: float | None = options.seconds(None, "Stop after T seconds."),
    start: int = options.value(
        0, "ITEM", "First item of the sequence that belongs to the seed.", min=0
    ),
    jobs: int = options.jobs(1, "Number of processes that work at the same time."),
    backend: str | None = options.backend(
        "Solver that counts solutions (default: compiled if numba is installed)."
    ),
    out: Path | None = options.file("File to write; its first lines say how it was made."),
    resume: bool = options.flag("--resume", "Continue the file where it stopped."),
    force: bool = options.FORCE,
    show: bool = options.flag("--show", "Draw the puzzles."),
    quiet: bool = options.QUIET,
) -> int:
    """Generate puzzles, one line each.

    They are minimal and have one solution, unless options say otherwise. The same seed gives the
    same puzzles, on any machine and with any number of --jobs. If no puzzle with the clues asked
    for is found after all --attempts, the line ends in a comment that says so, or is a comment.
    """
    from harness.cli.output_file import STOPPED, begin_file, resume_file, whole_lines
    from harness.streams import generating
    from puzzles.grid.family import make_layout
    from puzzles.sudoku.generating import MOST_ITEM
    from puzzles.sudoku.wish import ATTEMPTS, Wish

    if unsatisfiable and solutions is not None:
        raise InputError("--unsatisfiable cannot be combined with --solutions")
    if resume and out is None:
        raise InputError("--resume continues a file: name it with --out")
    if resume and force:
        raise InputError("--resume continues the file, --force replaces it: give one of them")
    wish = Wish(
        clues=clues,
        symmetry=symmetry,
        grade=grade,
        solutions=0 if unsatisfiable else 1 if solutions is None else solutions,
        attempts=ATTEMPTS if attempts is None else attempts,
    )
    layout = make_layout(family, order, None if box is None else _parse_shape(box))
    request = generating.GenerateRequest(family, layout, wish, seed, backend)
    request.check()
    if start + number - 1 > MOST_ITEM:
        raise InputError(f"--start {start} --number {number}: the last item is {MOST_ITEM}")
    screen, file, done, poor, unsure = Screen(quiet), None, 0, 0, 0
    if out is not None:
        head = generating.format_head(request, number, start)
        file, done = resume_file(out, head) if resume else (begin_file(out, head, force), 0)
    # puzzles that go to the terminal themselves show how far it is
    hidden = screen.err.is_terminal and screen.out.is_terminal
    with file or nullcontext():
        if done > number:
            raise InputError(f"{out} holds {done} puzzles, more than --number {number}")
        missing = generating.generate_portions(request, start + done, number - done, jobs, seconds)
        try:
            with (
                show_items(screen, "puzzles", number, done, hidden) as progress,
                closing(missing),
            ):
                for made in missing:
                    with whole_lines(out):
                        _write(made, request, file, show)
                        done += len(made.items)
                    poor += int((~made.met).sum())
                    unsure += int((made.kept & ~made.sure).sum())
                    progress(done)
        except KeyboardInterrupt:
            screen.complain(f"interrupted after {done:,} of {number:,} puzzles")
            screen.complain(_tell_how_to_continue(out, start, number, done))
            return INTERRUPTED
        if unsure:
            screen.note(
                f"{unsure:,} of the puzzles may hold clues that are not needed: it took too "
                "long to find out"
            )
        if poor:
            screen.report_fault(
                f"{poor:,} are not as asked for after {wish.attempts:,} attempts, as "
                "their lines say: try more --attempts"
            )
        if done < number:
            if file is not None:
                with whole_lines(out):
                    file.write(
                        f"{STOPPED}by a limit of {seconds:g} seconds after {done} of "
                        f"{number} puzzles: how many there are is not reproducible\n"
                    )
                    file.flush()
            screen.report_fault(
                f"stopped by --seconds {seconds:g} after {done:,} of {number:,} puzzles"
            )
            screen.complain(_tell_how_to_continue(out, start, number, done))
    return screen.status


def _parse_shape(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})[xX]([0-9]{1,3})", text)
    if found is None:
        raise InputError(f"--box must be rows by columns, as 3x3 or 2x3, not {text!r}")
    return int(found[1]), int(found[2])


def _write(made: Made, request: GenerateRequest, file: TextIO | None, show: bool) -> None:
    """Into the file, and as drawings to standard output; without a file only one of both."""
    from puzzles.grid.family import find_grid_family

    kind = find_grid_family(request.family)
    if show:
        sys.stdout.write(made.drawn(kind, request.layout))
    if file is not None or not show:
        (file or sys.stdout).write(made.lines(kind, request.layout, request.wish))
    for stream in filter(None, (file, sys.stdout)):
        stream.flush()


def _tell_how_to_continue(out: Path | None, start: int, number: int, done: int) -> str:
    if out is not None:
        return f"continue with the same command and --resume: {out} holds whole lines"
    return f"continue with the same command and --start {start + done} --number {number - done}"
