"""What readers of all formats have in common: claims, objectives, and what is not an answer.

Words
-----
sighting    a solution as it was printed: literals, or values by the names of variables
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

Claim = Literal["", "SATISFIABLE", "UNSATISFIABLE", "OPTIMUM", "UNKNOWN"]

CLAIMS: Mapping[str, Claim] = {
    "SATISFIABLE": "SATISFIABLE",
    "UNSATISFIABLE": "UNSATISFIABLE",
    "OPTIMUM FOUND": "OPTIMUM",
}

MOST_SIGNS = 1 << 28
"""A solution that takes more signs is an error."""


MOST_WORDS = 200
"""Number of characters of a line ``s`` that are shown; a longer line claims nothing known."""

MOST_DIGITS = 400
"""Most digits of a number; longer words are not read as numbers."""

_INTEGER = re.compile(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}")

CONTRADICTIONS: frozenset[frozenset[Claim]] = frozenset(
    frozenset(pair)
    for pair in (
        ("UNSATISFIABLE", "SATISFIABLE"),
        ("UNSATISFIABLE", "OPTIMUM"),
        ("UNSATISFIABLE", "UNKNOWN"),
        ("OPTIMUM", "UNKNOWN"),
    )
)
"""Pairs of claims that contradict each other; UNKNOWN contradicts a proof."""


class Garbled(ValueError):
    """An answer that cannot be read; the message says why."""


class Reader:
    """Reads one answer: ``line`` takes a line and returns a sighting where one is whole.

    ``claim`` is what the solver says, ``native`` its own words for it; ``complete`` that it says
    that nothing is left beyond what it has shown; ``unsure`` that it has also said UNKNOWN or a
    word that is not known, which takes that back; ``open`` that a sighting has begun and is not
    whole. ``objectives`` counts the lines that tell a value, ``objective`` is the last of these,
    and ``bound`` the last bound. ``missing`` is what was expected where nothing is said, and
    ``comment`` is the sign that lines begin with that say nothing.
    """

    missing = "no line that begins with `s `"
    comment = b"c"

    def __init__(self) -> None:
        self.claim: Claim = ""
        self.native = ""
        self.complete = False
        self.unsure = False
        self.open = False
        self.objectives = 0
        self.objective: int | None = None
        self.bound: int | None = None
        self.statistics: dict[str, int | float] = {}

    def line(self, text: str) -> Any | None:
        """A sighting, if one is whole with this line. Garbled for what cannot be read."""
        kind, words = text[:2], text[2:]
        if kind in ("s ", "s\t"):
            self.say(words)
        elif kind in ("o ", "o\t"):
            self.value(words)
        return None

    def end(self) -> Any | None:
        """The same at the end of the output."""
        return None

    def say(self, words: str) -> None:
        """A line that begins with ``s``."""
        claim, words = _claim(words)
        if frozenset((self.claim, claim)) in CONTRADICTIONS:
            raise Garbled(f"it says both {self.native} and {words}")
        self.unsure = self.unsure or claim == "UNKNOWN"
        if self.claim in ("", "UNKNOWN") or claim == "OPTIMUM":
            self.claim, self.native = claim, words

    def status(self, text: str) -> None:
        """Read only the claim of a line: the answer is in a file."""
        if text[:2] in ("s ", "s\t"):
            self.say(text[2:])
        elif text.strip() in CLAIMS:
            self.say(text)

    def value(self, words: str) -> None:
        """A line that begins with ``o``."""
        self.objectives += 1
        if len(words) <= 2 * MOST_DIGITS and _INTEGER.fullmatch(words.strip()):
            self.objective = int(words)


class LiteralsReader(Reader):
    """Reads models of literals: ``positive`` and ``negative`` are the variables of the model that
    has begun, ``named`` counts its literals."""

    def __init__(self) -> None:
        super().__init__()
        self.positive: set[int] = set()
        self.negative: set[int] = set()
        self.named = 0

    def check_size(self) -> None:
        """Garbled for a model that is too long."""
        if self.named * 4 > MOST_SIGNS:
            raise Garbled(f"a model has more than {self.named:,} literals")

    def end_model(self) -> set[int]:
        """The true variables; Garbled for a variable that is true and false."""
        if not self.positive.isdisjoint(self.negative):
            variable = min(self.positive & self.negative)
            raise Garbled(f"a model has {variable} both true and false")
        model, self.positive, self.negative = self.positive, set(), set()
        self.named, self.open = 0, False
        return model


def _claim(words: str) -> tuple[Claim, str]:
    """What words say, and the words as they are shown: cut, they are not what they were."""
    words = words.strip()
    shown = cleaned(words)
    return ("UNKNOWN" if len(words) > MOST_WORDS else CLAIMS.get(shown, "UNKNOWN")), shown


def cleaned(words: str) -> str:
    """A program's own words as they are shown: not too many, and for no terminal."""
    return only_signs(" ".join(words.strip()[:MOST_WORDS].split()))


def integer(word: str) -> int | None:
    """The integer that a word is in decimal digits, if it is one and is not too long."""
    return int(word) if _INTEGER.fullmatch(word) else None


def refuse_contradiction(printed: Reader, filed: Reader) -> None:
    """Garbled where what a program prints contradicts what it writes to a file."""
    if frozenset((printed.claim, filed.claim)) in CONTRADICTIONS:
        raise Garbled(f"it prints {printed.native} and writes {filed.native} to its file")


def shorten(words: str) -> str:
    """Words as a message shows them."""
    words = words.strip()
    return repr(words if len(words) <= 60 else words[:60] + "...")


def only_signs(words: str) -> str:
    """Without what would do something to a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in words)
