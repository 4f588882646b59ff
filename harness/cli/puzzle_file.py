"""A file that puzzles are written to: begun, gone on with, and never left with half a line.

It holds a head of comment lines, then a line for each item in order; and at the end, where a time
limit stopped it, a comment that begins with ``STOPPED``, which goes when the file is gone on with.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from harness.cli.interrupts import raises
from modelling.errors import InputError

STOPPED = "# stopped "


def begun(path: Path, head: str, force: bool = False) -> TextIO:
    """A new file with its head.

    Raises ``InputError`` where there is one that is not empty, unless ``force``.
    """
    _refuse_packed(path)
    try:
        if not force and path.exists() and path.stat().st_size:
            raise InputError(
                f"{path} is there already; add --resume to go on with it, --force to replace it, "
                "or name another one with --out"
            )
        file = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    file.write(head)
    file.flush()
    return file


def resumed(path: Path, head: str) -> tuple[TextIO, int]:
    """The file to go on with, and how many items it holds; half a line at its end is cut off.

    A file that is not there is begun. Raises ``InputError`` for one with another head.
    """
    _refuse_packed(path)
    try:
        if not path.exists():
            return begun(path, head), 0
        wanted = head.encode("utf-8")
        with path.open("r+b") as file:
            found = file.read(len(wanted))
            if found != wanted and not (wanted.startswith(found) and not file.read(1)):
                raise InputError(_another(path, found))
            if found != wanted:  # it was stopped in the middle of its head
                file.truncate(0)
                file.close()
                return begun(path, head), 0
            number, whole = 0, len(wanted)
            for line in file:
                if not line.endswith(b"\n") or line.startswith(STOPPED.encode()):
                    break
                number += 1
                whole += len(line)
            file.truncate(whole)
        return path.open("a", encoding="utf-8", newline="\n"), number
    except OSError as error:
        raise InputError(f"{path} cannot be resumed: {error.strerror}") from error


def _refuse_packed(path: Path) -> None:
    if path.suffix in (".gz", ".bz2", ".xz", ".zip", ".zst"):
        raise InputError(f"{path}: puzzles are written as plain text; compress the file afterwards")


def _another(path: Path, found: bytes) -> str:
    marker = "# made by: "
    lines = found.decode("utf-8", "replace").splitlines()
    made = next((line.removeprefix(marker) for line in lines if line.startswith(marker)), "")
    what = f"was made by another command: {made}" if made else "does not begin as this one would"
    return f"{path} {what}; go on with the same command and version, or name another file"


@contextmanager
def undivided() -> Iterator[None]:
    """Ctrl-C in the block comes through behind it, so that what is written there is whole."""
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if not main or not raises(before):
        yield
        return
    caught: list[Any] = []
    signal.signal(signal.SIGINT, lambda *seen: caught.append(seen))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt
