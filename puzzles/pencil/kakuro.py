r"""Kakuro: digits from 1 to 9 in white cells, different within each run, with given sums.

Text is the cells, with ``/`` between rows: a dot is a white cell, ``x`` a blocked one, and
``16\17`` a blocked one whose run below adds up to 16 and whose run to the right to 17; either may
be left out. A run without a sum only has different digits, and a digit is given::

    x 4\ 3\ / \3 . . / \4 . .

(two rows of two white cells below a row of sums). Variable ``rIcJ`` is the white cell in row I and
column J of the whole, blocked cells counted. Kakuro on boards of any size is NP-complete (Yato and
Seta, "Complexity and completeness of finding another solution and its application to puzzles",
IEICE Transactions E86-A, 2003).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.errors import InputError, PuzzleError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside_or_below
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, split_words
from puzzles.pencil.random_fill import draw_fill
from puzzles.pencil.uniqueness import Count, is_unique
from puzzles.random_stream import Stream

MOST = 40
"""Rows, and columns."""
MOST_GENERATED = 12
ATTEMPTS, MOST_COUNTED = 60, 20
"""So many boards are tried, and so many solutions of one counted."""

OPEN, BLOCKED = ".", "x"
DIGITS = "123456789"
_CLUE = re.compile(r"(\d{1,2})?\\(\d{1,2})?", re.ASCII)

Puzzle = tuple[tuple[str, ...], ...]
"""Rows of words, as they stand in canonical text."""


@dataclass(frozen=True, slots=True)
class Run:
    """White cells (row, column) that follow each other, and their sum if it is told.

    ``clue`` is the cell before the first.
    """

    cells: tuple[tuple[int, int], ...]
    total: int | None
    clue: tuple[int, int]

    @property
    def name(self) -> str:
        """Where it begins and which way it goes."""
        (row, column), way = self.cells[0], "down" if self.clue[1] == self.cells[0][1] else "right"
        return f"the run from r{row + 1}c{column + 1} {way}"


def is_white(word: str) -> bool:
    """Whether a cell is one for a digit."""
    return word == OPEN or (len(word) == 1 and word in DIGITS)


def split_clue(word: str) -> tuple[int | None, int | None]:
    """What a cell says of the sums below and to the right of it."""
    found = _CLUE.fullmatch(word)
    below, right = found.groups() if found else (None, None)
    return (int(below) if below else None, int(right) if right else None)


@lru_cache(maxsize=64)
def find_runs(rows: Puzzle) -> tuple[Run, ...]:
    """Every run to the right, then every run down."""
    high, wide = len(rows), len(rows[0])
    across = [[(r, c) for c in range(wide)] for r in range(high)]
    down = [[(r, c) for r in range(high)] for c in range(wide)]
    found = []
    for lines, which in ((across, 1), (down, 0)):
        for line in lines:
            step = (0, 1) if which else (1, 0)
            clue = (line[0][0] - step[0], line[0][1] - step[1])
            cells: list[tuple[int, int]] = []
            for row, column in [*line, (-1, -1)]:
                if row >= 0 and is_white(rows[row][column]):
                    cells.append((row, column))
                    continue
                if cells:
                    told = min(clue) >= 0
                    total = split_clue(rows[clue[0]][clue[1]])[which] if told else None
                    found.append(Run(tuple(cells), total, clue))
                clue, cells = (row, column), []
    return tuple(found)


def find_white(rows: Puzzle) -> list[tuple[int, int]]:
    """The white cells, row by row."""
    return [(r, c) for r, row in enumerate(rows) for c, word in enumerate(row) if is_white(word)]


@lru_cache(maxsize=64)
def structure(rows: Puzzle) -> Structure:
    """Different digits in every run, and the sums that are told."""
    white = find_white(rows)
    number = {cell: k for k, cell in enumerate(white)}
    rules: list[Constraint] = []
    for run in find_runs(rows):
        scope = tuple(number[cell] for cell in run.cells)
        rules += [AllDifferent(scope)] if len(scope) > 1 else []
        rules += [] if run.total is None else [Linear(scope, (1,) * len(scope), "==", run.total)]
    return Structure(
        tuple(f"r{r + 1}c{c + 1}" for r, c in white),
        (tuple(range(1, 10)),) * len(white),
        tuple(rules),
    )


class Kakuro(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``."""

    name = "kakuro"
    about = "kakuro: runs of different digits that add up to given sums"

    join_drawings = staticmethod(beside_or_below)

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The rows."""
        places: list[list[int]] = [[]]
        rows: list[list[str]] = [[]]
        for word, column in split_words(body):
            if word == "/":
                rows.append([])
                places.append([])
                continue
            rows[-1].append(_read_cell(word, locate(column)))
            places[-1].append(column)
        wide = len(rows[0])
        for number, (row, columns) in enumerate(zip(rows, places, strict=True), 1):
            if not wide or len(row) != wide:
                cause = f"row {number} has {len(row)} cells, the first has {wide}"
                cause += "; write rows of as many, with blanks between cells and / between rows"
                raise PuzzleError(cause, locate(columns[0] if columns else len(body.rstrip()) + 1))
        if max(len(rows), wide) > MOST:
            raise PuzzleError(f"{len(rows)} rows of {wide}; there are at most {MOST}", locate(1))
        puzzle = tuple(map(tuple, rows))
        if not find_white(puzzle):
            raise PuzzleError("there is no white cell; write one as a dot", locate(1))
        _check_runs(puzzle, places, locate)
        return puzzle

    def text(self, puzzle: Puzzle) -> str:
        """The rows."""
        return " / ".join(map(" ".join, puzzle))

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``; digits that are given narrow it."""
        told = [puzzle[r][c] for r, c in find_white(puzzle)]
        empty = tuple(tuple(OPEN if is_white(word) else word for word in row) for row in puzzle)
        return structure(empty).problem(
            {k: int(word) for k, word in enumerate(told) if word != OPEN}
        )

    def count_values(self, puzzle: Puzzle) -> int:
        """The white cells."""
        return len(find_white(puzzle))

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Each run is looked at and added up."""
        digits = dict(zip(find_white(puzzle), values, strict=True))
        names = [f"r{r + 1}c{c + 1}" for r, c in digits]
        yield from out_of_range(names, values, 1, 9)
        for (r, c), digit in digits.items():
            if puzzle[r][c] not in (OPEN, str(digit)):
                yield f"{digit} stands where {puzzle[r][c]} is given"
        for run in find_runs(puzzle):
            held = [digits[cell] for cell in run.cells]
            if len(set(held)) < len(held):
                yield f"{run.name} holds a digit twice"
            if run.total is not None and sum(held) != run.total:
                yield f"{run.name} adds up to {sum(held)}, not to {run.total}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The board in a frame, sums below left and above right as they are told."""
        shown = {}
        if values is not None:
            shown = dict(zip(find_white(puzzle), map(str, values), strict=True))
        rule = f"+{'-----+' * len(puzzle[0])}"
        drawn = [rule]
        for r, row in enumerate(puzzle):
            cells = (_draw_cell(shown.get((r, c), word)) for c, word in enumerate(row))
            drawn += [f"|{'|'.join(cells)}|", rule]
        return "\n".join(drawn)

    def write(self, text: str, values: Sequence[int]) -> str:
        """The rows, with ``x`` for all blocked cells."""
        puzzle = self.parse(text)
        digits = dict(zip(find_white(puzzle), map(str, values), strict=True))
        return " / ".join(
            " ".join(digits.get((r, c), BLOCKED) for c in range(len(row)))
            for r, row in enumerate(puzzle)
        )


