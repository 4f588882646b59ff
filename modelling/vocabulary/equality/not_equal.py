"""NotEqual: two values differ."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.terms import Fresh, Terms, constants
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.linear import Linear


@dataclass(frozen=True)
class NotEqual(Predicate):
    """The two values differ."""

    arity: ClassVar[int | None] = 2
    xcsp3: ClassVar[str] = "ne"
    minizinc: ClassVar[str] = "int_ne"

    terms: Terms

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_arity(len(self.terms))

    def relates(self, terms: Sequence[int]) -> bool:
        return terms[0] != terms[1]

    def holds(self, values: Sequence[int]) -> bool:
        if self.is_plain:  # relates() without the way to it: it is asked very often
            return values[0] != values[1]
        return Predicate.holds(self, values)

    def negated(self) -> Constraint | None:
        return Linear(self.terms, (1, -1), "==", 0) if are_total(self.terms) else None

    def simplified(self) -> Constraint:
        return self if self.is_plain else Linear(self.terms, (1, -1), "!=", 0).simplified()

    def expand(self, fresh: Fresh) -> Constraint:
        return Linear(self.terms, (1, -1), "!=", 0)

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> NotEqual:
        return cls((terms.term(), terms.term()))

    EDGES = (((constants(1, 2),), True), ((constants(2, 2),), False))
