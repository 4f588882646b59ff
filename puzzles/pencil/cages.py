"""Cages: connected cells of a square grid with a result, as killer Sudoku and KenKen have them.

Text is the rows of the grid as letters, then a colon and the results. Cells that touch and have one
letter are a cage, so that a few letters suffice; a dot is a cell without a cage. The results are
in the order in which the cages begin, row by row: ``ABB AAB CCB: 6 7 5`` (three cages).

Words
-----
sign        the sign of an operation after a result, or nothing
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from modelling.errors import InstanceError
from puzzles.formats import Locate
from puzzles.grid.layout import Layout
from puzzles.grid.symbols import sign as value_sign
from puzzles.lines import split_words
from puzzles.pictures import NEW, Picture, rule_cells
from puzzles.random_stream import Stream


@dataclass(frozen=True, slots=True, order=True)
class Cage:
    """Cells (ascending), and what they make."""

    cells: tuple[int, ...]
    number: int
    sign: str = ""

    @property
    def label(self) -> str:
        """The result as it is written: ``12x``."""
        return f"{self.number}{self.sign}"


_LETTERS = string.ascii_uppercase + string.ascii_lowercase

ReadResult = Callable[[str, tuple[int, ...], str], Cage]
"""A word, the cells, the word's place -> a cage; raises ``InstanceError``."""


def neighbours(order: int, cell: int) -> Iterator[int]:
    """The cells that touch it: above, left, right, below."""
    row, column = divmod(cell, order)
    if row:
        yield cell - order
    if column:
        yield cell - 1
    if column < order - 1:
        yield cell + 1
    if row < order - 1:
        yield cell + order


def parse_cages(
    body: str, start: int, order: int, locate: Locate, read_result: ReadResult
) -> tuple[Cage, ...]:
    """The cages in a line from ``start`` (from 0) on, by their first cells.

    Raises ``InstanceError``.
    """
    drawn, colon, _ = body[start:].partition(":")
    end = start + len(drawn)
    rows = split_words(body[:end], start)
    if not rows and not colon:
        return ()
    if len(rows) != order:
        cause = f"{len(rows)} rows of letters; write {order} of {order} letters or dots each"
        raise InstanceError(cause, locate(rows[0][1] if rows else end + 1))
    for row, column in rows:
        if len(row) != order:
            cause = f"a row of {len(row)} cells, {row[:40]!r}; it must have {order}"
            raise InstanceError(cause, locate(column))
        for k, letter in enumerate(row):
            if letter != "." and letter not in string.ascii_letters:
                cause = f"{letter!r} is neither a letter, of a cage, nor a dot"
                raise InstanceError(cause, locate(column + k))
    regions = find_regions(order, "".join(row for row, _ in rows))
    results = split_words(body, end + 1)
    if len(results) != len(regions):
        cause = f"{len(results)} results for {len(regions)} cages; write a colon and one for each"
        raise InstanceError(cause, locate(results[0][1] if results else end + 1))
    return tuple(
        read_result(word, cells, locate(column))
        for cells, (word, column) in zip(regions, results, strict=True)
    )


def find_regions(order: int, letters: Sequence[str]) -> list[tuple[int, ...]]:
    """Cells that touch and have one letter, by the first of them; those with a dot are in none."""
    seen: set[int] = set()
    found = []
    for first, letter in enumerate(letters):
        if letter == "." or first in seen:
            continue
        region, waiting = {first}, [first]
        while waiting:
            for near in neighbours(order, waiting.pop()):
                if letters[near] == letter and near not in region:
                    region.add(near)
                    waiting.append(near)
        seen |= region
        found.append(tuple(sorted(region)))
    return found


def write_cages(order: int, cages: Sequence[Cage]) -> str:
    """The canonical text of cages by their first cells; each has the first letter that is free."""
    letters = ["."] * order**2
    for cage in cages:
        around = {letters[near] for cell in cage.cells for near in neighbours(order, cell)}
        letter = next(sign for sign in _LETTERS if sign not in around)
        for cell in cage.cells:
            letters[cell] = letter
    if not cages:
        return ""
    rows = ("".join(letters[k : k + order]) for k in range(0, order**2, order))
    return f"{' '.join(rows)}: {' '.join(cage.label for cage in cages)}"


# --- drawing -------------------------------------------------------------------------------------

_ACROSS = {(True, True): "=", (True, False): "-", (False, True): ".", (False, False): " "}
_DOWN = {(True, True): "#", (True, False): "|", (False, True): ":", (False, False): " "}
"""How a border is drawn, by whether it is one of a cage, and one of a box."""


def draw_cages(layout: Layout, cages: Sequence[Cage], values: Sequence[int]) -> str:
    """The grid with a result in the first cell of each cage, and values (0: open) below.

    Borders of cages are ``-`` and ``|``, where they are borders of boxes too ``=`` and ``#``; those
    of boxes within a cage are dotted.
    """
    n = layout.order
    high, wide = layout.box or (n + 1, n + 1)
    owner = {cell: k for k, cage in enumerate(cages) for cell in cage.cells}
    labels = {cage.cells[0]: cage.label for cage in cages}
    width = max(3, *map(len, labels.values()), len(str(n))) if labels else 3

    def above(r: int, c: int) -> str:
        edge = r in (0, n) or owner.get(r * n + c) != owner.get(r * n + c - n)
        return _ACROSS[edge, layout.box is not None and r % high == 0]

    def before(r: int, c: int) -> str:
        edge = c in (0, n) or owner.get(r * n + c) != owner.get(r * n + c - 1)
        return _DOWN[edge, layout.box is not None and c % wide == 0]

    def corner(r: int, c: int) -> str:
        ends = [above(r, x) for x in (c - 1, c) if 0 <= x < n]
        ends += [before(y, c) for y in (r - 1, r) if 0 <= y < n]
        return "+" if set(ends) - set(" .:") else "." if set(ends) - {" "} else " "

    drawn = []
    for r in range(n + 1):
        rule = (corner(r, c) + above(r, c) * width for c in range(n))
        drawn.append("".join(rule) + corner(r, n))
        if r == n:
            break
        cells = range(r * n, r * n + n)
        edges = [before(r, c) for c in range(n + 1)]
        for given in (
            [f"{labels.get(cell, ''):{width}}" for cell in cells],
            [f"{value_sign(values[cell], n):^{width}}" for cell in cells],
        ):
            drawn.append("".join(map("".join, zip(edges, [*given, ""], strict=True))))
    return "\n".join(drawn)


