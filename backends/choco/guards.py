"""Which instances Choco is given natively; where one of these declines, a rewrite takes over.

Each says what Choco would do otherwise; ``docs/disagreements.md`` has scripts of what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backends.interface.magnitudes import largest
from modelling.constraints import Define
from modelling.rewriting.profile import Variables
from modelling.terms import Term, bounds, is_constant

LARGEST = 21_474_836
"""Choco's ``IntVar.MAX_INT_BOUND``: its sums are of 32 bits, and this is a hundredth of these."""


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


def within(terms: Iterable[Term], size: int, variables: Variables) -> bool:
    """Whether all values of the terms are places, counted from 0. Choco's propagators over places
    take no others where they are reified."""
    ends = [bounds(term, variables.domains) for term in terms]
    return all(low >= 0 and high < size for low, high in ends)


def is_zero(term: Term) -> bool:
    """Whether a term is written as 0."""
    return is_constant(term) and not term.offset


def last(lengths: Iterable[Term], variables: Variables) -> bool:
    """Whether what is not written as 0 is 1 at least."""
    return all(is_zero(length) or bounds(length, variables.domains)[0] > 0 for length in lengths)
