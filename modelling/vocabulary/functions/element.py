"""Element: the term at a position of a list."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.terms import (
    Domains,
    Fresh,
    Function,
    Term,
    Terms,
    bounds,
    constant,
    constants,
    is_constant,
)
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.connectives import And, Implies
from modelling.vocabulary.formulas.linear import Linear, equal, equals, within
from modelling.vocabulary.formulas.truth import IfThenElse


@dataclass(frozen=True)
class Element(Function):
    """``terms[index]``, counted from 0; undefined if the index is outside, or any term is
    undefined.

    The decomposition has an implication for each term. It grows with the number of terms.
    """

    xcsp3: ClassVar[str] = "element"
    minizinc: ClassVar[str] = "element"

    terms: Terms
    index: Term

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.terms:
            raise ModelError("Element of no terms has no value anywhere; give it at least one term")

    def value(self, terms: Sequence[int], index: int) -> int | None:
        return terms[index] if 0 <= index < len(terms) else None

    def guards(self) -> tuple[Constraint, ...]:
        return within(self.index, 0, len(self.terms) - 1)

    def totalised(self) -> Function:
        """An index outside counts as 0."""
        return Element(self.terms, IfThenElse(And(self.guards()), self.index, constant(0)))

    def bounds(self, domains: Domains) -> tuple[int, int]:
        ends = [bounds(term, domains) for term in self.terms]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def simplified(self) -> Term:
        inside = is_constant(self.index) and 0 <= self.index.offset < len(self.terms)
        return self.terms[self.index.offset] if inside and are_total(self.terms) else self

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        chosen = (
            Implies(equals(self.index, k), equal(result, term)) for k, term in enumerate(self.terms)
        )
        defined = (Linear((term,), (0,), "==", 0) for term in self.terms)
        return And((*self.guards(), *chosen, *defined))

    def expanded_size(self) -> int:
        return 12 * len(self.terms)

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Element:
        return cls(terms.some(1, 3), terms.term())

    EDGES = (
        ((constants(7), constant(0)), 7),
        ((constants(7, 8), constant(1)), 8),
        ((constants(7, 8), constant(2)), None),
        ((constants(7, 8), constant(-1)), None),
    )
