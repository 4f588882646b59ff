"""OpenSudoku XML: folders of games, read as a stream and without entities.

    <opensudoku version="2">
    <folder name="easy"><game data="5300700006001950..." note="a comment"/></folder>
    </opensudoku>

``data`` is 81 digits, 0 for a blank, or ``version: N`` and a line of cells, each as value, notes
and 0 or 1, a bar after each: 0 for a given. Notes are ``1,2,`` or ``-`` in version 1, a mask in 2
and 3, two masks in 4. In files without a version the name of the folder, the author and so on are
in elements of their own (``ELEMENTS``) and hold for all games.

A document that declares a type or an entity is refused there, before anything is expanded; so is
one that nests deeper or has longer tags than any such file. How long a game was played, and what
was undone in it, is not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate
from xml.parsers.expat import errors as expat_errors
from xml.sax.saxutils import quoteattr

from modelling.errors import InstanceError
from puzzles.files import DAMAGES
from puzzles.formats import place
from puzzles.grid.reading import Grid
from puzzles.grid.symbols import encode
from puzzles.sudoku import sudoku_layout
from puzzles.sudoku.formats.entry import Entry, grid_in, with_state

ELEMENTS = {
    "name": "folder",
    "author": "author",
    "description": "description",
    "comment": "comment",
    "created": "date",
    "source": "source",
    "level": "level",
    "sourceURL": "url",
}
DEEPEST = 16
LONGEST_TAG = 1 << 20
"""Characters; the stack of what can be undone in a game may be long."""
LONGEST_TEXT = 10_000
PORTION = 1 << 16

_LAYOUT = sudoku_layout(9)
_VERSION = re.compile(r"version:\s*(\d)\s")
_DECLARED = "a document type or an entity is declared here, which no OpenSudoku file needs"


def begins(line: str) -> bool:
    """Whether a file that begins so is XML."""
    return line.lstrip("\ufeff \t").startswith("<")


def read(lines: Iterable[str], source: str) -> Iterator[Entry | InstanceError]:
    """The entries of ``lines``, which may be any pieces of the document."""
    document = _Document(source)
    for portion in _portions(lines):
        going = document.feed(portion, last=not portion)
        yield from document.ended()
        if not going:
            return


def _portions(pieces: Iterable[str]) -> Iterator[bytes]:
    """The document in portions that are not small, and an empty one at the end.

    The parser reads a tag that has not ended again with each portion: with a tag of many short
    lines that would take time that grows with its square.
    """
    waiting: list[str] = []
    size = 0
    try:
        for piece in pieces:
            waiting.append(piece)
            size += len(piece)
            if size >= PORTION:
                yield "".join(waiting).encode("utf-8", "replace")
                waiting, size = [], 0
    except DAMAGES:  # damaged further on: first what was read before
        if waiting:
            yield "".join(waiting).encode("utf-8", "replace")
        raise
    if waiting:
        yield "".join(waiting).encode("utf-8", "replace")
    yield b""


class _Document:
    """What has been read of one document."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[Entry | InstanceError] = []
        self.about: dict[str, str] = {}
        self.path: list[str] = []
        self.text = ""
        self.fed = 0
        self.parser = ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.declared
        self.parser.EntityDeclHandler = self.declared
        if hasattr(self.parser, "SetParamEntityParsing"):
            self.parser.SetParamEntityParsing(0)

    def feed(self, piece: bytes, last: bool = False) -> bool:
        """Read on; false if the rest of the document cannot be read."""
        try:
            self.parser.Parse(piece, last)
            self.fed += len(piece)
            if self.fed - self.parser.CurrentByteIndex > LONGEST_TAG:
                raise self.fail(f"a tag or text of more than {LONGEST_TAG} characters")
        except InstanceError as error:
            self.found.append(error)
            return False
        except ExpatError as error:
            cause = f"no well-formed XML: {expat_errors.messages.get(error.code, str(error))}"
            at = place(self.source, error.lineno, error.offset + 1)
            self.found.append(InstanceError(cause, at))
            return False
        return True

    def ended(self) -> list[Entry | InstanceError]:
        """What was read since this was asked last."""
        found, self.found = self.found, []
        return found

    def at(self) -> tuple[int, int]:
        """The line and column that the parser has come to."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def fail(self, cause: str) -> InstanceError:
        return InstanceError(cause, place(self.source, *self.at()))

    def declared(self, *_: object) -> None:
        raise self.fail(_DECLARED)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if not self.path and tag != "opensudoku":
            raise self.fail(f"the document is no <opensudoku> but <{tag[:40]}>")
        if len(self.path) >= DEEPEST:
            raise self.fail(f"more than {DEEPEST} elements in each other")
        self.path.append(tag)
        self.text = ""
        if tag == "folder":
            self.about = {"folder": attributes["name"]} if attributes.get("name") else {}
        if tag == "game":
            try:
                self.found.append(self.game(attributes))
            except InstanceError as error:
                self.found.append(error)

    def end(self, tag: str) -> None:
        self.path.pop()
        if tag == "folder":
            self.about = {}
        key = ELEMENTS.get(tag)
        if key and len(self.path) == 1 and self.text.strip():
            self.about[key] = self.text.strip()
        self.text = ""

    def characters(self, text: str) -> None:
        self.text = (self.text + text)[:LONGEST_TEXT]

    def game(self, attributes: Mapping[str, str]) -> Entry:
        """A game."""
        data = attributes.get("data")
        if data is None:
            raise self.fail("a <game> without data")
        note = attributes.get("note", "").strip()
        about = {**self.about, **({"comment": note} if note else {})}
        versioned = _VERSION.match(data.strip())
        if versioned:
            cells = data.strip()[versioned.end() :].strip()
            return self.played(int(versioned[1]), cells, about)
        line, column = self.at()
        try:
            grid = grid_in(data, self.source, line, column)
        except InstanceError as error:
            raise self.fail(error.cause) from error
        if grid.layout != _LAYOUT:
            raise self.fail(f"{grid.layout.cells} cells, where a game has {_LAYOUT.cells}")
        return Entry(self.placed_at(grid.values), about=about)

    def placed_at(self, values: Any) -> Grid:
        """The grid of a game; the place of all its cells is that of its tag."""
        at = self.at()
        return Grid(_LAYOUT, bytes(values), at[0], places=(at,) * _LAYOUT.cells)

    def played(self, version: int, text: str, about: Mapping[str, str]) -> Entry:
        """A game that was played."""
        if version not in (1, 2, 3, 4):
            raise self.fail(f"data of version {version}; versions 1 to 4 are known")
        if version == 2:  # some programs wrote one bar too many
            text = text.replace("||", "|")
        fields = text.removesuffix("|").split("|")
        each = 4 if version == 4 else 3
        if len(fields) != each * _LAYOUT.cells:
            cause = f"{len(fields)} fields in the data of a game, expected {each * _LAYOUT.cells}"
            raise self.fail(cause)
        givens, filled, masks = [], [], []
        for cell in range(_LAYOUT.cells):
            value, *notes, editable = fields[each * cell : each * cell + each]
            mask = 0
            for one in notes:
                mask |= self.notes(one, version)
            if len(value) != 1 or value not in "0123456789" or editable not in ("0", "1"):
                raise self.fail(f"cell {cell + 1} is {value[:9]!r}|{editable[:9]!r}, no cell")
            givens.append(int(value) if editable == "0" else 0)
            filled.append(int(value))
            masks.append(mask)
        entry = Entry(self.placed_at(givens), about=about)
        return with_state(entry, filled, masks if any(masks) else None)

    def notes(self, text: str, version: int) -> int:
        """The mask of a cell's notes."""
        if text in ("", "-"):
            return 0
        if version == 1:
            parts = [part for part in text.split(",") if part]
            if all(len(part) == 1 and part in "123456789" for part in parts):
                return sum({1 << int(part) - 1 for part in parts})
        elif text.isascii() and text.isdigit() and len(text) < 4 and int(text) < 512:
            return int(text)
        raise self.fail(f"notes {text[:20]!r} in the data of a game")


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """A document of version 2; games of one folder that follow each other share its element."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku version="2">\n'
    for folder, games in groupby(entries, lambda entry: str(entry.about.get("folder", ""))):
        if folder:
            yield f"<folder name={_quote(folder)}>\n"
        for entry in games:
            note = str(entry.about.get("comment", ""))
            more = f" note={_quote(note)}" if note else ""
            yield f"<game data={_quote(_data(entry))}{more}/>\n"
        if folder:
            yield "</folder>\n"
    yield "</opensudoku>\n"


def _data(entry: Entry) -> str:
    if entry.placed is None and entry.candidates is None:
        return encode(entry.givens, 9).replace(".", "0")
    filled = entry.filled()
    masks = entry.candidates or [0] * _LAYOUT.cells
    cells = [
        f"{value}|{mask}|{0 if given else 1}|"
        for value, mask, given in zip(filled, masks, entry.givens, strict=True)
    ]
    return "version: 3\n" + "".join(cells)


def _quote(text: str) -> str:
    """An attribute's value; what XML cannot hold becomes a space."""
    held = "".join(one if one.isprintable() or one == "\n" else " " for one in text)
    return quoteattr(held, {"\n": "&#10;"})
