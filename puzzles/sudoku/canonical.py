"""The canonical form of a puzzle or full grid: equal for two of them if one is the other disguised.

Words
-----
form        of all images under the symmetries of the layout, the one whose text comes first when
            cells are compared row by row and a blank comes before every value. For a 9x9 this is
            what solvers' authors call its min-lex form
face        the grid, or the grid transposed (where that is a symmetry)
line        a row or column; the lines of a band that hold no clue are alike, and so are bands that
            hold none
state       a partly built image: a face, the order of its columns, the rows placed so far and the
            names that their values have been given, in the order in which they came up
automorphism  a symmetry that changes nothing

How it is found: the image must begin with as many blank rows as possible, and the first row after
them must have its clues as far to the right as possible. This leaves some rows of some faces, and
for each of them some orders of the columns (144 for a row with one clue). From all of these, rows
are placed one by one in every way that the bands allow; after each row only the states with the
least text stay. Those that stay at the end are the automorphisms. Lines that are alike keep their
order, so that empty grids cause no work. Many puzzles are worked on side by side, as arrays.

The work is bounded: a grid that needs more than ``MOST_STATES`` states at once is refused. No 9x9
comes near; full grids of order 16 and above are far beyond.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import factorial, prod
from typing import Any

import numpy as np

from modelling.errors import InputError, InstanceError
from puzzles.family import Instance
from puzzles.grid.clashes import clash, describe_clash
from puzzles.grid.layout import Layout, units
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.column_orders import number_of_orders, orders_of_columns
from puzzles.sudoku.symmetries import Symmetry, arrange, box_of, is_transposable

MOST_STATES = 2_000_000
MOST_ORDER = 60
"""A row's pattern of clues must fit into a machine word."""

_TOGETHER = 128
_STATES_TOGETHER = 100_000
"""Puzzles that are worked on side by side, fewer where they start with more states."""

_CHOICES_TOGETHER = 1 << 14
"""Ways to place a row that are written out before those that come too late are dropped."""

_UNNAMED = 255


@dataclass(frozen=True, slots=True)
class Canonical:
    """A grid's form, a symmetry that leads from the grid to it, and its automorphisms' number."""

    values: tuple[int, ...]
    symmetry: Symmetry
    automorphisms: int


def canonical(layout: Layout, values: Sequence[int]) -> Canonical:
    """The form of one grid (0: blank).

    Raises ``InstanceError`` if givens clash, or if finding the form would be too much work.
    """
    grid = np.array([list(values)])
    _check(layout, grid)
    found = _FormSearch(layout, grid.astype(np.uint8))
    found.run()
    named = found.names[0].tolist()
    absent = [value for value in range(1, layout.order + 1) if named[value] == _UNNAMED]
    for name, value in enumerate(absent, layout.order + 1 - len(absent)):
        named[value] = name
    symmetry = arrange(
        layout, found.rows[0].tolist(), found.columns[0].tolist(), named, bool(found.turned[0])
    )
    alike = _count_alike(grid.reshape(layout.order, layout.order) > 0, box_of(layout))
    number = int(found.survivors[0]) * alike * factorial(len(absent))
    return Canonical(tuple(found.image[0].ravel().tolist()), symmetry, number)


def forms(layout: Layout, grids: np.ndarray) -> Any:
    """uint8[N, cells]: the forms of the grids uint8[N, cells]; raises as ``canonical`` does."""
    _check(layout, grids)
    found = np.empty_like(grids)
    for first in range(0, len(grids), _TOGETHER):
        part = slice(first, first + _TOGETHER)
        found[part] = _forms(layout, grids[part])
    return found


def _forms(layout: Layout, grids: np.ndarray) -> Any:
    search = _FormSearch(layout, grids)
    if len(grids) > 1 and sum(search.lengths) > _STATES_TOGETHER:
        half = len(grids) // 2
        return np.concatenate([_forms(layout, grids[:half]), _forms(layout, grids[half:])])
    search.run()
    return search.image.reshape(len(grids), -1)


def texts(puzzles: Iterable[str]) -> Iterator[str | InstanceError]:
    """The forms of puzzles of any layouts, text for text, as they are read.

    A puzzle that has none (clashing givens, too much work) is yielded as an ``InstanceError``.
    Raises ``InstanceError`` for a text that cannot be read.
    """
    stream = iter(puzzles)
    while portion := [SUDOKU.parse(text) for text in islice(stream, _TOGETHER)]:
        found: dict[int, str | InstanceError] = {}
        for layout in dict.fromkeys(layout for layout, _ in portion):
            where = [k for k, (own, _) in enumerate(portion) if own == layout]
            grids = np.array([list(portion[k][1]) for k in where], np.uint8)
            found.update(zip(where, _texts(layout, grids), strict=True))
        yield from (found[k] for k in range(len(portion)))


