"""Comparisons of sums in clingo: rules for pairs of values where these are few, else weight rules.

Words
-----
shifted  weights from which the least of each term is taken, so that none is negative
"""

from __future__ import annotations

from backends.clingo.program import Program
from modelling.constraints import Linear
from modelling.vocabulary.comparisons import RELATIONS

MOST_PAIRS = 10_000
"""Sums of two terms, and equations of three, with more pairs of values are weight rules."""


def linear(program: Program, constraint: Linear) -> list[int]:
    """Whether the sum reaches the constant, or the number after it."""
    if len(constraint.terms) == 1:
        return _of_one(program, constraint)
    if all(constraint.coefficients) and _are_few(program, constraint):
        if len(constraint.terms) == 2:
            return _of_two(program, constraint)
        if len(constraint.terms) == 3 and constraint.relation == "==":
            return _of_three(program, constraint)
    relation, constant = constraint.relation, constraint.constant
    if relation == "!=":
        reaches, exceeds = (
            program.at_least(*_shifted(program, constraint, 1, bound))
            for bound in (constant, constant + 1)
        )
        return program.none_of([[reaches, -exceeds]])
    made = []
    if relation != ">" and relation != ">=":
        made += _below(program, constraint, 1, constant + (relation != "<"))
    if relation != "<" and relation != "<=":
        made += _below(program, constraint, -1, (relation != ">") - constant)
    return made


def _below(program: Program, constraint: Linear, sign: int, bound: int) -> list[int]:
    """The sum, or its opposite, is less than a bound."""
    return program.below(*_shifted(program, constraint, sign, bound))


def _shifted(
    program: Program, constraint: Linear, sign: int, bound: int
) -> tuple[list[tuple[int, int]], int]:
    """What literals add to the sum, or to its opposite, shifted so that nothing is negative."""
    weighed = []
    for term, factor in zip(constraint.terms, constraint.coefficients, strict=True):
        added = program.weigh((term,), (sign * factor,))
        least = min((weight for _, weight in added), default=0)
        weighed += [(literal, weight - least) for literal, weight in added]
        bound -= least
    return weighed, bound


def _of_one(program: Program, constraint: Linear) -> list[int]:
    """None of the values that do not, or not without all that do, whichever are fewer."""
    (factor,), holds = constraint.coefficients, RELATIONS[constraint.relation]
    values = program.values(constraint.terms[0]).items()
    does = [x for value, x in values if holds(factor * value, constraint.constant)]
    not_ = [[x] for value, x in values if not holds(factor * value, constraint.constant)]
    return program.none_of(not_ if len(not_) < len(does) else [[-x for x in does]])


def _are_few(program: Program, constraint: Linear) -> bool:
    """Whether its pairs of values are."""
    sizes = sorted(len(program.values(term)) for term in constraint.terms)
    return sizes[-1] * sizes[-2] <= MOST_PAIRS


def _of_two(program: Program, constraint: Linear) -> list[int]:
    """No two values have that sum, or no value is without a partner."""
    (a, b), (one, other) = constraint.coefficients, map(program.values, constraint.terms)
    relation, constant = constraint.relation, constraint.constant
    if relation == "!=":
        pairs = [
            (literal, other[rest])
            for value, literal in one.items()
            for rest in [(constant - a * value) // b]
            if rest in other and a * value + b * rest == constant
        ]
        return program.none_of(pairs)
    holds = RELATIONS[relation]
    alone = [
        [first, *(-y for w, y in other.items() if holds(a * v + b * w, constant))]
        for v, first in one.items()
    ]
    return program.none_of(alone)


def _of_three(program: Program, constraint: Linear) -> list[int]:
    """No value is without a partner, and no two are without their third, which is of the term with
    the fewest."""
    of = list(map(program.values, constraint.terms))
    third = min(reversed(range(3)), key=lambda place: len(of[place]))
    one, other = (place for place in range(3) if place != third)
    factors, constant, thirds = constraint.coefficients, constraint.constant, of[third]
    wrong: list[list[int]] = []
    for x, first in of[one].items():
        partners = []
        for y, second in of[other].items():
            left = constant - factors[one] * x - factors[other] * y
            z, remainder = divmod(left, factors[third])
            if not remainder and z in thirds:
                partners.append(second)
                wrong.append([first, second, -thirds[z]])
        if len(partners) < len(of[other]):
            wrong.append([first, *(-second for second in partners)])
    return program.none_of(wrong)
