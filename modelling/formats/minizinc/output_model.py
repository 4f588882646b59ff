"""MiniZinc's output model (``.ozn``): the text that is printed for a solution, and what it needs.

Words
-----
input    a declaration without a value: a variable of the FlatZinc, or an array of these
derived  a declaration with one: a parameter, or what is calculated from inputs
piece    part of the printed text: an expression between two ``++``, or an element of the array
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_TOKEN = re.compile(
    r"""%[^\n]* | "(?:\\.|[^"\\])*" | \$*[A-Za-z_][A-Za-z0-9_]* | '[^']*'
      | [0-9]+(?:\.[0-9]+)? | \.\. | \+\+ | :: | [<>=!]=? | \[\| | \|\] | /\\ | \\/ | \S""",
    re.VERBOSE,
)
_OPENING = frozenset({"(", "[", "{", "[|", "if"})
_CLOSING = frozenset({")", "]", "}", "|]", "endif"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Declared:
    """A declaration: its type as tokens, and its value, empty for an input."""

    kind: Tokens
    value: Tokens

    @property
    def is_array(self) -> bool:
        return self.kind[0] == "array"


@dataclass(frozen=True)
class Piece:
    """Part of the text, as an expression; ``is_array``: its value is an array of texts."""

    tokens: Tokens
    is_array: bool = False

    @property
    def is_literal(self) -> bool:
        """Whether it is a string."""
        return len(self.tokens) == 1 and self.tokens[0].startswith('"')

    @property
    def text(self) -> str:
        """The expression of a text."""
        written = " ".join(self.tokens)
        return f"concat({written})" if self.is_array else f"({written})"

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that occur."""
        return frozenset(token for token in self.tokens if _NAME.fullmatch(token))

    def argument(self, *functions: str) -> Tokens | None:
        """What one of these functions is called with, if the piece is such a call and no more."""
        tokens = self.tokens
        if len(tokens) < 4 or tokens[0] not in functions or tokens[1] != "(":
            return None
        return tokens[2:-1] if _find_closing(tokens, 1) == len(tokens) - 1 else None


class OutputModel:
    """The contents of an ``.ozn`` file."""

    def __init__(self, text: str) -> None:
        self.declared: dict[str, Declared] = {}
        self.functions: dict[str, Tokens] = {}
        self.output: Tokens = ()
        others = []
        for item in _split_items(tokenize(text)):
            if item[0] == "output":
                self.output = item[1:]
                continue
            others.append(" ".join(item) + ";\n")
            if item[0] in ("function", "predicate", "test"):
                first = item.index("(")
                last = _find_closing(item, first)
                own = {item[k + 1] for k in range(first, last) if item[k] == ":"}
                body = tuple(token for token in item[last + 1 :] if token not in own)
                name = item[first - 1]
                self.functions[name] = (*self.functions.get(name, ()), *body)
            elif ":" in item and item[0] not in ("constraint", "solve", "include"):
                colon = _find_at_depth(item, ":", 0)
                value = _find_at_depth(item, "=", colon)
                value = len(item) if value < 0 else value
                self.declared[item[colon + 1]] = Declared(item[:colon], item[value + 1 :])
        self.rest = "".join(others)
        """All items but the output."""

    def pieces(self) -> Iterator[Piece]:
        """The parts of the text in their order."""
        for part in _list_joined(self.output):
            if part[0] == "[" and _find_closing(part, 0) == len(part) - 1 and not _is_loop(part):
                for element in _split(part[1:-1], ","):
                    yield from (Piece(one) for one in _list_joined(element))
            else:
                yield Piece(part, is_array=True)

    def reach(self, names: Sequence[str] | frozenset[str]) -> frozenset[str]:
        """The inputs that the value of an expression with these names rests on."""
        inputs, seen, left = set(), set(), list(names)
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            known = self.declared.get(name)
            if known is not None and not known.value:
                inputs.add(name)
                continue
            tokens = self.functions.get(name, ()) if known is None else known.value
            left += [token for token in tokens if _NAME.fullmatch(token)]
        return frozenset(inputs)


def tokenize(text: str) -> Tokens:
    """The tokens of a text, without its comments."""
    return tuple(token for token in _TOKEN.findall(text) if not token.startswith("%"))


def find_loop(piece: Piece) -> tuple[Tokens, Tokens] | None:
    """The body and the generators of a comprehension, if the piece is one and no more."""
    tokens = piece.tokens
    if not (tokens[0] == "[" and _find_closing(tokens, 0) == len(tokens) - 1 and _is_loop(tokens)):
        return None
    bar = _find_at_depth(tokens[1:-1], "|", 0) + 1
    return tokens[1:bar], tokens[bar + 1 : -1]


def list_accesses(tokens: Tokens, arrays: Mapping[str, object]) -> Iterator[tuple[str, Tokens]]:
    """Each place where one of these arrays occurs, with its indices; none where it is whole."""
    for k, token in enumerate(tokens):
        if token not in arrays:
            continue
        if k + 1 < len(tokens) and tokens[k + 1] == "[":
            yield token, tokens[k + 2 : _find_closing(tokens, k + 1)]
        else:
            yield token, ()


def split_list(tokens: Tokens) -> list[Tokens]:
    """The parts between commas."""
    return list(_split(tokens, ","))


def _is_loop(tokens: Sequence[str]) -> bool:
    return _find_at_depth(tokens[1:-1], "|", 0) >= 0


def _list_joined(tokens: Tokens) -> Iterator[Tokens]:
    """What is joined by ``++``, within brackets too."""
    for part in _split(tokens, "++"):
        if part[0] == "(" and _find_closing(part, 0) == len(part) - 1:
            yield from _list_joined(part[1:-1])
        else:
            yield part


def _split_items(tokens: Tokens) -> Iterator[Tokens]:
    yield from (item for item in _split(tokens, ";") if item)


def _split(tokens: Sequence[str], sign: str) -> Iterator[Tokens]:
    """The parts between signs outside of brackets; ``let`` reaches to the end of its part."""
    part: list[str] = []
    depth, within_let = 0, False
    for token in tokens:
        if token == sign and not depth and not (within_let and sign == "++"):
            yield tuple(part)
            part, within_let = [], False
            continue
        within_let = within_let or (token == "let" and not depth)
        depth += (token in _OPENING) - (token in _CLOSING)
        part.append(token)
    if part:
        yield tuple(part)


def _find_at_depth(tokens: Sequence[str], sign: str, start: int) -> int:
    depth = 0
    for k in range(start, len(tokens)):
        if tokens[k] == sign and not depth:
            return k
        depth += (tokens[k] in _OPENING) - (tokens[k] in _CLOSING)
    return -1


def _find_closing(tokens: Sequence[str], opening: int) -> int:
    depth = 0
    for k in range(opening, len(tokens)):
        depth += (tokens[k] in _OPENING) - (tokens[k] in _CLOSING)
        if not depth:
            return k
    return len(tokens) - 1
