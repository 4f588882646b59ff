"""What the lines of every instance file have in common: comments, blank lines, names.

A file holds one entry per line (grids may take several lines). A line is a comment when its first
sign is ``#`` or ``;`` or ``//``. After an entry, text from the first ``#``, ``;`` or ``//`` on
belongs to it: up to a further ``#`` that is its name, the rest says why it is there::

    SEND+MORE=MONEY  # send # the classic
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import PurePath

from modelling.errors import InputError, InstanceError
from modelling.wording import did_you_mean
from puzzles.family import Instance
from puzzles.files import LONGEST_PIECE, plain_name

_COMMENT = re.compile(r"\s*(?:#|;|//)")
_TAIL = re.compile(r"#|;|//")
LONGEST_NAME = 60


def numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Line numbers from 1, and lines without their ends and without a byte order mark.

    Of a line that comes in pieces, only the first is yielded.
    """
    number, cut = 0, False
    for line in lines:
        if cut:
            cut = not line.endswith("\n")
            continue
        number += 1
        if len(line) >= LONGEST_PIECE:
            cut = not line.endswith("\n")
        yield number, (line.removeprefix("\ufeff") if number == 1 else line).rstrip("\r\n")


def is_comment(line: str) -> bool:
    """Whether the whole line is a comment."""
    return _COMMENT.match(line) is not None


def split_comment(line: str) -> tuple[str, str]:
    """The text before the first comment sign, and the text from there on."""
    found = _TAIL.search(line)
    return (line[: found.start()], line[found.start() :]) if found else (line, "")


def name_in(tail: str) -> str:
    """The name in the text after an entry; empty if there is none. Always printable."""
    text = tail.lstrip("#;/, \t").partition("#")[0]
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(shown.split())[:LONGEST_NAME].rstrip()


def default_name(source: str, line: int) -> str:
    """``set:line``"""
    return f"{label(source)}:{line}"


def describe(puzzle: Instance) -> str:
    """Its place, and its name if it has been given one."""
    file, _, line = puzzle.source.rpartition(":")
    named = puzzle.name != default_name(file, int(line))
    return f"{puzzle.source} ({puzzle.name})" if named else puzzle.source


@lru_cache(maxsize=64)
def label(source: str) -> str:
    """What a set is called: its name, or its file's without folder and endings."""
    return plain_name(PurePath(source).name).removesuffix(".txt") or source


def place(source: str, line: int, column: int) -> str:
    """``source:line:column``, counted from 1."""
    return f"{source}:{line}:{column}"


def check_format(name: str, known: Sequence[str]) -> None:
    """Raises ``InputError`` where no format of these is called so."""
    if name not in known:
        hint = did_you_mean(name, known)
        raise InputError(f"no format is called {name!r}{hint} (there are: {', '.join(known)})")


Locate = Callable[[int], str]
"""Column (from 1) -> place."""


def entries(
    lines: Iterable[str], source: str, family: str, canonical: Callable[[str, Locate], str]
) -> Iterator[Instance | InstanceError]:
    """The instances of a family that writes each on a line of its own.

    ``canonical`` turns the text before the comment into canonical text, or raises
    ``InstanceError`` with a place that it gets from its second argument.
    """
    empty = True
    for number, line in numbered(lines):
        if is_comment(line) or not line.strip():
            continue
        empty = False
        body, tail = split_comment(line)
        try:
            text = canonical(body, partial(place, source, number))
        except InstanceError as error:
            yield error
            continue
        name = name_in(tail) or default_name(source, number)
        yield Instance(family, name, text, f"{source}:{number}")
    if empty:
        yield InstanceError("there is no puzzle in the input", place(source, 1, 1))


def in_text(column: int) -> str:
    """The place in a text that comes from no file."""
    return place("text", 1, column)
