"""`concord scramble`: the puzzles of a set in disguise."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from harness.cli.command import FINE, TROUBLE, Force, OutFile, Quiet, announce_waiting, verb


@verb(
    "concord scramble sudoku-hard --seed 7",
    "concord scramble puzzles.txt --copies 9 --out scrambled.txt",
)
def scramble(
    source: Annotated[
        str,
        typer.Argument(
            metavar="[PUZZLE|FILE|SET|-]",
            help="A Sudoku, a file, or a set; - is standard input.",
        ),
    ] = "-",
    seed: Annotated[
        int,
        typer.Option(min=0, metavar="S", help="Random seed; the same seed gives the same lines."),
    ] = 0,
    copies: Annotated[
        int, typer.Option(min=1, metavar="K", help="Number of scrambles of each puzzle.")
    ] = 1,
    out: OutFile = None,
    force: Force = False,
    quiet: Quiet = False,
) -> int:
    """Disguise Sudoku by random symmetries.

    Values are renamed, bands, rows, stacks and columns moved, and grids transposed. The puzzles
    stay as hard as they are, but a solver that gains from the order in which their cells stand
    loses that. Each line is a puzzle and its name with the copy's number, as in `top~1`; `# error`
    stands for a line that cannot be read, with the detail on standard error. The same seed gives
    the same lines.
    """
    from harness.cli.bars import count_items
    from harness.cli.output_file import open_output
    from harness.cli.screen import Screen
    from modelling.errors import PuzzleError
    from puzzles.sets import given
    from puzzles.sudoku.scrambling import line, scrambles

    screen = Screen(quiet or (out is None and sys.stdout.isatty()))
    entries = scrambles(given(source), seed, copies)
    status, written = FINE, 0
    announce_waiting(source, screen)
    with open_output(out, force) as stream:
        if out is not None:
            stream.write(f"# about: {source}, scrambled (seed {seed}, copies {copies})\n")
        for entry in count_items(entries, screen, "scrambles"):
            if isinstance(entry, PuzzleError):
                status = TROUBLE
                stream.write("# error\n")
                stream.flush()
                screen.complain(str(entry))
            else:
                written += 1
                stream.write(line(entry) + "\n")
    if out is not None:
        screen.note(f"{written} puzzles: {out}")
    return status
