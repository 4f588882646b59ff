"""Pseudo-Boolean inequalities in normal form, and the rules that derive one from others.

Cook, Coullard and Turán, "On the complexity of cutting-plane proofs", Discrete Applied Mathematics
18, 1987; saturation is that of Chai and Kuehlmann, "A fast pseudo-Boolean constraint solver", DAC
2003.

Words
-----
literal      a variable's number, which is positive; negated for the opposite
weight       what a true literal adds to the sum; always positive
degree       what the sum must reach
normal form  each variable occurs at most once
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Inequality(NamedTuple):
    """The weights of the true literals add up to ``degree`` at least."""

    weights: Mapping[int, int]
    degree: int

    @property
    def slack(self) -> int:
        """By how much the sum of all weights exceeds the degree; below 0 in a contradiction."""
        return sum(self.weights.values()) - self.degree

    def plus(self, other: Inequality) -> Inequality:
        """The sum of two; of opposite literals only the difference of the weights is left."""
        pairs = [*self.weights.items(), *other.weights.items()]
        return normalise(pairs, self.degree + other.degree)

    def times(self, factor: int) -> Inequality:
        """The inequality multiplied by an integer, which is not negative."""
        if factor < 0:
            raise ValueError(f"{factor} is less than 0")
        if not factor:
            return Inequality({}, 0)
        weights = {literal: factor * weight for literal, weight in self.weights.items()}
        return Inequality(weights, factor * self.degree)

    def divided_by(self, divisor: int) -> Inequality:
        """The inequality divided by a positive integer, weights and degree rounded up."""
        if divisor < 1:
            raise ValueError(f"{divisor} is less than 1")
        weights = {literal: -(-weight // divisor) for literal, weight in self.weights.items()}
        return Inequality(weights, -(-self.degree // divisor))

    def saturated(self) -> Inequality:
        """No weight is more than the degree."""
        most = max(0, self.degree)
        weights = {literal: min(weight, most) for literal, weight in self.weights.items()}
        return Inequality(weights if most else {}, most)

    def weakened(self, variable: int) -> Inequality:
        """The inequality without a variable, whose literal is taken to be true."""
        weights = dict(self.weights)
        dropped = weights.pop(variable, 0) + weights.pop(-variable, 0)
        return Inequality(weights, self.degree - dropped)

    def negated(self) -> Inequality:
        """What holds exactly where the inequality does not."""
        weights = {-literal: weight for literal, weight in self.weights.items()}
        return Inequality(weights, sum(self.weights.values()) - self.degree + 1)


def normalise(pairs: Iterable[tuple[int, int]], degree: int) -> Inequality:
    """The normal form of a sum of literals, with any integers as weights."""
    by_variable: dict[int, int] = {}
    for literal, weight in pairs:
        if literal < 0:  # w (1 - x)
            degree -= weight
            weight = -weight
        variable = abs(literal)
        by_variable[variable] = by_variable.get(variable, 0) + weight
    weights: dict[int, int] = {}
    for variable, weight in by_variable.items():
        if weight > 0:
            weights[variable] = weight
        elif weight < 0:
            weights[-variable] = -weight
            degree -= weight
    return Inequality(weights, degree)


def literal_axiom(literal: int) -> Inequality:
    """A literal is 0 at least."""
    return Inequality({literal: 1}, 0)
