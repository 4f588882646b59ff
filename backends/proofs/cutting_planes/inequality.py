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

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(slots=True)
class Inequality:
    """The weights of the true literals add up to ``degree`` at least. The rules change it in place
    and return it: a proof has rules with hundreds of steps."""

    weights: dict[int, int]
    degree: int

    def copy(self) -> Inequality:
        """One of its own."""
        return Inequality(self.weights.copy(), self.degree)

    @property
    def slack(self) -> int:
        """By how much the sum of all weights exceeds the degree; below 0 in a contradiction."""
        return sum(self.weights.values()) - self.degree

    def add(self, other: Inequality) -> Inequality:
        """The sum of two; of opposite literals only the difference of the weights is left."""
        self.degree += other.degree
        for literal, weight in other.weights.items():
            self.add_literal(literal, weight)
        return self

    def add_literal(self, literal: int, weight: int) -> Inequality:
        """The sum with ``weight`` times a literal, which is 0 at least."""
        weights = self.weights
        opposite = weights.get(-literal, 0)
        if not opposite:
            weights[literal] = weights.get(literal, 0) + weight
        elif opposite > weight:
            weights[-literal] = opposite - weight
            self.degree -= weight
        else:
            del weights[-literal]
            self.degree -= opposite
            if weight > opposite:
                weights[literal] = weight - opposite
        return self

    def multiply(self, factor: int) -> Inequality:
        """The inequality multiplied by an integer, which is not negative."""
        if factor < 0:
            raise ValueError(f"{factor} is less than 0")
        self.weights = {x: factor * weight for x, weight in self.weights.items() if factor}
        self.degree *= factor
        return self

    def divide(self, divisor: int) -> Inequality:
        """The inequality divided by a positive integer, weights and degree rounded up."""
        if divisor < 1:
            raise ValueError(f"{divisor} is less than 1")
        self.weights = {x: -(-weight // divisor) for x, weight in self.weights.items()}
        self.degree = -(-self.degree // divisor)
        return self

    def saturate(self) -> Inequality:
        """No weight is more than the degree."""
        if self.degree <= 0:
            self.weights, self.degree = {}, 0
        for literal in [x for x, weight in self.weights.items() if weight > self.degree]:
            self.weights[literal] = self.degree
        return self

    def weaken(self, variable: int) -> Inequality:
        """The inequality without a variable, whose literal is taken to be true."""
        self.degree -= self.weights.pop(variable, 0) + self.weights.pop(-variable, 0)
        return self

    def negate(self) -> Inequality:
        """What holds exactly where the inequality does not."""
        self.degree = self.slack + 1
        self.weights = {-literal: weight for literal, weight in self.weights.items()}
        return self


def normalise(pairs: Iterable[tuple[int, int]], degree: int) -> Inequality:
    """The normal form of a sum of literals, with any integers as weights."""
    found = Inequality({}, degree)
    for literal, weight in pairs:
        if weight < 0:  # w x is w - w (1 - x)
            found.degree -= weight
            literal, weight = -literal, -weight
        if weight:
            found.add_literal(literal, weight)
    return found
