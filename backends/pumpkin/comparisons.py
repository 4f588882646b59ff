"""Comparisons in Pumpkin, each with its opposite: AllDifferent, disequalities and sums."""

from __future__ import annotations

from typing import Any

from backends.pumpkin.guards import fits
from backends.pumpkin.model import Model, Pair
from modelling.constraint import Constraint
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import affine
from modelling.vocabulary.comparisons import OPPOSITES, RELATIONS


def all_different(model: Model, constraint: AllDifferent, premise: Any) -> None:
    """Pumpkin's own."""
    model.add("AllDifferent", model.terms(constraint.terms), premise=premise)


def differences_fit(constraint: AllDifferent, variables: Variables) -> bool:
    """No value may repeat, and the terms fit."""
    return not constraint.except_ and fits(constraint, variables)


def not_equal(model: Model, constraint: NotEqual, premise: Any) -> None:
    """A disequality of two."""
    model.add("BinaryNotEquals", *model.terms(constraint.terms), premise=premise)


def equal(model: Model, constraint: NotEqual, premise: Any) -> None:
    """The opposite."""
    model.add("BinaryEquals", *model.terms(constraint.terms), premise=premise)


def linear(model: Model, constraint: Linear, premise: Any) -> None:
    """A comparison of a sum."""
    compare_sum(model, constraint, constraint.relation, premise)


def not_linear(model: Model, constraint: Linear, premise: Any) -> None:
    """The opposite comparison."""
    compare_sum(model, constraint, OPPOSITES[constraint.relation], premise)


def compare_sum(model: Model, constraint: Linear, relation: str, premise: Any) -> None:
    """``sum relation constant``; Pumpkin's sums are at most, equal to, or not equal to a number."""
    if (
        relation == "=="
        and premise is None
        and constraint.is_plain
        and 0 not in constraint.coefficients
    ):
        variables = model.variables
        pairs = zip(constraint.terms, constraint.coefficients, strict=True)
        model.add("Equals", [variables[x].scaled(k) for x, k in pairs], constraint.constant)
        return
    sign = -1 if relation in (">", ">=") else 1
    bound, found = sign * constraint.constant, []
    for term, factor in zip(constraint.terms, constraint.coefficients, strict=True):
        if type(term) is int and factor:
            found.append((term, sign * factor))
            continue
        variable, of_variable, offset = affine(term)
        bound -= sign * factor * offset
        if variable is not None and factor:
            found.append((variable, sign * factor * of_variable))
    if relation in ("<", ">"):
        bound -= 1
    relation = {"==": "==", "!=": "!="}.get(relation, "<=")
    if not found:
        if not RELATIONS[relation](0, bound):
            model.clause([], premise)
    elif len(found) == 1 and premise is not None:
        ((variable, factor),) = found
        term = affine(variable)._replace(factor=factor)
        model.clause([model.literal(term, relation, bound)], premise)
    else:
        kind = {"==": "Equals", "!=": "NotEquals", "<=": "LessThanOrEquals"}[relation]
        terms = [model.variables[x] if k == 1 else model.variables[x].scaled(k) for x, k in found]
        model.add(kind, terms, bound, premise=premise)


COMPARISONS: dict[type[Constraint], tuple[Pair, Guard]] = {
    AllDifferent: (Pair(all_different), differences_fit),
    NotEqual: (Pair(not_equal, equal), fits),
    Linear: (Pair(linear, not_linear), fits),
}
