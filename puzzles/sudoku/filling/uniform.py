"""Full grids, each exactly as likely as any other, with boxes of at most three rows and columns.

A full grid is two choices that are made apart. For each stack: which digit is in which column of
each of its boxes; columns are then right by themselves. For each band: which digit is in which
row of each of its boxes; rows are right by themselves. The two fit if, in each box, the digits of
a column are in different rows. So a grid is drawn stack by stack, without looking at rows, and
then accepted with a probability proportional to the number of ways in which its bands can be
filled: that makes the columns of a box as likely as they are in full grids. In the end each band
is filled in one of those ways. Nothing but the number of ways for a band is needed, and that is a
table.

A band's number of ways depends on how the columns of its boxes share out the digits, not on the
order of columns, nor, if digits are renamed in all its boxes, on their names. So the first box
always has its digits in order, column by column, and the digits of the whole grid are renamed at
random in the end. For 9x9 that leaves 280 ways to share out the digits in the second box and 280
in the third, and the table has 78,400 numbers. The first band is drawn from it directly; the
others accept or reject. About one in 75 of the drawn 9x9 grids is accepted; from the same table the
number of all of them, 6,670,903,752,021,072,936,960 (Felgenhauer & Jarvis, "Mathematics of Sudoku
I", 2006), can be counted, which the tests do. The idea, to count the ways of bands whose columns
are known, is theirs; the sampling is this file's.

It ends here: a band of 12x12 has four boxes of 15,400 ways each, and hardly a grid would be
accepted.

Words
-----
band, stack     boxes side by side; boxes on top of each other
ranks           uint8[n]: for each digit 0..n-1 the column it is in, in one box; or the row
sharing         ranks of which the order of the columns does not matter; they have a number
pattern         for each digit, its column in every box of a stack, or its row in every box of a
                band
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from modelling.errors import InputError
from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams

MOST = 3
"""Boxes have at most this many rows, and as many columns."""


def uniform(layout: Layout, streams: Streams) -> Any:
    """uint8[N, cells]: a full grid for each stream.

    Raises ``InputError`` for a layout without boxes, or with boxes of more than three rows or
    columns.
    """
    if layout.box is None or max(layout.box) > MOST:
        raise InputError(
            "full grids are drawn uniformly for boxes of at most three rows and three columns, "
            "the 4x4, 6x6 and 9x9 Sudoku among them; for others there is random filling"
        )
    tables = tables_of(*layout.box)
    grids = np.zeros((len(streams), layout.cells), np.uint8)
    rows = np.arange(len(streams))
    while len(rows):
        columns = _stacks(tables, streams, rows)
        bands = [_shared(tables, columns[..., band]) for band in range(tables.wide)]
        on = np.arange(len(rows))
        for _, _, ways in bands[1:]:
            on = on[streams.below(tables.ways.max(), rows[on]) < ways[on]]
        kept = rows[on]
        for place in range(tables.wide):
            order, shared, ways = (part[on] for part in bands[place])
            wanted = streams.below(ways, kept)
            _fill(tables, grids, kept, place, columns[on][..., place], order, shared, wanted)
        names = streams.shuffled(layout.order, kept).astype(np.uint8) + 1
        grids[kept] = np.take_along_axis(names, grids[kept].astype(np.int64), axis=1)
        rows = np.delete(rows, on)
    return grids


# --- tables --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tables:
    """What all grids with boxes of ``high`` rows and ``wide`` columns have in common.

    n               high * wide digits, ``wide`` bands, ``high`` stacks
    ranks           uint8[A, n]: all ways to give the digits columns in a box
    sharing         int64[wide ** n]: the number of a sharing, by its ranks as digits of a number
    labelled        int64[sharings, wide!]: the places in ``ranks`` of each sharing
    stacks          uint8[A * further, n, wide]: patterns of stacks, those with the same ranks in
                    the first band together, in the order of ``ranks``
    bands           uint8[B, n, high]: patterns of bands that fit a first box in order
    fits            bool[sharings, B] for each stack but the first: which of them fit
    ways            int64[sharings ** (high - 1)]: how many of them fit all
    """

    high: int
    wide: int
    ranks: Any
    sharing: Any
    labelled: Any
    stacks: Any
    bands: Any
    fits: tuple[Any, ...]
    ways: Any

    @property
    def n(self) -> int:
        """The number of digits."""
        return self.high * self.wide

    @property
    def further(self) -> int:
        """How many patterns of a stack have the same ranks in the first band."""
        return len(self.stacks) // len(self.ranks)


@lru_cache(maxsize=8)
def tables_of(high: int, wide: int) -> Tables:
    """The tables for a box shape."""
    n = high * wide
    ranks = _sequences(tuple((k,) for k in range(wide)), n, high)[..., 0]
    powers = wide ** np.arange(n)[::-1]
    codes = ranks @ powers
    relabellings = np.array(list(permutations(range(wide))))
    first = (relabellings[:, ranks] @ powers).min(axis=0)  # of all ranks of the same sharing
    numbers = np.searchsorted(np.unique(first), first)
    sharing = np.zeros(wide**n, np.int64)
    sharing[codes] = numbers
    labelled = np.argsort(numbers, kind="stable").reshape(-1, len(relabellings))
    stacks = _sequences(tuple(permutations(range(wide))), n, high)
    stacks = stacks[np.argsort(stacks[:, :, 0] @ powers, kind="stable")]
    bands = _sequences(tuple(permutations(range(high))), n, wide)
    in_order = np.repeat(np.arange(wide), high)
    bands = bands[_fitting(in_order, bands[..., 0], high)]
    fits = tuple(
        np.array([_fitting(ranks[row], bands[..., stack], high) for row in labelled[:, 0]])
        for stack in range(1, high)
    )
    ways = np.full(1, len(bands))
    if fits:
        # numbers of ways are small enough to be exact
        product = fits[0].astype(np.float32)
        ways = (
            product.sum(axis=1) if len(fits) == 1 else product @ fits[1].astype(np.float32).T
        ).reshape(-1)
    return Tables(high, wide, ranks, sharing, labelled, stacks, bands, fits, ways.astype(np.int64))


def _sequences(choices: tuple[tuple[int, ...], ...], n: int, times: int) -> Any:
    """uint8[K, n, places]: every sequence of n choices in which each value occurs ``times`` times
    at each place; in lexicographic order."""
    options = np.array(choices, np.uint8)
    values = np.arange(int(options.max()) + 1)
    used = (options[..., None] == values).astype(np.uint8)  # [option, place, value]
    found = np.zeros((1, 0, options.shape[1]), np.uint8)
    often = np.zeros((1, *used.shape[1:]), np.uint8)
    for _ in range(n):
        before, option = np.nonzero(
            (often[:, None] + used <= times).reshape(len(often), len(options), -1).all(axis=2)
        )
        found = np.concatenate([found[before], options[option][:, None]], axis=1)
        often = often[before] + used[option]
    return found


def _fitting(columns: Any, rows: Any, high: int) -> Any:
    """bool[K]: whether a box can have its digits in these columns (uint8[n]) and rows ([K, n])."""
    cells = np.left_shift(1, columns.astype(np.int64) * high + rows)
    every = (1 << rows.shape[1]) - 1
    return np.bitwise_or.reduce(cells, axis=1) == every


# --- drawing -------------------------------------------------------------------------------------


def _stacks(tables: Tables, streams: Streams, rows: Any) -> Any:
    """uint8[K, high, n, wide]: the pattern of each stack; the first band's ways count, those of
    the others not yet."""
    upto = np.cumsum(tables.ways)
    drawn = np.searchsorted(upto, streams.below(int(upto[-1]), rows), side="right")
    patterns = [streams.below(tables.further, rows)]  # the first box is in order: ranks 0
    for stack in range(1, tables.high):
        shared = drawn // len(tables.labelled) ** (tables.high - 1 - stack) % len(tables.labelled)
        label = streams.below(tables.labelled.shape[1], rows)
        further = streams.below(tables.further, rows)
        patterns.append(tables.labelled[shared, label] * tables.further + further)
    return tables.stacks[np.stack(patterns, axis=1)]


def _shared(tables: Tables, columns: Any) -> tuple[Any, Any, Any]:
    """From the columns uint8[K, high, n] of one band: its digits in the order of the first box,
    int64[K, n]; the sharings of the other boxes when they are renamed in that order, int64[K,
    high - 1]; and in how many ways the band can be filled."""
    order = np.argsort(columns[:, 0], axis=1, kind="stable")
    renamed = np.take_along_axis(columns[:, 1:], order[:, None], axis=2)
    shared = tables.sharing[renamed @ tables.wide ** np.arange(tables.n)[::-1]]
    index = np.zeros(len(columns), np.int64)
    for stack in range(tables.high - 1):
        index = index * len(tables.labelled) + shared[:, stack]
    return order, shared, tables.ways[index]


def _fill(
    tables: Tables,
    grids: Any,
    rows: Any,
    band: int,
    columns: Any,
    order: Any,
    shared: Any,
    wanted: Any,
) -> None:
    """Fill one band of these grids with digits 0..n-1, in way number ``wanted`` of each."""
    places = np.zeros((len(rows), tables.n, tables.high), np.int64)
    for k in range(len(rows)):
        fitting = np.ones(len(tables.bands), bool)
        for fits, number in zip(tables.fits, shared[k], strict=True):
            fitting &= fits[number]
        places[k, order[k]] = tables.bands[np.flatnonzero(fitting)[wanted[k]]]
    for stack in range(tables.high):
        row = band * tables.high + places[:, :, stack]
        cell = row * tables.n + stack * tables.wide + columns[:, stack]
        grids[rows[:, None], cell] = np.arange(tables.n)
