"""A file is changed at the level of its grammar: by its tokens and its sections.

Words
-----
token     a name, a number, or a sign; what lies between tokens is kept as it is
section   what states one thing: a line, a statement that ends with ``;``, an element of XML, what
          lies between two ``|``
edge      a number at which readers go wrong: 0, one below, the ends of 32 and 64 bits, and beyond
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

TOKEN = re.compile(r"[A-Za-z_][\w.]*|[+-]?\d+(?:\.\d+)?|[^\w\s]")
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
NAME = re.compile(r"[A-Za-z_][\w.]*")

STATEMENT = re.compile(r"[^;]*;\s*|[^;]+$")
LINE = re.compile(r"[^\n]*\n|[^\n]+$")
ELEMENT = re.compile(r"\s*<(\w+)\b[^<>]*>[^<>]*</\1>|\s*<[^<>]*>|[^<>]+")
"""The innermost elements whole, and the tags around them."""

PIECE = re.compile(r"[^|;/\n]*[|;/\n]\s*|[^|;/\n]+$")
"""What families divide a line into, or a line."""

SECTIONS = {
    **dict.fromkeys(("opb", "flatzinc", "minizinc"), STATEMENT),
    **dict.fromkeys(("cnf", "wcnf", "lp", "mps"), LINE),
    "xcsp3": ELEMENT,
}
"""What a section is, by format; a piece elsewhere, in the files of families."""

EDGES = (
    *("0", "-1", "1", "-0", "2147483647", "-2147483648", "2147483648", "9223372036854775807"),
    *("9223372036854775808", "1" + "0" * 30, "1.5", "1e9"),
)

MOST_CHANGES = 3

Change = Callable[[random.Random, str, str], str]
"""Takes a random stream, a text, and the format; returns another text, or the same."""


def mutate(rng: random.Random, text: str, form: str) -> str:
    """One to three changes after each other."""
    for _ in range(rng.randint(1, MOST_CHANGES)):
        text = rng.choice(CHANGES)(rng, text, form)
    return text


def split(text: str, form: str) -> list[str]:
    """The sections of a text; together they are the text."""
    found = [part[0] for part in SECTIONS.get(form, PIECE).finditer(text)]
    return found if "".join(found) == text else [text]


def split_tokens(text: str) -> list[str]:
    """Tokens, and what lies between them, in turn; together they are the text."""
    parts, end = [], 0
    for found in TOKEN.finditer(text):
        parts += [text[end : found.start()], found[0]]
        end = found.end()
    return [*parts, text[end:]]


# --- sections ------------------------------------------------------------------------------------


def _drop_section(rng: random.Random, text: str, form: str) -> str:
    parts = split(text, form)
    gone = rng.randrange(max(1, len(parts)))
    return "".join([*parts[:gone], *parts[gone + 1 :]])


def _double_section(rng: random.Random, text: str, form: str) -> str:
    parts = split(text, form)
    if parts:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(parts))
    return "".join(parts)


def _exchange_sections(rng: random.Random, text: str, form: str) -> str:
    parts = split(text, form)
    return "".join(_exchange(rng, parts, range(len(parts))))


def _end_early(rng: random.Random, text: str, form: str) -> str:
    parts = split_tokens(text)
    return "".join(parts[: rng.randrange(len(parts)) + 1])


# --- tokens --------------------------------------------------------------------------------------


def _drop_token(rng: random.Random, text: str, form: str) -> str:
    parts = split_tokens(text)
    return _put(rng, parts, range(1, len(parts), 2), lambda token: "")


def _double_token(rng: random.Random, text: str, form: str) -> str:
    parts = split_tokens(text)
    return _put(rng, parts, range(1, len(parts), 2), lambda token: f"{token} {token}")


def _nudge_number(rng: random.Random, text: str, form: str) -> str:
    def nudge(token: str) -> str:
        return token if "." in token else str(int(token) + rng.choice((-1, 1)))

    return _put_number(rng, text, nudge)


def _bring_to_edge(rng: random.Random, text: str, form: str) -> str:
    return _put_number(rng, text, lambda token: rng.choice(EDGES))


def _turn_sign(rng: random.Random, text: str, form: str) -> str:
    def turn(token: str) -> str:
        return token.lstrip("+-") if token[0] in "+-" else f"-{token}"

    return _put_number(rng, text, turn)


def _exchange_names(rng: random.Random, text: str, form: str) -> str:
    parts = split_tokens(text)
    return "".join(_exchange(rng, parts, _list_places(parts, NAME)))


def _rename(rng: random.Random, text: str, form: str) -> str:
    """A name is another one of the file, so that something occurs twice and something nowhere."""
    parts = split_tokens(text)
    names = [parts[k] for k in _list_places(parts, NAME)]
    return _put(rng, parts, _list_places(parts, NAME), lambda token: rng.choice(names))


def _exchange_numbers(rng: random.Random, text: str, form: str) -> str:
    parts = split_tokens(text)
    return "".join(_exchange(rng, parts, _list_places(parts, NUMBER)))


def _put_number(rng: random.Random, text: str, change: Callable[[str], str]) -> str:
    parts = split_tokens(text)
    return _put(rng, parts, _list_places(parts, NUMBER), change)


def _list_places(parts: Sequence[str], kind: re.Pattern[str]) -> list[int]:
    return [k for k in range(1, len(parts), 2) if kind.fullmatch(parts[k])]


def _put(
    rng: random.Random, parts: list[str], places: Sequence[int], change: Callable[[str], str]
) -> str:
    if places:
        place = rng.choice(places)
        parts[place] = change(parts[place])
    return "".join(parts)


def _exchange(rng: random.Random, parts: list[str], places: Sequence[int]) -> list[str]:
    if len(places) > 1:
        one, other = rng.sample(places, 2)
        parts[one], parts[other] = parts[other], parts[one]
    return parts


CHANGES: tuple[Change, ...] = (
    _drop_section,
    _double_section,
    _exchange_sections,
    _end_early,
    _drop_token,
    _double_token,
    _nudge_number,
    _nudge_number,
    _nudge_number,
    _bring_to_edge,
    _bring_to_edge,
    _turn_sign,
    _exchange_names,
    _rename,
    _rename,
    _exchange_numbers,
)
"""The changes; those that are listed more than once are chosen more often."""
