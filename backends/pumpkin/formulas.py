"""Formulas in Pumpkin, each with its opposite: made of a literal for each part."""

from __future__ import annotations

from typing import Any

from backends.pumpkin.model import Model, Pair
from modelling.constraint import Constraint
from modelling.constraints import And, Iff, Implies, Not, Or


def conjunction(model: Model, constraint: And, premise: Any) -> None:
    """Each part."""
    for part in constraint.formulas:
        model.say(part, premise)


def not_both(model: Model, constraint: And, premise: Any) -> None:
    """A part does not hold."""
    model.clause([model.truth(part).negate() for part in constraint.formulas], premise)


def either(model: Model, constraint: Or, premise: Any) -> None:
    """A part holds."""
    model.clause([model.truth(part) for part in constraint.formulas], premise)


def neither(model: Model, constraint: Or, premise: Any) -> None:
    """No part holds."""
    for part in constraint.formulas:
        model.deny(part, premise)


def opposite(model: Model, constraint: Not, premise: Any) -> None:
    """The formula does not hold."""
    model.deny(constraint.formula, premise)


def itself(model: Model, constraint: Not, premise: Any) -> None:
    """The formula holds."""
    model.say(constraint.formula, premise)


def implies(model: Model, constraint: Implies, premise: Any) -> None:
    """The condition is a premise."""
    condition = model.truth(constraint.condition)
    if premise is None:
        model.say(constraint.consequence, condition)
    else:
        model.clause([condition.negate(), model.truth(constraint.consequence)], premise)


def not_implies(model: Model, constraint: Implies, premise: Any) -> None:
    """The condition holds and the consequence does not."""
    model.say(constraint.condition, premise)
    model.deny(constraint.consequence, premise)


def equivalent(model: Model, constraint: Iff, premise: Any) -> None:
    """Both hold or neither."""
    one = model.truth(constraint.one)
    if premise is None:
        model.say(constraint.other, one)
        model.deny(constraint.other, one.negate())
    else:
        _equal(model, one, model.truth(constraint.other), premise)


def different(model: Model, constraint: Iff, premise: Any) -> None:
    """One holds and one does not."""
    other = model.truth(constraint.other)
    _equal(model, model.truth(constraint.one), other.negate(), premise)


def _equal(model: Model, one: Any, other: Any, premise: Any) -> None:
    model.clause([one.negate(), other], premise)
    model.clause([one, other.negate()], premise)


FORMULAS: dict[type[Constraint], Pair] = {
    And: Pair(conjunction, not_both),
    Or: Pair(either, neither),
    Not: Pair(opposite, itself),
    Implies: Pair(implies, not_implies),
    Iff: Pair(equivalent, different),
}
