"""Where a verb writes: standard output, or a file that is there only when it is whole."""

from __future__ import annotations

import errno
import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, cast

from modelling.errors import InputError


@contextmanager
def opened(out: Path | None, force: bool = False) -> Iterator[IO[str]]:
    """Standard output without a path; compressed if the path ends in ``.gz``.

    Raises ``InputError`` for a file that cannot be written, or is there already, unless ``force``.
    """
    if out is None:
        if isinstance(sys.stdout, TextIOWrapper):  # the same bytes on every system
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        return
    packed: Any = gzip.open if out.name.endswith(".gz") else open
    with (
        replaced(out, force) as part,
        packed(part, "wt", encoding="utf-8", newline="\n") as stream,
    ):
        yield cast(IO[str], stream)


@contextmanager
def replaced(out: Path, force: bool = False) -> Iterator[Path]:
    """A file to write to, which takes the place of ``out`` once it is whole.

    Raises ``InputError`` for a file that cannot be written, or that is there already and not empty,
    unless ``force``.
    """
    part = None
    try:
        chosen = _checked(out)
        if not force:
            refuse_to_replace(out)
        if chosen.is_file() or not chosen.exists():
            part = chosen.with_name(f".{chosen.name}.part")
        yield part or chosen  # what is no file, as /dev/null, is written to and stays
        if part is not None:
            part.replace(chosen)
    except OSError as error:
        cause = error.strerror or error
        raise InputError(f"{out} cannot be written: {cause}; name another file") from error
    finally:
        if part is not None:
            with suppress(OSError):  # it never came about
                part.unlink()


def refuse_to_replace(out: Path) -> None:
    """Raise ``InputError`` for a file, or a folder, that holds something."""
    if out.is_file():
        holds = out.stat().st_size > 0
    else:
        holds = out.is_dir() and any(out.iterdir())
    if holds:
        raise InputError(
            f"{out} is there already; add --force to replace it, or name another one with --out"
        )


def _checked(out: Path) -> Path:
    """Where a file lies, behind all links; a file is replaced only where it may be written."""
    place = Path(os.path.realpath(out))
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only")
    return place
