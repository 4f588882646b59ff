"""``.ss``: the drawing that Simple Sudoku saves and copies.

    *-----------*
    |.3.|4..|...|
    |9.2|8.6|3.1|
    |...|...|.2.|
    |---+---+---|
    ...

With placed digits a second grid follows that shows them, with candidates a grid of marks; how these
are distinguished: see ``drawn``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from puzzles.sudoku.formats.drawn import frame, framed_marks, heading, read
from puzzles.sudoku.formats.entry import Entry

__all__ = ["read", "write"]


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """The grids of each puzzle, a blank line after each."""
    first = True
    for entry in entries:
        lines = [*heading(entry, first), *frame(entry, entry.givens), ""]
        if entry.placed is not None:
            lines += [*frame(entry, entry.filled()), ""]
        if entry.candidates is not None:
            lines += [*framed_marks(entry), ""]
        yield "\n".join(lines) + "\n"
        first = False
