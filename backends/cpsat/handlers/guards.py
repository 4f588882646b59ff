"""Which instances CP-SAT is given natively; where one of these declines, a rewrite takes over.

CP-SAT's integers have 64 bits, so that no term may reach beyond ``LARGEST``, products included.
"""

from __future__ import annotations

from typing import Any

from backends.interface import magnitudes
from modelling.constraints import AllDifferent, Define
from modelling.rewriting.profile import Variables
from modelling.terms import Term, bounds

LARGEST = 1 << 53
"""Values beyond this are refused, far below where CP-SAT's 64-bit sums overflow."""


def least(term: Term, variables: Variables) -> int:
    """The least value that a term can have."""
    return bounds(term, variables.domains)[0]


def fits(constraint: Any, variables: Variables) -> bool:
    """Every term of a constraint fits."""
    return magnitudes.terms_fit(constraint.terms_within(), LARGEST, variables)


def excepts_nothing(constraint: AllDifferent, variables: Variables) -> bool:
    """CP-SAT's takes no excepted values."""
    return not constraint.except_ and fits(constraint, variables)


def function_fits(define: Define, variables: Variables) -> bool:
    """Result and arguments of a function of some variables fit."""
    return magnitudes.function_fits(define, LARGEST, variables)
