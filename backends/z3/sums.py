"""Comparisons of sums in z3: clauses of pairs of values where these are few, additions of
bit-vectors for equations with large weights, else pseudo-Boolean constraints."""

from __future__ import annotations

from backends.interface.libraries.literals import compare_one, compare_two, has_few_pairs
from backends.z3.draft import Formula, Z3Draft
from modelling.constraints import Linear

HEAVY = 9
"""Equations with greater weights are additions."""
MOST_PAIRS = 10_000
"""Most pairs of values of a sum of two terms, or equation of three, that becomes clauses."""


def linear(draft: Z3Draft, constraint: Linear) -> Formula:
    """Clauses of few terms; an equation of large weights is an addition, as of numbers; anything
    else is a pseudo-Boolean constraint."""
    terms, factors = constraint.terms, constraint.coefficients
    relation, bound = constraint.relation, constraint.constant
    if len(terms) == 1:
        return compare_one(draft, constraint)
    if has_few_pairs(draft, constraint, MOST_PAIRS):
        if len(terms) == 2:
            return compare_two(draft, constraint)
        if len(terms) == 3 and relation == "==":
            return _of_three(draft, constraint)
    weighed, least = draft.weigh_from_least(terms, factors)
    if relation in ("==", "!=") and any(weight > HEAVY for _, weight in weighed):
        equal = draft.equates(terms, factors, bound)
        return equal if relation == "==" else draft.opposite(equal)
    return draft.compare(weighed, relation, bound - least)


def _of_three(draft: Z3Draft, constraint: Linear) -> Formula:
    """Two values imply the third, which has the fewest; each value implies one of its partners."""
    of = list(map(draft.values, constraint.terms))
    third = min(reversed(range(3)), key=lambda place: len(of[place]))
    one, other = (place for place in range(3) if place != third)
    factors = constraint.coefficients
    made = []
    partners: list[dict[Formula, tuple[dict[Formula, int], dict[Formula, int]]]] = [
        {literal: ({}, {}) for literal in literals.values()} for literals in of
    ]
    for x, first in of[one].items():
        for y, second in of[other].items():
            rest = constraint.constant - factors[one] * x - factors[other] * y
            z, remainder = divmod(rest, factors[third])
            if remainder or z not in of[third]:
                continue
            row = {one: first, other: second, third: of[third][z]}
            made.append(draft.any_of([draft.opposite(first), draft.opposite(second), row[third]]))
            for place, literal in row.items():
                others = [row[k] for k in range(3) if k != place]
                for found, partner in zip(partners[place][literal], others, strict=True):
                    found[partner] = 0
    for place, literals in enumerate(partners):
        counts = [len(of[k]) for k in range(3) if k != place]
        for literal, sides in literals.items():
            for side, size in zip(sides, counts, strict=True):
                if len(side) < size:
                    made.append(draft.any_of([draft.opposite(literal), *side]))
    return draft.all_of(made)
