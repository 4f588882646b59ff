"""Full grids by the Retry Pattern: place digit after digit, row by row; when stuck, start again.

From a post on writing Sudoku ("Sudoku", the Retry Pattern): for each digit, for each row, pick a
random cell that is free, in a column and a box without the digit. Sometimes there is none, however
few digits are placed; then everything is thrown away. The post meant to write an algorithm that
moves the digits that are in the way, and found that it did without. ``repair`` is that algorithm:

    * Of the digit that is stuck, some others are moved: it is put in a cell of its row all the
      same, those of its kind that are now in its way are put elsewhere in their rows, and so on.
      One move is tried, then two, and so on; within a number of moves every way is tried.
    * Where no moves help, the range grows: digits are taken back and placed anew, the stuck one
      and, each time that it is stuck again, one more of those before it. When that takes back all
      of them, it is a restart like any other.

What is tried is counted, and bounded.

Words
-----
digit       a value, 0..n-1 in here, 1..n in grids
columns     int[rows so far]: the columns of one digit
taken       for each row, the set of columns that other digits have, bit k for column k
attempt     a cell into which a digit is put, whether it stays or not
"""

from __future__ import annotations

from dataclasses import dataclass

from modelling.errors import InputError
from puzzles.grid.layout import Layout
from puzzles.random_stream import Stream

ATTEMPTS = 10_000_000
"""A grid is given up after this many attempts."""

MOVES = 2000
"""No more attempts than that are spent on moving digits of one kind."""


@dataclass(frozen=True)
class Tried:
    """What came of it: ``grid`` is None if it was given up.

    moved       digits that a repair moved within their rows, over all restarts
    taken_back  digits of which all was taken back by a repair
    """

    grid: tuple[int, ...] | None
    restarts: int
    attempts: int
    moved: int = 0
    taken_back: int = 0


def retry(
    layout: Layout, stream: Stream, *, repair: bool = False, attempts: int = ATTEMPTS
) -> Tried:
    """A full grid, or None after ``attempts`` attempts; 9x9 takes some hundred restarts.

    Without ``repair`` grids of 12x12 and more are out of reach.
    """
    if attempts < 1:
        raise InputError(f"{attempts} attempts; at least 1 is needed")
    n = layout.order
    placed: list[list[int]] = []  # the columns of each digit
    taken = [0] * n
    stuck = [0] * n  # how often each digit was, since the last restart
    restarts = tried = moved = taken_back = 0
    while tried < attempts:
        columns, spent, moves = _one_digit(layout, stream, taken, repair)
        tried += spent
        moved += moves
        if len(columns) == n:
            placed.append(columns)
            _toggle(taken, columns)
            if len(placed) == n:
                return Tried(_grid(n, placed), restarts, tried, moved, taken_back)
            continue
        stuck[len(placed)] += 1
        back = stuck[len(placed)]
        if repair and back <= len(placed):
            taken_back += back
            for columns in placed[-back:]:
                _toggle(taken, columns)
            del placed[-back:]
        else:
            restarts += 1
            placed, taken, stuck = [], [0] * n, [0] * n
    return Tried(None, restarts, tried, moved, taken_back)


def _one_digit(
    layout: Layout, stream: Stream, taken: list[int], repair: bool
) -> tuple[list[int], int, int]:
    """The columns of a digit in as many rows as it could be placed in; attempts; digits moved."""
    columns: list[int] = []
    tried = moved = 0
    while len(columns) < layout.order:
        choice = free_columns(layout, columns, taken[len(columns)])
        if choice:
            columns.append(stream.choice(choice))
            tried += 1
            continue
        if not repair:
            break
        found, spent = with_moves(layout, columns, taken, stream, MOVES)
        tried += spent
        if found is None:
            break
        moved += sum(old != new for old, new in zip(columns, found, strict=False))
        columns = found
    return columns, tried, moved


def _toggle(taken: list[int], columns: list[int]) -> None:
    """Take these columns, or give them back."""
    for row, column in enumerate(columns):
        taken[row] ^= 1 << column


def free_columns(layout: Layout, columns: list[int], taken: int) -> list[int]:
    """Where in the next row a digit can go that is in these columns of the rows before."""
    row = len(columns)
    blocked = taken
    for column in columns:
        blocked |= 1 << column
    if layout.box is not None:
        high, wide = layout.box
        for column in columns[row - row % high :]:
            blocked |= (1 << wide) - 1 << column - column % wide
    return [column for column in range(layout.order) if not blocked >> column & 1]


def with_moves(
    layout: Layout, columns: list[int], taken: list[int], stream: Stream, most: int
) -> tuple[list[int] | None, int]:
    """The columns of a digit for one more row, others of its kind moved, as few as possible.

    None if no moves help, or ``most`` attempts did not find them; and the attempts made.
    """
    row = len(columns)
    spent = 0
    order = [
        stream.shuffled([c for c in range(layout.order) if not taken[r] >> c & 1])
        for r in range(row + 1)
    ]

    def placed(where: dict[int, int], waiting: list[int], moves: int) -> bool:
        """Put the ``waiting`` rows' digits somewhere; ``where`` has those that no longer move."""
        nonlocal spent
        if not waiting:
            return True
        this, *others = waiting
        for column in order[this]:
            if this < row and column == columns[this]:
                continue
            if spent == most:
                return False
            spent += 1
            if any(_in_the_way(layout, this, column, r, c) for r, c in where.items()):
                continue
            pushed = [
                r
                for r in range(row)
                if r != this
                and r not in where
                and r not in others
                and _in_the_way(layout, this, column, r, columns[r])
            ]
            if len(pushed) > moves:
                continue
            where[this] = column
            if placed(where, others + pushed, moves - len(pushed)):
                return True
            del where[this]
        return False

    for moves in range(1, row + 1):
        where: dict[int, int] = {}
        if placed(where, [row], moves):
            return [where.get(r, c) for r, c in enumerate([*columns, -1])], spent
    return None, spent


def _in_the_way(layout: Layout, row: int, column: int, other_row: int, other: int) -> bool:
    """Whether two cells of different rows share a column or a box."""
    if column == other:
        return True
    if layout.box is None:
        return False
    high, wide = layout.box
    return row // high == other_row // high and column // wide == other // wide


def _grid(n: int, placed: list[list[int]]) -> tuple[int, ...]:
    values = [0] * (n * n)
    for digit, columns in enumerate(placed):
        for row, column in enumerate(columns):
            values[row * n + column] = digit + 1
    return tuple(values)
