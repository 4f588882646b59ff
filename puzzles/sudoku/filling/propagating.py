"""Naked and hidden singles, to their fixed point, in many grids of one layout at once.

Words
-----
set         the candidates of a cell: bit k - 1 stands for value k
sets        uint16, uint32 or uint64[cells, N]: the sets of N grids. This is the other way round
            from grids, uint8[N, cells]: what is done to one cell of every grid is then done to
            neighbours in memory
naked       a cell with one candidate: its peers lose it
hidden      a value with one place left in a unit: the cell there loses its other candidates
unsound     grids that contradict themselves: a cell without a candidate, a unit without a place
            for a value, a value in two cells of a unit
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from modelling.errors import InputError
from puzzles.grid.layout import Layout, units_of
from puzzles.grid.layout import units as units_of_layout

MOST_ORDER = 58
"""Sets are added up in their own type: the sum of ``order`` of them must fit."""
BLOCK_BYTES = 1 << 18
"""So much of the sets is worked on at a time that it stays in a processor's cache."""
_SIZES = np.array([number.bit_count() for number in range(1 << 16)], np.uint8)


def open_sets(layout: Layout, n: int) -> Any:
    """The sets of ``n`` empty grids; raises ``InputError`` for an order above 58."""
    if layout.order > MOST_ORDER:
        raise InputError(
            f"grids of order {layout.order}; sets are kept for orders up to {MOST_ORDER}"
        )
    bits = layout.order + layout.order.bit_length()
    kind = next(t for t in (np.uint16, np.uint32, np.uint64) if np.iinfo(t).bits >= bits)
    return np.full((layout.cells, n), (1 << layout.order) - 1, kind)


def sets_of(layout: Layout, grids: Any) -> Any:
    """The sets that the givens alone say: one candidate where there is one, else all."""
    sets = open_sets(layout, len(grids))
    one = sets.dtype.type(1)
    given = np.ascontiguousarray(grids.T)
    return np.where(given > 0, one << np.maximum(given, 1).astype(sets.dtype) - one, sets)


def grids_of(sets: Any) -> Any:
    """uint8[N, cells]: the value of every cell that has one candidate, 0 elsewhere."""
    grids = np.zeros(sets.shape, np.uint8)
    for bit in range(sets.dtype.itemsize * 8):
        grids[sets == sets.dtype.type(1 << bit)] = bit + 1
    return np.ascontiguousarray(grids.T)


def is_open(sets: Any) -> Any:
    """bool[cells, N]: which cells have more than one candidate."""
    return (sets & (sets - sets.dtype.type(1))) != 0


def sizes(sets: Any) -> Any:
    """uint8[cells, N]: how many candidates each cell has."""
    parts = sets.reshape(-1).view(np.uint16).reshape(*sets.shape, sets.dtype.itemsize // 2)
    return _SIZES[parts].sum(axis=-1, dtype=np.uint8)


def propagate(layout: Layout, sets: Any) -> Any:
    """Remove, in place, what singles rule out, until nothing changes.

    Returns bool[N], which grids are sound; what is left of the sets of the others means nothing.
    """
    sound = np.ones(sets.shape[1], bool)
    rows, work = np.arange(sets.shape[1]), sets  # the grids that are still swept, and their sets
    while len(rows):
        before = work
        work, fine = sweep(layout, before)
        sound[rows] &= fine
        on = sound[rows] & (work != before).any(axis=0)
        if 2 * np.count_nonzero(on) < len(rows):  # copying costs as much as half a sweep
            sets[:, rows] = work
            rows, work = rows[on], work[:, on]
    return sound


def sweep(layout: Layout, sets: Any) -> tuple[Any, Any]:
    """The sets after one look at every unit, and bool[N]: no contradiction was seen.

    A grid that comes out unchanged, and of which none was seen, is at its fixed point.
    """
    units, units_of_cells = _index(layout)
    after, fine = np.empty_like(sets, order="C"), np.empty(sets.shape[1], bool)
    block = max(1, BLOCK_BYTES // (units.size * sets.dtype.itemsize))
    for start in range(0, sets.shape[1], block):
        part = slice(start, start + block)
        after[:, part], fine[part] = _swept(layout, sets[:, part], units, units_of_cells)
    return after, fine


def _swept(layout: Layout, sets: Any, units: Any, units_of_cells: Any) -> tuple[Any, Any]:
    """``sweep`` for no more grids than a processor's cache holds."""
    one = sets.dtype.type(1)
    every = sets.dtype.type((1 << layout.order) - 1)
    single = sets * ((sets & (sets - one)) == 0)
    members, singles = sets[units], single[units]
    placed = np.bitwise_or.reduce(singles, axis=0)
    once, twice = members[0].copy(), np.zeros_like(members[0])
    for member in members[1:]:
        twice |= once & member
        once |= member
    only = once & ~twice
    # a value placed twice adds more to the sum than to the union
    clash = np.add.reduce(singles, axis=0, dtype=sets.dtype) != placed
    bad = ((once != every) | clash).any(axis=0)
    gone, hidden = placed[units_of_cells[0]], only[units_of_cells[0]]
    for other in units_of_cells[1:]:
        gone |= placed[other]
        hidden |= only[other]
    own = sets & hidden
    bad |= ((own & (own - one)) != 0).any(axis=0)  # two values whose one place is this cell
    after = sets & (~gone | single) * (own == 0) | own
    bad |= (after == 0).any(axis=0)
    return after, ~bad


@lru_cache(maxsize=64)
def _index(layout: Layout) -> tuple[Any, Any]:
    """int[order, units]: the cells of each unit; int[2 or 3, cells]: the units of each cell."""
    return np.array(units_of_layout(layout)).T.copy(), np.array(units_of(layout)).T.copy()
