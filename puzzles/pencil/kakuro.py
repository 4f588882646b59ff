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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import combinations

from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside_or_below
from puzzles.family import Count
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, split_words
from puzzles.parameters import Parameter
from puzzles.pencil.random_fill import draw_fill
from puzzles.pencil.uniqueness import is_unique
from puzzles.pictures import CELL, FAINT, SHADE, Picture, draw_cells
from puzzles.random_stream import Stream

MOST = 40
"""Rows, and columns."""
MOST_GENERATED = 12
STARTS, BOARDS, MOST_CHANGES = 6, 10, 800
"""Boards that are filled, boards of which each is the best, digits of each that are changed."""
MOST_COUNTS, MOST_COUNTED = 50, 50
"""So often solutions are counted, and so far."""

OPEN, BLOCKED = ".", "x"
DIGITS = "123456789"
_CLUE = re.compile(r"(\d{1,2})?\\(\d{1,2})?", re.ASCII)

Puzzle = tuple[tuple[str, ...], ...]
"""Rows of words, as in canonical text."""


@dataclass(frozen=True, slots=True)
class Run:
    """White cells (row, column) that follow each other, and their sum if it is given.

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
                    stated = min(clue) >= 0
                    total = split_clue(rows[clue[0]][clue[1]])[which] if stated else None
                    found.append(Run(tuple(cells), total, clue))
                clue, cells = (row, column), []
    return tuple(found)


def find_white(rows: Puzzle) -> list[tuple[int, int]]:
    """The white cells, row by row."""
    return [(r, c) for r, row in enumerate(rows) for c, word in enumerate(row) if is_white(word)]


@lru_cache(maxsize=64)
def structure(rows: Puzzle) -> Structure:
    """Different digits in every run, and the sums that are given."""
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
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "kakuro"
    about = "kakuro: runs of different digits that add up to given sums"
    unit = "cells"

    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("rows", 5, "Number of rows beside that of sums.", 2, MOST_GENERATED),
        Parameter("columns", 5, "Number of columns beside that of sums.", 2, MOST_GENERATED),
        Parameter("longest", 3, "Cells of a run at most; the more, the harder.", 2, 9),
    )
    asks_solver = True

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
                raise InstanceError(
                    cause, locate(columns[0] if columns else len(body.rstrip()) + 1)
                )
        if max(len(rows), wide) > MOST:
            raise InstanceError(f"{len(rows)} rows of {wide}; there are at most {MOST}", locate(1))
        puzzle = tuple(map(tuple, rows))
        if not find_white(puzzle):
            raise InstanceError("there is no white cell; write one as a dot", locate(1))
        _check_runs(puzzle, places, locate)
        return puzzle

    def generate(self, draws: Stream, *, count: Count, **stated: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, **stated)

    def text(self, puzzle: Puzzle) -> str:
        """The rows."""
        return " / ".join(map(" ".join, puzzle))

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``; digits that are given narrow it."""
        stated = [puzzle[r][c] for r, c in find_white(puzzle)]
        empty = tuple(tuple(OPEN if is_white(word) else word for word in row) for row in puzzle)
        return structure(empty).problem(
            {k: int(word) for k, word in enumerate(stated) if word != OPEN}
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
                yield f"{digit} where {puzzle[r][c]} is given"
        for run in find_runs(puzzle):
            held = [digits[cell] for cell in run.cells]
            if len(set(held)) < len(held):
                yield f"{run.name} holds a digit twice"
            if run.total is not None and sum(held) != run.total:
                yield f"{run.name} adds up to {sum(held)}, not to {run.total}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The board in a frame, sums below left and above right as they are given."""
        shown = {}
        if values is not None:
            shown = dict(zip(find_white(puzzle), map(str, values), strict=True))
        rule = f"+{'-----+' * len(puzzle[0])}"
        drawn = [rule]
        for r, row in enumerate(puzzle):
            cells = (_draw_cell(shown.get((r, c), word)) for c, word in enumerate(row))
            drawn += [f"|{'|'.join(cells)}|", rule]
        return "\n".join(drawn)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The board; sums are below left and above right in blocked cells."""
        wide = len(puzzle[0])
        white = find_white(puzzle)
        given = {r * wide + c: puzzle[r][c] for r, c in white if puzzle[r][c] != OPEN}
        found = {r * wide + c: str(v) for (r, c), v in zip(white, values or (), strict=False)}
        blocked = set(range(len(puzzle) * wide)) - {r * wide + c for r, c in white}
        made = draw_cells(len(puzzle), wide, given | found, given, dict.fromkeys(blocked, SHADE))
        for cell in sorted(blocked):
            row, column = divmod(cell, wide)
            x, y = column * CELL, row * CELL
            below, right = split_clue(puzzle[row][column])
            if below or right:
                made.line([(x, y), (x + CELL, y + CELL)], ink=FAINT)
            made.text(x + 0.3 * CELL, y + 0.72 * CELL, below or "", 12)
            made.text(x + 0.7 * CELL, y + 0.28 * CELL, right or "", 12)
        return made

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
        shown = repr(word[:40]).replace("\\\\", "\\")
        cause = f"{shown} is no cell; write a dot, a digit from 1, x, or sums as in 16\\17"
        raise InstanceError(cause, where)
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
                    raise InstanceError(cause, locate(places[r][c]))
    for run in runs:
        size, (r, c) = len(run.cells), run.cells[0]
        if size > len(DIGITS):
            cause = f"{run.name} has {size} cells; nine digits cannot all differ in it"
            raise InstanceError(cause, locate(places[r][c]))
        least, most = size * (size + 1) // 2, size * (19 - size) // 2
        if run.total is not None and not least <= run.total <= most:
            cause = f"{run.name} has a sum of {run.total}; {size} digits make {least} to {most}"
            raise InstanceError(cause, locate(places[run.clue[0]][run.clue[1]]))


def _draw_cell(word: str) -> str:
    if word == BLOCKED:
        return "#####"
    if "\\" not in word:
        return f"{word:^5}"
    below, right = word.split("\\")
    return f"{below:>2}\\{right:<2}"


KAKURO = Kakuro()


def generate(
    draws: Stream, *, count: Count, rows: int = 5, columns: int = 5, longest: int = 3
) -> str:
    """A puzzle with one solution, with these rows and columns beside those of sums.

    Runs have 2 to ``longest`` cells; the longer, the harder. Digits are changed one by one, first
    so that the runs, looked at one after the other, leave fewer digits open, then so that there are
    fewer solutions. Where that does not lead to a single one, digits are given. ``count`` is asked
    how many solutions there are.
    """
    if min(rows, columns) < 2 or max(rows, columns) > MOST_GENERATED or not 2 <= longest <= 9:
        raise InputError(f"no kakuro of {rows} x {columns} with runs of {longest} is generated")
    starts: list[tuple[int, Puzzle, list[int]]] = []
    while len(starts) < STARTS and not (starts and starts[-1][0] == 0):
        board = _draw_board(rows, columns, longest, draws)
        groups = _number_runs(board)
        drawn = draw_fill(len(find_white(board)), groups, 9, draws)
        assert drawn is not None
        look = partial(_look_at_runs, groups)
        drawn = _improve(drawn, groups, look, MOST_CHANGES, draws)
        starts.append((look(drawn)[0], board, drawn))
    _, board, digits = min(starts, key=lambda start: start[0])
    white = find_white(board)

    def look_at_solutions(digits: list[int]) -> tuple[int, list[int]]:
        found = count(KAKURO.state(_tell_sums(board, digits)), MOST_COUNTED)
        return found - 1, list(range(len(white)))

    digits = _improve(digits, _number_runs(board), look_at_solutions, MOST_COUNTS, draws)
    puzzle = _tell_sums(board, digits)
    for k in draws.shuffled(range(len(white))):
        if is_unique(KAKURO.state(puzzle), count):
            break
        puzzle = _with_words(puzzle, {white[k]: str(digits[k])})
    return KAKURO.text(puzzle)


def _improve(
    digits: list[int],
    groups: Sequence[Sequence[int]],
    look: Callable[[list[int]], tuple[int, list[int]]],
    most: int,
    draws: Stream,
) -> list[int]:
    """Change at most ``most`` digits, one at a time, and keep a change that is not worse.

    ``look`` tells how bad digits are, 0 if they are good, and of which cells one may be changed.
    """
    best, loose = look(digits)
    for _ in range(most):
        if not best:
            break
        cell = draws.choice(loose)
        taken = {digits[other] for group in groups if cell in group for other in group}
        free = [digit for digit in range(1, 10) if digit not in taken]
        if free:
            changed = [*digits[:cell], draws.choice(free), *digits[cell + 1 :]]
            found, cells = look(changed)
            if found <= best:
                best, loose, digits = found, cells, changed
    return digits


def _look_at_runs(groups: Sequence[Sequence[int]], digits: list[int]) -> tuple[int, list[int]]:
    """How many digits too many are left open, and the cells of runs in which some are."""
    left = _find_open(groups, digits)
    near = [cells for cells in groups if any(len(left[cell]) > 1 for cell in cells)]
    return sum(map(len, left)) - len(left), sorted({cell for cells in near for cell in cells})


def _number_runs(board: Puzzle) -> list[list[int]]:
    """The white cells of each run, by their numbers."""
    number = {cell: k for k, cell in enumerate(find_white(board))}
    return [[number[cell] for cell in run.cells] for run in find_runs(board)]


def _find_open(groups: Sequence[Sequence[int]], digits: Sequence[int]) -> list[set[int]]:
    """The digits that are left for each cell by the sums of its runs, one looked at after the
    other until none tells more."""
    left = [set(range(1, 10)) for _ in digits]
    sums = [sum(digits[cell] for cell in group) for group in groups]
    waiting = set(range(len(groups)))
    while waiting:
        k = min(waiting)
        waiting.discard(k)
        cells = groups[k]
        fit: set[int] = set()
        for found in find_digits(len(cells), sums[k]):
            if all(not left[cell].isdisjoint(found) for cell in cells):
                fit |= found
        for cell in cells:
            sure = {digit for other in cells if other != cell for digit in _only(left[other])}
            fewer = left[cell] & fit - sure
            if fewer != left[cell]:
                left[cell] = fewer
                waiting |= {j for j, group in enumerate(groups) if cell in group}
    return left


def _only(digits: set[int]) -> set[int]:
    return digits if len(digits) == 1 else set()


@cache
def find_digits(size: int, total: int) -> tuple[frozenset[int], ...]:
    """All sets of this many different digits with this sum."""
    sets = combinations(range(1, 10), size)
    return tuple(frozenset(found) for found in sets if sum(found) == total)


def _draw_board(rows: int, columns: int, longest: int, draws: Stream) -> Puzzle:
    """White and blocked cells, alike after half a turn, with runs of 2 to ``longest`` cells; of
    several boards the one with most white cells."""
    boards = [_cut_board(rows, columns, longest, draws) for _ in range(BOARDS)]
    best = max(boards, key=lambda board: len(find_white(board)))
    if not find_white(best):
        raise InputError(f"no board of {rows} x {columns} with runs of 2 to {longest} was found")
    return best


def _cut_board(rows: int, columns: int, longest: int, draws: Stream) -> Puzzle:
    """A run that is too long is cut where that leaves the fewest runs of one cell; in the end these
    are blocked."""

    def block(board: Puzzle, cell: tuple[int, int]) -> Puzzle:
        r, c = cell
        return _with_words(board, {cell: BLOCKED, (rows + 1 - r, columns + 1 - c): BLOCKED})

    def lone(board: Puzzle) -> int:
        return sum(len(run.cells) == 1 for run in find_runs(board))

    row = (BLOCKED, *(OPEN,) * columns)
    board: Puzzle = ((BLOCKED,) * (columns + 1), *(row,) * rows)
    while True:
        runs = find_runs(board)
        wrong = [run for run in runs if len(run.cells) > longest]
        if wrong:
            cells = draws.shuffled(draws.choice(wrong).cells)
            board = min((block(board, cell) for cell in cells), key=lone)
            continue
        wrong = [run for run in runs if len(run.cells) == 1]
        if not wrong:
            return board
        board = block(board, wrong[0].cells[0])


def _tell_sums(board: Puzzle, digits: Sequence[int]) -> Puzzle:
    held = dict(zip(find_white(board), digits, strict=True))
    sums: dict[tuple[int, int], list[str]] = {}
    for run in find_runs(board):
        below = run.clue[1] == run.cells[0][1]
        sums.setdefault(run.clue, ["", ""])[not below] = str(sum(held[cell] for cell in run.cells))
    return _with_words(board, {cell: "\\".join(stated) for cell, stated in sums.items()})


def _with_words(rows: Puzzle, words: Mapping[tuple[int, int], str]) -> Puzzle:
    return tuple(
        tuple(words.get((r, c), word) for c, word in enumerate(row)) for r, row in enumerate(rows)
    )
