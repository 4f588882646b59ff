"""`concord generate`: new puzzles, one line each."""

from __future__ import annotations

import re
import sys
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from harness.cli import options
from harness.cli.command import INTERRUPTED, verb
from harness.cli.screen import Screen
from modelling.errors import InputError

if TYPE_CHECKING:
    from harness.streams.generating import GenerateRequest

MOST_SEED = (1 << 64) - 1


@verb(
    "concord generate sudoku --number 5",
    "concord generate sudoku --number 1000 --seed 7 --out minimal.txt",
    "concord generate sudoku --clues 26 --symmetry half-turn --grade x-wing",
    "concord generate latin --order 7",
)
def generate(
    family: Annotated[
        str, typer.Argument(metavar="FAMILY", help="Puzzle family: sudoku or latin.")
    ],
    number: Annotated[
        int, options.value("N", "Number of puzzles to generate.", "--number", "-n", min=1)
    ] = 1,
    seed: Annotated[
        int,
        options.value(
            "S", "Random seed; the same seed gives the same puzzles.", min=0, max=MOST_SEED
        ),
    ] = 0,
    box: Annotated[
        str | None, options.value("RxC", "Rows by columns of a box (default: 3x3).")
    ] = None,
    order: Annotated[
        int | None, options.value("N", "Number of rows of the grid (default: 9).")
    ] = None,
    clues: Annotated[
        int | None, options.value("C", "Exact number of clues (default: no clue can be removed).")
    ] = None,
    symmetry: Annotated[
        str,
        options.value(
            "S", "Symmetry of the clues: none, half-turn, mirror, diagonal, quarter-turn, full."
        ),
    ] = "none",
    grade: Annotated[
        str | None,
        options.value("G", "Hardest technique that is needed, as naked-single or x-wing."),
    ] = None,
    solutions: Annotated[
        int | None, options.value("K", "Exact number of solutions (default: 1).", min=1)
    ] = None,
    unsatisfiable: Annotated[
        bool,
        options.flag("--unsatisfiable", "Generate puzzles that look valid and have no solution."),
    ] = False,
    attempts: Annotated[
        int | None,
        options.value("A", "Maximum number of attempts for each puzzle (default: 1000).", min=1),
    ] = None,
    seconds: Annotated[float | None, options.seconds("Stop after T seconds.")] = None,
    start: Annotated[
        int, options.value("ITEM", "First item of the sequence that belongs to the seed.", min=0)
    ] = 0,
    jobs: Annotated[
        int, options.value("J", "Number of processes that work at the same time.", min=1)
    ] = 1,
    backend: Annotated[
        str | None,
        options.backend("Solver that counts solutions (default: compiled if numba is installed)."),
    ] = None,
    out: Annotated[
        Path | None,
        options.file("File to write; its first lines say how it was made."),
    ] = None,
    resume: Annotated[
        bool, options.flag("--resume", "Continue the file where it stopped.")
    ] = False,
    force: options.Force = False,
    show: Annotated[bool, options.flag("--show", "Draw the puzzles.")] = False,
    quiet: options.Quiet = False,
) -> int:
    """Generate puzzles, one line each.

    They are minimal and have one solution, unless options say otherwise. The same seed gives the
    same puzzles, on any machine and with any number of --jobs. If no puzzle with the clues asked
    for is found after all --attempts, the line ends in a comment that says so, or is a comment.
    """
    from harness.cli.output_file import begin_file, resume_file
    from harness.streams.generating import GenerateRequest, format_head, make_layout
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
    request = GenerateRequest(family, layout, wish, seed, backend)
    request.check()
    if start + number - 1 > MOST_ITEM:
        raise InputError(f"--start {start} --number {number}: the last item is {MOST_ITEM}")
    task = _Task(request, start, number, jobs, seconds, out, show)
    file, done = None, 0
    if out is not None:
        first = format_head(request, number, start)
        file, done = resume_file(out, first) if resume else (begin_file(out, first, force), 0)
    with file or nullcontext():
        if done > number:
            raise InputError(f"{out} holds {done} puzzles, more than --number {number}")
        return task.write_missing(file, done, Screen(quiet))


def _parse_shape(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})[xX]([0-9]{1,3})", text)
    if found is None:
        raise InputError(f"--box must be rows by columns, as 3x3 or 2x3, not {text!r}")
    return int(found[1]), int(found[2])


@dataclass(frozen=True)
class _Task:
    """What is to be written, and where to."""

    request: GenerateRequest
    start: int
    number: int
    jobs: int
    seconds: float | None
    out: Path | None
    show: bool

    def write_missing(self, file: TextIO | None, done: int, screen: Screen) -> int:
        """Make what is missing and write it; ``done`` puzzles are there already."""
        from harness.cli.bars import show_items
        from harness.cli.output_file import STOPPED, whole_lines
        from harness.streams.generating import draw_puzzles, format_lines, generate_portions

        poor = unsure = 0
        start, left = self.start + done, self.number - done
        missing = generate_portions(self.request, start, left, self.jobs, self.seconds)
        # puzzles that go to the terminal themselves show how far it is
        hidden = screen.err.is_terminal and screen.out.is_terminal
        bar = show_items(screen, "puzzles", self.number, done, hidden)
        target = sys.stdout if file is None else file
        try:
            with bar as progress, closing(missing):
                for made in missing:
                    with whole_lines(self.out):
                        if self.show:
                            sys.stdout.write(draw_puzzles(self.request, made))
                        if file is not None or not self.show:
                            target.write(format_lines(self.request, made))
                            target.flush()
                        sys.stdout.flush()
                        done += len(made.items)
                    poor += int((~made.met).sum())
                    unsure += int((made.kept & ~made.sure).sum())
                    progress(done)
        except KeyboardInterrupt:
            screen.complain(f"interrupted after {done:,} of {self.number:,} puzzles")
            screen.complain(self._how_to_continue(done))
            return INTERRUPTED
        if unsure:
            screen.note(
                f"{unsure:,} of the puzzles may hold clues that are not needed: it took too "
                "long to find out"
            )
        if poor:
            screen.report_fault(
                f"{poor:,} are not as asked for after {self.request.wish.attempts:,} attempts, as "
                "their lines say: try more --attempts"
            )
        if done < self.number:
            if file is not None:
                with whole_lines(self.out):
                    file.write(
                        f"{STOPPED}by a limit of {self.seconds:g} seconds after {done} of "
                        f"{self.number} puzzles: how many there are is not reproducible\n"
                    )
                    file.flush()
            screen.report_fault(
                f"stopped by --seconds {self.seconds:g} after {done:,} of {self.number:,} puzzles"
            )
            screen.complain(self._how_to_continue(done))
        return screen.status

    def _how_to_continue(self, done: int) -> str:
        if self.out is not None:
            return f"continue with the same command and --resume: {self.out} holds whole lines"
        left = f"--start {self.start + done} --number {self.number - done}"
        return f"continue with the same command and {left}"
