"""Reads grids drawn over several lines: givens, what was placed since, and candidates.

Simple Sudoku files and pencil-mark grids are such drawings; they differ in what is written. A grid
of *marks* shows in each cell the candidates that remain, as one word; a single sign is a filled
cell, a blank sign an open cell without candidates. Frames, bars and borders may be missing::

    *-----------*          *-----------------------*
    |1..|...|..5|          | 1     234   23  | ...
    |...|42.|.1.|          | 56    567   78  | ...

What belongs to one puzzle: a grid; after it, if there is one, a grid that keeps all its values and
adds some (they were placed); after these, if there is one, a grid of marks that agrees with them.
Then single signs in cells that are open are candidates. (A grid of single signs with spaces between
them, after one without, is one of marks too.) A grid of marks that is alone is a puzzle of its
own, whose givens are its single signs. A line that begins with ``#`` begins another puzzle and may
name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from modelling.errors import InstanceError
from puzzles.formats import is_comment, name_in, numbered, place
from puzzles.grid.reading import LONGEST_LINE, Grid, GridReader, drawn_box
from puzzles.grid.rows import BAR, Cells, is_rule
from puzzles.grid.symbols import BLANKS, sign
from puzzles.sudoku import ORDERS
from puzzles.sudoku.formats.entry import RULES, Entry, extends, marks_text, mask_in, with_state

MOST_RECENT = 100
"""Lines of one grid that are looked at again; no grid with its borders needs more."""

_DECLARED = re.compile(r"\s*#\s*(family|about|sets)\s*:")
_HEADLINE = re.compile(r"\s*(?=\w*[Q-WYZq-wyz])[A-Za-z]{4,}(\s.*)?")
"""A line of words, such as ``Candidate Grid``: a word with a letter that no grid to 25x25 has."""


def begins(line: str) -> bool:
    """Whether a file that begins so is a drawing that only this reader understands whole."""
    return len(line) <= LONGEST_LINE and (is_rule(line) or marked_row(line) is not None)


def marked_row(line: str) -> Cells | None:
    """The cells of a row of marks; None if the line is not such a row, or need not be one.

    Values ascend in each cell, so that it cannot be groups of cells of a filled row.
    """
    cells = _words(line)
    order = len(cells)
    if order not in ORDERS or all(len(text) == 1 for text, _ in cells):
        return None
    if order > 9 and all(text in BLANKS or _is_number(text, order) for text, _ in cells):
        return None  # values written as numbers
    masks = [mask_in(text, order) for text, _ in cells]
    known = all(
        text in BLANKS if mask is None else text.upper() == marks_text(mask, order)
        for mask, (text, _) in zip(masks, cells, strict=True)
    )
    return cells if known else None


def _words(line: str) -> Cells:
    return [(m[0], m.start() + 1) for m in re.finditer(r"\S+", BAR.sub(" ", line))]


def _is_number(text: str, order: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= order


def _stack(line: str) -> int:
    """The number of cells between two bars, 0 if it differs."""
    counts = {len(part.split()) for part in BAR.split(line)} - {0}
    return counts.pop() if len(counts) == 1 else 0


def read(lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """The entries of ``lines``."""
    reader = _Reader(source)
    for number, line in numbered(lines):
        yield from reader.line(number, line)
    yield from reader.end()


class _Marks:
    """Rows of a grid of marks; ``borders`` are the numbers of rows before each border."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.rows: list[tuple[int, Cells]] = []
        self.stacks: list[int] = []
        self.borders: list[int] = []

    def add(self, number: int, cells: Cells, stack: int) -> None:
        self.rows.append((number, cells))
        self.stacks.append(stack)

    @property
    def complete(self) -> bool:
        return len(self.rows) >= self.order


