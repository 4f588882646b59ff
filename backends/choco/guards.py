"""Which instances Choco is given natively; where one of these declines, a rewrite takes over.

Each says what Choco would do otherwise; ``docs/disagreements.md`` has scripts of what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backends.interface import magnitudes
from backends.interface.magnitudes import every_part, largest, sum_reach, terms_fit
from modelling.constraints import And, Define, Iff, Implies, Linear, Not, Or, Xor
from modelling.problem import Structure
from modelling.rewriting.profile import Variables
from modelling.terms import Term, bounds, is_constant

LARGEST = 21_474_836
"""Choco's ``IntVar.MAX_INT_BOUND``: its sums are of 32 bits, and this is a hundredth of these."""


WIDEST = (1 << 31) - 2
"""Most that a variable, a constant, or a sum with any factors may reach where it is only compared:
beyond that Choco was seen to lose solutions (``docs/decisions/0037-large-domains.md``)."""

WIDEST_PLAIN = 1 << 33
"""The same for a sum whose factors are all 1 or -1, which it calculates with 64 bits."""

INTERVALS = frozenset({Linear, And, Iff, Implies, Not, Or, Xor})
"""The kinds of constraints over variables whose values reach beyond ``LARGEST``."""


def fits(constraint: Any, variables: Variables) -> bool:
    """Every term of a constraint fits."""
    return terms_fit(constraint.terms_within(), LARGEST, variables)


def function_fits(define: Define, variables: Variables) -> bool:
    """Result and arguments of a function of some variables fit."""
    return magnitudes.function_fits(define, LARGEST, variables)


def is_comparable(constraint: Linear, variables: Variables) -> bool:
    """Whether Choco compares a sum without an overflow."""
    reach = sum_reach(constraint.terms, constraint.coefficients, variables)
    return (
        all(largest(term, variables) <= WIDEST for term in constraint.terms)
        and abs(constraint.constant) <= WIDEST
        and reach + abs(constraint.constant)
        <= (WIDEST_PLAIN if is_plain_sum(constraint) else WIDEST)
    )


def is_plain_sum(constraint: Linear) -> bool:
    """Whether all factors are 1 or -1."""
    return all(abs(factor) == 1 for factor in constraint.coefficients)


def find_overflow(structure: Structure) -> str:
    """Which variable or sum Choco's integers do not hold; empty if there is none."""
    for name, domain in zip(structure.names, structure.domains, strict=True):
        if domain and max(-domain[0], domain[-1]) > WIDEST:
            return f"{name} reaches beyond {WIDEST}"
    for part in every_part(structure):
        if type(part) is Linear and not is_comparable(part, structure):
            most = WIDEST_PLAIN if is_plain_sum(part) else WIDEST
            return f"a sum of {len(part.terms)} terms reaches beyond {most}"
        if type(part) not in INTERVALS and not terms_fit(part.scope, LARGEST, structure):
            return f"a variable within {type(part).__name__} reaches beyond {LARGEST}"
    return ""


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
