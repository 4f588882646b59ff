"""What rewriting has made, against the problem: its variables have all their values, and its
constraints follow.

``derived`` are constraints over added variables that follow at once: they are the problem's own
with definitions in the place of terms, or what a tour says of its walk. With them added variables
need not be calculated from declared ones, of which there may be many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from backends.proofs.encodings.meaning import Condition, Meaning, TooMany
from backends.proofs.encodings.second import Alone
from backends.proofs.encodings.tours import find_walk, follows
from modelling.constraint import Constraint
from modelling.constraints import Circuit, Define, Not
from modelling.definedness import can_be_undefined
from modelling.problem import Problem
from modelling.terms import Function, Term

MOST_BAD = 5_000
"""Most values of a function that are looked at one by one."""


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


def is_excluded(
    alone: Alone,
    near: Iterable[Condition],
    own: Iterable[Constraint],
    box: Any,
    more: tuple[Constraint, ...] = (),
) -> bool:
    """Whether the second engine says that definitions alone, or one constraint with them, or all,
    have no solution in a box in which ``more`` holds."""
    constraints = (c.constraint for c in near)
    few: list[list[Constraint]] = [[], *([c] for c in constraints if c is not None), list(own)]
    return any(alone.excludes(asked, box, more) for asked in few)


def opposite(constraint: Constraint) -> Constraint:
    """What holds where the constraint does not."""
    return constraint.negated() or Not(constraint)
