"""One step of solving by hand.

Words
-----
placement    a cell and the value that it gets; the value then leaves the cell's peers by the rules
elimination  a cell and a candidate that it loses
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from puzzles.sudoku.grading.board import Pair
from puzzles.sudoku.grading.position import Position


@dataclass(frozen=True, slots=True)
class Step:
    """What a technique found.

    ``cells``, ``values`` and ``units`` (numbers as in ``layout.units``) are what it rests on, in
    the order in which the technique's definition names them. Either ``placements`` or
    ``eliminations`` hold what it changes, ascending. ``explanation`` is one line in plain words.
    """

    technique: str
    cells: tuple[int, ...]
    values: tuple[int, ...]
    units: tuple[int, ...]
    placements: tuple[Pair, ...]
    eliminations: tuple[Pair, ...]
    explanation: str


Technique = Callable[[Position], Iterator[Step]]
"""Every step that a technique finds in a position, in a fixed order, found as they are asked for.

A step always changes the position.
"""
