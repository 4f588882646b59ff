"""Reads grids from text, one per line or one over several lines with or without borders.

A line that holds as many cells as a whole grid is a grid. Lines that hold a row each make a grid
together: bars and horizontal borders say which boxes it has. A *block* is the run of such lines
that has not ended yet; it ends when it is complete, at a blank line (unless it is between two
bands of boxes), at a line that is a whole grid, and at the end of the input.

Sixteen cells are a 4x4 grid or a row of a 16x16 grid. Without bars they are a row if sixteen such
lines follow each other and at least half of them hold a sign that a 4x4 grid cannot have. (Grids
of order 2 and 3, which only Latin squares have, are not looked for among rows.)

``RxC:`` before the cells gives the box shape, ``N:`` the order, and thereby the number of cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isqrt
from statistics import mode

from modelling.errors import InstanceError
from modelling.wording import plural
from puzzles.files import DAMAGES
from puzzles.formats import default_name, is_comment, name_in, numbered, place
from puzzles.grid.layout import Layout
from puzzles.grid.rows import Scanned, is_rule, scan
from puzzles.grid.symbols import BLANK, BLANKS, decode, describe_signs

_PREFIX = re.compile(r"\s*(\d{1,3})(?:\s*[xX×]\s*(\d{1,3}))?\s*:")
_HEADING = re.compile(r"\s*(grid\s+\d+)\s*", re.IGNORECASE)
_DIGITS = b"123456789"
LONGEST_LINE = 50_000
LEAST_LISTED = 16
"""The cells of a grid of order 4; smaller grids are not looked for among rows."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What grids of one family look like in text.

    ``orders`` are the orders that the number of cells alone tells; ``layout(order, None)`` is the
    layout of such a grid, ``layout(order, box)`` that of a grid whose prefix or borders give a box
    shape. It raises ``InstanceError`` for shapes that the family does not have. ``prefix(layout)``
    comes before the cells in canonical text.
    """

    orders: tuple[int, ...]
    layout: Callable[[int, tuple[int, int] | None], Layout]
    prefix: Callable[[Layout], str]


@dataclass(slots=True)
class Grid:
    """A grid as it was read: ``values`` row by row, 0 for a blank.

    ``places`` are the (line, column) of its cells; None when they follow each other from
    ``column`` on ``line``.
    """

    layout: Layout
    values: Sequence[int]
    line: int
    tail: str = ""
    places: Sequence[tuple[int, int]] | None = None
    column: int = 1

    def place(self, source: str, cell: int) -> str:
        """The place of a cell, as ``source:line:column``."""
        line, column = self.places[cell] if self.places else (self.line, self.column + cell)
        return place(source, line, column)

    def name(self, source: str) -> str:
        """What it is called."""
        return (name_in(self.tail) if self.tail else "") or default_name(source, self.line)


@dataclass(slots=True)
class _Row:
    line: int
    scanned: Scanned


@dataclass(slots=True)
class _Block:
    """Rows that may become a grid. ``borders`` and ``gaps`` hold, for each border and for each gap
    between bands, the number of rows before it."""

    rows: list[_Row] = field(default_factory=list)
    borders: list[int] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """Grids of one layout that are read together: most often on lines that follow each other and
    hold nothing but their cells.

    ``values`` are their cells one after the other, 0 for a blank; the first is on ``line``.
    ``grids`` are the grids themselves, where they are arranged otherwise (in other formats).
    """

    layout: Layout
    values: bytes
    line: int
    grids: tuple[Grid, ...] = ()

    def __len__(self) -> int:
        return len(self.values) // self.layout.cells

    def __getitem__(self, k: int) -> Grid:
        cells = self.layout.cells
        if not 0 <= k < len(self):
            raise IndexError(k)
        if self.grids:
            return self.grids[k]
        return Grid(self.layout, self.values[k * cells : (k + 1) * cells], self.line + k)


def grids(lines: Iterable[str], source: str, rules: Rules) -> Iterator[Grid | InstanceError]:
    """Every grid in ``lines`` in order; an ``InstanceError`` for what cannot be read."""
    for found in runs(lines, source, rules, longest=1):
        yield found[0] if isinstance(found, Run) else found


def runs(
    lines: Iterable[str], source: str, rules: Rules, longest: int
) -> Iterator[Run | Grid | InstanceError]:
    """Like ``grids``, but plain grids on consecutive lines come together, at most ``longest``."""
    reader = GridReader(source, rules)
    waiting: list[Run] = []
    found = False
    try:
        for number, line in numbered(lines):
            quick = reader.plain(number, line) if reader.idle else None
            if waiting and (quick is None or quick.layout is not waiting[0].layout):
                yield _run(waiting)
            if quick is None:
                for entry in reader.line(number, line):
                    found = True
                    yield entry
                continue
            found = True
            waiting.append(quick)
            if len(waiting) >= longest:
                yield _run(waiting)
    except DAMAGES:  # damaged further on: first what was read before
        if waiting:
            yield _run(waiting)
        raise
    if waiting:
        yield _run(waiting)
    for entry in reader.close():
        found = True
        yield entry
    if not found:
        yield InstanceError("there is no puzzle in the input", place(source, 1, 1))


def _run(waiting: list[Run]) -> Run:
    """The runs that wait as one; then none is waiting any longer."""
    run = Run(waiting[0].layout, b"".join([run.values for run in waiting]), waiting[0].line)
    waiting.clear()
    return run


class GridReader:
    """What has been read of one input.

    ``drawn`` says that a line of 16 cells is a row of a grid of order 16 and never a 4x4 grid.
    """

    def __init__(self, source: str, rules: Rules, drawn: bool = False) -> None:
        self.source = source
        self.rules = rules
        self.drawn = drawn
        self.wholes = [order * order for order in rules.orders]
        self.block = _Block()
        self._plain = _plain_forms(rules)

    @property
    def idle(self) -> bool:
        """Whether nothing is waiting for more lines."""
        return not self.block.rows and not self.block.heading

    def plain(self, number: int, line: str) -> Run | None:
        """The grid on a line that holds nothing but its cells, each one sign; the fast path."""
        known = self._plain.get(len(line))
        if known is None or not line.isascii() or " " in line:
            return None
        layout, table = known
        values = line.encode("ascii").translate(table)
        return None if b"\xff" in values else Run(layout, values, number)

    def line(self, number: int, line: str) -> list[Grid | InstanceError]:
        """The entries that end with this line."""
        if is_comment(line):
            return []
        if len(line) > LONGEST_LINE:
            cause = f"{len(line)} characters on a line; no grid needs more than {LONGEST_LINE}"
            return [
                *self.close(),
                InstanceError(cause, place(self.source, number, LONGEST_LINE + 1)),
            ]
        if not line.strip():
            return self.gap()
        if is_rule(line):
            if self.block.rows:
                self.block.borders.append(len(self.block.rows))
            return []
        heading = _HEADING.fullmatch(line)
        if heading:
            ended = self.close()
            self.block.heading = heading[1]
            return ended
        prefix = _PREFIX.match(line)
        if prefix:
            return [*self.close(), self.prefixed(number, line, prefix)]
        if self.block.rows:  # what may be read in two ways is read as the other rows were
            order = self.order()
            scanned = scan(line, self.wholes, (order,))
            if len(scanned.cells) == order:
                return self.cells(number, scanned)
        return self.cells(number, scan(line, self.wholes, self.rules.orders))

    def prefixed(self, number: int, line: str, prefix: re.Match[str]) -> Grid | InstanceError:
        """The grid on a line that begins with its shape."""
        try:
            layout = _layout(self.rules, prefix)
        except InstanceError as error:
            return InstanceError(error.cause, place(self.source, number, prefix.start(1) + 1))
        rest = line[prefix.end() :]
        scanned = scan(rest, (layout.cells,), ())
        moved = [(sign, column + prefix.end()) for sign, column in scanned.cells]
        row = _Row(number, Scanned(moved, scanned.tail))
        if len(moved) != layout.cells:
            return self.miscounted(row, [layout])
        return self.grid(layout, [row])

    def cells(self, number: int, scanned: Scanned) -> list[Grid | InstanceError]:
        """A line of cells: a grid, a row of one, or neither."""
        row = _Row(number, scanned)
        count = len(scanned.cells)
        if count in self.wholes and count not in self.rules.orders:
            return [*self.close(), self.whole(row)]
        if count > max(self.rules.orders) or (
            count not in self.rules.orders and not scanned.stack and not self.block.rows
        ):
            return [*self.close(), self.miscounted(row)]
        return self.row(row)

    def row(self, row: _Row) -> list[Grid | InstanceError]:
        """A row of a grid, which may complete it."""
        block, ended = self.block, []
        if block.gaps and len(block.rows) >= self.band() * (len(block.gaps) + 1):
            ended = self.broken(block.gaps[-1])  # no gap where one was due: it was another grid
        self.block.rows.append(row)
        if len(self.block.rows) >= self.order():  # more when another length has become the usual
            return [*ended, *self.close()]
        return ended

    def order(self) -> int:
        """The number of cells that most rows of the block have."""
        return mode(len(row.scanned.cells) for row in self.block.rows)

    def band(self) -> int:
        """How many rows a band of boxes has."""
        order = self.order()
        if order not in self.rules.orders:
            return order
        box = self.rules.layout(order, None).box
        return box[0] if box else order

    def drop(self) -> None:
        """Forget what is waiting: someone else reads these lines."""
        self.block = _Block()

    def gap(self) -> list[Grid | InstanceError]:
        """A blank line: between two bands of a grid, or the end of it."""
        block = self.block
        if block.rows and len(block.rows) == self.band() * (len(block.gaps) + 1):
            block.gaps.append(len(block.rows))
            return []
        if block.rows and block.gaps and block.gaps[-1] == len(block.rows):
            return []
        return self.close()

    def broken(self, rows: int) -> list[Grid | InstanceError]:
        """The first ``rows`` rows as a grid that is too short; the others stay."""
        rest = self.block.rows[rows:]
        self.block.rows = self.block.rows[:rows]
        ended = self.close()
        self.block.rows = rest
        return ended

    def close(self) -> list[Grid | InstanceError]:
        """The entries in the block, which ends here."""
        block, self.block = self.block, _Block()
        if not block.rows:
            return []
        if self.is_list(block):
            return [self.whole(row) for row in block.rows]
        return [self.assembled(block)]

    def is_list(self, block: _Block) -> bool:
        """Whether the rows are small grids, one a line, rather than one grid."""
        if self.drawn or block.borders or any(row.scanned.stack for row in block.rows):
            return False
        counts = [len(row.scanned.cells) for row in block.rows]
        order = mode(counts)
        if len(counts) < order:
            listed = [count for count in counts if count in self.wholes]
            return len(listed) == len(counts) or max(listed, default=0) >= LEAST_LISTED
        return order in self.wholes and order >= LEAST_LISTED and not self.is_drawn(block)

    def is_drawn(self, block: _Block) -> bool:
        """Whether enough rows hold signs of the larger grid that the block must be one."""
        foreign = 0
        for row in block.rows:
            signs = [sign for sign, _ in row.scanned.cells]
            foreign += None in decode(signs, isqrt(len(signs)))
        return 2 * foreign >= len(block.rows)

    def whole(self, row: _Row) -> Grid | InstanceError:
        """The grid on one line."""
        if len(row.scanned.cells) not in self.wholes:
            return self.miscounted(row)
        return self.grid(self.rules.layout(isqrt(len(row.scanned.cells)), None), [row])

    def assembled(self, block: _Block) -> Grid | InstanceError:
        """The grid made of a block's rows."""
        rows = block.rows
        order = mode(len(row.scanned.cells) for row in rows)
        for row in rows:
            count = len(row.scanned.cells)
            if count != order:
                cause = f"{count} cells in a row, where the grid's other rows have {order}"
                return InstanceError(cause, self.end(row))
        if order not in self.rules.orders:
            known = ", ".join(map(str, self.rules.orders))
            return InstanceError(f"rows of {order} cells; a grid has {known}", self.end(rows[0]))
        if len(rows) != order:
            cause = f"{len(rows)} rows of {order} cells; the grid should have {order} rows"
            return InstanceError(cause, self.end(rows[-1]))
        box = drawn_box([row.scanned.stack for row in rows], block.borders)
        layout = self.rules.layout(order, box)
        grid = self.grid(layout, rows)
        if isinstance(grid, Grid) and not grid.tail:
            grid.tail = block.heading
        return grid

    def grid(self, layout: Layout, rows: list[_Row]) -> Grid | InstanceError:
        """The grid of these rows' cells, unless one is foreign."""
        signs = [sign for row in rows for sign, _ in row.scanned.cells]
        places = [(row.line, column) for row in rows for _, column in row.scanned.cells]
        values = decode(signs, layout.order)
        if None in values:
            foreign = values.index(None)
            cause = (
                f"{signs[foreign]!r} is neither {describe_signs(layout.order)} "
                f"nor a blank ({' '.join(BLANKS.strip())} or space)"
            )
            return InstanceError(cause, place(self.source, *places[foreign]))
        known = [value for value in values if value is not None]
        return Grid(layout, known, rows[0].line, rows[0].scanned.tail, places)

    def miscounted(self, row: _Row, layouts: Sequence[Layout] = ()) -> InstanceError:
        """The error for a line whose number of cells fits no grid; it names the nearest grid."""
        count = len(row.scanned.cells)
        known = layouts or [self.rules.layout(order, None) for order in self.rules.orders]
        nearest = min(known, key=lambda layout: abs(layout.cells - count))
        cause = (
            f"{plural(count, 'cell')} found, expected {nearest.cells} "
            f"for a {nearest.order}x{nearest.order} grid"
        )
        if count > nearest.cells:
            return InstanceError(
                cause, place(self.source, row.line, row.scanned.cells[nearest.cells][1])
            )
        return InstanceError(cause, self.end(row))

    def end(self, row: _Row) -> str:
        """The place after a row's last cell."""
        sign, column = row.scanned.cells[-1] if row.scanned.cells else ("", 1)
        return place(self.source, row.line, column + len(sign))


