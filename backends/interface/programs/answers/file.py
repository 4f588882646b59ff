"""The file that a program writes its answer to, read as carefully as what it prints.

The program may have made anything of it: a pipe that nobody writes to, a device, a line without
end. Only a plain file is read, line by line, and no more of it than a bound.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from backends.interface.programs import process
from backends.interface.programs.answers.reader import Garbled
from backends.interface.programs.output_tail import decode

MOST_BYTES = 1 << 32
"""A longer answer is an error."""


def remove(path: str) -> None:
    """What a run before has left at a path, whatever it is."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    with suppress(FileNotFoundError):
        os.unlink(path)


def read_lines(path: str) -> Iterator[str]:
    """The lines, without their ends; none if the file is missing. Garbled if it is not a plain
    file, cannot be opened, or is too long."""
    try:
        # without waiting for somebody to write to it, should it be a pipe
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Garbled(f"its answer file cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise Garbled("its answer file is not a plain file")
    with open(number, "rb") as file:
        yield from _lines(file)


def _lines(file: BinaryIO) -> Iterator[str]:
    longest, total = process.LONGEST_LINE, 0
    while line := file.readline(longest + 1):
        total += len(line)
        if len(line) > longest:
            raise Garbled(f"its answer file has a line of more than {longest:,} bytes")
        if total > MOST_BYTES:
            raise Garbled(f"its answer file has more than {MOST_BYTES:,} bytes")
        yield decode(line.rstrip(b"\n"))
