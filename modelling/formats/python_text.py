"""Python source that is made of expressions: what writers of models as programs share.

Words
-----
text      an expression as it is written. Operators on texts and integers give texts, with
          parentheses where Python's precedence asks for them; so whoever builds expressions by
          operators and functions can write them as well
level     how strongly an expression binds
library   a module of which the program calls functions, as ``cp``: its attributes are functions
          that write calls
block     what is declared together: an array of variables, ``x[0]``, ``x[1]``, ..., or one of them
row       a list of variables that can be named as a part of an array: ``x``, ``x[2, :]``
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

COMPARED, EITHER, EXCLUSIVE, BOTH, ADDED, MULTIPLIED, NEGATED, RAISED, ATOM = range(9)

LONGEST = 98
"""Lines are broken after this many characters, where there is a list to break."""

Rows = Mapping[tuple[str, ...], str]
"""Lists of variables, as they are written one by one, and what they may be written as."""


def _operator(sign: str, level: int) -> Any:
    return lambda text, other: _binary(text, sign, other, level)


def _reflected(sign: str, level: int) -> Any:
    return lambda text, other: _binary(other, sign, text, level)


def _comparison(relation: str) -> Any:
    return lambda text, other: text.compared(relation, other)


class Text:
    """An expression as it is written."""

    __slots__ = ("level", "text")
    __hash__ = None  # type: ignore[assignment] # it is compared to write a comparison

    def __init__(self, text: str, level: int = ATOM) -> None:
        self.text = text
        self.level = level

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: Any) -> Text:
        if isinstance(other, int) and other < 0:
            return _binary(self, " - ", -other, ADDED)
        return _binary(self, " + ", other, ADDED)

    __radd__ = _reflected(" + ", ADDED)
    __sub__ = _operator(" - ", ADDED)
    __rsub__ = _reflected(" - ", ADDED)
    __mul__ = _operator(" * ", MULTIPLIED)
    __rmul__ = _reflected(" * ", MULTIPLIED)
    __floordiv__ = _operator(" // ", MULTIPLIED)
    __rfloordiv__ = _reflected(" // ", MULTIPLIED)
    __mod__ = _operator(" % ", MULTIPLIED)
    __rmod__ = _reflected(" % ", MULTIPLIED)
    __and__ = _operator(" & ", BOTH)
    __or__ = _operator(" | ", EITHER)

    __eq__ = _comparison("==")
    __ne__ = _comparison("!=")
    __lt__ = _comparison("<")
    __le__ = _comparison("<=")
    __gt__ = _comparison(">")
    __ge__ = _comparison(">=")

    def __neg__(self) -> Text:
        return Text(f"-{_written(self, NEGATED)}", NEGATED)

    def __abs__(self) -> Text:
        return Text(f"abs({self.text})")

    def __invert__(self) -> Text:
        return Text(f"~{_written(self, NEGATED)}", NEGATED)

    def compared(self, relation: str, other: Any) -> Text:
        """``self RELATION other``; a comparison on either side is enclosed in parentheses."""
        left, right = _written(self, EITHER), _written(other, EITHER)
        return Text(f"{left} {relation} {right}", COMPARED)

    def implies(self, other: Any) -> Text:
        """``self.implies(other)``."""
        return Text(f"{_written(self, ATOM)}.implies({render(other)})")

    def iff(self, other: Any) -> Text:
        """``self.iff(other)``."""
        return Text(f"{_written(self, ATOM)}.iff({render(other)})")

    def __getitem__(self, index: Any) -> Text:
        inside = ", ".join(map(render, index)) if isinstance(index, tuple) else render(index)
        return Text(f"{_written(self, ATOM)}[{inside}]")


def _binary(left: Any, sign: str, right: Any, level: int) -> Text:
    return Text(f"{_written(left, level)}{sign}{_written(right, level + 1)}", level)


def _written(item: Any, least: int) -> str:
    """In parentheses, unless it binds as strongly; a negative number binds as a negation does."""
    level = item.level if isinstance(item, Text) else NEGATED if item < 0 else ATOM
    return render(item) if level >= least else f"({render(item)})"


def render(item: Any, rows: Rows | None = None) -> str:
    """Any argument: a text, a number, a string, or lists of these."""
    if isinstance(item, Text):
        return item.text
    if isinstance(item, (list, tuple)):
        inside = [render(one, rows) for one in item]
        known = rows.get(tuple(inside)) if rows else None
        if known is not None:
            return known
        return f"[{', '.join(inside)}]"
    return quote(item) if isinstance(item, str) else repr(item)


def quote(name: str) -> str:
    """A string as Python has it, in double quotes where it can be."""
    shown = repr(name)
    return shown if '"' in name or shown[0] == '"' else f'"{shown[1:-1]}"'


class Library:
    """A module whose functions write calls of themselves: ``cp.max([x, y])``."""

    def __init__(self, name: str, rows: Rows) -> None:
        self._name = name
        self._rows = rows

    def __getattr__(self, function: str) -> Callable[..., Text]:
        def call(*arguments: Any, **named: Any) -> Text:
            shown = [render(one, self._rows) for one in arguments]
            shown += [f"{key}={render(value, self._rows)}" for key, value in named.items()]
            return Text(f"{self._name}.{function}({', '.join(shown)})")

        return call


# --- variables -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declared:
    """Variables that are declared together: an array of this shape, or one variable (no shape).

    ``called`` is the name in the program, ``name`` that of the model; ``variables`` are positions.
    """

    called: str
    name: str
    shape: tuple[int, ...]
    variables: tuple[int, ...]


_INDEXED = re.compile(r"(.+)\[(\d+(?:, ?\d+)*)\]", re.DOTALL)


def find_blocks(names: Sequence[str], taken: Iterable[str]) -> list[Declared]:
    """The variables of these names as arrays where they are such, in the order of the first each.

    An array has all places of its shape, in order; the program may not use names that are
    ``taken``.
    """
    own = set(names)
    parts: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    for position, name in enumerate(names):
        found = _INDEXED.fullmatch(name)
        if found and f"[{','.join(found[2].replace(' ', '').split(','))}]" == name[len(found[1]) :]:
            place = tuple(map(int, found[2].split(",")))
            parts.setdefault(found[1], []).append((position, place))
    arrays: dict[int, tuple[str, tuple[int, ...], tuple[int, ...]]] = {}
    for name, places in parts.items():
        shape = tuple(1 + max(axis) for axis in zip(*(p for _, p in places), strict=False))
        if len({len(p) for _, p in places}) > 1 or prod(shape) != len(places) or name in own:
            continue
        if [p for _, p in places] == list(product(*map(range, shape))):
            variables = tuple(position for position, _ in places)
            arrays[variables[0]] = name, shape, variables
    used = {*taken, *keyword.kwlist, *keyword.softkwlist, *vars(builtins)}
    blocks: list[Declared] = []
    inside = {v for _, _, variables in arrays.values() for v in variables}
    for position, single in enumerate(names):
        if position in arrays:
            name, shape, variables = arrays[position]
            blocks.append(Declared(_identifier(name, used), name, shape, variables))
        elif position not in inside:
            blocks.append(Declared(_identifier(single, used), single, (), (position,)))
    return blocks


def _identifier(name: str, used: set[str]) -> str:
    """A name of Python's that is like this one and not yet used; it is, then."""
    word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "v"
    word = word if word[0].isalpha() else f"v_{word}"
    found, number = word, 2
    while found in used:
        found, number = f"{word}_{number}", number + 1
    used.add(found)
    return found


@dataclass(frozen=True)
class Words:
    """How variables are written: what is declared, each variable, rows of them, and whole arrays of
    more dimensions as lists."""

    blocks: Sequence[Declared]
    variables: Sequence[Text]
    rows: dict[tuple[str, ...], str]
    matrices: dict[tuple[str, ...], Declared]


def find_words(names: Sequence[str], taken: Iterable[str]) -> Words:
    """How variables of these names are written in a program that uses the names ``taken``, too."""
    blocks = find_blocks(names, taken)
    spelled: dict[int, Text] = {}
    rows: dict[tuple[str, ...], str] = {}
    matrices: dict[tuple[str, ...], Declared] = {}
    for block in blocks:
        for variable, place in zip(block.variables, product(*map(range, block.shape)), strict=True):
            inside = f"[{', '.join(map(str, place))}]" if place else ""
            spelled[variable] = Text(f"{block.called}{inside}")
        written = [spelled[variable].text for variable in block.variables]
        _add_rows(block, written, rows)
        if len(block.shape) > 1:
            matrices[tuple(written)] = block
    return Words(blocks, [spelled[k] for k in range(len(names))], rows, matrices)


def _add_rows(block: Declared, words: list[str], rows: dict[tuple[str, ...], str]) -> None:
    """A whole list; the rows and columns of a matrix."""
    if len(block.shape) == 1 and len(words) > 1:
        rows[tuple(words)] = block.called
    if len(block.shape) == 2:
        height, width = block.shape
        if width > 1:
            for k in range(height):
                rows[tuple(words[k * width : (k + 1) * width])] = f"{block.called}[{k}, :]"
        if height > 1:
            for k in range(width):
                rows[tuple(words[k::width])] = f"{block.called}[:, {k}]"


def declare(block: Declared, maker: str, items: Sequence[str]) -> str:
    """An array that is made of calls, one by one: a line for each row."""

    def nested(items: Sequence[str], shape: tuple[int, ...], depth: int) -> str:
        if not shape:
            return items[0]
        step = len(items) // shape[0]
        parts = [
            nested(items[k * step : (k + 1) * step], shape[1:], depth + 1) for k in range(shape[0])
        ]
        if len(shape) > 1:
            margin = "    " * (depth + 1)
            return "[\n" + "".join(f"{margin}{part},\n" for part in parts) + "    " * depth + "]"
        return f"[{', '.join(parts)}]"

    return f"{block.called} = {maker}({nested(items, block.shape, 0)})\n"


# --- lines ---------------------------------------------------------------------------------------


def statement(text: str) -> str:
    """A line, broken between the rows of its tables where it is too long."""
    if len(text) > LONGEST and not set("'\"") & set(text.replace('"*"', "")):
        text = re.sub(r"\], \[(?=[-\d\"])", "],\n    [", text)
    return f"{text}\n"


def sections(*parts: Iterable[str]) -> Iterator[str]:
    """Lines, with a blank one between parts that have any."""
    first = True
    for part in parts:
        begun = False
        for line in part:
            if not begun and not first:
                yield "\n"
            begun, first = True, False
            yield line
