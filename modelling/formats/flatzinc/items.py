"""The items of a FlatZinc file, as tokens; and the place of a token, on request.

Words
-----
item      what ends in a semicolon: a declaration, a constraint, the question
token     a name, a number, a string, a sign; blanks and comments between tokens do not matter

Tokens are plain strings without their places, so that a file of some megabytes takes a few seconds;
the place of a token is found by reading its item again, when an error is to name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from modelling.errors import InstanceError

_WORDS = r"""
    [A-Za-z_][A-Za-z0-9_]*
  | -?0x[0-9A-Fa-f]+ | -?0o[0-7]+
  | -?[0-9]+ (?: \.[0-9]+ (?:[eE][-+]?[0-9]+)? | [eE][-+]?[0-9]+ )?
  | \.\. | :: | "[^"\n]*" | \S
"""
_TOKEN = re.compile(_WORDS, re.VERBOSE)
_TOKEN_OR_COMMENT = re.compile(r"%[^\n]* |" + _WORDS, re.VERBOSE)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INTEGER = re.compile(r"-?(?:[0-9]{1,19}|0x[0-9A-Fa-f]{1,16}|0o[0-7]{1,22})")

LARGEST = 1 << 61
"""Numbers are at most so far from 0: there, MiniZinc's own arithmetic ends."""


class Item:
    """The tokens of one item; the last one is its semicolon."""

    __slots__ = ("source", "start", "text", "tokens")

    def __init__(self, text: str, source: str, start: int, tokens: list[str]) -> None:
        self.text = text
        self.source = source
        self.start = start
        self.tokens = tokens

    def fail(self, number: int, cause: str) -> NoReturn:
        """Raise InstanceError at the token of this number."""
        found = _TOKEN_OR_COMMENT.finditer(self.text, self.start)
        tokens = (token for token in found if not token[0].startswith("%"))
        offset = self.start
        for k, token in enumerate(tokens):
            offset = token.start()
            if k >= number:
                break
        raise InstanceError(cause, place(self.text, self.source, offset))

    def expect(self, number: int, token: str) -> int:
        """The number of the next token, if this one is ``token``."""
        if self.tokens[number] != token:
            self.fail(number, f"{token!r} must stand here, not {shown(self.tokens[number])}")
        return number + 1

    def name_at(self, number: int) -> str:
        """The name that this token must be."""
        token = self.tokens[number]
        if not _IDENTIFIER.fullmatch(token):
            self.fail(number, f"a name must stand here, not {shown(token)}")
        return token

    def integer_at(self, number: int) -> int:
        """The integer that this token must be."""
        value = to_integer(self.tokens[number])
        if value is None:
            self.fail(number, f"an integer must stand here, not {shown(self.tokens[number])}")
        return value


def place(text: str, source: str, offset: int) -> str:
    """``source:line:column``, counted from 1."""
    line = text.count("\n", 0, offset) + 1
    return f"{source}:{line}:{offset - text.rfind(chr(10), 0, offset)}"


def shown(token: str) -> str:
    """A token as errors quote it: not at any length."""
    return repr(token) if len(token) <= 60 else f"{token[:60]!r}..."


def to_integer(token: str) -> int | None:
    """A token as an integer; None if it is not an integer, or is beyond ``LARGEST``."""
    if not _INTEGER.fullmatch(token):
        return None
    value = int(token, 10 if token.isdecimal() or token[1:].isdecimal() else 0)
    return value if -LARGEST <= value <= LARGEST else None


def is_float(token: str) -> bool:
    """Whether a token is a number with a point or an exponent."""
    return (
        token[-1:].isdecimal()
        and token.lstrip("-")[:1].isdecimal()
        and ("." in token or "e" in token.lower())
        and not token.lstrip("-").lower().startswith("0x")
    )


def decode(data: bytes, source: str) -> str:
    """The text of a file, which is UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as found:
        before = data[: found.start].decode("utf-8-sig", "replace")
        raise InstanceError(
            "a byte is not UTF-8; FlatZinc is text: save the file as UTF-8, or unpack it if it is "
            "compressed",
            place(before, source, len(before)),
        ) from None


def items_of(text: str, source: str) -> Iterator[Item]:
    """The items in turn; InstanceError if the last one has no end."""
    start = 0
    while True:
        end = text.find(";", start)
        between = text[start : end + 1] if end >= 0 else text[start:]
        if "%" in between or '"' in between:  # these may contain a semicolon
            tokens, end = _read_slowly(text, start)
        else:
            tokens = _TOKEN.findall(between)
        if tokens and tokens[-1] == ";":
            yield Item(text, source, start, tokens)
        elif tokens:
            Item(text, source, start, tokens).fail(0, "this item does not end in a semicolon")
        else:
            return
        start = end + 1


def _read_slowly(text: str, start: int) -> tuple[list[str], int]:
    """The tokens of an item with comments or strings, and the place of its semicolon."""
    tokens = []
    for found in _TOKEN_OR_COMMENT.finditer(text, start):
        token = found[0]
        if not token.startswith("%"):
            tokens.append(token)
            if token == ";":
                return tokens, found.start()
    return tokens, len(text)
