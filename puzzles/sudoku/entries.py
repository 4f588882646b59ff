"""The puzzles of a set or file of Sudoku, alone or with all that the file says about each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from modelling.errors import InputError, InstanceError
from puzzles import sets
from puzzles.family import Family, Instance
from puzzles.sudoku import SUDOKU, formats
from puzzles.sudoku.formats.entry import fault


def read_sudokus(source: str) -> Iterator[Instance | InstanceError]:
    """The Sudoku of a set that ships, a file, standard input (``-``), or of the argument itself.

    Entries of another family are left out, which is said once as an error.
    """
    foreign: set[str] = set()
    for entry in sets.given(source):
        if isinstance(entry, InstanceError) or entry.family == SUDOKU.name:
            yield entry
        elif entry.family not in foreign:
            foreign.add(entry.family)
            cause = f"puzzles of the family {entry.family} are left out: only Sudoku are graded"
            yield InstanceError(cause, entry.source)


def entries(
    name_or_path: str, form: formats.Format | None = None
) -> Iterator[formats.Entry | InstanceError]:
    """Like ``puzzles.sets.instances``, with all that the file says about each puzzle.

    ``form`` is the format of the file; without it the file tells. Givens may clash. Raises
    ``InputError`` as ``instances`` does, and where the puzzles are not Sudoku.
    """
    return sets.read_as(name_or_path, None, partial(_read, form))


def writable_entries(
    name_or_path: str, form: formats.Format | None, target: formats.Format
) -> Iterator[formats.Entry | InstanceError]:
    """The same, and why an entry breaks the rules or cannot be written as ``target``."""
    source = "stdin" if name_or_path == "-" else name_or_path
    for found in entries(name_or_path, form):
        if isinstance(found, InstanceError):
            yield found
        elif refused := target.refusal(found.layout):
            yield InstanceError(refused, found.grid.place(source, 0))
        else:
            yield fault(found, source) or found


def _read(
    form: formats.Format | None, family: Family, lines: Iterable[str], source: str
) -> Iterator[formats.Entry | InstanceError]:
    try:
        stated = formats.format_of(family)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error
    return formats.read(form or stated, lines, source)
