"""Which instances Pumpkin is given natively: what its integers hold."""

from __future__ import annotations

from typing import Any

from backends.interface import magnitudes
from modelling.constraints import Define
from modelling.rewriting.profile import Variables

LARGEST = (1 << 30) - 1
"""Pumpkin's integers are of 32 bits, and it subtracts one sum from another in them."""


def fits(constraint: Any, variables: Variables) -> bool:
    """Every term of a constraint fits."""
    return magnitudes.terms_fit(constraint.terms_within(), LARGEST, variables)


def function_fits(define: Define, variables: Variables) -> bool:
    """Result and arguments of a function of some variables fit."""
    return magnitudes.function_fits(define, LARGEST, variables)
