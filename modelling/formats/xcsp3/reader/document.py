"""XCSP3's XML as a tree of elements, each with its place; and what is refused before it is read.

This module calls the standard library's expat parser directly. The parser reports lines and columns
and builds no tree. A document type declaration is refused as soon as it begins. Without one, a file
cannot define entities that would be expanded or fetched. So nothing in a file grows, and nothing is
opened. Elements are nested at most ``DEEPEST`` deep.

Words
-----
element   a tag with attributes, children and text
place     where it begins: ``source:line:column``
written out   of what a few signs stand for, as ``x[]``, ``1..9`` or ``0x12``: the terms and numbers
          themselves. ``MOST_WRITTEN`` limits their number in a file
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from typing import Any, NoReturn
from xml.parsers import expat

from modelling.errors import InstanceError

DEEPEST = 64
"""The greatest depth of nested elements, and of nested expressions."""

MOST_WRITTEN = 10_000_000
"""Most terms, numbers and rows of a file once everything is written out, beyond as many
as it has bytes."""

ALWAYS = frozenset({"id", "class", "note"})
"""Attributes that any element may have, and that mean nothing for the solutions."""

INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
SHOWN = 40


class Element:
    """A tag with its contents; ``kept`` has results that were computed once from it, for reuse."""

    __slots__ = ("attributes", "children", "column", "document", "kept", "line", "tag", "text")

    def __init__(
        self, document: Document, tag: str, attributes: dict[str, str], line: int, column: int
    ) -> None:
        self.document = document
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.column = column
        self.children: list[Element] = []
        self.text = ""
        self.kept: dict[str, Any] = {}

    @property
    def place(self) -> str:
        """``source:line:column``."""
        return f"{self.document.source}:{self.line}:{self.column}"

    def refuse(self, cause: str) -> NoReturn:
        """Raise InstanceError: the element, its id if it has one, and what is wrong with it."""
        called = f" {self.attributes['id']!r}" if "id" in self.attributes else ""
        raise InstanceError(f"<{self.tag}>{called}: {cause}", self.place)

    def without(self, attribute: str) -> Element:
        """Return the element without one attribute; both share ``kept`` and the children."""
        other = copy(self)
        other.attributes = {k: v for k, v in self.attributes.items() if k != attribute}
        return other

    def check(self, children: Iterable[str], attributes: Iterable[str] = ()) -> None:
        """Refuse children and attributes that are not among these; nothing is passed over.

        A template is checked once.
        """
        if "checked" in self.kept:
            return
        known = frozenset(children)
        for child in self.children:
            if child.tag not in known:
                child.refuse(
                    f"has no meaning in <{self.tag}> here"
                    + (f", which takes {', '.join(sorted(known))}" if known else "")
                )
        self.check_attributes(attributes)
        if self.children and self.text.strip():
            self.refuse(f"has text between its elements: {show(self.text.strip())}")
        self.kept["checked"] = True

    def check_attributes(self, attributes: Iterable[str] = ()) -> None:
        """Refuse attributes that are not among these, except those in ``ALWAYS``."""
        allowed = ALWAYS.union(attributes)
        for name, value in self.attributes.items():
            if name not in allowed:
                self.refuse(f"the attribute {name}={show(value)} is not supported here")

    def every(self, tag: str) -> list[Element]:
        """The children of one tag."""
        return [child for child in self.children if child.tag == tag]

    def find(self, tag: str) -> Element | None:
        """The child of a tag, of which there is one at most."""
        found = self.every(tag)
        if len(found) > 1:
            found[1].refuse(f"stands twice in <{self.tag}>; write it once")
        return found[0] if found else None

    def child(self, tag: str) -> Element:
        """The child of a tag, of which there is one."""
        found = self.find(tag)
        if found is None:
            self.refuse(f"has no <{tag}>")
        return found

    def content(self) -> Element:
        """The element that contains the text: itself, or the one that ``as`` names."""
        found, seen = self, 0
        while "as" in found.attributes:
            name = found.attributes["as"]
            target = self.document.named.get(name)
            seen += 1
            if target is None or seen > DEEPEST:
                self.refuse(f"as={show(name)} names no element, or several")
            found = target
        return found

    def integer(self, attribute: str, default: int) -> int:
        """An attribute that is an integer."""
        value = self.attributes.get(attribute)
        if value is None:
            return default
        if not INTEGER.fullmatch(value.strip()):
            self.refuse(f"{attribute}={show(value)} is no integer")
        return int(value)

    def flag(self, attribute: str, default: bool) -> bool:
        """An attribute that is true or false."""
        value = self.attributes.get(attribute, str(default).lower()).strip()
        if value not in ("true", "false"):
            self.refuse(f"{attribute}={show(value)} is neither true nor false")
        return value == "true"


class Document:
    """A file: its root, its elements by id (None: of several), and how much was written out."""

    def __init__(self, source: str, size: int) -> None:
        self.source = source
        self.most = MOST_WRITTEN + size
        self.root: Element | None = None
        self.named: dict[str, Element | None] = {}
        self.written = 0
        self.sizes: dict[int, tuple[object, int]] = {}
        """Large expressions by their id, kept so that it stays theirs, each with its words."""

    def charge(self, number: int, element: Element) -> None:
        """Count what is written out; too much is refused."""
        self.written += number
        if self.written > self.most:
            element.refuse(
                f"the file comes to {self.written:,} terms and numbers once ranges, arrays and "
                f"groups are written out here, more than {self.most:,}; state a smaller instance"
            )


def parse(data: bytes, source: str) -> Element:
    """The root of the file; InstanceError if it is no XML, or has more than elements and text."""
    document = Document(source, len(data))
    builder = _Builder(document)
    parser = builder.parser
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        cause = f"this is no XML: {expat.ErrorString(error.code)}"
        raise InstanceError(cause, f"{source}:{error.lineno}:{error.offset + 1}") from error
    except (LookupError, UnicodeError, ValueError) as error:
        raise InstanceError(f"the encoding is not supported: {error}", f"{source}:1:1") from error
    assert document.root is not None
    return document.root


class _Builder:
    """Makes elements from expat's calls."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.open: list[Element] = []
        self.texts: list[list[str]] = []
        parser = self.parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.add_text
        parser.StartDoctypeDeclHandler = self.refuse_doctype

    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line, column = self.place()
        made = Element(self.document, tag, attributes, line, column)
        if len(self.open) >= DEEPEST:
            made.refuse(f"elements are nested more deeply than {DEEPEST}")
        if self.open:
            self.open[-1].children.append(made)
        else:
            self.document.root = made
        if "id" in attributes:
            name = attributes["id"]
            self.document.named[name] = None if name in self.document.named else made
        self.open.append(made)
        self.texts.append([])

    def end(self, tag: str) -> None:
        element, texts = self.open.pop(), self.texts.pop()
        element.text = "".join(texts)

    def add_text(self, text: str) -> None:
        self.texts[-1].append(text)

    def refuse_doctype(self, *declared: Any) -> None:
        line, column = self.place()
        raise InstanceError(
            "a document type declaration is not read, for entities could stand in it; delete "
            "<!DOCTYPE ...>",
            f"{self.document.source}:{line}:{column}",
        )


def show(text: str) -> str:
    """What was written, for a message: the beginning, in quotes."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