def _read_cell(word: str, where: str) -> str:
    """A cell as canonical text writes it."""
    if word in ("x", "X", "\\"):
        return BLOCKED
    if is_white(word):
        return word
    found = _CLUE.fullmatch(word)
    if found is None:
        cause = f"{word[:40]!r} is no cell; write a dot, a digit from 1, x, or sums as in 16\\17"
        raise PuzzleError(cause, where)
    below, right = split_clue(word)
    return f"{below or ''}\\{right or ''}" if below or right else BLOCKED


def _check_runs(rows: Puzzle, places: Sequence[Sequence[int]], locate: Locate) -> None:
    """That there is a run for every sum, and a sum that each can have."""
    runs = find_runs(rows)
    begun = {(run.clue, run.name.rpartition(" ")[2]) for run in runs}
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            if is_white(word):
                continue
            for total, way in zip(split_clue(word), ("down", "right"), strict=True):
                if total is not None and ((r, c), way) not in begun:
                    cause = f"a sum of {total} without a white cell after it, {way}"
                    raise PuzzleError(cause, locate(places[r][c]))
    for run in runs:
        size, (r, c) = len(run.cells), run.cells[0]
        if size > len(DIGITS):
            cause = f"{run.name} has {size} cells; nine digits cannot all differ in it"
            raise PuzzleError(cause, locate(places[r][c]))
        least, most = size * (size + 1) // 2, size * (19 - size) // 2
        if run.total is not None and not least <= run.total <= most:
            cause = f"{run.name} has a sum of {run.total}; {size} digits make {least} to {most}"
            raise PuzzleError(cause, locate(places[run.clue[0]][run.clue[1]]))


