"""Linear constraints: bounds reasoning, and for ``!=`` the last open variable.

Every inequality is brought to the form ``sum <= constant`` (``>=`` by negation, strict ones by one,
integers being integers); ``==`` is both directions. From the smallest value that all other terms
can take follows how large one term may be (Harvey and Schimpf, *Bounds consistency techniques for
long linear constraints*, 2002).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from backends.propagation.state import State

Terms = tuple[tuple[int, int], ...]
"""(variable, coefficient) with coefficients other than 0."""


class LinearAtMostPropagator:
    """``sum(coefficient * value) <= constant``."""

    __slots__ = ("constant", "scope", "terms", "values")

    def __init__(self, terms: Terms, constant: int, values: Sequence[int]) -> None:
        self.terms = terms
        self.constant = constant
        self.values = values
        self.scope = tuple(variable for variable, _ in terms)

    def propagate(self, state: State) -> bool:
        domains, values = state.domains, self.values
        least = []
        slack = self.constant
        for variable, coefficient in self.terms:
            domain = domains[variable]
            if coefficient > 0:
                term = coefficient * values[(domain & -domain).bit_length() - 1]
            else:
                term = coefficient * values[domain.bit_length() - 1]
            least.append(term)
            slack -= term
        if slack < 0:
            return False
        for (variable, coefficient), term in zip(self.terms, least, strict=True):
            domain = domains[variable]
            if not domain & (domain - 1):
                continue
            most = term + slack
            if coefficient > 0:
                end = bisect_right(values, most // coefficient)
                kept = domain & ((1 << end) - 1)
            else:
                start = bisect_left(values, -(most // -coefficient))
                kept = domain >> start << start
            if kept != domain and not state.narrow(variable, kept):
                return False
        return True


class LinearNotEqualPropagator:
    """``sum(coefficient * value) != constant``; wakes when a variable is fixed."""

    __slots__ = ("constant", "position", "scope", "terms", "values")

    def __init__(self, terms: Terms, constant: int, values: Sequence[int]) -> None:
        self.terms = terms
        self.constant = constant
        self.values = values
        self.position = {value: k for k, value in enumerate(values)}
        self.scope = tuple(variable for variable, _ in terms)

    def propagate(self, state: State) -> bool:
        domains, values = state.domains, self.values
        rest = self.constant
        last = None
        for variable, coefficient in self.terms:
            domain = domains[variable]
            if domain & (domain - 1):
                if last is not None:
                    return True
                last = variable, coefficient
            else:
                rest -= coefficient * values[domain.bit_length() - 1]
        if last is None:
            return rest != 0
        variable, coefficient = last
        quotient, remainder = divmod(rest, coefficient)
        position = None if remainder else self.position.get(quotient)
        if position is None or not domains[variable] >> position & 1:
            return True
        return state.narrow(variable, domains[variable] & ~(1 << position))
