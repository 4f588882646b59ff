"""Increasing: values in order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.terms import Fresh, Terms, constants
from modelling.vocabulary.comparisons import RELATIONS, are_total
from modelling.vocabulary.formulas.connectives import TRUE, And
from modelling.vocabulary.formulas.linear import Linear, defined


@dataclass(frozen=True)
class Increasing(Predicate):
    """Each value is at most the next; less, if ``strict``; at least (more), if ``decreasing``.

    Of no terms, and of one, that is true.

    The decomposition is a chain of comparisons, n - 1 of them.
    """

    xcsp3: ClassVar[str] = "ordered"
    minizinc: ClassVar[str] = "increasing"
    WITHOUT = NO_SIMPLE_OPPOSITE

    terms: Terms
    strict: bool = False
    decreasing: bool = False

    @property
    def relation(self) -> str:
        """How each is related to the next."""
        return (">" if self.decreasing else "<") + ("" if self.strict else "=")

    def relates(self, terms: Sequence[int], strict: bool, decreasing: bool) -> bool:
        return all(RELATIONS[self.relation](x, y) for x, y in pairwise(terms))

    def simplified(self) -> Constraint:
        return TRUE if len(self.terms) < 2 and are_total(self.terms) else self

    def expand(self, fresh: Fresh) -> Constraint:
        """Each neighbours' comparison."""
        chain = (Linear(pair, (1, -1), self.relation, 0) for pair in pairwise(self.terms))
        return And((*defined(self.terms[:1]), *chain))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Increasing:
        return cls(terms.some(0, 4), rng.random() < 0.5, rng.random() < 0.4)

    EDGES = (
        (((), True), True),
        ((constants(5), True), True),
        ((constants(1, 1, 2),), True),
        ((constants(1, 1, 2), True), False),
        ((constants(2, 1, 1), False, True), True),
        ((constants(2, 1, 1), True, True), False),
        ((constants(1, 2), False, True), False),
    )
