"""Comparisons of sums in z3: clauses of pairs of values where these are few, additions of
bit-vectors for equations with large weights, else pseudo-Boolean constraints."""

from __future__ import annotations

from backends.z3.draft import Draft, Formula, all_of, any_of, excluded, implied, negated
from modelling.constraints import Linear
from modelling.vocabulary.comparisons import RELATIONS

HEAVY = 9
"""Equations with greater weights are additions."""
MOST_PAIRS = 10_000
"""Sums of two terms, and equations of three, with more pairs of values are no clauses."""


def linear(draft: Draft, constraint: Linear) -> Formula:
    """Clauses of few terms; an equation of large weights is an addition, as of numbers; anything
    else is a pseudo-Boolean constraint."""
    terms, factors = constraint.terms, constraint.coefficients
    relation, bound = constraint.relation, constraint.constant
    if len(terms) == 1:
        return _of_one(draft, constraint)
    if all(factors) and _are_few(draft, constraint):
        if len(terms) == 2:
            return _of_two(draft, constraint)
        if len(terms) == 3 and relation == "==":
            return _of_three(draft, constraint)
    weighed, least = draft.weigh(terms, factors)
    if relation in ("==", "!=") and any(weight > HEAVY for _, weight in weighed):
        equal = draft.equates(terms, factors, bound)
        return equal if relation == "==" else negated(equal)
    return draft.compare(weighed, relation, bound - least)


def _of_one(draft: Draft, constraint: Linear) -> Formula:
    """One of the values that do it, or none of the others, whichever are fewer."""
    (factor,), holds = constraint.coefficients, RELATIONS[constraint.relation]
    values = draft.values(constraint.terms[0]).items()
    does = [x for value, x in values if holds(factor * value, constraint.constant)]
    not_ = [x for value, x in values if not holds(factor * value, constraint.constant)]
    return any_of(does) if len(does) <= len(not_) else all_of(map(negated, not_))


def _of_two(draft: Draft, constraint: Linear) -> Formula:
    """Each value has its partners, or two are not both taken."""
    (a, b), (one, other) = constraint.coefficients, map(draft.values, constraint.terms)
    relation, constant = constraint.relation, constraint.constant
    if relation == "!=":
        pairs = (
            (literal, other[rest])
            for value, literal in one.items()
            for rest in [(constant - a * value) // b]
            if rest in other and a * value + b * rest == constant
        )
        return excluded(pairs)
    holds = RELATIONS[relation]
    return all_of(
        implied(first, any_of(y for w, y in other.items() if holds(a * v + b * w, constant)))
        for v, first in one.items()
    )


def _are_few(draft: Draft, constraint: Linear) -> bool:
    """Whether its pairs of values are."""
    sizes = sorted(len(draft.values(term)) for term in constraint.terms)
    return sizes[-1] * sizes[-2] <= MOST_PAIRS


def _of_three(draft: Draft, constraint: Linear) -> Formula:
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
            made.append(any_of([negated(first), negated(second), row[third]]))
            for place, literal in row.items():
                others = [row[k] for k in range(3) if k != place]
                for found, partner in zip(partners[place][literal], others, strict=True):
                    found[partner] = 0
    for place, literals in enumerate(partners):
        counts = [len(of[k]) for k in range(3) if k != place]
        for literal, sides in literals.items():
            for side, size in zip(sides, counts, strict=True):
                if len(side) < size:
                    made.append(any_of([negated(literal), *side]))
    return all_of(made)
