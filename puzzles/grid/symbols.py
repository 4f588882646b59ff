"""How values are written in text.

Up to order 35 a value is one sign: ``1``-``9``, then ``A`` for 10, ``B`` for 11, ... (small letters
are read too). A blank is ``.``, ``0``, ``*``, ``_``, ``X``, ``x`` or a space (which of them where
not all can be meant, ``puzzles.grid.rows`` says); ``X`` is a value where the order reaches it (33).
Any order may be written as numbers between spaces or commas, and above 35 that is the only way.

Two other habits are understood in grids of more than 9 values:

hexadecimal   ``0`` beside another blank sign, and the last value's sign nowhere: ``0`` is that
              last value (so 16x16 grids written with 0-9 and A-F are read)
letters       no ``1``-``9`` at all and letters beyond the last value's sign: ``A`` is 1
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from functools import lru_cache

SIGNS = "123456789" + string.ascii_uppercase
"""``SIGNS[v - 1]`` is value v."""

BLANK = "."
BLANKS = ".0*_Xx "
_BLANK_SET = frozenset(BLANKS)
_SURE_BLANKS = frozenset(".*_ ")


def signs_of(order: int) -> str:
    """The signs of the values 1..order; empty when only numbers will do."""
    return SIGNS[:order] if order <= len(SIGNS) else ""


def encode(values: Sequence[int], order: int) -> str:
    """The cells as canonical text, blanks (0) as ``.``; with commas where signs run out.

    What is not a value of this order becomes ``?``, so that a wrong solution can be shown too.
    """
    known = _signs(order)
    return ("" if order <= len(SIGNS) else ",").join([known.get(value, "?") for value in values])


def sign(value: int, order: int) -> str:
    """The sign of one value in text; ``.`` for 0."""
    return _signs(order).get(value, "?")


@lru_cache(maxsize=64)
def _signs(order: int) -> Mapping[int, str]:
    values = range(1, order + 1)
    of = SIGNS[:order] if order <= len(SIGNS) else map(str, values)
    return {0: BLANK, **dict(zip(values, of, strict=True))}


def decode(cells: Sequence[str], order: int) -> list[int | None]:
    """The value of each cell, 0 for a blank, None for what is neither."""
    if any(len(cell) > 1 for cell in cells) or order > len(SIGNS):
        return [_number(cell, order) for cell in cells]
    table = _table(order, _habit(frozenset(cells), order))
    return [table.get(cell) for cell in cells]


def _number(cell: str, order: int) -> int | None:
    if cell in _BLANK_SET:
        return 0
    known = cell.isascii() and cell.isdigit() and len(cell) < 6 and int(cell) <= order
    return int(cell) if known else None


def _habit(cells: frozenset[str], order: int) -> str:
    if order <= 9:
        return "plain"
    last = signs_of(order)[-1]
    if "0" in cells and cells & _SURE_BLANKS and not cells & {last, last.lower()}:
        return "hexadecimal"
    letters = {cell.upper() for cell in cells if cell.isascii() and cell.isalpha()}
    beyond = letters - set(signs_of(order)) - {"X"}
    if beyond and order <= len(string.ascii_uppercase) and not cells & set("123456789"):
        return "letters"
    return "plain"


@lru_cache(maxsize=64)
def _table(order: int, habit: str) -> Mapping[str, int]:
    signs = string.ascii_uppercase[:order] if habit == "letters" else signs_of(order)
    table = dict.fromkeys(BLANKS, 0)
    for value, sign in enumerate(signs, 1):
        table[sign] = table[sign.lower()] = value
    if habit == "hexadecimal":
        table["0"] = order
    return table


@lru_cache(maxsize=64)
def masks(order: int) -> Mapping[str, int]:
    """Canonical sign -> mask over the base domain 1..order."""
    table = {sign: 1 << k for k, sign in enumerate(signs_of(order))}
    return {**table, BLANK: (1 << order) - 1}


def describe_signs(order: int) -> str:
    """The signs that a grid of this order may hold, for messages."""
    if order > len(SIGNS):
        return f"a number from 1 to {order}"
    signs = (
        f"1-{order}" if order <= 9 else "1-9, A" + (f"-{SIGNS[order - 1]}" if order > 10 else "")
    )
    return f"one of {signs}"
