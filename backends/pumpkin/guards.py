"""Which instances Pumpkin is given natively: what its integers hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backends.interface.magnitudes import largest
from modelling.constraints import Define
from modelling.rewriting.profile import Variables
from modelling.terms import Term

LARGEST = (1 << 30) - 1
"""Pumpkin's integers are of 32 bits, and it subtracts one sum from another in them."""


def fit(terms: Iterable[Term], variables: Variables) -> bool:
    """Whether no term reaches beyond ``LARGEST``."""
    return all(largest(term, variables) <= LARGEST for term in terms)


def fits(constraint: Any, variables: Variables) -> bool:
    """Every term of a constraint fits."""
    return fit(constraint.terms_within(), variables)


def function_fits(define: Define, variables: Variables) -> bool:
    """Result and arguments of a function of some variables fit."""
    function = define.function
    return bool(function.scope) and fit((define.result, *function.terms_within()), variables)
