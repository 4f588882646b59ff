"""Numbers as LP and MPS write them: decimals, which are read exactly."""

from __future__ import annotations

import re
from fractions import Fraction

from modelling.formats.linear.parsed import INFINITE

NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]{1,3})?"
"""A number without its sign. An exponent has at most three digits."""

_WHOLE = re.compile(rf"([+-]?)({NUMBER}|inf(?:inity)?)", re.IGNORECASE)
LONGEST = 400


def read_number(word: str) -> Fraction | None:
    """The number that a word is, exactly; None for none. Infinity is ``INFINITE``."""
    found = _WHOLE.fullmatch(word) if len(word) <= LONGEST else None
    if found is None:
        return None
    sign, number = (-1 if found[1] == "-" else 1), found[2].lower()
    if number.startswith("inf"):
        return Fraction(sign * INFINITE)
    return sign * Fraction(number.replace("d", "e"))


def bound_of(number: Fraction) -> Fraction | None:
    """A number as a bound; None if it is so large that it means that there is no bound."""
    return None if abs(number) >= INFINITE else number
