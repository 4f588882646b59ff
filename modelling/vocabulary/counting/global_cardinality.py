"""GlobalCardinality: how often each of some values occurs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import Fresh, Ints, Terms, constant, constants
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.formulas.connectives import And, Or
from modelling.vocabulary.formulas.linear import defined, equal, equals


@dataclass(frozen=True)
class GlobalCardinality(Predicate):
    """``values[k]`` occurs ``counts[k]`` times among ``terms``; if ``closed``, no other value does.

    A value that is listed twice is counted twice, once for each of its counts. (MiniZinc and CPMpy
    add that the counts sum up to the number of terms at most, and so lose these solutions.) Without
    values, a closed one is true of no terms only. As many counts as values (ModelError).

    The decomposition is a ``Count`` for each value; Regin, "Generalized arc consistency for global
    cardinality constraint", AAAI 1996, has the constraint. It grows with terms times values.
    """

    xcsp3: ClassVar[str] = "cardinality"
    minizinc: ClassVar[str] = "global_cardinality"
    WITHOUT = NO_SIMPLE_OPPOSITE

    terms: Terms
    values: Ints
    counts: Terms
    closed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.values) != len(self.counts):
            raise ModelError(
                f"GlobalCardinality: {len(self.values)} values but {len(self.counts)} counts"
            )

    def relates(
        self, terms: Sequence[int], values: Sequence[int], counts: Sequence[int], closed: bool
    ) -> bool:
        counted = all(list(terms).count(v) == n for v, n in zip(values, counts, strict=True))
        return counted and (not closed or set(terms) <= set(values))

    def simplified(self) -> Constraint:
        """Each value once; a repeated value becomes an equation between its counts."""
        first: dict[int, Any] = {}
        again = []
        for value, count in zip(self.values, self.counts, strict=True):
            if first.setdefault(value, count) != count:
                again.append(equal(first[value], count))
        if len(first) == len(self.values):
            return self
        once = GlobalCardinality(self.terms, tuple(first), tuple(first.values()), self.closed)
        return And((once, *again))

    def expand(self, fresh: Fresh) -> Constraint:
        pairs = zip(self.values, self.counts, strict=True)
        parts: list[Constraint] = [
            equal(count, Count(self.terms, (constant(value),))) for value, count in pairs
        ]
        if self.closed:
            parts += [
                Or(tuple(equals(t, v) for v in dict.fromkeys(self.values))) for t in self.terms
            ]
        return And((*parts, *defined(self.terms)))

    def expanded_size(self) -> int:
        return 10 * (1 + len(self.terms)) * (1 + len(self.values))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> GlobalCardinality:
        values = tuple(terms.value() for _ in range(rng.choice((0, 1, 1, 2))))
        counts = tuple(
            terms.term() if rng.random() < 0.5 else constant(rng.randint(0, 2)) for _ in values
        )
        return cls(terms.some(0, 4), values, counts, rng.random() < 0.4)

    EDGES = (
        (((), (), ()), True),
        (((), (1,), constants(0)), True),
        (((), (), (), True), True),
        ((constants(1), (), (), True), False),
        ((constants(1), (), ()), True),
        ((constants(1, 2, 1), (1, 2), constants(2, 1)), True),
        ((constants(1, 2, 1), (1, 2), constants(2, 2)), False),
        ((constants(1, 2, 3), (1, 2), constants(1, 1)), True),
        ((constants(1, 2, 3), (1, 2), constants(1, 1), True), False),
        ((constants(1, 1), (1, 1), constants(2, 2)), True),
        ((constants(1, 1), (1, 1), constants(2, 1)), False),
        ((constants(1, 1), (1, 1), constants(2, 2), True), True),
        ((constants(5), (1,), constants(-1)), False),
    )