class _Reader:
    """What has been read of one input."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.plain = GridReader(source, RULES, drawn=True)
        self.marks: _Marks | None = None
        self.entry: Entry | None = None
        self.marked = False
        self.title = ""
        self.recent: list[tuple[int, str]] = []
        self.compact = False

    def line(self, number: int, line: str) -> list[Entry | InstanceError]:
        """The entries that end with this line."""
        if is_comment(line):
            ended = self.end()
            self.title = "" if _DECLARED.match(line) else name_in(line)
            return ended
        if self.marks is not None:
            return self.marks_line(number, line, self.marks)
        if len(line) <= LONGEST_LINE:
            cells = marked_row(line) or self.expected_marks(line)
            if cells is not None:
                return self.begin_marks(number, line, cells)
            if self.plain.idle and _HEADLINE.fullmatch(line):
                return []
        if self.plain.idle:
            self.recent.clear()
        if line.strip() and len(self.recent) < MOST_RECENT:
            self.recent.append((number, line))
        return self.grids(self.plain.line(number, line))

    def expected_marks(self, line: str) -> Cells | None:
        """The cells of a row that is one of marks because of the grid before it."""
        entry = self.entry
        if entry is None or self.marked or not self.compact or not self.plain.idle:
            return None
        cells = _words(line)
        return cells if len(cells) == entry.layout.order and not is_rule(line) else None

    def begin_marks(self, number: int, line: str, cells: Cells) -> list[Entry | InstanceError]:
        """The first row of marks that can be nothing else; rows before it may be some too."""
        marks = _Marks(len(cells))
        ended: list[Entry | InstanceError] = []
        if not self.plain.idle:
            before = [(at, text, _words(text)) for at, text in self.recent]
            rows = [words for _, text, words in before if not is_rule(text)]
            if all(len(words) == marks.order for words in rows):
                self.plain.drop()
                for at, text, words in before:
                    if is_rule(text):
                        marks.borders.append(len(marks.rows))
                    else:
                        marks.add(at, words, _stack(text))
            else:
                ended = self.grids(self.plain.close())
        marks.add(number, cells, _stack(line))
        self.marks = marks
        return [*ended, *self.end_marks()] if marks.complete else ended

    def marks_line(self, number: int, line: str, marks: _Marks) -> list[Entry | InstanceError]:
        """A line after a row of marks."""
        if is_rule(line):
            marks.borders.append(len(marks.rows))
            return []
        box = RULES.layout(marks.order, None).box
        if not line.strip() and box and len(marks.rows) % box[0] == 0:
            return []
        cells = _words(line) if len(line) <= LONGEST_LINE else []
        if len(cells) != marks.order:
            return [*self.end_marks(), *self.line(number, line)]
        marks.add(number, cells, _stack(line))
        return self.end_marks() if marks.complete else []

    def end_marks(self) -> list[Entry | InstanceError]:
        """The grid of marks ends here."""
        marks, self.marks = self.marks, None
        if marks is None:
            return []
        order = marks.order
        last, cells = marks.rows[-1]
        if len(marks.rows) != order:
            cause = f"{len(marks.rows)} rows of {order} cells; the grid should have {order} rows"
            return self.fail(InstanceError(cause, self.at(last, cells[-1][1] + len(cells[-1][0]))))
        filled, masks = [], []
        for number, cells in marks.rows:
            for text, column in cells:
                mask = 0 if text in BLANKS else mask_in(text, order)
                if mask is None:
                    cause = f"{text[:20]!r} is no list of candidates"
                    return self.fail(InstanceError(cause, self.at(number, column)))
                masks.append(mask)
                filled.append(mask.bit_length() if mask.bit_count() == 1 else 0)
        layout = RULES.layout(order, drawn_box(marks.stacks, marks.borders))
        places = [(number, column) for number, cells in marks.rows for _, column in cells]
        entry = self.entry
        if entry is not None and not self.marked and entry.layout == layout:
            known = entry.filled()
            if extends(known, filled) is None:
                self.entry, self.marked = with_state(entry, known, masks), True
                return []
        grid = Grid(layout, filled, marks.rows[0][0], places=places)
        ended = self.finish()
        self.entry, self.marked = with_state(self.named(grid), None, masks), True
        return ended

    def at(self, number: int, column: int) -> str:
        """A place in the input."""
        return place(self.source, number, column)

    def grids(self, found: Iterable[Grid | InstanceError]) -> list[Entry | InstanceError]:
        """What ends with these plain grids, each of which belongs to the puzzle or begins one."""
        ended: list[Entry | InstanceError] = []
        for one in found:
            row = self.recent[-1][1] if self.recent else ""
            self.compact = isinstance(one, Grid) and len(_words(row)) != one.layout.order
            if isinstance(one, InstanceError):
                ended += self.fail(one)
            elif self.continues(one):
                assert self.entry is not None
                self.entry = with_state(self.entry, one.values, None)
            else:
                ended += self.finish()
                self.entry = self.named(one)
        return ended

    def continues(self, grid: Grid) -> bool:
        """Whether a grid is the puzzle with more values in it, drawn over several lines."""
        entry = self.entry
        if entry is None or self.marked or entry.placed is not None:
            return False
        if not grid.places or grid.places[-1][0] == grid.line or entry.layout != grid.layout:
            return False
        givens: Sequence[int] = entry.givens
        return extends(givens, grid.values) is None and list(givens) != list(grid.values)

    def named(self, grid: Grid) -> Entry:
        """The entry that begins with a grid."""
        name, self.title = name_in(grid.tail) or self.title, ""
        return Entry(grid, name)

    def fail(self, error: InstanceError) -> list[Entry | InstanceError]:
        """The error, and before it the puzzle that was complete."""
        return [*self.finish(), error]

    def end(self) -> list[Entry | InstanceError]:
        """The entries that have not ended yet."""
        ended = [*self.end_marks(), *self.grids(self.plain.close())]
        return [*ended, *self.finish()]

    def finish(self) -> list[Entry | InstanceError]:
        """The puzzle that was read; then another begins."""
        entry, self.entry, self.marked = self.entry, None, False
        return [] if entry is None else [entry]


# --- writing -------------------------------------------------------------------------------------


def heading(entry: Entry, first: bool) -> list[str]:
    """The lines before a puzzle: its name, and a separator from the one before."""
    name = name_in(entry.name.replace("#", " "))
    return [f"# {name}" if name else "#"] if name or not first else []


def frame(entry: Entry, values: Iterable[int]) -> list[str]:
    """A grid of single signs in Simple Sudoku's frame."""
    return _frame(entry, [sign(value, entry.layout.order) for value in values], "", "")


def framed_marks(entry: Entry) -> list[str]:
    """A grid of marks in Simple Sudoku's frame."""
    order = entry.layout.order
    pairs = zip(entry.filled(), entry.marks(), strict=True)
    texts = [
        sign(value, order) if value else marks_text(mask, order) or sign(0, order)
        for value, mask in pairs
    ]
    width = max(map(len, texts))
    return _frame(entry, [text.ljust(width) for text in texts], " ", " ")


def _frame(entry: Entry, texts: Sequence[str], between: str, margin: str) -> list[str]:
    order = entry.layout.order
    high, wide = entry.layout.box or (order, order)
    rows = []
    for start in range(0, order * order, order):
        row = texts[start : start + order]
        parts = [between.join(row[k : k + wide]) for k in range(0, order, wide)]
        rows.append("|" + "|".join(f"{margin}{part}{margin}" for part in parts) + "|")
    pieces = ["-" * len(part) for part in rows[0].strip("|").split("|")]
    frame = "*" + "-".join(pieces) + "*"
    border = "|" + "+".join(pieces) + "|"
    drawn = [frame]
    for k, row in enumerate(rows):
        if k and k % high == 0:
            drawn.append(border)
        drawn.append(row)
    return [*drawn, frame]
