"""``.sdk``: one puzzle a file, row by row, as SadMan Software Sudoku and SudoCue write it.

    #ARuud
    #DA random puzzle
    [Puzzle]
    2..1.5..3
    .54...71.
    ...

``#`` and a letter say more about the puzzle (``LETTERS``); the sections are

[Puzzle]        the givens; its heading may be missing
[State]         givens and placed digits
[PencilMarks]   the candidates of each row, commas between the cells, nothing in a filled cell

Several puzzles may follow each other: a heading ``[Puzzle]`` or a ``#`` line after a grid, or just
the next grid, begins another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from modelling.errors import InstanceError
from puzzles.formats import numbered, place
from puzzles.grid.reading import LONGEST_LINE, Grid, GridReader
from puzzles.grid.symbols import BLANKS, sign
from puzzles.sudoku.formats.entry import (
    HEADERS,
    RULES,
    Entry,
    disagreement,
    marks_text,
    mask_in,
    with_state,
)

LETTERS = dict(zip("ADCBSLU", HEADERS, strict=True))
PASSED_OVER = "passed over"
"""The sections of a puzzle that could not be read."""

MOST_TEXT = 100_000
"""Characters that all headers of a puzzle may have together."""

_SECTION = re.compile(r"\s*\[([A-Za-z\s]*)\]\s*")
_HEADER = re.compile(r"#([A-Za-z])(.*)")


def begins(line: str) -> bool:
    """Whether a line is the heading of a section."""
    found = _SECTION.fullmatch(line)
    return found is not None and _heading(found[1]) in ("puzzle", "state", "pencilmarks")


def describes(line: str) -> bool:
    """Whether a line is a ``#`` header, and not a comment of another kind."""
    found = _HEADER.fullmatch(line)
    return found is not None and found[1] in LETTERS


def _heading(text: str) -> str:
    return "".join(text.split()).casefold()


