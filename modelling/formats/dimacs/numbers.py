"""Numbers of a DIMACS file as arrays: a file of 100 MB has some twenty million of them.

numpy does what a loop over the characters would do: it finds where tokens begin and end, and adds
up their digits, all tokens of a piece at once. Each number keeps its place, so that an error can
name it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from modelling.errors import InstanceError

PIECE = 1 << 22
"""Bytes that are looked at together."""

MOST_DIGITS = 18
"""A number of more digits does not fit 64 bits for sure; it is ``LONG``, whatever it is."""

LONG = np.iinfo(np.int64).max
HARD = np.iinfo(np.int64).min
"""What stands for a number that is too long, and for the letter h."""

_SPACE, _DIGIT, _MINUS, _LETTER = 1, 2, 3, 4

_KINDS = np.zeros(256, np.uint8)
_KINDS[list(b" \t\r\n\v\f")] = _SPACE
_KINDS[list(b"0123456789")] = _DIGIT
_KINDS[ord("-")] = _MINUS

_BLANK = re.compile(rb"\s")


Data = bytes | bytearray


class Numbers(NamedTuple):
    """The numbers of a piece, as 64-bit integers, and the byte at which each begins and ends."""

    values: Any
    starts: Any
    ends: Any


def place(data: Data, offset: int, source: str) -> str:
    """Where a byte of a file is, as ``source:line:column``."""
    before = data.rfind(b"\n", 0, offset) + 1
    line = data.count(b"\n", 0, before) + 1
    return f"{source}:{line}:{offset - before + 1}"


def without_comments(data: bytes, tell: Callable[[bytes, int], None]) -> Data:
    """The file with blanks in the place of comments; ``tell`` is given each, and where it begins.

    A comment is a line whose first word begins with c, or what follows a word c in a line.
    """
    plain: Data = data
    at = data.find(b"c")
    while at >= 0:
        after = at + 1
        if _is_comment(data, at):
            after = data.find(b"\n", at)
            after = len(data) if after < 0 else after
            tell(data[at:after], at)
            if not isinstance(plain, bytearray):
                plain = bytearray(data)
            plain[at:after] = b" " * (after - at)
        at = data.find(b"c", after)
    return plain


def _is_comment(data: bytes, at: int) -> bool:
    """Whether a letter c begins one."""
    before = at
    while before and data[before - 1] in b" \t":
        before -= 1
    if not before or data[before - 1] == ord("\n"):
        return True
    return before < at and data[at + 1 : at + 2] in (b"", b" ", b"\t", b"\r", b"\n")


def numbers_in(data: Data, begin: int, end: int, source: str, hard: bool = False) -> Iterator[Any]:
    """The numbers of a part of a file, piece by piece, as ``Numbers``.

    Raises InstanceError for anything else; with ``hard`` a word h is taken as ``HARD``.
    """
    while begin < end:
        stop = min(begin + PIECE, end)
        if stop < end:
            blank = _BLANK.search(data, stop, end)
            stop = end if blank is None else blank.start()
        yield _numbers(data, begin, stop, source, hard)
        begin = stop


def _numbers(data: Data, begin: int, end: int, source: str, hard: bool) -> Numbers:
    text = np.frombuffer(data, np.uint8, end - begin, begin)
    kinds = _KINDS[text]
    if hard:
        kinds[text == ord("h")] = _LETTER
    within = kinds != _SPACE
    edges = np.flatnonzero(within[1:] != within[:-1]) + 1
    first, last = bool(len(within) and within[0]), bool(len(within) and within[-1])
    edges = np.concatenate(([0] * first, edges, [len(text)] * last)).astype(np.int64)
    starts, ends = edges[::2], edges[1::2]
    is_start = np.zeros(len(text), bool)
    is_start[starts] = True
    lengths = ends - starts
    signed = kinds[starts] == _MINUS
    digits = lengths - signed
    odd = (kinds == 0) | ((kinds == _MINUS) & ~is_start)
    bad = np.flatnonzero(odd)
    lone = starts[digits == 0]
    letters = kinds == _LETTER
    if hard and letters.any():
        wrong = np.flatnonzero(letters & ~is_start)
        longer = starts[letters[starts] & (lengths > 1)]
        bad = np.concatenate((bad, wrong, longer))
    if len(bad) or len(lone):
        at = begin + int(min([*bad[:1], *lone[:1], *bad[-1:]]))
        raise InstanceError(f"{_word(data, at)!r} is no number", place(data, at, source))
    values = np.zeros(len(starts), np.int64)
    most = int(digits.max(initial=0))
    power = 1
    for k in range(min(most, MOST_DIGITS)):
        longer = digits > k
        if longer.all():
            values += (text[ends - 1 - k] - np.uint8(48)) * np.int64(power)
        else:
            some = np.flatnonzero(longer)
            values[some] += (text[ends[some] - 1 - k] - np.uint8(48)) * np.int64(power)
        power *= 10
    if most > MOST_DIGITS:
        values[digits > MOST_DIGITS] = LONG
    np.negative(values, out=values, where=signed)
    if hard:
        values[letters[starts]] = HARD
    return Numbers(values, starts + begin, ends + begin)


def _word(data: Data, at: int) -> str:
    """The word around a byte, shortened."""
    begin = at
    while begin and at - begin < 20 and not data[begin - 1 : begin].isspace():
        begin -= 1
    words = data[begin : begin + 40].split(None, 1)
    return words[0].decode("ascii", "backslashreplace") if words else ""
