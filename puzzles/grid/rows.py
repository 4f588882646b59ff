"""The cells on one line of text.

A line of cells is written in one of these ways; they are tried in this order:

by rows     n groups of n signs, spaces or commas between them
barred      with vertical bars, ``| 5 . 3 | . 7 . |``, also ``5 . 3 | . 7 .`` and ``|53.|.7.|``;
            blanks may be spaces as long as every cell keeps its place
compact     one sign a cell without spaces; what follows a space or comma is a name (not in grids
            of order 2 and 3, where it might be more cells)
spaced      one sign a cell, spaces (and no other sign) for blanks, exactly as many as a grid has
separated   signs or numbers between spaces or commas, or groups of signs: ``53. .7. 1.9``
mixed       as spaced, with other blank signs too, and no space at either end
stripped    as spaced, of a 9x9 grid, where an editor has taken away the blanks at the end
decorated   a 9x9 grid that differs from the other signs on its line: they are all blank signs or
            borders, and one kind of blank sign makes 81 cells with the values; where several would,
            the first of ``0 . X * _ space``; a single sign more is a cell too many

A name follows a comma (compact: or a space) or a comment sign.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from math import isqrt

from puzzles.formats import split_comment
from puzzles.grid.symbols import BLANKS, signs_of

Cells = list[tuple[str, int]]
"""The value of each cell, and its column in the line (from 1)."""

BAR = re.compile("[|¦│┃║┆┇┊┋╎╏]")
_RULES = frozenset(" \t+-=|*.:,'`¦" + "".join(map(chr, range(0x2500, 0x2580))))
_RULED = ("--", "==", "──", "━━", "══")
PREFERRED = "0.X*_ "
"""Which blank sign is meant, where several could be."""
_DECORATION = frozenset(PREFERRED + "\t+-=:,;/")
_FIRST = re.compile(r"\s*([^\s,]+)")
_PIECE = re.compile(r"[^\s,]+")
LEAST_NAMED = 16
STRIPPED_ORDER = DECORATED_ORDER = 9
STRIPPED_LEAST = 37
"""A 9x9 line without its last blanks is believed from this length on (36 is a 6x6 grid)."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """The cells of a line, the text after them, and how many cells are between two bars."""

    cells: Cells
    tail: str = ""
    stack: int = 0


def is_rule(line: str) -> bool:
    """Whether the line is a horizontal border, such as ``+-------+-------+``."""
    return any(stroke in line for stroke in _RULED) and _RULES.issuperset(line)


def scan(line: str, wholes: Collection[int], rows: Collection[int]) -> Scanned:
    """The cells of ``line``; ``wholes`` and ``rows`` are the numbers of cells that make sense.

    The number of cells found may be none of these: then it is what a message should say.
    """
    body, comment = split_comment(line)
    if BAR.search(body):
        return _scan_barred(body, comment, wholes, rows)
    return (
        _by_rows(body, comment, wholes)
        or _compact(body, comment, wholes)
        or _scan_spaced(body, comment, wholes)
        or _scan_separated(body, comment, wholes, rows)
        or _scan_mixed(body, comment, wholes)
        or _scan_stripped(body, comment, wholes)
        or _scan_decorated(body, comment, wholes)
        or Scanned(_guess(body), comment)
    )


def _signs(text: str, start: int) -> Cells:
    return [(sign, start + k) for k, sign in enumerate(text, 1)]


def _by_rows(body: str, comment: str, wholes: Collection[int]) -> Scanned | None:
    pieces = _pieces(body, 0)
    square = len(pieces) ** 2 in wholes and {len(piece) for piece, _ in pieces} == {len(pieces)}
    return Scanned(_split(pieces), comment) if square else None


def _compact(body: str, comment: str, wholes: Collection[int]) -> Scanned | None:
    first = _FIRST.match(body)
    if first is None or len(first[1]) not in wholes:
        return None
    rest = body[first.end() :]
    if rest.strip(" \t,") and len(first[1]) < LEAST_NAMED:
        return None
    return Scanned(_signs(first[1], first.start(1)), rest + comment)


def _holds_only(text: str, order: int, blanks: str) -> bool:
    return not set(text.upper()) - set(signs_of(order) + blanks)


def _scan_spaced(body: str, comment: str, wholes: Collection[int]) -> Scanned | None:
    text, comma, name = body.partition(",")
    for count in sorted(wholes, reverse=True):
        cut = text[:count]
        if len(text) < count or text[count:].strip() or not cut.strip() or " " not in cut:
            continue
        if _holds_only(cut, isqrt(count), " "):
            return Scanned(_signs(cut, 0), comma + name + comment)
    return None


def _scan_mixed(body: str, comment: str, wholes: Collection[int]) -> Scanned | None:
    text = body.strip()
    if len(text) in wholes and _holds_only(text, isqrt(len(text)), BLANKS.upper()):
        return Scanned(_signs(text, body.index(text)), comment)
    return None


def _scan_stripped(body: str, comment: str, wholes: Collection[int]) -> Scanned | None:
    text, comma, name = body.partition(",")
    count = STRIPPED_ORDER * STRIPPED_ORDER
    fits = STRIPPED_LEAST <= len(text) < count and " " in text.rstrip() and count in wholes
    if not fits or not _holds_only(text, STRIPPED_ORDER, " "):
        return None
    return Scanned(_signs(text.ljust(count), 0), comma + name + comment)


def _scan_decorated(body: str, comment: str, wholes: Collection[int]) -> Scanned | None:
    text = body.upper()
    cells = DECORATED_ORDER * DECORATED_ORDER
    values = set(signs_of(DECORATED_ORDER))
    # a single sign more is not decoration, but a cell too many
    if cells not in wholes or len(body) < cells + 2 or set(text) - values - _DECORATION:
        return None
    given = sum(sign in values for sign in text)
    for blank in PREFERRED:
        if given and given + text.count(blank) == cells:
            kept = [(sign, k) for k, sign in enumerate(text, 1) if sign in values or sign == blank]
            return Scanned(kept, comment)
    return None


def _scan_separated(
    body: str, comment: str, wholes: Collection[int], rows: Collection[int]
) -> Scanned | None:
    cells = _pieces(body, 0)
    if len(cells) in wholes and _are_values(cells, isqrt(len(cells))):
        return Scanned(cells, comment)
    if not _is_even(body):
        return None
    if len(cells) in rows and _are_values(cells, len(cells)):
        return Scanned(cells, comment)
    total = sum(len(piece) for piece, _ in cells)
    if total in wholes or total in rows:
        return Scanned(_split(cells), comment)
    return None


def _pieces(text: str, start: int) -> Cells:
    return [(m[0], start + m.start() + 1) for m in _PIECE.finditer(text)]


def _split(cells: Cells) -> Cells:
    return [sign for piece, column in cells for sign in _signs(piece, column - 1)]


def _are_values(cells: Cells, order: int) -> bool:
    """Whether each piece can be one cell: a single sign, or a number that is not too large."""
    return all(
        len(piece) == 1 or (piece.isascii() and piece.isdigit() and int(piece[:6]) <= order)
        for piece, _ in cells
    )


def _is_even(body: str) -> bool:
    """Whether no gap is so wide that it could hold blank cells."""
    return "   " not in body.strip()


def _guess(body: str) -> Cells:
    """The cells as far as a person would count them on a line that is not a grid."""
    cells = _pieces(body, 0)
    if cells and len(cells[0][0]) > len(cells):
        return _signs(cells[0][0], cells[0][1] - 1)
    return cells if _are_values(cells, 99) else _split(cells)


def _scan_barred(
    body: str, comment: str, wholes: Collection[int], rows: Collection[int]
) -> Scanned:
    segments = _segments(body)
    width = max(len(text) for text, _ in segments)
    padded = [(text.ljust(width), start) for text, start in segments]
    first, start = segments[0]
    padded[0] = (first.rjust(width), start - (width - len(first)))
    for pitch, margin in ((2, 1), (2, -1), (1, 0), (3, 1)):
        cells = _place_cells(padded, width, pitch, margin, rows)
        if cells is not None:
            return Scanned(cells, comment, len(cells) // len(segments))
    cells = [cell for text, start in segments for cell in _pieces(text, start)]
    if not (len(cells) in wholes or len(cells) in rows) or not _are_values(cells, 99):
        cells = _split(cells)
    return Scanned(cells, comment, len(cells) // len(segments))


def _segments(body: str) -> list[tuple[str, int]]:
    """The text between bars, with its offset. A frame is there only if it has both sides."""
    start = 0
    found = []
    for bar in BAR.finditer(body):
        found.append((body[start : bar.start()], start))
        start = bar.end()
    found.append((body[start:], start))
    if len(found) > 2 and not found[0][0].strip() and not found[-1][0].strip():
        return found[1:-1]
    return found


def _place_cells(
    segments: list[tuple[str, int]], width: int, pitch: int, margin: int, rows: Collection[int]
) -> Cells | None:
    """The cells if each takes ``pitch`` signs of its segment; None if they do not.

    ``margin`` is how many signs wider a segment is than its cells: ``| 5 . 3 |`` has one more,
    ``|5 . 3|`` one less.
    """
    stack, rest = divmod(width - margin, pitch)
    order = stack * len(segments)
    if rest or stack < 1 or order not in rows:
        return None
    cells = []
    for text, start in segments:
        between = text[0 if margin == 1 else 1 :: 2] if pitch == 2 else text[stack * pitch :]
        if between.strip():
            return None
        for k in range(0, stack * pitch, pitch):
            sign = text[k : k + pitch]
            cells.append((sign.strip() or " ", start + k + 1 + len(sign) - len(sign.lstrip())))
    return cells if _are_values(cells, order) else None
