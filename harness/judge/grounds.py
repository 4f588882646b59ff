"""What an answer is founded on, in a word: its ground, and which of several is the weakest.

Words
-----
checked     it claims no more than the solutions that it shows, and each of them is checked
enumerated  it is the oracle's own: every assignment was tried by the constraints' definitions
oracle      it follows from an answer of the oracle
proved      it follows from an answer with a checked proof; and how it was checked that the clauses
            lose no solution of the problem: ``encoding enumerated``, or ``encoding agreed``, where
            a second engine said so of what is too large to be enumerated, or ``encoding
            unchecked``, which verifies nothing
agreed      by two independent families or more
claimed     by one known family alone
"""

from __future__ import annotations

import re
from collections.abc import Iterable

CHECKED, ENUMERATED, ORACLE = "checked", "enumerated", "oracle"
PROVED = "proved, encoding {}"
ENCODINGS = ("enumerated", "agreed")
"""What of the check of an encoding makes a proof verify an answer, the strongest first."""

UNCHECKED = PROVED.format("unchecked")
CLAIMED = "claimed by one family"

_ORDER = (CHECKED, ENUMERATED, ORACLE, *map(PROVED.format, ENCODINGS))
_LAST = (UNCHECKED, CLAIMED)


def name_agreement(families: int) -> str:
    """The ground of an answer that this number of independent families gives."""
    return f"agreed by {families} independent families"


def find_weakest(grounds: Iterable[str]) -> str:
    """The weakest of these grounds; empty if there is none. An unknown one is weaker than all."""
    return max(filter(None, grounds), key=_rank, default="")


def _rank(ground: str) -> tuple[int, int]:
    if ground in _ORDER:
        return 0, _ORDER.index(ground)
    if found := re.fullmatch(r"agreed by (\d+) independent families", ground):
        return 1, -int(found[1])
    return 2, _LAST.index(ground) if ground in _LAST else len(_LAST)
