"""Comparisons of sums that a problem has: with one factor for each variable, in a common form, or
within an implication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from modelling.constraint import Constraint
from modelling.constraints import Iff, Implies, Linear
from modelling.terms import affine


class Sum(NamedTuple):
    """``sum of factors * variables RELATION constant``."""

    factors: Mapping[int, int]
    relation: str
    constant: int


def sum_of(linear: Linear) -> Sum:
    """A comparison with one factor for each variable."""
    factors: dict[int, int] = {}
    constant = linear.constant
    for term, factor in zip(linear.terms, linear.coefficients, strict=True):
        variable, of_variable, offset = affine(term)
        constant -= factor * offset
        if variable is not None:
            factors[variable] = factors.get(variable, 0) + factor * of_variable
    return Sum(factors, linear.relation, constant)


class AtLeast(NamedTuple):
    """A comparison in a common form: the sum of ``weights`` is at least ``bound``."""

    weights: Mapping[int, int]
    bound: int


def comparisons(linear: Linear) -> Iterator[AtLeast]:
    """A comparison of a sum as one or two in the common form; none for ``!=``."""
    weights, _, bound = sum_of(linear)
    if linear.relation in (">=", ">", "=="):
        yield AtLeast(weights, bound + (linear.relation == ">"))
    if linear.relation in ("<=", "<", "=="):
        opposite = {v: -weight for v, weight in weights.items()}
        yield AtLeast(opposite, -bound + (linear.relation == "<"))


# --- within implications -------------------------------------------------------------------------


def parts_of(constraint: Implies | Iff) -> list[tuple[Constraint, bool, Constraint]]:
    """Conditions, the truth values with which they imply something, and what they imply."""
    if isinstance(constraint, Implies):
        return [(constraint.condition, True, constraint.consequence)]
    one, other = constraint.one, constraint.other
    if not isinstance(other, Linear) or len(one.scope) > len(other.scope):
        one, other = other, one
    found: list[tuple[Constraint, bool, Constraint]] = [(one, True, other)]
    if isinstance(other, Linear):
        found.append((one, False, opposite_of(other)))
    return found


def opposite_of(linear: Linear) -> Linear:
    opposites = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!=", "!=": "=="}
    return Linear(linear.terms, linear.coefficients, opposites[linear.relation], linear.constant)
