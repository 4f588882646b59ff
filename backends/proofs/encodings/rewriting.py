"""What rewriting has made, against the problem: its variables have all their values, and its
constraints follow.

Some constraints over added variables follow at once: they are the problem's own with definitions in
the place of terms, or what a tour says of its walk. With them added variables need not be
calculated from declared ones, of which there may be many.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from backends.proofs.encodings.inquiry import (
    MOST_CONSTRAINTS,
    MOST_STEPS,
    Doubt,
    Inquiry,
    fix,
    show,
)
from backends.proofs.encodings.meaning import Condition, Meaning, TooMany
from backends.proofs.encodings.tours import find_walk, follows
from modelling.constraint import Constraint
from modelling.constraints import Circuit, Define, Not
from modelling.definedness import can_be_undefined
from modelling.problem import Problem
from modelling.terms import Function, Term

MOST_BAD = 5_000
"""Most values of a function that are looked at one by one."""


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


# --- what follows at once ------------------------------------------------------------------------


def derive(problem: Problem, meaning: Meaning) -> Iterator[Constraint]:
    """The constraints over added variables that follow at once."""
    own = set(problem.structure.constraints)
    functions = meaning.functions
    walks = [(c, find_walk(c, functions)) for c in own if isinstance(c, Circuit)]
    fixed = {v: domain[0] for v in functions if len(domain := meaning.domain(v)) == 1}

    def replace(term: Any) -> Term:
        function = functions.get(term)
        return term if function is None else function.mapped(replace)

    def is_derived(constraint: Constraint) -> bool:
        if any(follows(constraint, tour, walk, fixed) for tour, walk in walks):
            return True
        if isinstance(constraint, Define) and _is_definition(constraint, meaning):
            return True
        known = all(map(meaning.is_known, constraint.scope))
        return known and constraint.mapped(replace) in own

    for constraint in meaning.rewritten.structure.constraints:
        if constraint in own or not any(v in functions for v in constraint.scope):
            continue
        if is_derived(constraint):
            yield constraint


def _is_definition(constraint: Define, meaning: Meaning) -> bool:
    """Whether it says of an added variable what its definition says, which has a value."""
    function = constraint.function
    domains = meaning.rewritten.structure.domains
    is_same: bool = meaning.functions.get(constraint.result) == function
    return is_same and not can_be_undefined(function, domains)


def missing_values(meaning: Meaning, variable: int, most: int) -> list[int | None]:
    """Values that the definition of an added variable has, by the conditions over its arguments,
    and that its domain lacks; where there are too many to try, those of its bounds."""
    domain = set(meaning.domain(variable))
    found: dict[int | None, None] = {}
    try:
        for values in meaning.assignments(meaning.close({variable}), {}, most):
            if values[variable] not in domain:
                found[values[variable]] = None
    except TooMany:
        function: Function = meaning.functions[variable]
        low, high = function.bounds(meaning.rewritten.structure.domains)
        undefined = can_be_undefined(function, meaning.rewritten.structure.domains)
        if undefined or high - low > MOST_BAD:
            return [None]
        return [value for value in range(low, high + 1) if value not in domain]
    return list(found)


def opposite(constraint: Constraint) -> Constraint:
    """What holds where the constraint does not."""
    return constraint.negated() or Not(constraint)
