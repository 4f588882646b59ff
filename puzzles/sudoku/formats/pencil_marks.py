"""Pencil-mark grids, as forums and most Sudoku programs show a position.

    *-----------------------------------------------*
    | 1567  3  1567 | 4     12579  179  | 689  ...
    | 9     45 2    | 8     57     6    | 3    ...

Each cell shows its remaining candidates, a filled cell its digit. Where that would not tell which
cells are filled, or which digits are givens, the grids of givens and of placed digits come before
it as in Simple Sudoku's drawings; ``drawn`` says how they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from puzzles.sudoku.formats.drawn import frame, framed_marks, heading, read
from puzzles.sudoku.formats.entry import Entry

__all__ = ["read", "write"]


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """The marks of each puzzle, a blank line after each."""
    first = True
    for entry in entries:
        lines = heading(entry, first)
        if entry.placed is not None or not _shows_givens(entry):
            lines += [*frame(entry, entry.givens), ""]
        if entry.placed is not None:
            lines += [*frame(entry, entry.filled()), ""]
        yield "\n".join([*lines, *framed_marks(entry), ""]) + "\n"
        first = False


def _shows_givens(entry: Entry) -> bool:
    """Whether the marks alone tell which cells are open."""
    pairs = zip(entry.givens, entry.marks(), strict=True)
    return all(given or mask.bit_count() > 1 for given, mask in pairs)
