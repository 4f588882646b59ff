"""Count: how many terms have one of some values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint
from modelling.terms import Domains, Fresh, Function, Term, Terms, constant, constants, is_constant
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.connectives import Or
from modelling.vocabulary.formulas.linear import Linear, Sum, equal
from modelling.vocabulary.formulas.truth import Truth


@dataclass(frozen=True)
class Count(Function):
    """How many of ``terms`` equal one of ``values``, which are terms too.

    With one value it is XCSP3's and MiniZinc's count, with several constants MiniZinc's among.
    """

    xcsp3: ClassVar[str] = "count"
    minizinc: ClassVar[str] = "count"

    terms: Terms
    values: Terms

    def value(self, terms: Sequence[int], values: Sequence[int]) -> int:
        return sum(term in values for term in terms)

    def bounds(self, domains: Domains) -> tuple[int, int]:
        return 0, len(self.terms)

    def simplified(self) -> Term:
        """Each value once; constants are counted where nothing else can equal them."""
        values = tuple(dict.fromkeys(self.values))
        fixed = {v.offset for v in values if is_constant(v)}
        counted = sum(is_constant(t) and t.offset in fixed for t in self.terms)
        settled = len(fixed) == len(values)
        left = tuple(
            t for t in self.terms if not is_constant(t) or (t.offset not in fixed and not settled)
        )
        if not (left and values) and are_total((*left, *values)):
            return constant(counted)
        rest = Count(left, values)
        return Sum((rest, constant(counted))) if counted else rest

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        """The sum of as many truth values."""
        truths = (Truth(Or(tuple(equal(t, v) for v in self.values))) for t in self.terms)
        everything = (*self.terms, *self.values)
        return Linear(
            (*truths, *everything, result),
            (*(1 for _ in self.terms), *(0 for _ in everything), -1),
            "==",
            0,
        )

    def expanded_size(self) -> int:
        return 2 * len(self.terms) * (1 + 4 * len(self.values))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Count:
        values = terms.some(0, 2) if rng.random() < 0.3 else constants(terms.value())
        return cls(terms.some(0, 4), values)

    EDGES = (
        (((), constants(1)), 0),
        ((constants(1, 2, 1), constants(1)), 2),
        ((constants(1, 2, 1), constants(1, 2, 1)), 3),
        ((constants(1, 2), ()), 0),
    )
