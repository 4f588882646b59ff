"""`concord generate`: new puzzles, one line each."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from harness.cli.command import (
    FINE,
    INTERRUPTED,
    TROUBLE,
    Force,
    Quiet,
    named_path,
    seconds_above_0,
    verb,
)
from modelling.errors import InputError

if TYPE_CHECKING:
    from harness.cli.screen import Screen
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
        int,
        typer.Option("--number", "-n", min=1, metavar="N", help="Number of puzzles to generate."),
    ] = 1,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=MOST_SEED,
            metavar="S",
            help="Random seed; the same seed gives the same puzzles.",
        ),
    ] = 0,
    box: Annotated[
        str | None, typer.Option(metavar="RxC", help="Rows by columns of a box (default: 3x3).")
    ] = None,
    order: Annotated[
        int | None, typer.Option(metavar="N", help="Number of rows of the grid (default: 9).")
    ] = None,
    clues: Annotated[
        int | None,
        typer.Option(metavar="C", help="Exact number of clues (default: no clue can be removed)."),
    ] = None,
    symmetry: Annotated[
        str,
        typer.Option(
            metavar="S",
            help="Symmetry of the clues: none, half-turn, mirror, diagonal, quarter-turn, full.",
        ),
    ] = "none",
    grade: Annotated[
        str | None,
        typer.Option(
            metavar="G", help="Hardest technique that is needed, as naked-single or x-wing."
        ),
    ] = None,
    solutions: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Exact number of solutions (default: 1).")
    ] = None,
    unsatisfiable: Annotated[
        bool,
        typer.Option(
            "--unsatisfiable", help="Generate puzzles that look valid and have no solution."
        ),
    ] = False,
    attempts: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="A", help="Maximum number of attempts for each puzzle (default: 1000)."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(parser=seconds_above_0, metavar="T", help="Stop after T seconds."),
    ] = None,
    start: Annotated[
        int,
        typer.Option(
            min=0, metavar="ITEM", help="First item of the sequence that belongs to the seed."
        ),
    ] = 0,
    jobs: Annotated[
        int,
        typer.Option(min=1, metavar="J", help="Number of processes that work at the same time."),
    ] = 1,
    backend: Annotated[
        str | None,
        typer.Option(
            *("--backend", "-b"),
            metavar="B",
            help="Solver that counts solutions (default: compiled if numba is installed).",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="File to write; its first lines say how it was made.",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the file where it stopped.")
    ] = False,
    force: Force = False,
    show: Annotated[bool, typer.Option("--show", help="Draw the puzzles.")] = False,
    quiet: Quiet = False,
) -> int:
    """Generate puzzles, one line each.

    They are minimal and have one solution, unless options say otherwise. The same seed gives the
    same puzzles, on any machine and with any number of --jobs. If no puzzle with the clues asked
    for is found after all --attempts, the line ends in a comment that says so, or is a comment.
    """
    from harness.cli.screen import Screen
    from harness.streams.generating import GenerateRequest, make_layout
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
    layout = make_layout(family, order, None if box is None else _shape(box))
    request = GenerateRequest(family, layout, wish, seed, backend)
    request.check()
    if start + number - 1 > MOST_ITEM:
        raise InputError(f"--start {start} --number {number}: the last item is {MOST_ITEM}")
    task = _Task(request, start, number, jobs, seconds, out, show)
    screen = Screen(quiet)
    return task.into_file(resume, force, screen) if out else task.write_missing(None, 0, screen)


def _shape(text: str) -> tuple[int, int]:
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

    def into_file(self, resume: bool, force: bool, screen: Screen) -> int:
        """Write a new file, or continue one."""
        from harness.cli.output_file import begin_file, resume_file
        from harness.streams.generating import format_head

        assert self.out is not None
        first = format_head(self.request, self.number, self.start)
        if resume:
            file, done = resume_file(self.out, first)
        else:
            file, done = begin_file(self.out, first, force), 0
        with file:
            if done > self.number:
                raise InputError(
                    f"{self.out} holds {done} puzzles, more than --number {self.number}"
                )
            return self.write_missing(file, done, screen)

    def write_missing(self, file: TextIO | None, done: int, screen: Screen) -> int:
        """Make what is missing and write it; ``done`` puzzles are there already."""
        from harness.cli.bars import show_items
        from harness.cli.output_file import whole_lines
        from harness.streams.generating import generate_portions

        poor = unsure = 0
        missing = generate_portions(
            self.request, self.start + done, self.number - done, self.jobs, self.seconds
        )
        try:
            # puzzles that go to the terminal themselves show how far it is
            hidden = screen.err.is_terminal and screen.out.is_terminal
            bar = show_items(screen, "puzzles", self.number, done, hidden)
            with bar as progress, closing(missing):
                for made in missing:
                    with whole_lines():
                        self._write(made, file)
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
            screen.complain(
                f"{poor:,} are not as asked for after {self.request.wish.attempts:,} attempts, as "
                "their lines say: try more --attempts"
            )
        if done < self.number:
            self._stop(done, file, screen)
        return TROUBLE if poor or done < self.number else FINE

    def _write(self, made: Any, file: TextIO | None) -> None:
        from harness.streams.generating import draw_puzzles, format_lines

        if self.show:
            sys.stdout.write(draw_puzzles(self.request, made))
        if file is not None:
            self._put(file, format_lines(self.request, made))
        elif not self.show:
            sys.stdout.write(format_lines(self.request, made))
        sys.stdout.flush()

    def _put(self, file: TextIO, text: str) -> None:
        try:
            file.write(text)
            file.flush()
        except OSError as error:
            raise InputError(
                f"{self.out} cannot be written to its end: {error.strerror}"
            ) from error

    def _stop(self, done: int, file: TextIO | None, screen: Screen) -> None:
        """Say that the time was over, and what that means."""
        from harness.cli.output_file import STOPPED

        if file is not None:
            self._put(
                file,
                f"{STOPPED}by a limit of {self.seconds:g} seconds after {done} of {self.number} "
                "puzzles: how many there are is not reproducible\n",
            )
        screen.complain(
            f"stopped by --seconds {self.seconds:g} after {done:,} of {self.number:,} puzzles"
        )
        screen.complain(self._how_to_continue(done))

    def _how_to_continue(self, done: int) -> str:
        if self.out is not None:
            return f"continue with the same command and --resume: {self.out} holds whole lines"
        left = f"--start {self.start + done} --number {self.number - done}"
        return f"continue with the same command and {left}"