def _layout(rules: Rules, prefix: re.Match[str]) -> Layout:
    first, second = prefix[1], prefix[2]
    if second is None:
        return rules.layout(int(first), None)
    return rules.layout(int(first) * int(second), (int(first), int(second)))


def drawn_box(stacks: Sequence[int], borders: Iterable[int]) -> tuple[int, int] | None:
    """The box shape that bars and borders draw, if they agree on one.

    ``stacks`` are, for each row, the cells between two bars; ``borders`` are the numbers of rows
    before each border.
    """
    order, wide = len(stacks), stacks[0]
    if set(stacks) != {wide} or not 1 < wide < order or order % wide:
        return None
    high = order // wide
    return (high, wide) if all(row % high == 0 for row in borders) else None


@lru_cache(maxsize=16)
def _plain_forms(rules: Rules) -> Mapping[int, tuple[Layout, bytes]]:
    """Number of cells -> layout and table, where signs are digits and no row is as long."""
    return {
        order * order: (rules.layout(order, None), _plain_table(order))
        for order in rules.orders
        if order <= 9 and order * order not in rules.orders
    }


def _plain_table(order: int) -> bytes:
    """Bytes of ASCII signs -> values; 0 for a blank, 255 for what is neither."""
    table = bytearray(b"\xff" * 256)
    for sign in BLANKS.encode():
        table[sign] = 0
    for value, sign in enumerate(_DIGITS[:order], 1):
        table[sign] = value
    return bytes(table)


def canonical_digits(values: bytes) -> str:
    """Values up to 9 as canonical text."""
    return values.translate(bytes([ord(BLANK), *_DIGITS]) + bytes(246)).decode("ascii")
