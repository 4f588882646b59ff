"""Which instances CP-SAT is given natively; where one of these declines, a rewrite takes over.

CP-SAT's integers have 64 bits, so that no term may reach beyond ``LARGEST``, products included.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from modelling.constraints import AllDifferent, Define, Linear, Sum
from modelling.problem import Structure
from modelling.rewriting.profile import Variables
from modelling.terms import Term, affine, bounds

LARGEST = 1 << 53
"""Values beyond this are refused, far below where CP-SAT's 64-bit sums overflow."""


def fit(terms: Iterable[Term], variables: Variables) -> bool:
    """Whether no term reaches beyond ``LARGEST``."""
    return all(largest(term, variables) <= LARGEST for term in terms)


def largest(term: Term, variables: Variables) -> int:
    """The greatest absolute value that a term can have."""
    return max(map(abs, bounds(term, variables.domains)))


def find_too_large(structure: Structure) -> str:
    """Which variable or sum reaches beyond ``LARGEST``; empty if none does.

    A sum counts with every partial one, whatever order CP-SAT makes of it.
    """
    for name, domain in zip(structure.names, structure.domains, strict=True):
        if domain and max(-domain[0], domain[-1]) > LARGEST:
            return f"{name} reaches beyond {LARGEST}"
    waiting: list[Any] = list(structure.constraints)
    while waiting:
        part = waiting.pop()
        waiting += part.parts()
        if type(part) is Linear or type(part) is Sum:
            factors = part.coefficients or (1,) * len(part.terms)
            reach = sum_reach(part.terms, factors, structure)
            if reach + abs(getattr(part, "constant", 0)) > LARGEST:
                return f"a sum of {len(part.terms)} terms reaches beyond {LARGEST}"
    return ""


def sum_reach(terms: Iterable[Term], factors: Iterable[int], variables: Variables) -> int:
    """The greatest absolute value that a sum, or a part of it, can have."""
    pairs = zip(terms, factors, strict=True)
    return sum(abs(factor) * largest(term, variables) for term, factor in pairs)


def least(term: Term, variables: Variables) -> int:
    """The least value that a term can have."""
    return bounds(term, variables.domains)[0]


def values_of(term: Term, variables: Variables) -> list[int]:
    """The values of an affine term."""
    variable, factor, offset = affine(term)
    if variable is None:
        return [offset]
    return [factor * value + offset for value in variables.domains[variable]]


def fits(constraint: Any, variables: Variables) -> bool:
    """Every term of a constraint fits."""
    return fit(constraint.terms_within(), variables)


def excepts_nothing(constraint: AllDifferent, variables: Variables) -> bool:
    """CP-SAT's takes no excepted values."""
    return not constraint.except_ and fits(constraint, variables)


def function_fits(define: Define, variables: Variables) -> bool:
    """Result and arguments of a function of some variables fit."""
    function = define.function
    terms = (define.result, *function.terms_within())
    return bool(function.scope) and fit(terms, variables)
