"""What readers of all formats have in common: claims, objectives, and what is no answer.

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
"""Number of characters of a line ``s`` that are read."""


class Garbled(ValueError):
    """An answer that cannot be read; the message says why."""


class Reader:
    """Reads one answer: ``line`` takes a line and returns a sighting where one is whole.

    ``claim`` is what the solver says, ``native`` its own words for it; ``complete`` that it says
    that nothing is left beyond what it has shown; ``open`` that a sighting has begun and is not
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
        self.open = False
        self.objectives = 0
        self.objective: int | None = None
        self.bound: int | None = None
        self.statistics: dict[str, int | float] = {}

    def line(self, text: str) -> Any | None:
        """A sighting, if one is whole with this line. Garbled for what cannot be read."""
        raise NotImplementedError

    def end(self) -> Any | None:
        """The same at the end of the output."""
        return None

    def say(self, words: str) -> None:
        """A line that begins with ``s``."""
        words = only_signs(" ".join(words[:MOST_WORDS].split()))
        claim = CLAIMS.get(words, "UNKNOWN")
        if {self.claim, claim} in ({"UNSATISFIABLE", "SATISFIABLE"}, {"UNSATISFIABLE", "OPTIMUM"}):
            raise Garbled(f"it says both {self.native} and {words}")
        if self.claim in ("", "UNKNOWN") or claim == "OPTIMUM":
            self.claim, self.native = claim, words

    def value(self, words: str) -> None:
        """A line that begins with ``o``."""
        self.objectives += 1
        if re.fullmatch(r"[+-]?[0-9]{1,400}", words.strip()):
            self.objective = int(words)


def shorten(words: str) -> str:
    """Words as a message shows them."""
    words = words.strip()
    return repr(words if len(words) <= 60 else words[:60] + "...")


def only_signs(words: str) -> str:
    """Without what would do something to a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in words)
