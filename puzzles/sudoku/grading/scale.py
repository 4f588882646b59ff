"""What each technique costs: the scale of grades and scores, frozen and versioned.

A puzzle's grade is the dearest technique that its path needs, its score the sum of the costs of all
steps. The costs are this project's own: they rise in the order in which people learn the
techniques, about by what one more step of the kind adds to the time that a puzzle takes. They are
an order and a rough measure, not a law.

A scale never changes once it has been released: grades in sets and records name its version. To
change a cost or the order, or to add a technique, add a version.
"""

from __future__ import annotations

from collections.abc import Mapping

from modelling.errors import InputError
from modelling.wording import did_you_mean

VERSION = 1

COSTS: Mapping[str, int] = {
    "naked-single": 1,
    "hidden-single": 2,
    "locked-candidates": 6,
    "naked-pair": 10,
    "hidden-pair": 14,
    "naked-triple": 18,
    "hidden-triple": 24,
    "naked-quad": 30,
    "hidden-quad": 36,
    "x-wing": 42,
    "swordfish": 56,
    "xy-wing": 62,
    "simple-colouring": 70,
    "trial": 140,
    "nested-trial": 500,
}
"""Technique -> cost, cheapest first: the grades."""

GRADES: tuple[str, ...] = tuple(COSTS)


def rank(grade: str) -> int:
    """The number of a grade, from 1 for the easiest; raises ``InputError`` for an unknown one."""
    if grade not in COSTS:
        hint = did_you_mean(grade, GRADES)
        raise InputError(f"no grade is called {grade!r}{hint} (there are: {', '.join(GRADES)})")
    return GRADES.index(grade) + 1
