"""What base domains alone decide: constraints that always hold, terms that are always defined."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from modelling.constraint import Constraint
from modelling.terms import Domains, Fielded, Function, Term, bounds
from modelling.vocabulary.comparisons import OPPOSITES
from modelling.vocabulary.formulas.linear import Linear, Sum

MOST_TRIED = 4096
"""Most combinations of values that are tried; beyond, bounds decide."""


def always_holds(constraint: Constraint, domains: Domains) -> bool:
    """Whether every assignment satisfies ``constraint``; False may mean that it is unknown."""
    own = [domains[v] for v in constraint.scope]
    if prod(map(len, own)) <= MOST_TRIED:
        return all(map(constraint.holds, product(*own)))
    if type(constraint) is not Linear or undefined_parts(constraint, domains):
        return False
    low, high = bounds(Sum(constraint.terms, constraint.coefficients), domains)
    return never_in(low, high, OPPOSITES[constraint.relation], constraint.constant)


def never_in(low: int, high: int, relation: str, constant: int) -> bool:
    """Whether no integer from ``low`` to ``high`` has ``relation`` to ``constant``."""
    return {
        "==": constant < low or high < constant,
        "!=": low == high == constant,
        "<": low >= constant,
        "<=": low > constant,
        ">": high <= constant,
        ">=": high < constant,
    }[relation]


def undefined_parts(item: Constraint | Function, domains: Domains) -> list[Function]:
    """The functions among the terms of ``item`` that base domains can leave undefined."""
    return [part for part in _functions(item) if not _is_guarded(part, domains)]


def can_be_undefined(term: Term, domains: Domains) -> bool:
    """Whether some values of the base domains may leave ``term`` without a value."""
    return isinstance(term, Function) and bool(
        not _is_guarded(term, domains) or undefined_parts(term, domains)
    )


def _is_guarded(function: Function, domains: Domains) -> bool:
    return all(always_holds(guard, domains) for guard in function.guards())


def _functions(item: Constraint | Function) -> Iterator[Function]:
    for term in item.terms_within() if isinstance(item, Fielded) else ():
        if isinstance(term, Function):
            yield term
            yield from _functions(term)