def _texts(layout: Layout, grids: np.ndarray) -> list[str | InstanceError]:
    try:
        return [SUDOKU.text(layout, form) for form in forms(layout, grids).tolist()]
    except InstanceError as error:
        if len(grids) == 1:
            return [error]
        return [text for k in range(len(grids)) for text in _texts(layout, grids[k : k + 1])]


def find_forms(
    entries: Iterable[Instance | InstanceError],
) -> Iterator[tuple[Instance, str] | InstanceError]:
    """Puzzles with their forms, in their order, or why there is none.

    Puzzles are read ahead of their forms, which are found many at a time. Raises ``InputError`` for
    a puzzle that is no Sudoku.
    """
    waiting: deque[Instance | InstanceError] = deque()

    def readable() -> Iterator[str]:
        for entry in entries:
            waiting.append(entry)
            if isinstance(entry, InstanceError):
                continue
            if entry.family != SUDOKU.name:
                raise InputError(
                    f"{entry.source}: only Sudoku have canonical forms, "
                    f"and this puzzle is of the family {entry.family}"
                )
            yield entry.text

    for form in texts(readable()):
        while isinstance(entry := waiting.popleft(), InstanceError):
            yield entry
        if isinstance(form, InstanceError):
            yield InstanceError(form.cause, entry.source)
        else:
            yield entry, form
    for entry in waiting:
        assert isinstance(entry, InstanceError)
        yield entry


def repeats(found: Iterable[str | InstanceError]) -> Iterator[tuple[int, int]]:
    """Which of these forms is there already: (its number, the number of the first), from 0."""
    first: dict[str, int] = {}
    for number, form in enumerate(found):
        if isinstance(form, str):
            earliest = first.setdefault(form, number)
            if earliest != number:
                yield number, earliest


