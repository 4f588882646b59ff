"""What a look at the givens tells of many grids at once, without filling in anything.

Words
-----
candidate   a value that no given in the units of an open cell has
place       of a value in a unit: an open cell there that has the value as a candidate
refuted     at sight: a value occurs twice in a unit, an open cell has no candidate, or a unit lacks
            a value and has no place for it
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from puzzles.grid.layout import Layout, units


@lru_cache(maxsize=64)
def _members(layout: Layout) -> Any:
    """float32[units, cells]: 1 where the cell is in the unit. Products of it count, exactly."""
    every = units(layout)
    members = np.zeros((len(every), layout.cells), np.float32)
    for number, cells in enumerate(every):
        members[number, list(cells)] = 1
    return members


def _count_values(layout: Layout, grids: Any) -> Any:
    """float32[N, units, order]: how often each value occurs in each unit."""
    stands = grids[:, :, None] == np.arange(1, layout.order + 1, dtype=np.uint8)
    return _members(layout) @ stands.astype(np.float32)


def candidates(layout: Layout, grids: Any) -> Any:
    """bool[N, cells, order]: which values are candidates of each cell; none in a filled one."""
    return _left_open(layout, grids, _count_values(layout, grids))


def _left_open(layout: Layout, grids: Any, placed: Any) -> Any:
    seen = _members(layout).T @ placed
    return (seen == 0) & (grids == 0)[:, :, None]


def find_refuted(layout: Layout, grids: Any) -> Any:
    """bool[N]: which of the grids (uint8[N, cells]) are refuted at sight."""
    placed = _count_values(layout, grids)
    left = _left_open(layout, grids, placed)
    clash = (placed > 1).any(axis=(1, 2))
    stuck = ((grids == 0) & ~left.any(axis=2)).any(axis=1)
    places = _members(layout) @ left.astype(np.float32)
    homeless = ((placed == 0) & (places == 0)).any(axis=(1, 2))
    return clash | stuck | homeless