def read(lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """The entries of ``lines``."""
    reader = _Reader(source)
    for number, line in numbered(lines):
        yield from reader.line(number, line)
    yield from reader.end()


class _Reader:
    """What has been read of one input."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.puzzle = GridReader(source, RULES, drawn=True)
        self.state = GridReader(source, RULES, drawn=True)
        self.forget()

    def forget(self) -> None:
        """Begin another puzzle."""
        self.state.drop()
        self.section = "puzzle"
        self.about: dict[str, str] = {}
        self.entry: Entry | None = None
        self.trouble: InstanceError | None = None
        self.filled: list[int] | None = None
        self.marks: list[int] = []

    def line(self, number: int, line: str) -> list[Entry | InstanceError]:
        """The entries that end with this line."""
        if len(line) > LONGEST_LINE:
            cause = f"{len(line)} characters on a line"
            return self.fail(InstanceError(cause, self.at(number, LONGEST_LINE + 1)))
        section = _SECTION.fullmatch(line)
        if section:
            return self.begin(_heading(section[1]), number)
        if line.startswith("#"):
            return self.header(number, line)
        if self.section == "puzzle":
            return self.row(number, line)
        if self.section == "state":
            for found in self.state.line(number, line):
                self.found_state(found)
        elif self.section == "pencilmarks" and line.strip():
            self.marks_row(number, line)
        return []

    def begin(self, section: str, number: int) -> list[Entry | InstanceError]:
        """A heading."""
        if section == "puzzle":
            ended = self.end() if self.entry or not self.puzzle.idle else []
            self.section = section
            return ended
        if self.section == PASSED_OVER:
            return []
        ended = self.close_puzzle()
        if self.entry is None:
            if not ended:
                cause = f"[{section[:20]}] where [Puzzle] should come first"
                ended = self.fail(InstanceError(cause, self.at(number, 1)))
            self.section = PASSED_OVER
            return ended
        self.close_state()
        self.section = section
        return ended

    def header(self, number: int, line: str) -> list[Entry | InstanceError]:
        """A line that says something about the puzzle, or a comment."""
        found = _HEADER.fullmatch(line)
        key = LETTERS.get(found[1].upper()) if found else None
        if found is None or key is None:
            return []
        if self.section == PASSED_OVER:
            self.forget()
        ended = self.end() if self.entry or not self.puzzle.idle else []
        text = found[2].strip()
        if text:
            self.about[key] = f"{self.about[key]}\n{text}" if key in self.about else text
        if sum(map(len, self.about.values())) > MOST_TEXT:
            self.about = {}
            cause = f"more than {MOST_TEXT} characters of headers"
            return [*ended, InstanceError(cause, self.at(number, 1))]
        return ended

    def row(self, number: int, line: str) -> list[Entry | InstanceError]:
        """A line of the givens."""
        ended: list[Entry | InstanceError] = []
        for found in self.puzzle.line(number, line):
            if isinstance(found, InstanceError):
                ended += self.fail(found)
                continue
            about = {} if self.entry else self.about
            if self.entry:
                ended += self.finish()
            self.entry, self.about = Entry(found), about
        return ended

    def found_state(self, found: Grid | InstanceError) -> None:
        """A grid of [State], or what is wrong with it."""
        if isinstance(found, InstanceError):
            self.trouble = self.trouble or found
            return
        assert self.entry is not None
        at = found.place(self.source, 0)
        self.trouble = self.trouble or disagreement(self.entry, found.values, "[State]", at)
        self.filled = list(found.values)

    def marks_row(self, number: int, line: str) -> None:
        """A line of [PencilMarks]."""
        if self.entry is None:
            return
        order = self.entry.layout.order
        cells = line.split(",") if "," in line else line.split()
        if len(cells) == order + 1 and not cells[-1].strip():
            cells.pop()
        column = 1
        for cell in cells:
            text = cell.strip()
            mask = 0 if text in BLANKS else mask_in(text, order)
            if mask is None:
                cause = f"{text[:20]!r} is no list of candidates"
                self.trouble = self.trouble or InstanceError(cause, self.at(number, column))
            self.marks.append(mask or 0)
            column += len(cell) + 1
        if len(cells) != order or len(self.marks) > self.entry.layout.cells:
            cause = (
                f"{len(cells)} cells in a row of [PencilMarks], expected {order} rows of {order}"
            )
            self.trouble = self.trouble or InstanceError(cause, self.at(number, len(line) + 1))
            self.marks.clear()

    def at(self, number: int, column: int) -> str:
        """A place in the input."""
        return place(self.source, number, column)

    def close_puzzle(self) -> list[Entry | InstanceError]:
        """The givens end here."""
        ended: list[Entry | InstanceError] = []
        for found in self.puzzle.close():
            if isinstance(found, InstanceError):
                ended += self.fail(found)
            else:
                self.entry = Entry(found)
        return ended

    def close_state(self) -> None:
        """The section [State], if it was open, ends here."""
        for found in self.state.close():
            self.found_state(found)

    def fail(self, error: InstanceError) -> list[Entry | InstanceError]:
        """The error, and before it the puzzle that was complete."""
        ended = self.finish()
        return [*ended, error]

    def end(self) -> list[Entry | InstanceError]:
        """The entries that have not ended yet."""
        ended = self.close_puzzle()
        self.close_state()
        return [*ended, *self.finish()]

    def finish(self) -> list[Entry | InstanceError]:
        """The puzzle that was read, with all that was said about it; then another begins."""
        entry, trouble, filled, marks = self.entry, self.trouble, self.filled, self.marks
        about = self.about
        self.forget()
        if trouble is not None:
            return [trouble]
        if entry is None:
            return []
        if marks and len(marks) != entry.layout.cells:
            cause = f"{len(marks)} cells of [PencilMarks], the puzzle has {entry.layout.cells}"
            return [InstanceError(cause, entry.grid.place(self.source, 0))]
        described = Entry(entry.grid, about=about)
        return [with_state(described, filled, marks or None)]


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """Headers, [Puzzle], and [State] and [PencilMarks] where they are; a blank line between."""
    between = ""
    for entry in entries:
        lines = [
            f"#{letter}{text}"
            for letter, key in LETTERS.items()
            for text in str(entry.about.get(key, "")).splitlines()
        ]
        lines += ["[Puzzle]", *_rows(entry, entry.givens)]
        if entry.placed is not None:
            lines += ["[State]", *_rows(entry, entry.filled())]
        if entry.candidates is not None:
            order = entry.layout.order
            texts = [marks_text(mask, order) for mask in entry.candidates]
            rows = [texts[k : k + order] for k in range(0, len(texts), order)]
            lines += ["[PencilMarks]", *map(",".join, rows)]
        yield between + "\n".join(lines) + "\n"
        between = "\n"


def _rows(entry: Entry, values: Iterable[int]) -> list[str]:
    order = entry.layout.order
    text = "".join(sign(value, order) for value in values)
    return [text[k : k + order] for k in range(0, len(text), order)]
