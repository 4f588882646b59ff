"""Where a verb writes: standard output, a file that appears when it is whole, or a puzzle file.

A *puzzle file* grows while puzzles are made, and is never left with half a line: a head of comment
lines, then a line for each item in order; and at the end, where a time limit stopped it, a comment
that begins with ``STOPPED``, which is removed when the file is continued.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from gzip import GzipFile
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, TextIO

from backends.signals import defer
from modelling.errors import InputError
from puzzles.files import replace_file

STOPPED = "# stopped "


@contextmanager
def open_output(out: Path | None, force: bool = False) -> Iterator[IO[str]]:
    """Standard output without a path; compressed if the path ends in ``.gz``.

    Raises ``InputError`` for a file that cannot be written, or is there already, unless ``force``.
    """
    if out is None:
        if isinstance(sys.stdout, TextIOWrapper):  # the same bytes on every system
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        return
    with replace_output(out, force) as part, part.open("wb") as raw:
        packed: Any = raw
        if out.name.endswith(".gz"):  # without a time in its head: the same bytes each time
            packed = GzipFile(out.name.removesuffix(".gz"), "wb", fileobj=raw, mtime=0)
        with TextIOWrapper(packed, encoding="utf-8", newline="\n") as stream:
            yield stream


def ensure_free(out: Path, force: bool = False, option: str = "--out") -> None:
    """Raise ``InputError`` for a file that is there already and not empty, unless ``force``."""
    if not force and out.is_file() and out.stat().st_size:
        raise InputError(
            f"{out} exists already; add --force to replace it, or name another one with {option}"
        )


def check_output(
    out: Path, endings: Sequence[str], force: bool = False, option: str = "--out"
) -> None:
    """Refuse a file before anything is computed for it.

    Its name must have one of the endings, such as ``.svg``, and its folder must be there. Raises
    ``InputError`` otherwise, and where ``ensure_free`` does. A device, such as /dev/null, is taken.
    """
    if out.exists() and not (out.is_file() or out.is_dir()):
        return
    if out.suffix.lower() not in endings:
        raise InputError(
            f"{out}: the file is written as {' or '.join(endings)} alone; name it "
            f"{out.with_suffix(endings[0]).name}"
        )
    if not out.parent.is_dir():
        raise InputError(
            f"{out}: the folder {out.parent} does not exist; make it, or name another file"
        )
    ensure_free(out, force, option)


@contextmanager
def replace_output(out: Path, force: bool = False) -> Iterator[Path]:
    """A file to write to, which takes the place of ``out`` once it is whole.

    Raises ``InputError`` for a file that cannot be written, or that is there already and not empty,
    unless ``force``.
    """
    try:
        if out.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if out.exists() and not os.access(out, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only")
        ensure_free(out, force)
        # what is not a regular file, such as /dev/null, is written to and not replaced
        with nullcontext(out) if out.exists() and not out.is_file() else replace_file(out) as part:
            yield part
    except OSError as error:
        cause = error.strerror or error
        raise InputError(f"{out} cannot be written: {cause}; name another file") from error


# --- puzzle files ---------------------------------------------------------------------------------


def begin_file(path: Path, head: str, force: bool = False) -> TextIO:
    """A new file with its head.

    Raises ``InputError`` where there is one that is not empty, unless ``force``.
    """
    _refuse_compressed(path)
    try:
        if not force and path.exists() and path.stat().st_size:
            raise InputError(
                f"{path} exists already; add --resume to continue it, --force to replace it, "
                "or name another one with --out"
            )
        file = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    file.write(head)
    file.flush()
    return file


def resume_file(path: Path, head: str) -> tuple[TextIO, int]:
    """The file to continue, and how many items it holds; half a line at its end is cut off.

    A file that is not there is begun. Raises ``InputError`` for one with another head.
    """
    _refuse_compressed(path)
    wanted = head.encode("utf-8")
    try:
        if not path.exists():
            return begin_file(path, head), 0
        with path.open("r+b") as file:
            found = file.read(len(wanted))
            if found != wanted:
                if wanted.startswith(found):  # it was stopped in the middle of its head
                    return begin_file(path, head, force=True), 0
                lines, marker = found.decode("utf-8", "replace").splitlines(), "# made by: "
                made = next((line for line in lines if line.startswith(marker)), "")
                what = made.replace(marker, "was made by another command: ") or "has another head"
                remedy = "continue it with the same command and version, or name another file"
                raise InputError(f"{path} {what}; {remedy}")
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


def _refuse_compressed(path: Path) -> None:
    if path.suffix in (".gz", ".bz2", ".xz", ".zip", ".zst"):
        raise InputError(f"{path}: puzzles are plain text; compress the file afterwards")


@contextmanager
def whole_lines(out: Path | None = None) -> Iterator[None]:
    """Ctrl-C in the block is raised at its end, so that what is written there is whole.

    Raises ``InputError`` where ``out``, which is written there, cannot hold more.
    """
    with defer(signal.SIGINT) as interrupted:
        try:
            yield
        except OSError as error:
            if out is None or isinstance(error, BrokenPipeError):
                raise
            cause = f"{out} cannot be written to its end: {error.strerror}"
            raise InputError(cause) from error
    if interrupted.is_set():
        raise KeyboardInterrupt


def name_file(name: str, ending: str, taken: set[str]) -> str:
    """The name of the file of an instance: letters, digits and a few signs, none twice."""
    stem = re.sub(r"[^\w.+=,@-]+", "-", name).strip("-.")[:100] or "instance"
    number = 1
    found = f"{stem}{ending}"
    while found in taken:
        number += 1
        found = f"{stem}-{number}{ending}"
    taken.add(found)
    return found
