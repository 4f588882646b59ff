"""The kernels as Python uses them: searches that continue piece by piece, and batches.

A *slice* is a piece of a search, with a number of guesses that takes some hundredths of a second.
Between two slices the clock is looked at, solutions are handed on, and Ctrl-C gets through. Rows
of solutions are uint8, value numbers plus one (recognise.py); so the rows of a 9x9 are digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from backends.interface.api import Deadline
from backends.sudoku_kernel import alldifferent, bitboard
from backends.sudoku_kernel.endings import EXHAUSTED, GUESSES, NODE_LIMIT, STATISTICS, UNLIMITED
from backends.sudoku_kernel.recognise import MOST_VALUES, Recognised
from modelling.errors import ModelError

FIRST_SLICE = 1024
SLICE_SECONDS = 0.02
BLOCK = 1024
"""Solutions that are handed on together."""
BATCH = 512
BATCH_GUESSES = 2000
"""Instances in one call of a kernel, and guesses for each."""


class KernelSearch(Protocol):
    """A search that can continue."""

    statistics: Any

    def advance(self, out: Any, guesses: int) -> tuple[int, int]:
        """Fill ``out`` (uint8[k, n]) with further solutions, with at most ``guesses`` guesses.

        Returns how many were written and EXHAUSTED, ENOUGH (``out`` is full) or NODE_LIMIT.
        """
        ...


class GridSearch:
    """A search of a 9x9 grid from sets of candidates, uint16[81]."""

    __slots__ = ("_depth", "_stack", "statistics")

    def __init__(self, domains: Any) -> None:
        self._stack = np.empty(bitboard.STACK_SIZE, np.uint32)
        self.statistics = np.zeros(STATISTICS, np.int64)
        bitboard.begin(domains, self._stack)
        self._depth = 1

    def advance(self, out: Any, guesses: int) -> tuple[int, int]:
        """See ``KernelSearch``."""
        found, self._depth, ended = bitboard.resume(
            self._stack, self._depth, out, guesses, self.statistics
        )
        return found, ended


class UnitsSearch:
    """A search of any structure from domains, uint64[n]."""

    __slots__ = ("_possible", "_search", "_tables", "statistics")

    def __init__(self, tables: alldifferent.UnitTables, domains: Any, most: int) -> None:
        self._tables = tables
        self._search = alldifferent.search_of(domains, tables, most)
        self._possible = alldifferent.start(tables, self._search)
        self.statistics = np.zeros(STATISTICS, np.int64)

    def advance(self, out: Any, guesses: int) -> tuple[int, int]:
        """See ``KernelSearch``."""
        if not self._possible:
            return 0, EXHAUSTED
        found, ended = alldifferent.resume(
            self._tables, self._search, out, len(out), guesses, self.statistics
        )
        return found, ended


@dataclass(frozen=True)
class Encoding:
    """A structure with the kernel that searches it, and arrays that all instances share."""

    known: Recognised
    tables: alldifferent.UnitTables | None
    most: int

    def search(self, masks: Sequence[int]) -> KernelSearch:
        """The search of the instance with these masks."""
        if self.tables is None:
            return GridSearch(np.array(masks, np.uint16))
        if self.known.direct:
            return UnitsSearch(self.tables, np.array(masks, np.uint64), self.most)
        domains = [self.known.domain(v, mask) for v, mask in enumerate(masks)]
        return UnitsSearch(self.tables, np.array(domains, np.uint64), self.most)

    def masks(self, grid: Any) -> list[int]:
        """The masks of an instance given as positions plus one, 0 for an open variable."""
        pairs = zip(grid.tolist(), self.known.numbers, strict=True)
        return [1 << k - 1 if k else (1 << len(numbers)) - 1 for k, numbers in pairs]

    def checked(self, grids: Any) -> Any:
        """``grids`` as uint8[N, n] in C order; raises ``ModelError`` unless they are instances."""
        array = np.asarray(grids)
        variables = len(self.known.numbers)
        if array.ndim != 2 or array.shape[1] != variables:
            raise ModelError(f"instances of shape {array.shape}; the shape is (N, {variables})")
        if array.dtype.kind not in "iu":
            raise ModelError(f"instances hold integers, not {array.dtype}")
        # compared in the array's own type, which has room for MOST_VALUES: it takes a tenth
        too_large = array > self.sizes.astype(array.dtype)
        if too_large.any() or (array.dtype.kind == "i" and (array < 0).any()):
            raise ModelError("an instance gives a variable a position beyond its base domain")
        return np.ascontiguousarray(array, np.uint8)

    @cached_property
    def sizes(self) -> Any:
        """uint8[n]: how many values each variable has."""
        return np.array([len(numbers) for numbers in self.known.numbers], np.uint8)

    @cached_property
    def domains(self) -> Any:
        """uint64[n, 65]: the domain of each variable given as a position plus one."""
        table = np.zeros((len(self.known.numbers), MOST_VALUES + 1), np.uint64)
        for v, numbers in enumerate(self.known.numbers):
            table[v, 0] = sum(1 << number for number in numbers)
            table[v, 1 : len(numbers) + 1] = [1 << number for number in numbers]
        return table

    @cached_property
    def positions(self) -> Any:
        """uint8[n, 65]: value number plus one -> position plus one, for each variable; 0 -> 0."""
        table = np.zeros((len(self.known.numbers), MOST_VALUES + 1), np.uint8)
        for v, numbers in enumerate(self.known.numbers):
            table[v, np.array(numbers, np.int64) + 1] = np.arange(1, len(numbers) + 1)
        return table


_loaded: set[bool] = set()


def loaded(is_sudoku: bool) -> bool:
    """Whether this process has the machine code for a 9x9 Sudoku, or for other structures."""
    return is_sudoku in _loaded


def load(is_sudoku: bool) -> None:
    """Compile that code, or load it from the cache, by solving a trifle."""
    if is_sudoku:
        GridSearch(np.full(81, 511, np.uint16)).advance(np.empty((1, 81), np.uint8), UNLIMITED)
    else:
        trifle = encode(Recognised("", (0,), (), False, ((0,),)))
        trifle.search([1]).advance(np.empty((1, 1), np.uint8), UNLIMITED)
    _loaded.add(is_sudoku)


def encode(known: Recognised) -> Encoding:
    """The encoding of a structure that was recognised and not refused."""
    most = sum(map(len, known.numbers))
    if known.is_sudoku:
        return Encoding(known, None, most)
    whole = [sum(1 << number for number in numbers) for numbers in known.numbers]
    return Encoding(known, alldifferent.unit_tables(whole, known.units), most)


def blocks(
    search: KernelSearch,
    variables: int,
    limit: int | None,
    deadline: Deadline,
    guesses: int | None = None,
) -> Iterator[tuple[Any, str]]:
    """Blocks of solutions, uint8[k, variables], as they are found, up to ``limit`` of them.

    With each comes why the search has ended: ``exhausted``, ``enough``, ``time``, ``gave_up`` (as
    many guesses as allowed), or "" while it continues. The last block may be empty.
    """
    left = UNLIMITED if limit is None else limit
    size, allowed = FIRST_SLICE, UNLIMITED if guesses is None else guesses
    while True:
        out = np.empty((min(left, BLOCK), variables), np.uint8)
        started = perf_counter()
        spent = -search.statistics[GUESSES]
        found, ended = search.advance(out, min(size, allowed))
        spent += search.statistics[GUESSES]
        left -= found
        allowed -= int(spent)
        why = ""
        if ended == EXHAUSTED:
            why = "exhausted"
        elif left == 0:
            why = "enough"
        elif ended == NODE_LIMIT and allowed == 0:
            why = "gave_up"
        elif deadline.passed:
            why = "time"
        yield out[:found], why
        if why:
            return
        taken = perf_counter() - started
        if taken < SLICE_SECONDS / 2 and ended == NODE_LIMIT:
            size *= 2
        elif taken > 2 * SLICE_SECONDS:
            size = max(1, size // 2)


def texts(rows: Any) -> list[bytes]:
    """Rows of two digits 1..9 or more as ``repr`` writes their tuples: ``(1, 2, 3)``."""
    signs = np.full((len(rows), rows.shape[1], 3), np.frombuffer(b"0, ", np.uint8))
    signs[:, :, 0] += rows
    whole = signs.tobytes()
    size = 3 * rows.shape[1]
    return [b"(%b)" % whole[k : k + size - 2] for k in range(0, len(whole), size)]


# --- batches ---


def count_batch(
    encoding: Encoding, grids: Any, limit: int, guesses: int | None = None, keep: int = 1
) -> tuple[Any, Any]:
    """Counts (int64[N]) up to ``limit``, and the first ``keep`` solutions of each.

    These are uint8[N, keep, n], 0 where an instance has fewer.

    ``grids`` is uint8[N, n]: 0 leaves a variable open, k gives it the k-th value of its base
    domain; solutions are written in the same way. What takes long is counted again, in slices.
    An instance that needs more than ``guesses`` guesses has the count -1, and no solutions.
    """
    counts = np.zeros(len(grids), np.int64)
    kept = np.zeros((len(grids), keep, grids.shape[1]), np.uint8)
    status = np.zeros(len(grids), np.uint8)
    together = BATCH_GUESSES if guesses is None else min(guesses, BATCH_GUESSES)
    for start in range(0, len(grids), BATCH):
        part = slice(start, start + BATCH)
        _count(encoding, grids[part], limit, counts[part], kept[part], status[part], together)
    unsettled = np.flatnonzero(status == NODE_LIMIT)
    if together == guesses:
        counts[unsettled] = -1
        kept[unsettled] = 0
        unsettled = unsettled[:0]
    for p in unsettled.tolist():
        counts[p], kept[p] = 0, 0
        search = encoding.search(encoding.masks(grids[p]))
        for rows, why in blocks(search, grids.shape[1], limit, Deadline(None), guesses):
            shown = rows[: max(0, keep - counts[p])]
            kept[p, counts[p] : counts[p] + len(shown)] = shown
            counts[p] += len(rows)
            if why == "gave_up":
                counts[p], kept[p] = -1, 0
    if not encoding.known.direct:
        kept = encoding.positions[np.arange(grids.shape[1]), kept]
    return counts, kept


def _count(
    encoding: Encoding, grids: Any, limit: int, counts: Any, kept: Any, status: Any, guesses: int
) -> None:
    if encoding.tables is None:
        rows = kept.reshape(-1, grids.shape[1])
        bitboard.count(grids, limit, counts, rows, status, guesses, None)
        return
    variables = grids.shape[1]
    domains = encoding.domains[np.arange(variables), grids]
    search = alldifferent.search_of(np.empty(variables, np.uint64), encoding.tables, encoding.most)
    statistics = np.zeros(STATISTICS, np.int64)
    alldifferent.count_batch(
        encoding.tables, search, domains, limit, counts, kept, status, guesses, statistics
    )
