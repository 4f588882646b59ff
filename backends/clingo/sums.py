"""Comparisons of sums in clingo: rules for pairs of values where these are few, else weight rules.

Words
-----
shifted  weights from which the least of each term is taken, so that none is negative
"""

from __future__ import annotations

from backends.clingo.program import Program
from backends.interface.libraries.literals import compare_one, compare_two, has_few_pairs
from modelling.constraints import Linear

MOST_PAIRS = 10_000
"""Sums of two terms, and equations of three, with more pairs of values are weight rules."""


def linear(program: Program, constraint: Linear) -> list[int]:
    """Whether the sum reaches the constant, or the number after it."""
    if len(constraint.terms) == 1:
        return compare_one(program, constraint)
    if has_few_pairs(program, constraint, MOST_PAIRS):
        if len(constraint.terms) == 2:
            return compare_two(program, constraint)
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
    """What literals add to the sum, or to its opposite, and the bound, both without the least."""
    factors = [sign * factor for factor in constraint.coefficients]
    weighed, least = program.weigh_from_least(constraint.terms, factors)
    return weighed, bound - least


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
