"""What rewriting has made is checked: values of added variables, and constraints that follow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from backends.proofs.encodings.added import derive, missing_values, opposite
from backends.proofs.encodings.inquiry import (
    MOST_CONSTRAINTS,
    MOST_STEPS,
    Doubt,
    Inquiry,
    fix,
    show,
)
from backends.proofs.encodings.meaning import Condition


def check_added(inquiry: Inquiry) -> None:
    """Every added variable has, in each solution, a value of its domain."""
    meaning = inquiry.meaning
    for variable in meaning.functions:
        inquiry.mind_the_time()
        values = missing_values(meaning, variable, MOST_STEPS)
        if not values:
            continue
        box = {variable: {value for value in values if value is not None}}
        near = meaning.conditions_near(meaning.close(box))[:MOST_CONSTRAINTS]
        if None in values or not inquiry.is_excluded_by_engine(near, box):
            raise Doubt(f"rewriting leaves an added variable without {values[0]}")


def derive_conditions(inquiry: Inquiry) -> None:
    """From now on added variables are in their domains, and derived constraints hold."""
    inside = [_inside(inquiry, v) for v in inquiry.meaning.functions]
    at_once = list(derive(inquiry.problem, inquiry.meaning))
    more = [c for c in _far_reaching(inquiry) if c not in at_once and _is_by_definition(inquiry, c)]
    found = [Condition(tuple(c.scope), c.holds, c) for c in (*at_once, *more)]
    inquiry.derive((*inside, *found))


def _inside(inquiry: Inquiry, variable: int) -> Condition:
    domain = frozenset(inquiry.meaning.domain(variable))
    return Condition((variable,), lambda values: values[0] in domain)


def _far_reaching(inquiry: Inquiry) -> Iterator[Any]:
    """What rewriting made of added variables that depend on too many others."""
    for constraint in inquiry.meaning.rewritten.structure.constraints:
        known = all(map(inquiry.meaning.is_known, constraint.scope))
        if known and inquiry.is_far_reaching(constraint.scope):
            yield constraint


def _is_by_definition(inquiry: Inquiry, constraint: Any) -> bool:
    """Whether the second engine says that definitions alone imply it."""
    inquiry.mind_the_time()
    inquiry.asked += 1
    return inquiry.alone.excludes([], {}, (opposite(constraint),))


def check_constraints(inquiry: Inquiry) -> None:
    """Each constraint that rewriting made follows from those of the problem."""
    own = set(inquiry.problem.structure.constraints)
    own.update(c.constraint for c in inquiry.meaning.derived if c.constraint is not None)
    for constraint in inquiry.meaning.rewritten.structure.constraints:
        if constraint in own:
            inquiry.groups += 1
            continue
        if not all(map(inquiry.meaning.is_known, constraint.scope)):
            raise Doubt(f"rewriting does not say what the variables of {constraint!r} are")
        inquiry.settle(partial(_check_constraint, inquiry, constraint))


def _check_constraint(inquiry: Inquiry, constraint: Any) -> None:
    try:
        failing = _find_failing(inquiry, constraint)
        if failing is None:
            return
        doubt = Doubt(f"{constraint!r} excludes {show(failing)}")
    except Doubt as too_many:
        failing, doubt = None, too_many
    near = inquiry.meaning.conditions_near(constraint.scope)[:MOST_CONSTRAINTS]
    if inquiry.is_excluded_by_engine(near, {}, (opposite(constraint),)):
        return
    if failing is not None:
        inquiry.ask_whole(fix(failing), str(doubt))  # it may be part of a solution
    raise doubt


def _find_failing(inquiry: Inquiry, constraint: Any) -> dict[int, Any] | None:
    for found in inquiry.enumerate(constraint.scope):
        values = [found[v] for v in constraint.scope]
        if None in values or not constraint.holds(values):
            return found
    return None
