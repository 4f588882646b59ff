"""`concord scramble` and `concord canonical`: Sudoku in disguise, and how to see through it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from harness.cli import options
from harness.cli.command import TROUBLE, verb
from harness.cli.screen import Screen
from modelling.errors import PuzzleError

if TYPE_CHECKING:
    from puzzles.family import Instance


@verb(
    "concord scramble sudoku-hard --seed 7",
    "concord scramble puzzles.txt --copies 9 --out scrambled.txt",
)
def scramble(
    source: options.Source = "-",
    seed: Annotated[
        int, options.value("S", "Random seed; the same seed gives the same lines.", min=0)
    ] = 0,
    copies: Annotated[
        int, options.value("K", "Number of scrambled copies of each puzzle.", min=1)
    ] = 1,
    out: options.OutFile = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Disguise Sudoku by random symmetries.

    Values are renamed, bands, rows, stacks and columns are moved, and grids are transposed. The
    puzzles stay as hard as they are, but a solver that gains from the order of their cells loses
    that. Each line is a puzzle and its name with the number of the copy, as in `top~1`; `# error`
    stands for a line that cannot be read, and standard error has the cause. The same seed gives
    the same lines.
    """
    from harness.cli.bars import count_items
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
            if isinstance(entry, PuzzleError):
                stream.write("# error\n")
                stream.flush()
                screen.report_fault(entry)
            else:
                written += 1
                stream.write(line(entry) + "\n")
    if out is not None:
        screen.note(f"{written} puzzles: {out}")
    return screen.status


@verb(
    "concord canonical puzzles.txt",
    "concord canonical puzzles.txt --duplicates",
)
def canonical(
    source: options.Source = "-",
    duplicates: Annotated[
        bool,
        options.flag(
            "--duplicates", "Name only the puzzles that equal an earlier one in disguise."
        ),
    ] = False,
    quiet: options.Quiet = False,
) -> int:
    """Print a form of Sudoku that is equal for equal puzzles.

    Puzzles that are the same in disguise have the same canonical form. Of all puzzles that renaming
    values, moving bands, rows, stacks and columns, and transposition make of one, it is the first
    in the order of the alphabet, blanks first. Line i belongs to puzzle i; `# error` stands for a
    puzzle that has no such form, and standard error has the cause. With --duplicates each line
    names a puzzle that equals an earlier one, and the exit status is 1 if there is any.
    """
    from harness.cli.bars import count_items
    from puzzles.sets import given
    from puzzles.sudoku.canonical import find_forms

    screen = Screen(quiet or sys.stdout.isatty())
    screen.await_input(source)
    first: dict[str, Instance] = {}
    for found in count_items(find_forms(given(source)), screen, "puzzles"):
        if isinstance(found, PuzzleError):
            if not duplicates:
                screen.line("# error")
            screen.report_fault(found)
            continue
        puzzle, form = found
        if not duplicates:
            screen.line(form)
        elif (earliest := first.setdefault(form, puzzle)) is not puzzle:
            screen.status = TROUBLE
            screen.line(f"{_describe(puzzle)} is {_describe(earliest)} in disguise")
    return screen.status


def _describe(puzzle: Instance) -> str:
    """Where it stands, and its name if it has been given one."""
    from puzzles.formats import default_name

    file, _, line = puzzle.source.rpartition(":")
    named = puzzle.name != default_name(file, int(line))
    return f"{puzzle.source} ({puzzle.name})" if named else puzzle.source
