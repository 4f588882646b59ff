"""The lines of a file, a gzip file or standard input, one at a time.

Compression and encoding are told by the first bytes, not by the name, so that a compressed file
may be piped in. Text is UTF-8 (UTF-16 with a byte order mark is what some shells write); bytes
that are neither become U+FFFD, which no puzzle contains, so they end in an error with its place.

A line that is longer than ``LONGEST_PIECE`` comes in pieces of that length, of which only the last
ends the line; so memory is bounded, whatever a file holds. ``puzzles.formats.numbered`` takes the
first piece for the line, which is too long for any puzzle, and passes over the others.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Generator, Iterator
from functools import partial
from typing import BinaryIO, TextIO, cast

GZIP = b"\x1f\x8b"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
LONGEST_PIECE = 1 << 18
"""Characters."""


def lines_of(path: str) -> Generator[str, None, None]:
    """The lines of ``path`` (``-``: standard input), read as they are asked for.

    Raises ``OSError``, ``EOFError`` or ``zlib.error`` when it cannot be read or is damaged.
    """
    if path == "-":
        yield from _standard_input()
        return
    with open(path, "rb") as stream, _decoded(stream) as text:
        yield from _pieces(text)


def _standard_input() -> Iterator[str]:
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:  # replaced by an object that holds text only
        yield from _pieces(sys.stdin)
        return
    stream = io.BufferedReader(binary)
    text = _decoded(stream)
    try:
        yield from _pieces(text)
    finally:  # leave standard input open for whoever comes next
        if not text.closed:
            text.detach()
        if not stream.closed:
            stream.detach()


def _pieces(text: TextIO) -> Iterator[str]:
    return iter(partial(text.readline, LONGEST_PIECE), "")


def _decoded(stream: io.BufferedReader) -> io.TextIOWrapper:
    start = stream.peek(2)[:2]
    encoding = "utf-16" if start in UTF16 else "utf-8-sig"
    source = gzip.GzipFile(fileobj=stream) if start == GZIP else stream
    return io.TextIOWrapper(cast(BinaryIO, source), encoding=encoding, errors="replace")
