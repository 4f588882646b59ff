"""`concord canonical`: the canonical forms of Sudoku, and which of them are the same."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from harness.cli.command import FINE, TROUBLE, Quiet, announce_waiting, verb
from modelling.errors import InputError, PuzzleError

if TYPE_CHECKING:
    from harness.cli.screen import Screen
    from puzzles.family import Instance

Found: TypeAlias = "Iterator[tuple[Instance, str] | PuzzleError]"
"""Puzzles with their forms, in the order of the input; or why there is none."""


@verb(
    "concord canonical puzzles.txt",
    "concord canonical puzzles.txt --duplicates",
)
def canonical(
    source: Annotated[
        str,
        typer.Argument(
            metavar="[PUZZLE|FILE|SET|-]",
            help="A Sudoku, a file, or a set; - is standard input.",
        ),
    ] = "-",
    duplicates: Annotated[
        bool,
        typer.Option(
            "--duplicates", help="Name only the puzzles that are another one in disguise."
        ),
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Print a form of Sudoku that is equal for equal puzzles.

    Puzzles that are the same in disguise have the same canonical form. Of all puzzles that renaming
    values, moving bands, rows, stacks and columns, and transposition make of one, it is the first
    in the order of the alphabet, blanks first. Line i belongs to puzzle i; `# error` stands for one
    that has none, with the detail on standard error. With --duplicates a line names each puzzle
    that was there before, and the exit status is 1 if there is any.
    """
    from harness.cli.bars import count_items
    from harness.cli.screen import Screen
    from puzzles.sets import given

    screen = Screen(quiet or sys.stdout.isatty())
    announce_waiting(source, screen)
    found = count_items(_forms(given(source)), screen, "puzzles")
    return _repeats(found, screen) if duplicates else _printed(found, screen)


def _forms(entries: Iterable[Instance | PuzzleError]) -> Found:
    """Puzzles are read ahead of their forms, which are found many at a time."""
    from puzzles.sudoku import SUDOKU
    from puzzles.sudoku.canonical import texts

    waiting: deque[Instance | PuzzleError] = deque()

    def readable() -> Iterator[str]:
        for entry in entries:
            waiting.append(entry)
            if isinstance(entry, PuzzleError):
                continue
            if entry.family != SUDOKU.name:
                raise InputError(
                    f"{entry.source}: only Sudoku have canonical forms here, "
                    f"and this is of the family {entry.family}"
                )
            yield entry.text

    for form in texts(readable()):
        while isinstance(entry := waiting.popleft(), PuzzleError):
            yield entry
        if isinstance(form, PuzzleError):
            yield PuzzleError(form.cause, entry.source)
        else:
            yield entry, form
    for entry in waiting:
        assert isinstance(entry, PuzzleError)
        yield entry


def _printed(found: Found, screen: Screen) -> int:
    status = FINE
    for each in found:
        if isinstance(each, tuple):
            screen.line(each[1])
        else:
            status = TROUBLE
            screen.line("# error")
            sys.stdout.flush()
            screen.complain(str(each))
    return status


def _repeats(found: Found, screen: Screen) -> int:
    status = FINE
    first: dict[str, Instance] = {}
    for each in found:
        if isinstance(each, tuple):
            puzzle, form = each
            earliest = first.setdefault(form, puzzle)
            if earliest is not puzzle:
                status = TROUBLE
                screen.line(f"{_called(puzzle)} is {_called(earliest)} in disguise")
        else:
            status = TROUBLE
            screen.complain(str(each))
    return status


def _called(puzzle: Instance) -> str:
    """Where it stands, and its name if it has been given one."""
    from puzzles.formats import default_name

    file, _, line = puzzle.source.rpartition(":")
    named = puzzle.name != default_name(file, int(line))
    return f"{puzzle.source} ({puzzle.name})" if named else puzzle.source
