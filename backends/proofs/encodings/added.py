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
from modelling.constraints import Circuit, Not
from modelling.problem import Problem
from modelling.terms import Function, Term

MOST_BAD = 5_000
"""Most values beyond a domain that are looked at."""


def derive(problem: Problem, meaning: Meaning) -> Iterator[Constraint]:
    """The constraints over added variables that follow at once."""
    rewritten = meaning.rewritten
    own = set(problem.structure.constraints)
    walks = [(c, find_walk(c, meaning.functions)) for c in own if isinstance(c, Circuit)]

    def replace(term: Any) -> Term:
        function = meaning.functions.get(term)
        return term if function is None else function.mapped(replace)

    for constraint in rewritten.structure.constraints:
        if constraint in own or not any(v in meaning.functions for v in constraint.scope):
            continue
        if any(follows(constraint, tour, walk) for tour, walk in walks):
            yield constraint
        elif all(map(meaning.is_known, constraint.scope)) and constraint.mapped(replace) in own:
            yield constraint


def missing_values(
    meaning: Meaning, variable: int, most: int
) -> tuple[list[int | None], dict[int, Any] | None]:
    """Values that the definition of an added variable has, by the conditions over its arguments,
    and that its domain lacks; and the assignment of one of them. Where there are too many to try,
    all values of the bounds, and no assignment."""
    domain = set(meaning.domain(variable))
    found: dict[int | None, dict[int, Any]] = {}
    try:
        for values in meaning.assignments(meaning.close({variable}), {}, most):
            if values[variable] not in domain:
                found.setdefault(values[variable], values)
    except TooMany:
        function: Function = meaning.functions[variable]
        low, high = function.bounds(meaning.rewritten.structure.domains)
        every = range(low, min(high, low + MOST_BAD + len(domain)) + 1)
        return [value for value in every if value not in domain], None
    return list(found), next(iter(found.values()), None)


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
