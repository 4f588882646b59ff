"""Files: the lines of one, one at a time, and how one is written so that it is never half there.

Lines come from a file, a compressed file (gzip, xz, lzma) or standard input. Compression and
encoding follow from the first bytes, not by the name, so that a compressed file may be piped in.
Text is UTF-8 (UTF-16 with a byte order mark is what some shells write); what is neither ends the
reading with ``NotText``, which knows line and column.

A line that is longer than ``LONGEST_PIECE`` comes in pieces of that length, of which only the last
ends the line; so memory is bounded, whatever a file holds. ``puzzles.formats.numbered`` takes the
first piece for the line, which is too long for any puzzle, and passes over the others.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import sys
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from modelling.formats.endless_files import ensure_file_ends

if TYPE_CHECKING:  # Python 3.12 has it in collections.abc
    from typing_extensions import Buffer

GZIP = b"\x1f\x8b"
XZ = b"\xfd7zXZ\x00"
LZMA = b"\x5d\x00\x00"
COMPRESSED = (".gz", ".xz", ".lzma")
"""What the names of compressed files end in."""
MOST_BYTES = 1 << 30
"""A file that is read as a whole and is longer is refused."""
MOST_DECOMPRESSED = 1 << 28
"""A compressed file that is read as a whole and holds more bytes is refused."""
MOST_EXPANDED, MOST_TIMES = 1 << 26, 200
"""A compressed file is refused where it holds more than ``MOST_EXPANDED`` bytes and also more than
``MOST_TIMES`` times the bytes that it takes. Texts of instances compress to a fifth or a fiftieth;
what is made to fill a memory, to a thousandth."""
UTF16 = (b"\xff\xfe", b"\xfe\xff")
LONGEST_PIECE = 1 << 18
"""Characters."""

_READ_AT_ONCE = 1 << 18

_FOREIGN = re.compile("[\udc80-\udcff]")
"""What the bytes that are no UTF-8 become, and no text has."""


class NotText(UnicodeError):
    """Text that is not in the encoding that it should be in."""

    def __init__(self, cause: str, line: int, column: int) -> None:
        super().__init__(cause)
        self.cause, self.line, self.column = cause, line, column


DAMAGES = (OSError, EOFError, zlib.error, lzma.LZMAError, NotText)
"""What ``lines_of`` and ``read_bytes`` raise where a file cannot be read any further."""


def plain_name(name: str) -> str:
    """The name of a file without the ending of its compression, if it has one."""
    return next((name[: -len(e)] for e in COMPRESSED if name.lower().endswith(e)), name)


def read_beginning(path: str, number: int) -> bytes:
    """The first bytes that a file holds, decompressed; raises one of ``DAMAGES``."""
    with _open(path) as stream:
        return _decompress(stream).read(number)


def read_bytes(path: str) -> bytes:
    """All that a file holds, decompressed; raises one of ``DAMAGES``."""
    with _open(path) as stream:
        source = _decompress(stream)
        most = MOST_BYTES if source is stream else MOST_DECOMPRESSED
        pieces: list[bytes] = []
        left = most
        while piece := source.read(_READ_AT_ONCE):
            pieces.append(piece)
            left -= len(piece)
            if left < 0:
                raise _too_long(most, decompressed=source is not stream)
    return b"".join(pieces)


def _too_long(most: int, decompressed: bool) -> OSError:
    held = f"more than {most >> 20} MiB"
    if decompressed:
        return OSError(f"it holds {held} once it is decompressed; decompress it to a file first")
    return OSError(f"it holds {held}")


def _open(path: str) -> io.BufferedReader:
    if "\0" in path:
        raise OSError("no file has a name with a NUL character")
    ensure_file_ends(path)
    return open(path, "rb")


def lines_of(path: str) -> Generator[str, None, None]:
    """The lines of ``path`` (``-``: standard input), read as they are asked for.

    Raises one of ``DAMAGES`` when it cannot be read, is damaged, or is not text.
    """
    if path == "-":
        yield from _standard_input()
        return
    with _open(path) as stream, _decode(stream) as text:
        yield from _pieces(text)


def _standard_input() -> Iterator[str]:
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:  # replaced by an object that holds text only
        yield from _pieces(sys.stdin)
        return
    stream = io.BufferedReader(binary)
    text = _decode(stream)
    try:
        yield from _pieces(text)
    finally:  # leave standard input open for whoever comes next
        if not text.closed:
            text.detach()
        if not stream.closed:
            stream.detach()


def _pieces(text: TextIO) -> Iterator[str]:
    line, column = 1, 1
    try:
        for piece in iter(partial(text.readline, LONGEST_PIECE), ""):
            if not piece.isascii():
                foreign = _FOREIGN.search(piece)
                if foreign is not None:
                    cause = f"the byte 0x{ord(foreign[0]) - 0xDC00:02X} is not UTF-8"
                    raise NotText(
                        f"{cause}; save the file as UTF-8", line, column + foreign.start()
                    )
            yield piece
            if piece.endswith("\n"):
                line, column = line + 1, 1
            else:
                column += len(piece)
    except UnicodeDecodeError as error:
        raise NotText(f"this is not {error.encoding}: {error.reason}", line, column) from error


def _decode(stream: io.BufferedReader) -> io.TextIOWrapper:
    encoding = "utf-16" if stream.peek(2)[:2] in UTF16 else "utf-8-sig"
    source = _decompress(stream)
    errors = "surrogateescape" if encoding == "utf-8-sig" else "strict"
    return io.TextIOWrapper(source, encoding=encoding, errors=errors)


def _decompress(stream: io.BufferedReader) -> BinaryIO:
    """What a stream holds; it is itself if it is not compressed."""
    start = stream.peek(len(XZ))
    if not start.startswith((GZIP, XZ, LZMA)):
        return cast(BinaryIO, stream)
    taken = _CountedStream(stream)
    held: gzip.GzipFile | lzma.LZMAFile
    if start.startswith(GZIP):
        held = gzip.GzipFile(fileobj=cast(BinaryIO, taken), mode="rb")
    else:
        held = lzma.LZMAFile(cast(BinaryIO, taken))  # noqa: SIM115 - the stream is closed
    return cast(BinaryIO, io.BufferedReader(_DecompressedStream(held, taken), _READ_AT_ONCE))


class _CountedStream:
    """A stream of which it is known how many bytes were read."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self.bytes = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.bytes += len(data)
        return data

    def seekable(self) -> bool:
        return False


