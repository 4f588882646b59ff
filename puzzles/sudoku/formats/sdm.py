"""``.sdm``: a collection of puzzles, one line of cells each and nothing else.

    53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79

Read like Concord's own lines, so that a blank may be any of ``0 . X * _`` and space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from puzzles.sudoku import SUDOKU
from puzzles.sudoku.formats.entry import Entry
from puzzles.sudoku.formats.lines import read

__all__ = ["read", "write"]


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """One line of cells each."""
    for entry in entries:
        yield SUDOKU.text(entry.layout, entry.givens) + "\n"
