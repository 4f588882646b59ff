"""AllEqual: one value for all."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.terms import Fresh, Terms, constants
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.connectives import TRUE, And
from modelling.vocabulary.formulas.linear import defined, equal


@dataclass(frozen=True)
class AllEqual(Predicate):
    """All values are equal.

    Of no terms that is true, as an empty conjunction is (XCSP3's checker says false).

    The decomposition is a chain of equations, n - 1 of them.
    """

    xcsp3: ClassVar[str] = "allEqual"
    minizinc: ClassVar[str] = "all_equal"
    WITHOUT = NO_SIMPLE_OPPOSITE

    terms: Terms

    def relates(self, terms: Sequence[int]) -> bool:
        return len(set(terms)) <= 1

    def simplified(self) -> Constraint:
        """Each term once."""
        once = tuple(dict.fromkeys(self.terms))
        if len(once) == 2:
            return equal(*once).simplified()
        return TRUE if len(once) < 2 and are_total(once) else AllEqual(once)

    def expand(self, fresh: Fresh) -> Constraint:
        """Each equals the next."""
        chain = map(equal, self.terms, self.terms[1:])
        return And((*defined(self.terms[:1]), *chain))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> AllEqual:
        return cls(terms.some(0, 4))

    EDGES = (
        (((),), True),
        ((constants(5),), True),
        ((constants(4, 4, 4),), True),
        ((constants(4, 4, 3),), False),
    )