class _DecompressedStream(io.RawIOBase):
    """What a compressed stream holds; OSError where it is far more than what it takes."""

    def __init__(self, held: gzip.GzipFile | lzma.LZMAFile, taken: _CountedStream) -> None:
        self._held, self._taken = held, taken
        self._bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        # One read of the compressed stream: where it is damaged, what came before is kept.
        data = self._held.read1(len(view := memoryview(buffer)))
        size = len(data)
        view[:size] = data
        self._bytes += size
        if self._bytes > max(MOST_EXPANDED, MOST_TIMES * self._taken.bytes):
            raise OSError(
                f"it holds more than {MOST_EXPANDED >> 20} MiB, more than {MOST_TIMES} times what "
                "it takes compressed; if it is meant so, decompress it to a file first"
            )
        return size


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """A file to write to, beside ``path``, which takes its place at the end of the block.

    So at any moment ``path`` holds the old bytes or the new, whole. A symbolic link keeps
    pointing to its file, which is replaced and keeps its permissions. When the block fails, nothing
    is left behind. Raises ``OSError``.
    """
    path = path.resolve()
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        yield beside
        with open(beside, "rb+") as stream:
            os.fsync(stream.fileno())
        if path.exists():
            import shutil  # not at the start of every worker

            shutil.copymode(path, beside)
        os.replace(beside, path)
    finally:
        with suppress(OSError):  # it has its new name, or never came about
            beside.unlink()


def sync_folder(folder: Path) -> None:
    """Have the names of the files in a folder on the disk. Raises ``OSError``."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_text(path: Path, text: str) -> None:
    """Write ``path`` as a whole (``replace_file``). Raises ``OSError``."""
    with replace_file(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
