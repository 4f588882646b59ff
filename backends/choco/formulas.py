"""Formulas: comparisons and disjunctions of the Booleans that their parts are equivalent to."""

from __future__ import annotations

from collections.abc import Mapping

from backends.choco.model import Builder, Made, Model
from modelling.constraint import Constraint
from modelling.constraints import And, Iff, Implies, Not, Or


def both(model: Model, constraint: And) -> Made:
    """What all parts are made of."""
    return [made for part in constraint.formulas for made in model.build(part)]


def either(model: Model, constraint: Or) -> Made:
    """A disjunction of Booleans."""
    return [model.any_of([model.truth(part) for part in constraint.formulas])]


def opposite(model: Model, constraint: Not) -> Made:
    """The Boolean is 0."""
    return [model.model.arithm(model.truth(constraint.formula), "=", 0)]


def implies(model: Model, constraint: Implies) -> Made:
    """A comparison of Booleans."""
    condition, consequence = model.truth(constraint.condition), model.truth(constraint.consequence)
    return [model.model.arithm(condition, "<=", consequence)]


def implied(model: Model, constraint: Implies) -> Made:
    """At the root: what holds under a Boolean."""
    literal = model.truth(constraint.condition)
    for made in model.build(constraint.consequence):
        made.implied_by(literal)
    return []


def equivalent(model: Model, constraint: Iff) -> Made:
    """A comparison of Booleans."""
    return [model.model.arithm(model.truth(constraint.one), "=", model.truth(constraint.other))]


def reified(model: Model, constraint: Iff) -> Made:
    """At the root: what is equivalent to a Boolean."""
    literal = model.truth(constraint.one)
    model.together(model.build(constraint.other)).reify_with(literal)
    return []


FORMULAS: dict[type, Builder] = {
    And: both,
    Or: either,
    Not: opposite,
    Implies: implies,
    Iff: equivalent,
}
AT_ONCE: Mapping[type[Constraint], Builder] = {Implies: implied, Iff: reified}
"""What poses a formula at the root otherwise than within another one."""