def _draw_cell(word: str) -> str:
    if word == BLOCKED:
        return "#####"
    if "\\" not in word:
        return f"{word:^5}"
    below, right = word.split("\\")
    return f"{below:>2}\\{right:<2}"


KAKURO = Kakuro()


def generate(
    seed: int, item: int, *, count: Count, rows: int = 5, columns: int = 5, longest: int = 3
) -> str:
    """A puzzle with one solution, on so many rows and columns beside those of sums.

    Runs have 2 to ``longest`` cells; the longer, the harder, and the rarer: where a board with as
    many digits as are tried has several solutions, digits are given until it has one. ``count`` is
    asked whether there is one solution.
    """
    if not (min(rows, columns) >= 2 and max(rows, columns) <= MOST_GENERATED and 2 <= longest <= 9):
        raise InputError(f"no kakuro of {rows} x {columns} with runs of {longest} is generated")
    draws = Stream(seed, item)
    best: tuple[int, Puzzle, list[int]] | None = None
    for _ in range(ATTEMPTS):
        board = _draw_board(rows, columns, longest, draws)
        digits = _draw_digits(board, draws)
        puzzle = _tell_sums(board, digits)
        number = count(KAKURO.state(puzzle), MOST_COUNTED)
        if number == 1:
            return KAKURO.text(puzzle)
        if best is None or number < best[0]:
            best = number, puzzle, digits
    assert best is not None
    _, puzzle, digits = best
    white = find_white(puzzle)
    for k in draws.shuffled(range(len(white))):
        puzzle = _with_words(puzzle, {white[k]: str(digits[k])})
        if is_unique(KAKURO.state(puzzle), count):
            break
    return KAKURO.text(puzzle)


def _draw_board(rows: int, columns: int, longest: int, draws: Stream) -> Puzzle:
    """White and blocked cells, alike after half a turn, without runs of one cell.

    The longest run is cut until none is too long; what is left of one cell is blocked.
    """
    for _ in range(1000):
        board = tuple(
            tuple(OPEN if r and c else BLOCKED for c in range(columns + 1)) for r in range(rows + 1)
        )
        while find_white(board):
            runs = find_runs(board)
            wrong = [run for run in runs if len(run.cells) == 1]
            wrong = wrong or [run for run in runs if len(run.cells) > longest]
            if not wrong:
                return board
            r, c = draws.choice(draws.choice(wrong).cells)
            board = _with_words(board, {(r, c): BLOCKED, (rows + 1 - r, columns + 1 - c): BLOCKED})
    raise InputError(f"no board of {rows} x {columns} with runs of 2 to {longest} was found")


def _draw_digits(board: Puzzle, draws: Stream) -> list[int]:
    number = {cell: k for k, cell in enumerate(find_white(board))}
    groups = [[number[cell] for cell in run.cells] for run in find_runs(board)]
    digits = draw_fill(len(number), groups, 9, draws)
    assert digits is not None
    return digits


def _tell_sums(board: Puzzle, digits: Sequence[int]) -> Puzzle:
    held = dict(zip(find_white(board), digits, strict=True))
    sums: dict[tuple[int, int], list[str]] = {}
    for run in find_runs(board):
        below = run.clue[1] == run.cells[0][1]
        sums.setdefault(run.clue, ["", ""])[not below] = str(sum(held[cell] for cell in run.cells))
    return _with_words(board, {cell: "\\".join(told) for cell, told in sums.items()})


def _with_words(rows: Puzzle, words: Mapping[tuple[int, int], str]) -> Puzzle:
    return tuple(
        tuple(words.get((r, c), word) for c, word in enumerate(row)) for r, row in enumerate(rows)
    )
