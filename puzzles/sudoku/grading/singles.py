"""Naked and hidden singles followed to the end, and guesses where they end: the engine of trial.

Words
-----
option      a cell with a value: candidate, given or placed; option (v - 1) * cells + cell
state       the set of the options that are left, one integer
place       to take an option, whereby all options that it excludes go
house       what one option of must be true: a cell, or a value in a row, a column or a box; every
            cell and unit counts as its houses
anchor      the house's first option; the other options of a house are at the same distances from
            the anchor in all houses of a kind, so that a few shifts look at all houses at once

A state is contradictory when a house has no option left. Following singles from a state ends
in a contradiction or in one state, whatever the order: what is a single stays one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from modelling.errors import OutOfGuesses
from puzzles.grid.layout import Layout, cell_name, unit_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import board, members, set_of
from puzzles.sudoku.grading.position import Position


@dataclass(frozen=True, slots=True)
class Kind:
    """Houses of one kind: the set of their anchors, and the distances of their options."""

    anchors: int
    shifts: tuple[int, ...]
    spread: int


class Keeps(dict[int, int]):
    """Option -> set of the options that stay when it is placed, worked out when first needed."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self._layout = layout

    def __missing__(self, option: int) -> int:
        cells, order = self._layout.cells, self._layout.order
        index, cell = divmod(option, cells)
        same_value = board(self._layout).peers[cell] << index * cells
        same_cell = set_of(range(cell, order * cells, cells)) ^ 1 << option
        self[option] = (1 << order * cells) - 1 & ~(same_value | same_cell)
        return self[option]


@dataclass(frozen=True, slots=True)
class Houses:
    """All houses of a layout by kind: cells, rows, columns, boxes.

    ``keeps[option]`` is the set of options that stay when it is placed.
    """

    layout: Layout
    kinds: tuple[Kind, ...]
    keeps: Keeps


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A house without options: its kind and its anchor."""

    kind: int
    anchor: int


@dataclass(slots=True)
class Allowance:
    """How many guesses may still be made. A number, not a time: the same on any machine."""

    guesses: int

    def spend(self) -> None:
        """Take one, or raise ``OutOfGuesses``."""
        if not self.guesses:
            raise OutOfGuesses
        self.guesses -= 1


@lru_cache(maxsize=16)
def houses(layout: Layout) -> Houses:
    """The houses of ``layout``."""
    n, cells = layout.order, layout.cells
    planes = range(0, n * cells, cells)

    def kind(corners: list[int], shifts: list[int]) -> Kind:
        anchors = set_of(plane + corner for plane in planes for corner in corners)
        return Kind(anchors, tuple(shifts), set_of(shifts))

    kinds = [
        Kind((1 << cells) - 1, tuple(planes), set_of(planes)),
        kind(list(range(0, cells, n)), list(range(n))),
        kind(list(range(n)), list(range(0, cells, n))),
    ]
    if layout.box is not None:
        high, wide = layout.box
        corners = [r * n + c for r in range(0, n, high) for c in range(0, n, wide)]
        kinds.append(kind(corners, [i * n + j for i in range(high) for j in range(wide)]))
    return Houses(layout, tuple(kinds), Keeps(layout))


def option(layout: Layout, cell: int, value: int) -> int:
    """The number of an option."""
    return (value - 1) * layout.cells + cell


def state_of(position: Position) -> tuple[int, int]:
    """The state of a position, and the set of the options that are placed in it."""
    cells = position.layout.cells
    placed = set_of((v - 1) * cells + cell for cell, v in enumerate(position.values) if v)
    state = placed
    for index, places in enumerate(position.places):
        state |= places << index * cells
    return state, placed


def values_of(layout: Layout, state: int) -> tuple[int, ...]:
    """The values cell by cell of a state in which every cell has one option."""
    values = [0] * layout.cells
    for single in members(state):
        index, cell = divmod(single, layout.cells)
        values[cell] = index + 1
    return tuple(values)


def follow(every: Houses, state: int, placed: int) -> tuple[int, int] | Contradiction:
    """Place all singles until there are none: the state and what is placed, or a contradiction."""
    keeps = every.keeps
    while True:
        fresh = 0
        for number, kind in enumerate(every.kinds):
            anchors = kind.anchors
            once = twice = 0
            for shift in kind.shifts:
                there = state >> shift & anchors
                twice |= once & there
                once |= there
            if once != anchors:
                lacking = anchors & ~once
                return Contradiction(number, (lacking & -lacking).bit_length() - 1)
            fresh |= state & (once ^ twice) * kind.spread
        fresh &= ~placed
        if not fresh:
            return state, placed
        placed |= fresh
        for single in members(fresh):
            state &= keeps[single]


def assume(every: Houses, state: int, placed: int, guess: int) -> tuple[int, int] | Contradiction:
    """``follow`` after placing an option."""
    return follow(every, state & every.keeps[guess], placed | 1 << guess)


def solutions(every: Houses, state: int, placed: int, allowance: Allowance) -> Iterator[int]:
    """The solutions of a state, as states, by depth-first search that follows singles.

    It branches on the first of the cells with the fewest options, values ascending. Raises
    ``OutOfGuesses``.
    """
    reached = follow(every, state, placed)
    shifts = every.kinds[0].shifts
    waiting: list[tuple[int, int, int]] = []
    while True:
        if not isinstance(reached, Contradiction):
            state, placed = reached
            cell = _narrowest(every, state)
            if cell is None:
                yield state
            else:
                options = [cell + shift for shift in shifts if state >> cell + shift & 1]
                waiting.extend((state, placed, guess) for guess in reversed(options))
        if not waiting:
            return
        allowance.spend()
        reached = assume(every, *waiting.pop())


def _narrowest(every: Houses, state: int) -> int | None:
    """The first of the cells with the fewest options above one; None if there is none."""
    kind = every.kinds[0]
    once = twice = thrice = 0
    for shift in kind.shifts:
        there = state >> shift & kind.anchors
        thrice |= twice & there
        twice |= once & there
        once |= there
    if not twice:
        return None
    pairs = twice & ~thrice
    if pairs:
        return (pairs & -pairs).bit_length() - 1
    return min(members(twice), key=lambda cell: (state & kind.spread << cell).bit_count())


def describe_contradiction(every: Houses, found: Contradiction) -> str:
    """A contradiction in words: ``no place for 7 in row 3``."""
    layout = every.layout
    n = layout.order
    index, cell = divmod(found.anchor, layout.cells)
    if found.kind == 0:
        return f"no value for {cell_name(layout, cell)}"
    row, column = divmod(cell, n)
    if found.kind == 1:
        unit = row
    elif found.kind == 2:
        unit = n + column
    else:
        assert layout.box is not None
        high, wide = layout.box
        unit = 2 * n + row // high * (n // wide) + column // wide
    return f"no place for {sign(index + 1, n)} in {unit_name(layout, unit)}"