_CELL, _GAP = 46, 3
"""Pixels of a cell, and between a cage and the lines of the board."""


def sketch_cages(layout: Layout, cages: Sequence[Cage], values: Sequence[int]) -> Picture:
    """The grid with a dashed line around each cage, its result in its first cell, and values."""
    n = layout.order
    made = Picture()
    rule_cells(made, n, n, layout.box or (n, n), _CELL, _CELL)
    for cage in cages:
        for cell in cage.cells:
            row, column = divmod(cell, n)
            inside = {near - cell for near in neighbours(n, cell) if near in cage.cells}
            left = column * _CELL + _GAP * (-1 not in inside)
            right = (column + 1) * _CELL - _GAP * (1 not in inside)
            top = row * _CELL + _GAP * (-n not in inside)
            bottom = (row + 1) * _CELL - _GAP * (n not in inside)
            sides = {
                -n: ((left, top), (right, top)),
                -1: ((left, top), (left, bottom)),
                1: ((right, top), (right, bottom)),
                n: ((left, bottom), (right, bottom)),
            }
            for way, side in sides.items():
                if way not in inside:
                    made.line(side, dashed=True)
        row, column = divmod(cage.cells[0], n)
        made.text(column * _CELL + 6, row * _CELL + 11, cage.label, 11, anchor="start")
    for cell, value in enumerate(values):
        row, column = divmod(cell, n)
        shown = value_sign(value, n)
        made.text((column + 0.5) * _CELL, (row + 0.62) * _CELL, shown, 18, NEW)
    return made


# --- generating ----------------------------------------------------------------------------------


def draw_cages_until(
    order: int,
    largest: int,
    draws: Stream,
    may_join: Callable[[Sequence[int], int], bool],
    make: Callable[[tuple[int, ...]], Cage],
    suffice: Callable[[tuple[Cage, ...]], bool],
) -> tuple[Cage, ...]:
    """Random cages of at most ``largest`` cells that suffice.

    A cage grows by cells that ``may_join`` it, and ``make`` gives it a result. As long as all do
    not suffice, one of the largest is split; cages of single cells must suffice. Then single cells
    join a cage beside them where the cages still suffice.
    """
    cages = {cells: make(cells) for cells in _draw_partition(order, largest, draws, may_join)}
    while True:
        found = tuple(sorted(cages.values()))
        if suffice(found):
            break
        size = max(map(len, cages))
        if size == 1:
            raise ValueError("a full grid does not suffice: it was not counted right")
        chosen = draws.choice([cells for cells in sorted(cages) if len(cells) == size])
        del cages[chosen]
        cages |= {cells: make(cells) for cells in _split(order, chosen, draws)}
    for cell in draws.shuffled([cells[0] for cells in cages if len(cells) == 1]):
        beside = [
            cells
            for cells in sorted(cages)
            if len(cells) < largest
            and may_join(cells, cell)
            and not set(cells).isdisjoint(neighbours(order, cell))
        ]
        if (cell,) not in cages or not beside:  # it may have been joined by another cell
            continue
        chosen = draws.choice(beside)
        joined = make(tuple(sorted((*chosen, cell))))
        left = {cells: cage for cells, cage in cages.items() if cells not in (chosen, (cell,))}
        found = tuple(sorted((*left.values(), joined)))
        if suffice(found):
            cages = {cage.cells: cage for cage in found}
    return tuple(sorted(cages.values()))


def _draw_partition(
    order: int, largest: int, draws: Stream, may_join: Callable[[Sequence[int], int], bool]
) -> list[tuple[int, ...]]:
    free = set(range(order**2))
    found = []
    for first in draws.shuffled(range(order**2)):
        if first not in free:
            continue
        free.discard(first)
        cage, size = [first], 2 + draws.below(largest - 1) if largest > 1 else 1
        while len(cage) < size:
            around = {near for cell in cage for near in neighbours(order, cell)}
            fit = sorted(cell for cell in around & free if may_join(cage, cell))
            if not fit:
                break
            cage.append(draws.choice(fit))
            free.discard(cage[-1])
        found.append(tuple(sorted(cage)))
    return found


def _split(order: int, cells: Sequence[int], draws: Stream) -> list[tuple[int, ...]]:
    """Half of a cage, which is connected, and the parts that the other half falls into."""
    half = {draws.choice(cells)}
    while len(half) < len(cells) // 2:
        around = {near for cell in half for near in neighbours(order, cell)}
        half.add(draws.choice(sorted(around.intersection(cells) - half)))
    letters = ["."] * order**2
    for cell in cells:
        letters[cell] = "A" if cell in half else "B"
    return find_regions(order, letters)
