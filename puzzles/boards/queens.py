"""n queens on an n x n board, none attacking another; some may be placed beforehand.

Text is the size, then the placed queens as column=row, counted from 1: ``8`` or ``8: 1=4 2=7``.
Variable ``q1`` is the row of the queen in column 1, and so on. Rows are numbered from the top.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from modelling.constraints import AllDifferent, Linear
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside
from puzzles.family import Instance
from puzzles.formats import Locate, entries, in_text
from puzzles.parameters import Parameter
from puzzles.pictures import INK, NEW, SHADE, draw_cells, draw_queen
from puzzles.random_stream import Stream

ATTEMPTS = 100
"""Boards that are begun to place queens on at random."""

MOST_QUEENS = 500
"""The model has a constraint or two for each pair of queens, so boards do not grow for ever."""

_BOARD = re.compile(r"\s*(\d{1,6})\s*(?::|$)")
_PLACED = re.compile(r"(\d{1,6})=(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Board:
    """A size and the row of each placed queen by column, both from 1."""

    size: int
    placed: Mapping[int, int]

    @property
    def text(self) -> str:
        """Canonical text."""
        queens = " ".join(f"{c}={r}" for c, r in sorted(self.placed.items()))
        return f"{self.size}: {queens}" if queens else str(self.size)


def parse(text: str) -> Board:
    """The board in ``text``; raises ``InstanceError``. Queens that attack each other are read."""
    return _parse_board(text, in_text)[0]


def _parse_board(text: str, locate: Locate) -> tuple[Board, Mapping[int, str]]:
    """The board, and for each column with a queen the place in the text."""
    board = _BOARD.match(text)
    if board is None:
        cause = f"{text.strip()[:40]!r} is no board; write its size, or as in '8: 1=4 2=7'"
        raise InstanceError(cause, locate(1))
    size = int(board[1])
    if not 1 <= size <= MOST_QUEENS:
        cause = f"a board of size {size}; sizes go from 1 to {MOST_QUEENS}"
        raise InstanceError(cause, locate(board.start(1) + 1))
    placed: dict[int, int] = {}
    places: dict[int, str] = {}
    for item in re.finditer(r"[^\s,]+", text[board.end() :]):
        where = locate(board.end() + item.start() + 1)
        queen = _PLACED.fullmatch(item[0])
        if queen is None:
            raise InstanceError(f"{item[0]!r} is no queen; write column=row as in '1=4'", where)
        column, row = int(queen[1]), int(queen[2])
        if not (1 <= column <= size and 1 <= row <= size):
            raise InstanceError(f"{item[0]} is outside a board of size {size}", where)
        if placed.get(column, row) != row:
            raise InstanceError(f"two queens in column {column}: {placed[column]} and {row}", where)
        placed[column] = row
        places[column] = where
    return Board(size, placed), places


def attacks(one: tuple[int, int], other: tuple[int, int]) -> str:
    """How two queens (column, row) in different columns attack each other; empty if not."""
    if one[1] == other[1]:
        return f"are in row {one[1]}"
    if abs(one[0] - other[0]) == abs(one[1] - other[1]):
        return "are on a diagonal"
    return ""


@lru_cache(maxsize=32)
def structure(size: int) -> Structure:
    """Different rows, and for each pair of columns a distance that no diagonal has."""
    rows = tuple(range(1, size + 1))
    diagonals = [
        Linear((i, j), (1, -1), "!=", distance)
        for i, j in combinations(range(size), 2)
        for distance in (j - i, i - j)
    ]
    return Structure(
        tuple(f"q{column}" for column in rows),
        (rows,) * size,
        (AllDifferent(tuple(range(size))), *diagonals),
    )


class Queens:
    """Implements ``puzzles.family.Family``, ``Sized`` and ``Generated``."""

    name = "queens"
    about = "n queens on an n x n board, none attacking another"
    unit = "queens"
    csplib = 54
    parameters = (
        Parameter("size", 8, "Number of rows of the board.", 1, MOST_QUEENS),
        Parameter("placed", 2, "Number of queens that are placed beforehand.", 0, MOST_QUEENS),
    )

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``: one board a line."""
        return entries(lines, source, self.name, _canonical)

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``."""
        board = parse(text)
        return structure(board.size).problem({c - 1: r for c, r in board.placed.items()})

    def size_of(self, text: str) -> int:
        """See ``Measured``."""
        return parse(text).size

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """See ``Family.check``."""
        board = parse(text)
        n = board.size
        if len(values) != n:
            return [f"{len(values)} values for {n} queens"]
        queens = list(enumerate(values, 1))
        outside = [f"column {c}: row {r!r} is not between 1 and {n}" for c, r in queens]
        wrong = [outside[c - 1] for c, r in queens if r not in range(1, n + 1)]
        if wrong:
            return wrong
        moved = [
            f"column {c}: the queen is in row {values[c - 1]}, but was placed in row {r}"
            for c, r in sorted(board.placed.items())
            if values[c - 1] != r
        ]
        return moved + _find_attacks(queens)

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Family.render``; row 1 is at the top."""
        board = parse(text)
        puzzle = _draw_board(board.size, board.placed)
        if values is None:
            return puzzle
        return beside(
            puzzle, _draw_board(board.size, dict(enumerate(_require_size(board, values), 1)))
        )

    def picture(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Pictured``: a chessboard; queens that were placed beforehand are dark."""
        board = parse(text)
        n = board.size
        dark = {k: SHADE for k in range(n * n) if (k // n + k) % 2}
        if n % 2:
            dark = dict.fromkeys(range(1, n * n, 2), SHADE)
        made = draw_cells(n, n, {}, fills=dark)
        rows = (
            dict(board.placed)
            if values is None
            else dict(enumerate(_require_size(board, values), 1))
        )
        for column, row in rows.items():
            ink = INK if board.placed.get(column) == row else NEW
            draw_queen(made, column - 1, row - 1, ink)
        return made.svg()

    def write(self, text: str, values: Sequence[int]) -> str:
        """Every queen as column=row: the text of a board on which all are placed."""
        board = parse(text)
        return Board(board.size, dict(enumerate(_require_size(board, values), 1))).text

    def of_size(self, n: int) -> str:
        """See ``Sized``."""
        return str(n)

    def generate(self, draws: Stream, *, size: int, placed: int) -> str:
        """See ``Generated``: queens placed at random, none attacking another; there may be no
        solution (Gent, Jefferson and Nightingale, "Complexity of n-queens completion", JAIR 59,
        2017)."""
        for _ in range(ATTEMPTS):
            queens: dict[int, int] = {}
            for column in draws.shuffled(range(1, size + 1)):
                free = [
                    row
                    for row in range(1, size + 1)
                    if not any(attacks((column, row), queen) for queen in queens.items())
                ]
                if free and len(queens) < placed:
                    queens[column] = draws.choice(free)
            if len(queens) == placed:
                return Board(size, queens).text
        raise InputError(f"{placed} queens could not be placed on a board of size {size}")


def _canonical(body: str, locate: Locate) -> str:
    board, places = _parse_board(body, locate)
    for one, other in combinations(board.placed.items(), 2):
        how = attacks(one, other)
        if how:
            cause = f"clashing queens, {one[0]}={one[1]} and {other[0]}={other[1]} {how}"
            raise InstanceError(cause, places[other[0]])
    return board.text


def _find_attacks(queens: Sequence[tuple[int, int]]) -> list[str]:
    """The attacks among queens (column, row), found by counting rows and both diagonals."""
    wrong = []
    lines: tuple[tuple[str, Callable[[int, int], int]], ...] = (
        ("row", lambda c, r: r),
        ("rising diagonal", lambda c, r: c + r),
        ("falling diagonal", lambda c, r: c - r),
    )
    for kind, line in lines:
        times = Counter(line(c, r) for c, r in queens)
        for number, count in times.items():
            if count > 1:
                where = [f"{c}={r}" for c, r in queens if line(c, r) == number]
                wrong.append(f"{count} queens on a {kind}: {', '.join(where)}")
    return wrong


def _require_size(board: Board, values: Sequence[int]) -> Sequence[int]:
    if len(values) != board.size:
        raise InstanceError(f"{len(values)} values for {board.size} queens")
    return values


def _draw_board(size: int, rows: Mapping[int, int]) -> str:
    columns = range(1, size + 1)
    return "\n".join(
        " ".join("Q" if rows.get(c) == r else "." for c in columns) for r in range(1, size + 1)
    )


QUEENS = Queens()
