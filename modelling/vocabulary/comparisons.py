"""The six relations between integers; which terms always have a value, and how to make one so."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping

from modelling.terms import Function, Term

RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

OPPOSITES: Mapping[str, str] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""What holds of two integers when the relation does not."""

_MIRROR = str.maketrans("<>", "><")


def mirror(relation: str) -> str:
    """The relation with its sides exchanged: ``x < y`` means ``y > x``."""
    return relation.translate(_MIRROR)


def is_total(term: Term) -> bool:
    """Whether ``term`` has a value whatever values its variables have, by its form alone.

    Terms within a formula do not matter: there, undefined means false.
    """
    if not isinstance(term, Function):
        return True
    return not term.guards() and are_total(term.terms_within())


def are_total(terms: Iterable[Term]) -> bool:
    """Whether all of ``terms`` are total."""
    return all(map(is_total, terms))


def make_total(term: Term) -> Term:
    """A term that always has a value, and the value of ``term`` wherever that has one."""
    if not isinstance(term, Function):
        return term
    inner = term.rebuilt(make_total)
    return inner.totalised() if inner.guards() else inner
