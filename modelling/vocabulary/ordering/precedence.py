"""Precedence: values that first occur in a given order.

Words
-----
seen        of a value and a place: whether the value occurs before that place
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.terms import Fresh, Ints, Terms, constants
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Implies, Or
from modelling.vocabulary.formulas.linear import defined, equals
from modelling.vocabulary.formulas.truth import Truth


@dataclass(frozen=True)
class Precedence(Predicate):
    """Where one of ``values`` occurs, the value before it in ``values`` has occurred earlier.

    So the first may occur anywhere, and of those that do not occur all that follow do not either.
    Other values do not matter. With no terms, or fewer than two values, that is true. A value that
    follows itself in ``values`` cannot occur; XCSP3's and MiniZinc's are distinct.

    The decomposition has, for each value and place, whether it was seen before (Walsh, "Symmetry
    breaking using value precedence", ECAI 2006, has the automaton). It grows with terms times
    values.
    """

    xcsp3: ClassVar[str] = "precedence"
    minizinc: ClassVar[str] = "value_precede_chain"
    WITHOUT = NO_SIMPLE_OPPOSITE

    terms: Terms
    values: Ints

    def relates(self, terms: Sequence[int], values: Sequence[int]) -> bool:
        seen: set[int] = set()
        for term in terms:
            if any(term == later and before not in seen for before, later in pairwise(values)):
                return False
            seen.add(term)
        return True

    def simplified(self) -> Constraint:
        short = len(self.values) < 2 or not self.terms
        return TRUE if short and are_total(self.terms) else self

    def expand(self, fresh: Fresh) -> Constraint:
        parts: list[Constraint] = []
        for before, later in dict.fromkeys(pairwise(self.values)):
            seen: Constraint = FALSE
            for place, term in enumerate(self.terms, 1):
                parts.append(Implies(equals(term, later), seen))
                if place < len(self.terms):
                    seen = equals(fresh(Truth(Or((seen, equals(term, before))))), 1)
        return And((*parts, *defined(self.terms)))

    def expanded_size(self) -> int:
        return 10 * len(self.terms) * len(self.values)

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Precedence:
        values = [terms.value() for _ in range(rng.choice((0, 1, 2, 2, 3)))]
        chosen = values if rng.random() < 0.1 else dict.fromkeys(values)
        return cls(terms.some(0, 4), tuple(chosen))

    EDGES = (
        (((), (1, 2)), True),
        ((constants(2), (2,)), True),
        ((constants(2), (1, 2)), False),
        ((constants(1, 2, 1, 3), (1, 2, 3)), True),
        ((constants(1, 3, 2), (1, 2, 3)), False),
        ((constants(5, 1, 5, 2), (1, 2)), True),
        ((constants(1), (1, 1)), False),
        ((constants(3, 1), (1, 3)), False),
    )
