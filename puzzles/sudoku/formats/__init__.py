"""The formats in which Sudoku puzzles are exchanged: which there are, telling them, reading them.

A format is a file here with

    read(lines, source) -> Iterator[Entry | InstanceError]   every puzzle, or what is wrong where
    write(entries) -> Iterator[str]                          pieces of text

and perhaps ``begins(line)``: whether a file whose first line that says something is ``line`` can be
nothing else. Adding a format touches its file and a line of ``FORMATS``.

Reading is liberal and streams: files of any length take little memory. Writing is strict: what is
written is what the format's own programs write.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Protocol, cast

from modelling.errors import InputError, InstanceError
from modelling.wording import did_you_mean
from puzzles.family import Family, Instance
from puzzles.files import DAMAGES
from puzzles.formats import place
from puzzles.grid.family import GridFamily, Plain
from puzzles.grid.layout import Layout
from puzzles.grid.reading import Grid, Run
from puzzles.sudoku import ORDERS, SUDOKU, prefix, sudoku_layout
from puzzles.sudoku.formats.entry import HEADERS, SHOWN_ORDER, STEP, Entry

__all__ = [
    "FORMATS",
    "Entry",
    "Format",
    "as_family",
    "by_ending",
    "by_name",
    "detect",
    "format_of",
    "read",
]


class _Module(Protocol):
    def read(self, lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]: ...
    def write(self, entries: Iterable[Entry]) -> Iterator[str]: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    ``holds`` are the parts of an entry that it keeps beside the givens, keys of ``about`` among
    them; ``*`` is every such key. ``shapes`` are the layouts that it can write: ``nine`` (9x9),
    ``usual`` (those that the number of cells tells), ``drawn`` (those of usual orders whose boxes
    can be drawn) or ``any``.
    """

    name: str
    module: str
    endings: tuple[str, ...]
    shapes: str
    holds: Set[str] = field(hash=False)

    def load(self) -> _Module:
        """The file that reads and writes it."""
        return cast(_Module, _module(self.module))

    def write(self, entries: Iterable[Entry]) -> Iterator[str]:
        """The entries as pieces of text; ``refusal`` says which cannot be written."""
        return self.load().write(entries)

    def refusal(self, layout: Layout) -> str:
        """Why a puzzle of this layout cannot be written; empty if it can."""
        order, box = layout.order, layout.box or (1, layout.order)
        shape = f"{order}x{order} with boxes of {box[0]}x{box[1]}"
        if self.shapes == "any":
            return ""
        if self.shapes == "nine":
            return "" if layout == sudoku_layout(9) else f"{self.name} holds 9x9 only, not {shape}"
        if order not in ORDERS or order > SHOWN_ORDER:
            return f"{self.name} holds orders {', '.join(map(str, ORDERS))}, not {shape}"
        if self.shapes == "usual" and prefix(layout):
            return f"{self.name} cannot tell box shapes, so it cannot hold {shape}"
        if prefix(layout) and min(box) < 2:
            return f"{self.name} draws boxes, and cannot draw those of {shape}"
        return ""

    def lost(self, entry: Entry) -> list[str]:
        """The parts of an entry that it does not keep."""
        parts = ("name", "solution", "placed", "candidates")
        said = [part for part in parts if getattr(entry, part) not in ("", None)]
        if "*" not in self.holds:
            said += entry.about
        many = entry.layout.order > SHOWN_ORDER
        return [part for part in said if part not in self.holds or (part == "candidates" and many)]


_STATE = {"placed", "candidates"}

FORMATS = {
    form.name: form
    for form in (
        Format("lines", "lines", (".txt",), "any", {"name"}),
        Format("sdm", "sdm", (".sdm",), "usual", set()),
        Format("sdk", "sdk", (".sdk",), "usual", _STATE | set(HEADERS)),
        Format("ss", "simple_sudoku", (".ss",), "drawn", _STATE | {"name"}),
        Format("pencilmarks", "pencil_marks", (".pm",), "drawn", _STATE | {"name"}),
        Format("csv", "csv_rows", (".csv", ".tsv"), "any", {"name", "solution", "difficulty"}),
        Format(
            "jsonl", "json_lines", (".jsonl", ".ndjson"), "any", _STATE | {"name", "solution", "*"}
        ),
        Format("hodoku", "hodoku", (".hodoku",), "nine", _STATE | set(STEP)),
        Format(
            "opensudoku",
            "opensudoku",
            (".opensudoku", ".xml"),
            "nine",
            _STATE | {"folder", "comment"},
        ),
    )
}
"""Name -> format; the one place that lists them."""

