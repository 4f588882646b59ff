"""Concord's own lines: a grid a line, its name after a ``#``; also grids over several lines.

    53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79  # a name

What is understood is defined in ``puzzles.grid.reading`` and ``puzzles.grid.rows``; written is the
canonical text, which any size has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modelling.errors import InstanceError
from puzzles.formats import name_in
from puzzles.grid.reading import grids
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.formats.entry import RULES, Entry


def read(lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """The entries of ``lines``."""
    for found in grids(lines, source, RULES):
        yield found if isinstance(found, InstanceError) else Entry(found, name_in(found.tail))


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """One line each."""
    for entry in entries:
        name = name_in(entry.name.replace("#", " "))
        text = SUDOKU.text(entry.layout, entry.givens)
        yield f"{text}  # {name}\n" if name else f"{text}\n"
