"""The masks of a layout: its units and neighbourhoods as sets of cells.

Words
-----
cell set    an integer whose bit c says whether cell c belongs to it
value set   an integer whose bit v - 1 says whether value v belongs to it
crossing    a box and a line (row or column) that share at least two cells
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from puzzles.grid.layout import Layout, peers, units

Pair = tuple[int, int]
"""A cell and a value."""


def members(mask: int) -> list[int]:
    """The positions of the bits that are set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def set_of(items: Iterable[int]) -> int:
    """The set that holds these."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


@dataclass(frozen=True, slots=True)
class Crossing:
    """Numbers of a box and of a line, and the sets of cells that they share and do not share."""

    box: int
    line: int
    shared: int
    box_only: int
    line_only: int


@dataclass(frozen=True, slots=True)
class Board:
    """A layout's masks; units are numbered as in ``layout.units``: rows, columns, boxes.

    ``units`` and ``peers`` are cell sets, one for each unit and each cell; ``scan`` are unit
    numbers in the order in which a person looks at them: boxes, rows, columns.
    """

    layout: Layout
    units: tuple[int, ...]
    peers: tuple[int, ...]
    scan: tuple[int, ...]
    crossings: tuple[Crossing, ...]


@lru_cache(maxsize=64)
def board(layout: Layout) -> Board:
    """The masks of ``layout``."""
    n = layout.order
    sets = tuple(map(set_of, units(layout)))
    numbers = range(len(sets))
    shared = {(b, k): sets[b] & sets[k] for b in numbers[2 * n :] for k in numbers[: 2 * n]}
    crossings = tuple(
        Crossing(b, k, both, sets[b] & ~both, sets[k] & ~both)
        for (b, k), both in shared.items()
        if both.bit_count() >= 2
    )
    near = tuple(set_of(peers(layout, cell)) for cell in range(layout.cells))
    return Board(layout, sets, near, (*numbers[2 * n :], *numbers[: 2 * n]), crossings)
