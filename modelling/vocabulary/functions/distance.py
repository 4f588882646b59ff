"""Distance: how far two values are apart."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint
from modelling.terms import Domains, Fresh, Function, Term, bounds, constant, constants
from modelling.vocabulary.comparisons import is_total
from modelling.vocabulary.formulas.connectives import And, Or
from modelling.vocabulary.formulas.linear import Linear


@dataclass(frozen=True)
class Distance(Function):
    """``|x - y|``; with y = 0 the absolute value.

    The decomposition: at least the difference and its opposite, at most one of them. Its size does
    not depend on the domains.
    """

    xcsp3: ClassVar[str] = "dist"
    minizinc: ClassVar[str] = "abs"

    x: Term
    y: Term

    def value(self, x: int, y: int) -> int:
        return abs(x - y)

    def bounds(self, domains: Domains) -> tuple[int, int]:
        (x_low, x_high), (y_low, y_high) = bounds(self.x, domains), bounds(self.y, domains)
        low, high = x_low - y_high, x_high - y_low
        return max(0, low, -high), max(-low, high)

    def simplified(self) -> Term:
        return constant(0) if self.x == self.y and is_total(self.x) else self

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        signs = (1, -1, 1), (1, 1, -1)
        terms = result, self.x, self.y
        least = (Linear(terms, factors, ">=", 0) for factors in signs)
        return And((*least, Or(tuple(Linear(terms, factors, "<=", 0) for factors in signs))))

    def expanded_size(self) -> int:
        return 30

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Distance:
        return cls(terms.term(), terms.term())

    EDGES = (
        (constants(3, 5), 2),
        (constants(5, 3), 2),
        (constants(-4, 0), 4),
        (constants(7, 7), 0),
    )
