"""AllDifferent over sums, which the library has nothing for: what is known of them is compared.

Words
-----
line      a sum as pairs of a place in the scope and a factor, and a constant
near      a sum of which one variable has no value yet
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from modelling.constraints import AllDifferent
from modelling.terms import Function, Term, affine
from modelling.vocabulary.formulas.linear import Sum


class Line(NamedTuple):
    """``sum(factor * value[place]) + constant``."""

    parts: tuple[tuple[int, int], ...]
    constant: int


def lines_of(constraint: AllDifferent) -> list[Line] | None:
    """Each term as a line; None where one is something else."""
    if constraint.except_ or not any(type(term) is Sum for term in constraint.terms):
        return None
    place = {variable: k for k, variable in enumerate(constraint.scope)}
    lines = [_line(term, place) for term in constraint.terms]
    found = [line for line in lines if line is not None]
    return found if len(found) == len(lines) else None


def _line(term: Term, place: Mapping[int, int]) -> Line | None:
    inner = [(1, term)]
    if type(term) is Sum:
        inner = list(zip(term.coefficients, term.terms, strict=True))
    factors: dict[int, int] = {}
    constant = 0
    for outer, part in inner:
        if isinstance(part, Function):
            return None
        variable, factor, offset = affine(part)
        constant += outer * offset
        if variable is not None:
            factors[place[variable]] = factors.get(place[variable], 0) + outer * factor
    return Line(tuple((k, factor) for k, factor in factors.items() if factor), constant)


class DifferentSums:
    """Mixed with the library's ``Constraint``. As the library's own all-different it closes the
    values that are taken, of the variables of near sums."""

    def __init__(self, lines: Sequence[Line]) -> None:
        # two at a time is most frequent, and this is asked at each node
        self.pairs = [
            (*line.parts[0], *line.parts[1], line.constant)
            for line in lines
            if len(line.parts) == 2
        ]
        self.others = [line for line in lines if len(line.parts) != 2]

    def __call__(
        self, variables: Any, domains: Any, assignments: Any, forwardcheck: Any = False
    ) -> bool:
        seen: set[int] = set()
        near: list[tuple[Any, int, int]] = []
        values = list(map(assignments.get, variables))
        for one, p, other, q, constant in self.pairs:
            x, y = values[one], values[other]
            if x is not None and y is not None:
                total = p * x + q * y + constant
                if total in seen:
                    return False
                seen.add(total)
            elif x is not None:
                near.append((variables[other], q, p * x + constant))
            elif y is not None:
                near.append((variables[one], p, q * y + constant))
        for parts, constant in self.others:
            total, left = constant, None
            for part in parts:
                value = values[part[0]]
                if value is not None:
                    total += part[1] * value
                elif left is None:
                    left = part
                else:
                    break
            else:
                if left is not None:
                    near.append((variables[left[0]], left[1], total))
                elif total in seen:
                    return False
                else:
                    seen.add(total)
        return not forwardcheck or _close(domains, near, seen)


def _close(domains: Any, near: Sequence[tuple[Any, int, int]], seen: set[int]) -> bool:
    """Hide the values that would make a near sum one that is taken; false if none are left."""
    for variable, factor, total in near:
        domain = domains[variable]
        for value in domain[:]:
            if factor * value + total in seen:
                domain.hideValue(value)
        if not domain:
            return False
    return True
