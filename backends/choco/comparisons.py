"""AllDifferent, disequalities and comparisons of sums."""

from __future__ import annotations

from backends.choco.guards import LARGEST, fits
from backends.choco.model import Made, Model, moved
from backends.interface.libraries.formulas import Builder
from backends.interface.magnitudes import largest
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.rewriting.profile import Guard, Variables

RELATION = {"==": "="}
"""What Choco calls otherwise."""


def all_different(model: Model, constraint: AllDifferent) -> Made:
    """Choco's own; a value that may repeat is moved to 0."""
    if not constraint.except_:
        return [model.model.all_different(model.terms(constraint.terms))]
    terms = [moved(term, -constraint.except_[0]) for term in constraint.terms]
    return [model.model.all_different_except_0(model.terms(terms))]


def excepts_at_most_one(constraint: AllDifferent, variables: Variables) -> bool:
    """Choco's has 0 as the one value that may repeat; any other is moved there."""
    shift = max((abs(value) for value in constraint.except_), default=0)
    return (
        len(constraint.terms) > 1
        and len(set(constraint.except_)) <= 1
        and all(largest(term, variables) + shift <= LARGEST for term in constraint.terms)
    )


def not_equal(model: Model, constraint: NotEqual) -> Made:
    """A comparison."""
    x, y = model.terms(constraint.terms)
    return [model.model.arithm(x, "!=", y)]


def linear(model: Model, constraint: Linear) -> Made:
    """A comparison of a sum."""
    terms, relation = model.terms(constraint.terms), constraint.relation
    relation = RELATION.get(relation, relation)
    factors = list(constraint.coefficients)
    if factors == [1]:
        return [model.model.arithm(terms[0], relation, constraint.constant)]
    return [model.model.scalar(terms, factors, relation, constraint.constant)]


COMPARISONS: dict[type, tuple[Builder, Guard | None]] = {
    AllDifferent: (all_different, excepts_at_most_one),
    NotEqual: (not_equal, fits),
    Linear: (linear, None),
}
