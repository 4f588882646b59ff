"""HoDoKu library lines: givens, placed digits and deleted candidates on one line.

    :0000:x:.5+78....:::

The fields after the first colon, as the description of HoDoKu's regression test library has them:

technique      a number; 0000 where none is meant
candidates     the digits that the technique is about; x for none
givens         81 cells row by row, ``+`` before a digit that was placed
deleted        candidates that are gone although no filled cell forbids them: digit, row, column
eliminations   what the technique deletes, written likewise
placements     what it places, written likewise
extra          anything

Fields at the end may be missing; without a technique's step the last is. What a technique is and
does is passed on under the keys of ``STEP``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from modelling.errors import InstanceError
from puzzles.formats import is_comment, numbered, place
from puzzles.grid.reading import LONGEST_LINE, Grid
from puzzles.grid.symbols import BLANK, BLANKS, describe_signs, sign
from puzzles.sudoku import sudoku_layout
from puzzles.sudoku.formats.entry import STEP, Entry, possible, values_of, with_state

_FIELDS = ("technique", "digits", "givens", "deleted", "eliminations", "placements", "extra")
_UNSAID = {"technique": "0000", "digits": "x"}
_START = re.compile(r"\s*:\w{4}(?:-\w+)?:")
_CANDIDATE = re.compile(r"[^\s,]+")
_LAYOUT = sudoku_layout(9)


def begins(line: str) -> bool:
    """Whether a line looks like one of a library."""
    return _START.match(line) is not None


def read(lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """The entries of ``lines``."""
    for number, line in numbered(lines):
        if is_comment(line) or not line.strip():
            continue
        try:
            yield _entry(line, source, number)
        except InstanceError as error:
            yield error


def _entry(line: str, source: str, number: int) -> Entry:
    def fail(cause: str, column: int) -> InstanceError:
        return InstanceError(cause, place(source, number, column))

    start = len(line) - len(line.lstrip())
    if len(line) > LONGEST_LINE:
        raise fail(f"{len(line)} characters on a line", LONGEST_LINE + 1)
    if not line.startswith(":", start):
        raise fail("a line of a HoDoKu library begins with a colon", start + 1)
    texts = line[start + 1 :].split(":", len(_FIELDS) - 1)
    if len(texts) < 3:
        raise fail("the third field should hold the givens", len(line) + 1)
    columns = [start + 2]
    for text in texts:
        columns.append(columns[-1] + len(text) + 1)
    texts[-1] = texts[-1].rstrip()
    if len(texts) == len(_FIELDS):
        texts[-1] = texts[-1].removesuffix(":")

    givens, placed, places = [], [], []
    plus = False
    for column, one in enumerate(texts[2], columns[2]):
        if one == "+" and not plus:
            plus = True
            continue
        value = int(one) if one in "123456789" else 0 if one in BLANKS else None
        if value is None or (plus and not value):
            expected = "a digit after +" if plus else f"{describe_signs(9)}, + or a blank"
            raise fail(f"{one!r} where {expected} should be", column)
        givens.append(0 if plus else value)
        placed.append(value if plus else 0)
        places.append((number, column))
        plus = False
    if plus or len(givens) != _LAYOUT.cells:
        raise fail(f"{len(givens)} cells found, expected 81", columns[2] + len(texts[2]))
    grid = Grid(_LAYOUT, bytes(givens), number, places=places)
    said = dict(zip(_FIELDS, texts, strict=False))
    about = {key: said[key] for key in STEP if said.get(key, "") not in ("", _UNSAID.get(key))}
    entry = with_state(Entry(grid, about=about), placed if any(placed) else None, None)
    deleted = said.get("deleted", "")
    if not deleted.strip():
        return entry
    masks = possible(_LAYOUT, entry.filled())
    for found in _CANDIDATE.finditer(deleted):
        text = found[0]
        if len(text) != 3 or not set(text) <= set("123456789"):
            cause = f"{text[:20]!r} is no deleted candidate: digit, row and column, each 1-9"
            raise fail(cause, columns[3] + found.start())
        value, row, column = map(int, text)
        masks[(row - 1) * 9 + column - 1] &= ~(1 << value - 1)
    return with_state(entry, placed, masks)


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """One line each."""
    for entry in entries:
        placed = entry.placed or [0] * 81
        cells = [
            f"+{sign(own, 9)}" if own else sign(given, 9) if given else BLANK
            for given, own in zip(entry.givens, placed, strict=True)
        ]
        said = {key: _one_line(entry.about.get(key, "")) for key in STEP}
        fields = {**said, "givens": "".join(cells), "deleted": _list_deleted(entry)}
        step = any(said[key] for key in ("eliminations", "placements", "extra"))
        written = _FIELDS if step else _FIELDS[:-1]
        yield "".join(f":{fields[key] or _UNSAID.get(key, '')}" for key in written) + "\n"


def _list_deleted(entry: Entry) -> str:
    if entry.candidates is None:
        return ""
    left = possible(entry.layout, entry.filled())
    gone = [mask & ~kept for mask, kept in zip(left, entry.candidates, strict=True)]
    listed = [
        f"{value}{cell // 9 + 1}{cell % 9 + 1}"
        for cell, mask in enumerate(gone)
        for value in values_of(mask)
    ]
    return " ".join(sorted(listed))


def _one_line(value: object) -> str:
    return " ".join(str(value).replace(":", " ").split())
