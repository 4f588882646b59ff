"""JSON lines: one object a line, for programs that keep everything that is known of a puzzle.

    {"puzzle": "53..7....6..195...", "solution": "534678912...", "name": "a name"}

puzzle       the cells as one text; a list of numbers, or of rows of numbers, is read too
solution     likewise
box          rows and columns of a box, ``"3x2"`` or ``[3, 2]``; needed where the number of cells
             does not tell it
state        givens and placed digits, as ``puzzle``
candidates   one text for each cell, such as ``"247"``; empty for a filled cell
name         what it is called

Every other key is passed on as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from modelling.errors import InstanceError
from puzzles.formats import is_comment, numbered, place
from puzzles.grid.layout import Layout
from puzzles.grid.reading import Grid
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.formats.csv_rows import PUZZLE, SOLUTION
from puzzles.sudoku.formats.entry import (
    SHOWN_ORDER,
    Entry,
    disagreement,
    grid_in,
    marks_text,
    mask_in,
    solution_in,
    with_state,
)

LONGEST_LINE = 200_000
DEEPEST = 20
"""How deep objects and lists may be nested in what is passed on."""

_BOX = re.compile(r"\s*(\d{1,3})\s*[xX×]\s*(\d{1,3})\s*")
_KNOWN = ("box", "state", "candidates", "name")


def begins(line: str) -> bool:
    """Whether a line is one of such a file."""
    return line.lstrip().startswith("{")


def read(lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """The entries of ``lines``."""
    for number, line in numbered(lines):
        if not line.strip() or is_comment(line):
            continue
        try:
            yield _Object(line, source, number).entry()
        except InstanceError as error:
            yield error


class _Object:
    """The object on one line."""

    def __init__(self, line: str, source: str, number: int) -> None:
        self.line, self.source, self.number = line, source, number
        if len(line) > LONGEST_LINE:
            self.fail(f"{len(line)} characters on a line", LONGEST_LINE + 1)
        try:
            data = json.loads(line, parse_constant=_no_number)
        except json.JSONDecodeError as error:
            self.fail(f"no JSON: {error.msg}", error.colno)
        except (ValueError, RecursionError) as error:
            self.fail(f"no JSON that can be used: {error}", 1)
        if not isinstance(data, dict):
            self.fail("a line should hold one object, {...}", 1)
        if not _is_shallow(data, DEEPEST):
            self.fail(f"more than {DEEPEST} objects and lists in each other", 1)
        if "\\u" in line:  # half of a pair of surrogates is not text
            text = json.dumps(data, ensure_ascii=False)
            data = json.loads(text.encode("utf-8", "replace"))
        self.data: dict[str, Any] = data

    def fail(self, cause: str, column: int) -> NoReturn:
        raise InstanceError(cause, place(self.source, self.number, column))

    def key(self, names: Sequence[str]) -> str | None:
        """The key of ``names`` that the object has."""
        folded = {key.casefold(): key for key in self.data}
        return next((folded[name] for name in names if name in folded), None)

    def column(self, text: str, key: str) -> int:
        """The column at which a value begins, if the line holds it unchanged."""
        found = self.line.find(f'"{text}"')
        return (found + 1 if found >= 0 else max(self.line.find(f'"{key}"'), 0)) + 1

    def text(self, key: str) -> str:
        """The cells under a key as text."""
        value = self.data[key]
        if isinstance(value, str):
            return value
        rows = value if isinstance(value, list) else [value]
        cells = [cell for row in rows for cell in (row if isinstance(row, list) else [row])]
        known = all(isinstance(c, int | str) and not isinstance(c, bool) for c in cells)
        if not cells or not known or isinstance(value, int):
            self.fail(f"{key!r} should be the cells as text", self.column("", key))
        if all(len(str(cell)) == 1 for cell in cells):
            return "".join(map(str, cells))
        return ",".join(map(str, cells))

    def entry(self) -> Entry:
        """The puzzle."""
        data = self.data
        puzzle, solution = self.key(PUZZLE), self.key(SOLUTION)
        if puzzle is None:
            self.fail('there is no "puzzle" in the object', 1)
        grid = self.grid(puzzle)
        entry = Entry(grid)
        given = data[solution] if solution is not None else None
        values = None
        if solution is not None and given not in (None, "", []):
            text = self.text(solution)
            at = self.column(text, solution)
            values = solution_in(text, grid, self.source, self.number, at)
        name = data.get("name")
        if not isinstance(name, str | int | None) or isinstance(name, bool):
            self.fail('"name" should be text', self.column("", "name"))
        used = {puzzle, solution, *_KNOWN}
        about = {key: value for key, value in data.items() if key not in used}
        entry = Entry(grid, "" if name is None else str(name), values, about=about)
        return with_state(entry, self.state(entry), self.candidates(grid.layout))

    def grid(self, key: str) -> Grid:
        """The givens."""
        text, prefix = self.text(key), ""
        box = self.data.get("box")
        if box is not None:
            if isinstance(box, list):
                box = "x".join(map(str, box))
            found = _BOX.fullmatch(box) if isinstance(box, str) else None
            if found is None:
                self.fail('"box" should be rows and columns, as "2x3"', self.column("", "box"))
            prefix = "" if ":" in text else f"{found[1]}x{found[2]}:"
        at = self.column(text, key)
        return grid_in(text, self.source, self.number, at, prefix)

    def state(self, entry: Entry) -> Sequence[int] | None:
        """Givens and placed digits."""
        if self.data.get("state") is None:
            return None
        text = self.text("state")
        at = self.column(text, "state")
        values = solution_in(text, entry.grid, self.source, self.number, at)
        wrong = disagreement(entry, values, '"state"', place(self.source, self.number, at))
        if wrong is not None:
            raise wrong
        return values

    def candidates(self, layout: Layout) -> list[int] | None:
        """The mask of each cell."""
        texts = self.data.get("candidates")
        if texts is None:
            return None
        at = self.column("", "candidates")
        if not isinstance(texts, list) or len(texts) != layout.cells:
            self.fail(f'"candidates" should be a list of {layout.cells} texts', at)
        masks = [_mask(text, layout.order) for text in texts]
        if None in masks:
            self.fail(f"{str(texts[masks.index(None)])[:20]!r} is no list of candidates", at)
        return [mask or 0 for mask in masks]


def _mask(given: object, order: int) -> int | None:
    if isinstance(given, str) and order <= SHOWN_ORDER:
        return mask_in(given, order)
    values = given.split() if isinstance(given, str) else given
    if not isinstance(values, list):
        return None
    mask = 0
    for value in values:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= order):
            return None
        mask |= 1 << int(text) - 1
    return mask


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _is_shallow(value: object, deepest: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return deepest > 0 and all(_is_shallow(one, deepest - 1) for one in inner)


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """One object each."""
    for entry in entries:
        yield json.dumps(_data(entry), ensure_ascii=False) + "\n"


def _data(entry: Entry) -> dict[str, Any]:
    layout = entry.layout
    data: dict[str, Any] = {"puzzle": SUDOKU.text(layout, entry.givens)}
    if entry.solution is not None:
        data["solution"] = SUDOKU.text(layout, entry.solution)
    if entry.name:
        data["name"] = entry.name
    if SUDOKU.rules.prefix(layout) and layout.box:
        data["box"] = f"{layout.box[0]}x{layout.box[1]}"
        for key in ("puzzle", "solution"):
            if key in data:
                data[key] = data[key].rpartition(":")[2]
    if entry.placed is not None:
        data["state"] = SUDOKU.text(layout, entry.filled()).rpartition(":")[2]
    if entry.candidates is not None and layout.order <= SHOWN_ORDER:
        data["candidates"] = [marks_text(mask, layout.order) for mask in entry.candidates]
    return {**data, **{key: value for key, value in entry.about.items() if key not in data}}