def duplicates(puzzles: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Which puzzles are an earlier one in disguise: (its number, the first such one's), from 0.

    Raises ``InstanceError`` for a puzzle that has no form: whether it is another one is not known.
    """

    def certain() -> Iterator[str]:
        for number, form in enumerate(texts(puzzles), 1):
            if isinstance(form, InstanceError):
                raise InstanceError(form.cause, f"puzzle {number}")
            yield form

    return repeats(certain())


# --- the search ----------------------------------------------------------------------------------


@dataclass
class _States:
    """The states of all puzzles, those of one puzzle together, in the puzzles' order."""

    face: np.ndarray  # int64[S]
    columns: np.ndarray  # uint8[S, n]
    rows: np.ndarray  # uint8[S, n]: those that are placed, then anything
    used: np.ndarray  # bool[S, n + 1]: rows that are placed; the last is True
    names: np.ndarray  # uint8[S, n + 1]: of values

    def taken(self, which: np.ndarray) -> _States:
        return _States(
            self.face[which],
            self.columns[which],
            self.rows[which],
            self.used[which],
            self.names[which],
        )


class _FormSearch:
    """The forms of N puzzles of one layout.

    After ``run``: ``image`` uint8[N, n, n] are the forms; ``rows``, ``columns``, ``turned`` and
    ``names`` tell of one state of each that leads there; ``survivors`` are such states' numbers.
    """

    def __init__(self, layout: Layout, grids: np.ndarray) -> None:
        n = self.n = layout.order
        self.high, self.wide = box_of(layout)
        squares = grids.reshape(-1, n, n)
        both = (squares, squares.transpose(0, 2, 1)) if is_transposable(layout) else (squares,)
        self.turns = len(both)
        self.faces = np.stack(both, axis=1).reshape(-1, n, n)
        self.number = number = len(squares)
        self.clues = self.faces > 0
        self.blank = np.logical_not(self.clues.any(axis=2))
        self.heads = list(zip(*np.nonzero(self._first_rows()), strict=True))
        empty = np.logical_not(self.clues.any(axis=1))
        self.patterns = [
            (self.clues[face, row].tobytes(), empty[face].tobytes()) for face, row in self.heads
        ]
        self.lengths = [number_of_orders(self.high, *pattern) for pattern in self.patterns]
        self.image = np.zeros((number, n, n), np.uint8)
        self.rows = np.tile(np.arange(n, dtype=np.uint8), (number, 1))
        self.columns = self.rows.copy()
        self.turned = np.zeros(number, np.int64)
        self.names = np.full((number, n + 1), _UNNAMED, np.uint8)
        self.names[:, 0] = 0
        # of a puzzle without clues there is one state for each face, and no row to begin with
        self.survivors = np.full(number, self.turns, np.int64)
        self.placed = np.zeros(number, np.int64)  # rows in each image, and names given
        self.named = np.zeros(number, np.int64)
        # the blank row before a blank row in its band goes first; n stands for no row
        self.before = np.full(self.blank.shape, n)
        for row in range(n):
            for other in range(row - row % self.high, row):
                alike = self.blank[:, row] & self.blank[:, other]
                self.before[alike, row] = other

    def _first_rows(self) -> Any:
        """bool[N * turns, n]: which rows may be the first with clues."""
        n, high, wide = self.n, self.high, self.wide
        stacks = n // wide
        counts = np.sort(self.clues.reshape(-1, n, stacks, wide).sum(axis=3), axis=2)
        shifts = wide * np.arange(stacks - 1, -1, -1)
        pattern = (((1 << counts) - 1) << shifts).sum(axis=2)
        blanks = self.blank.reshape(-1, n // high, high).sum(axis=2)
        bands = (blanks == high).sum(axis=1, keepdims=True)
        leading = np.repeat(high * bands + blanks, high, axis=1)
        of_puzzle = (self.number, self.turns * n)
        longest = np.where(self.blank, -1, leading).reshape(of_puzzle).max(axis=1)
        best = ~self.blank & (leading == longest.repeat(self.turns)[:, None])
        pattern = np.where(best, pattern, 1 << 62)
        least = pattern.reshape(of_puzzle).min(axis=1)
        return best & (pattern == least.repeat(self.turns)[:, None])

    def run(self) -> None:
        """Place row after row."""
        if not self.heads:
            return
        if sum(self.lengths) > MOST_STATES:
            raise InstanceError(_too_much(sum(self.lengths)))
        states, rows = self._start()
        which = np.arange(len(rows))
        while True:
            states = self._place(states, which, rows)
            states = self._without_finished(states)
            if not len(states.face):
                return
            which, rows = self._choices(states)

    def _start(self) -> tuple[_States, np.ndarray]:
        """The first states, their blank rows in place; and the row that comes next in each."""
        n, high = self.n, self.high
        faces, firsts = np.array(self.heads).T
        order = np.zeros((len(faces), n), np.uint8)
        used = np.zeros((len(faces), n + 1), bool)
        used[:, n] = True
        for k, (face, first) in enumerate(zip(faces.tolist(), firsts.tolist(), strict=True)):
            blank = self.blank[face]
            bands = blank.reshape(-1, high).all(axis=1).repeat(high)
            own = np.arange(n) // high == first // high
            lead = [*np.flatnonzero(bands).tolist(), *np.flatnonzero(blank & own).tolist()]
            order[k, : len(lead)] = lead
            used[k, lead] = True
            self.placed[face // self.turns] = len(lead)
        head = np.repeat(np.arange(len(faces)), self.lengths)
        names = np.full((len(head), n + 1), _UNNAMED, np.uint8)
        names[:, 0] = 0
        columns = np.concatenate(
            [orders_of_columns(self.high, *pattern) for pattern in self.patterns]
        )
        return _States(faces[head], columns, order[head], used[head], names), firsts[head]

    def _choices(self, states: _States) -> tuple[np.ndarray, np.ndarray]:
        """States and the rows that may come next in them."""
        n, high = self.n, self.high
        free = ~states.used[:, :n]
        if self.blank.any():
            free &= np.take_along_axis(states.used, self.before[states.face], axis=1)
        placed = self.placed[states.face // self.turns]
        last = states.rows[np.arange(len(placed)), placed - 1]
        inside = np.arange(n) // high == (last // high)[:, None]
        free &= inside | (placed % high == 0)[:, None]
        which, rows = np.nonzero(free)
        if len(which) > MOST_STATES:
            raise InstanceError(_too_much(len(which)))
        return which, rows

    def _place(self, states: _States, which: np.ndarray, rows: np.ndarray) -> _States:
        """The states after these rows; of each puzzle those that have the least text."""
        parts = []
        for first in range(0, len(which), _CHOICES_TOGETHER):
            part = slice(first, first + _CHOICES_TOGETHER)
            values, text = self._text(states, which[part], rows[part])
            puzzle = states.face[which[part]] // self.turns
            kept = _least(text, puzzle, self.n)
            parts.append((first + kept, puzzle[kept], values[kept], text[kept]))
        chosen, puzzle, values, text = (np.concatenate(found) for found in zip(*parts, strict=True))
        if len(parts) > 1:
            kept = _least(text, puzzle, self.n)
            chosen, puzzle, values, text = chosen[kept], puzzle[kept], values[kept], text[kept]
        which, rows = which[chosen], rows[chosen]
        after = states.taken(which)
        line = np.arange(len(which))
        after.names[line[:, None], values] = text
        after.rows[line, self.placed[puzzle]] = rows
        after.used[line, rows] = True
        active, start = np.unique(puzzle, return_index=True)
        self.image[active, self.placed[active]] = text[start]
        self.named[active] = np.maximum(self.named[active], text[start].max(axis=1))
        self.placed[active] += 1
        return after

    def _text(self, states: _States, which: np.ndarray, rows: np.ndarray) -> tuple[Any, Any]:
        """uint8[K, n] twice: these rows in the order of the states' columns, and their names."""
        n = self.n
        face = states.face[which]
        cells = ((face * n + rows) * n)[:, None] + states.columns[which]
        values = self.faces.ravel().take(cells)
        names = states.names.ravel().take((which * (n + 1))[:, None] + values)
        unnamed = names == _UNNAMED
        named = self.named[face // self.turns].astype(np.uint8)
        ranks = unnamed.cumsum(axis=1, dtype=np.uint8) + named[:, None]
        return values, np.where(unnamed, ranks, names)

    def _without_finished(self, states: _States) -> _States:
        """The states of puzzles that have rows left; of the others one is noted."""
        puzzle = states.face // self.turns
        done = self.placed[puzzle] == self.n
        if not done.any():
            return states
        ready, first, number = np.unique(puzzle[done], return_index=True, return_counts=True)
        one = states.taken(np.flatnonzero(done)[first])
        self.rows[ready], self.columns[ready], self.names[ready] = one.rows, one.columns, one.names
        self.turned[ready] = one.face % self.turns
        self.survivors[ready] = number
        return states.taken(~done)


def _least(text: np.ndarray, puzzle: np.ndarray, n: int) -> np.ndarray:
    """int64[K]: the lines of ``text`` that come first among those of the same puzzle."""
    cells = 62 // n.bit_length()
    kept = np.arange(len(text))
    for left in range(0, n, cells):
        word = text[kept, left : left + cells]
        weights = 1 << (n.bit_length() * np.arange(word.shape[1] - 1, -1, -1, dtype=np.int64))
        key = word @ weights
        starts = np.flatnonzero(np.r_[True, puzzle[kept][1:] != puzzle[kept][:-1]])
        least = np.minimum.reduceat(key, starts)
        lengths = np.diff(np.r_[starts, len(kept)])
        kept = kept[key == least.repeat(lengths)]
    return kept


# --- errors and counts ---------------------------------------------------------------------------


def _check(layout: Layout, grids: np.ndarray) -> None:
    """Raise ``InstanceError`` if the layout is too large, or an array is not a sound grid."""
    box_of(layout)
    if layout.order > MOST_ORDER:
        raise InstanceError(
            f"a Sudoku of order {layout.order}; canonical forms go up to order {MOST_ORDER}"
        )
    if grids.ndim != 2 or grids.shape[1] != layout.cells:
        raise InstanceError(f"arrays of {grids.shape} where grids have {layout.cells} cells each")
    if grids.size and not 0 <= int(grids.min()) <= int(grids.max()) <= layout.order:
        wrong = next(v for v in (int(grids.min()), int(grids.max())) if not 0 <= v <= layout.order)
        raise InstanceError(f"a value of {wrong} in a Sudoku of order {layout.order}")
    sets = np.left_shift(1, grids.astype(np.int64)) & ~1  # a value stands for a bit
    cells = np.array(units(layout))
    for number in np.flatnonzero(_has_clash(sets, cells)):
        values = grids[number].tolist()
        found = clash(layout, values)
        assert found is not None
        raise InstanceError(f"{describe_clash(layout, values, *found)}; it has no canonical form")


def _has_clash(sets: np.ndarray, cells: np.ndarray) -> Any:
    """bool[N]: whether a bit occurs twice in a unit: then the sum is not the union."""
    found = np.zeros(len(sets), bool)
    for unit in cells:
        inside = sets[:, unit]
        found |= inside.sum(axis=1) != np.bitwise_or.reduce(inside, axis=1)
    return found


def _count_alike(clues: np.ndarray, box: tuple[int, int]) -> int:
    """In how many ways blank lines and bands may change places with their like."""
    number = 1
    for square, size in ((clues, box[0]), (clues.T, box[1])):
        blanks = (~square.any(axis=1)).reshape(-1, size).sum(axis=1).tolist()
        number *= prod(map(factorial, blanks)) * factorial(blanks.count(size))
    return number


def _too_much(states: int) -> str:
    return (
        f"the canonical form takes too much work: {states:,} ways to arrange the grid look alike, "
        f"and the limit is {MOST_STATES:,}; grids up to 9x9 with boxes of at most four columns are "
        "within it, and larger ones with many blanks"
    )
