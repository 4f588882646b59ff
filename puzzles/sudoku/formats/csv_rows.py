"""CSV as the public sets of a million and more puzzles have it: a puzzle a row.

    quizzes,solutions                        puzzle,solution,clues,difficulty
    0043002090050090010700600430060020...    1..5.37..6.3..8.9......98...1.......8...

The head says which column is what (``PUZZLE``, ``SOLUTION``, ``NAME``); what the other columns say
is passed on under their names, except the number of clues, which is counted. Without a head the
first column is the puzzle and the second, if it is filled, the solution. Columns are parted by
commas, semicolons or tabs. A row is a line: no field goes over its end.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from modelling.errors import InstanceError
from puzzles.formats import is_comment, numbered, place
from puzzles.grid.symbols import BLANKS
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.formats.entry import Entry, grid_in, solution_in

PUZZLE = ("puzzle", "puzzles", "quizzes", "quiz", "question", "givens", "sudoku")
SOLUTION = ("solution", "solutions", "answer", "answers", "solved")
NAME = ("name", "title")
CLUES = ("clues", "givens_count", "num_clues")
COLUMNS = ("puzzle", "solution", "clues", "difficulty", "name")
"""What is written."""

LONGEST_ROW = 200_000
"""A puzzle of order 100 and its solution need some 80,000 characters."""

_PARTERS = (",", ";", "\t")
_KEY = re.compile(r"[^\W\d]\w*(?:[ .-]\w+)*")


@dataclass(frozen=True, slots=True)
class _Head:
    """How the columns are parted, what they are called, and which of them are known."""

    parter: str
    keys: tuple[str, ...]
    puzzle: int
    solution: int | None
    name: int | None


def begins(line: str) -> bool:
    """Whether a line is the head of such a file."""
    return len(line) <= LONGEST_ROW and _head(line) is not None


def _head(line: str) -> _Head | None:
    for parter in _PARTERS:
        keys = tuple(key.strip().strip('"').strip().casefold() for key in line.split(parter))
        known = [k for k, key in enumerate(keys) if key in PUZZLE]
        if known and all(_KEY.fullmatch(key) or not key for key in keys):
            return _Head(parter, keys, known[0], _column(keys, SOLUTION), _column(keys, NAME))
    return None


def _column(keys: Sequence[str], names: Sequence[str]) -> int | None:
    return next((k for k, key in enumerate(keys) if key in names), None)


def _headless(line: str) -> _Head:
    parter = next((sign for sign in _PARTERS if sign in line), ",")
    return _Head(parter, ("puzzle", "solution"), 0, 1, None)


def read(lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """The entries of ``lines``."""
    head: _Head | None = None
    for number, line in numbered(lines):
        if not line.strip() or is_comment(line):
            continue
        try:
            if len(line) > LONGEST_ROW:
                cause = f"{len(line)} characters on a line"
                raise InstanceError(cause, place(source, number, LONGEST_ROW + 1))
            if head is None:
                head = _head(line)
                if head is not None:
                    continue
                head = _headless(line)
            yield _entry(line, head, source, number)
        except InstanceError as error:
            yield error


def _entry(line: str, head: _Head, source: str, number: int) -> Entry:
    fields = _fields(line, head.parter, source, number)
    if len(fields) <= head.puzzle:
        cause = f"{len(fields)} columns, and the puzzle is expected in column {head.puzzle + 1}"
        raise InstanceError(cause, place(source, number, len(line) + 1))
    text = fields[head.puzzle]
    grid = grid_in(text, source, number, _start(line, fields, head.puzzle))
    solution = None
    if head.solution is not None and len(fields) > head.solution:
        given = fields[head.solution]
        if given.strip(BLANKS):
            at = _start(line, fields, head.solution)
            solution = solution_in(given, grid, source, number, at)
    name = fields[head.name] if head.name is not None and len(fields) > head.name else ""
    used = (head.puzzle, head.solution, head.name)
    about = {
        key: field
        for k, (key, field) in enumerate(zip(head.keys, fields, strict=False))
        if field and key and k not in used and key not in CLUES
    }
    return Entry(grid, name.strip(), solution, about=about)


def _fields(line: str, parter: str, source: str, number: int) -> list[str]:
    if '"' not in line:
        return line.split(parter)
    try:
        return next(csv.reader([line], delimiter=parter, strict=True, skipinitialspace=True))
    except (csv.Error, StopIteration) as error:
        cause = f"no row of a CSV file: {error} (a quoted field must end on its line)"
        raise InstanceError(cause, place(source, number, line.index('"') + 1)) from error


def _start(line: str, fields: Sequence[str], k: int) -> int:
    """The column at which field ``k`` begins."""
    if '"' in line:
        return max(line.find(fields[k]), 0) + 1
    return sum(map(len, fields[:k])) + k + 1


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """A head, and a row for each."""
    yield ",".join(COLUMNS) + "\n"
    for entry in entries:
        solution = "" if entry.solution is None else SUDOKU.text(entry.layout, entry.solution)
        givens = entry.givens
        row = (
            SUDOKU.text(entry.layout, givens),
            solution,
            str(len(givens) - list(givens).count(0)),
            _field(str(entry.about.get("difficulty", ""))),
            _field(entry.name),
        )
        yield ",".join(map(_quote, row)) + "\n"


def _field(text: str) -> str:
    """One line of printable text."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def _quote(text: str) -> str:
    if any(one in text for one in ',"'):
        return '"' + text.replace('"', '""') + '"'
    return text