_SNIFFED = {
    "opensudoku": "opensudoku",
    "jsonl": "json_lines",
    "hodoku": "hodoku",
    "sdk": "sdk",
    "csv": "csv_rows",
    "ss": "drawn",
}
"""Formats whose files tell by their first line what they are, in the order in which they are asked,
and the file whose ``begins`` is asked."""

LONGEST_RUN = 1024
"""Most grids of a format that come together: each has the places of its cells."""

_CELLS = frozenset("123456789.0")
_ROW_ORDERS = frozenset(ORDERS) - {16}
"""A line of this many cells is a row of a grid; 16 may be a whole one."""


def by_name(name: str) -> Format:
    """The format called ``name``; raises ``InputError`` naming the nearest one."""
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS)
        raise InputError(f"no format is called {name!r}{hint} (there are: {', '.join(FORMATS)})")
    return FORMATS[name]


def by_ending(path: str) -> Format | None:
    """The format that the ending of a file's name stands for; ``.gz`` after it does not count."""
    ending = PurePath(path.removesuffix(".gz")).suffix.casefold()
    return next((form for form in FORMATS.values() if ending in form.endings), None)


def detect(head: Sequence[str], line: str, source: str) -> Format:
    """The format of a file, by what it says, else by its ending, else lines.

    ``line`` is the first that is neither blank nor a comment; ``head`` are those before it.
    """
    line = line.removeprefix("\ufeff").rstrip("\r\n")
    if not _CELLS.issuperset(line):  # a line of cells begins the files that are large
        for name, module in _SNIFFED.items():
            if _module(module).begins(line):
                return FORMATS[name]
    described = [one for one in head if _module("sdk").describes(one.strip("\ufeff\r\n"))]
    if described and len(re.sub(r"[\s|]", "", line)) in _ROW_ORDERS:
        return FORMATS["sdk"]
    return by_ending(source) or FORMATS["lines"]


def _module(name: str) -> Any:
    return importlib.import_module(f"puzzles.sudoku.formats.{name}")


def read(form: Format, lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """Every entry of ``lines`` in order; an ``InstanceError`` for what cannot be read."""
    found = False
    for entry in form.load().read(lines, source):
        found = True
        yield entry
    if not found:
        yield InstanceError("there is no puzzle in the input", place(source, 1, 1))


def as_family(form: Format) -> GridFamily:
    """Sudoku, as a family whose files are written in this format."""
    return SUDOKU if form.name in ("lines", "sdm") else _Formatted(form)


def format_of(family: Family) -> Format:
    """The format of the files that a family of ``as_family`` reads.

    Raises ``InputError`` for a family that is not Sudoku.
    """
    if family.name != SUDOKU.name:
        raise InputError(f"its puzzles are of the family {family.name}; formats are for sudoku")
    return family.form if isinstance(family, _Formatted) else FORMATS["lines"]


class _Formatted(GridFamily):
    """Sudoku in files of another format."""

    def __init__(self, form: Format) -> None:
        super().__init__(SUDOKU.name, SUDOKU.about, SUDOKU.rules)
        self.form = form

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``."""
        for found in read(self.form, lines, source):
            yield self.instance(found, source) if isinstance(found, Entry) else found

    def read_batches(
        self, lines: Iterable[str], source: str, longest: int
    ) -> Iterator[Instance | InstanceError | Plain]:
        """See ``Batched``: 9x9 grids come together, wherever they are."""
        layout, waiting = sudoku_layout(9), list[Entry]()
        longest = min(longest, LONGEST_RUN)
        try:
            for found in read(self.form, lines, source):
                if isinstance(found, Entry) and found.layout == layout:
                    waiting.append(found)
                    if len(waiting) < longest:
                        continue
                if waiting:
                    yield Plain(self.name, source, _run(waiting))
                if isinstance(found, InstanceError):
                    yield found
                elif found.layout != layout:
                    yield self.instance(found, source)
        except DAMAGES:  # damaged further on: first what was read before
            if waiting:
                yield Plain(self.name, source, _run(waiting))
            raise
        if waiting:
            yield Plain(self.name, source, _run(waiting))

    def instance(self, entry: Entry, source: str) -> Instance | InstanceError:
        """The instance of an entry, unless its givens clash."""
        return self.entry(_name_grid(entry), source)


def _name_grid(entry: Entry) -> Grid:
    """The grid of an entry, with its name where a line of cells has it."""
    return replace(entry.grid, tail=entry.name.replace("#", " "))


def _run(waiting: list[Entry]) -> Run:
    """The grids that wait as one run; then none is waiting any longer."""
    grids = tuple(map(_name_grid, waiting))
    waiting.clear()
    return Run(grids[0].layout, b"".join([bytes(g.values) for g in grids]), grids[0].line, grids)
