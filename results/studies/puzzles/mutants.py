"""Damaged files of each Sudoku format: whole files that a format's own writer made, then broken.

Words
-----
sample    a whole file: a few puzzles with all that the format holds
mutant    a sample after a few of ``OPERATIONS``

A mutant depends on its format, a seed and its number alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from zlib import crc32

from puzzles.random_stream import Stream
from puzzles.sudoku.entries import entries
from puzzles.sudoku.formats import FORMATS, Entry, Format
from puzzles.sudoku.formats.entry import HEADERS, possible, with_state

SETS = ("sudoku", "sudoku-sizes", "sudoku-several")
MOST_OPERATIONS = 5
LONG = 1 << 20
"""Bytes of the longest insertions."""

Operation = Callable[[bytearray, Stream], None]


@lru_cache(maxsize=1)
def _puzzles() -> tuple[Entry, ...]:
    found = [entry for name in SETS for entry in entries(name)]
    return tuple(entry for entry in found if isinstance(entry, Entry))


def sample(form: Format, stream: Stream) -> bytes:
    """A whole file."""
    known = [entry for entry in _puzzles() if not form.refusal(entry.layout)]
    chosen = [_dressed(stream.choice(known), stream) for _ in range(1 + stream.below(4))]
    text = "".join(form.write(chosen))
    if stream.below(4) == 0:
        text = text.replace("\n", "\r\n")
    return text.encode(stream.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16")))


def _dressed(entry: Entry, stream: Stream) -> Entry:
    """The puzzle with a name, headers, placed digits and candidates, some of the time."""
    if stream.below(2):
        entry = replace(entry, name="a name, ünïcode")
    if stream.below(2):
        keys = (*HEADERS, "difficulty", "folder", "technique", "clues")
        entry = replace(entry, about={key: f"some {key}" for key in keys if stream.below(2)})
    if stream.below(2):
        marks = possible(entry.layout, entry.givens)
        filled = [
            given or (mask.bit_length() if mask.bit_count() == 1 else 0)
            for given, mask in zip(entry.givens, marks, strict=True)
        ]
        order = entry.layout.order
        kept = [mask & ~(1 << stream.below(order)) for mask in possible(entry.layout, filled)]
        entry = with_state(entry, filled if stream.below(2) else None, kept)
    return entry


def mutant(form: Format, seed: int, number: int) -> bytes:
    """Mutant ``number`` of a format."""
    stream = Stream(seed, crc32(form.name.encode()), number)
    data = bytearray(sample(form, stream))
    for _ in range(1 + stream.below(MOST_OPERATIONS)):
        stream.choice(OPERATIONS)(data, stream)
    return bytes(data)


# --- the operations ------------------------------------------------------------------------------


def _span(data: bytearray, stream: Stream) -> slice:
    """A part of the data, most often a short one."""
    start = stream.below(len(data) + 1)
    longest = stream.choice((1, 3, 20, 200, len(data) + 1))
    return slice(start, min(len(data), start + stream.below(longest) + 1))


def _flip(data: bytearray, stream: Stream) -> None:
    if data:
        data[stream.below(len(data))] ^= 1 << stream.below(8)


def _change(data: bytearray, stream: Stream) -> None:
    if data:
        data[stream.below(len(data))] = stream.choice(
            (*b"0123456789.+-*_xX |,:;#[]{}<>&\"'=/\\\t\n\r\x00\xff\x85AGZ",)
        )


def _delete(data: bytearray, stream: Stream) -> None:
    del data[_span(data, stream)]


def _duplicate(data: bytearray, stream: Stream) -> None:
    span = _span(data, stream)
    times = stream.choice((1, 1, 1, 2, 5, 100))
    part = bytes(data[span])[: LONG // times]
    data[span.stop : span.stop] = part * times


def _truncate(data: bytearray, stream: Stream) -> None:
    del data[stream.below(len(data) + 1) :]


def _move(data: bytearray, stream: Stream) -> None:
    span = _span(data, stream)
    part = bytes(data[span])
    del data[span]
    at = stream.below(len(data) + 1)
    data[at:at] = part


def _splice(data: bytearray, stream: Stream) -> None:
    """A part of a file of any format, put in or in place of the rest."""
    other = sample(FORMATS[stream.choice(tuple(FORMATS))], stream)
    at = stream.below(len(data) + 1)
    data[at : at if stream.below(2) else len(data)] = other[stream.below(len(other)) :]


def _swap_lines(data: bytearray, stream: Stream) -> None:
    lines = bytes(data).split(b"\n")
    one, two = stream.below(len(lines)), stream.below(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    data[:] = b"\n".join(lines)


def _drop_line_ends(data: bytearray, stream: Stream) -> None:
    end = stream.choice((b"", b" ", b"\r", b"\n\n", b"\x0b", b"\x00"))
    data[:] = bytes(data).replace(b"\n", end)


def _insert(data: bytearray, stream: Stream) -> None:
    at = stream.below(len(data) + 1)
    data[at:at] = stream.choice(_hostile())


def _replace_all(data: bytearray, stream: Stream) -> None:
    data[:] = stream.choice(_hostile())


@lru_cache(maxsize=1)
def _hostile() -> tuple[bytes, ...]:
    """Return content that breaks readers: long lines, bad text, deep nesting, huge numbers."""
    bomb = "".join(f'<!ENTITY e{k + 1} "{f"&e{k};" * 10}">' for k in range(12))
    external = '<!DOCTYPE opensudoku SYSTEM "file:///etc/hostname"><opensudoku/>'
    return (
        b"\x00",
        b"\x00" * 1000,
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xc3\x28\xed\xa0\x80\xf0\x9f",
        "\u2028\u2029\x85\x0b\x0c\x1c".encode(),
        "１２３٤".encode(),  # digits that are none here
        b"1" * LONG,
        b"." * LONG,
        b" " * LONG,
        b"#" * LONG,
        b"#A" + b"x" * LONG,
        b'"' * 2001,
        b"1," * (LONG // 4),
        b"\n" * 20_000,
        b"1\n" * 2_000,
        b"+-----+\n" * 4_000,
        b"| 12 | 34 |\n" * 2_000,
        b"[Puzzle]\n" * 2_000,
        b"[State]\n" * 2_000,
        b"#Ax\n" * 4_000,
        b"+" * 100_000,
        b":0000:x:" + b":" * 100_000,
        b"[" + b" " * 200_000 + b"x]",
        b"# family:" + b" " * 40_000 + b"x",
        b"# about: x" + b" " * 40_000 + b"x",
        b'<opensudoku><game data="version: 3 ' + b" " * 200_000 + b'x"/></opensudoku>',
        b"12" + b" " * 40_000 + b"x",
        b"[" * 200_000,
        b'{"puzzle":' * 4_000,
        b'{"puzzle": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"puzzle": ' + b"9" * 10_000 + b"}",
        b'{"puzzle": 1e999, "name": NaN, "box": [true, null]}',
        b'{"puzzle": "\\ud800", "name": "\\udc00\\u0000"}',
        b"100x100:" + b"1," * 100,
        b"<a>" * 200_000,
        b"<opensudoku>" + b"<folder>" * 100_000,
        b'<opensudoku><game data="' + b"1" * LONG,
        b"<opensudoku><name>" + b"x" * (2 * LONG),
        b"<opensudoku>" + b"<game " + b"".join(b'a%d="" ' % k for k in range(50_000)) + b"/>",
        b"<!--" + b"-" * LONG,
        b"<![CDATA[" * 1000,
        f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">{bomb}]><a>&e12;</a>'.encode(),
        external.encode(),
        b'<?xml version="1.0" encoding="UTF-32"?><opensudoku/>',
        b"&lt;&#0;&#xD800;&nosuch;",
        json.dumps({"puzzle": "." * 81, "candidates": ["123456789"] * 81}).encode() * 3,
    )


OPERATIONS: tuple[Operation, ...] = (
    *(_flip, _flip, _change, _change, _change, _delete, _delete),
    *(_duplicate, _truncate, _move, _splice, _swap_lines, _drop_line_ends, _insert, _replace_all),
)
