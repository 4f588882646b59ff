"""AllDifferent, and NotEqual, which it is for two terms."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.terms import Affine, Fresh, Ints, Terms, constants, is_constant, later
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Or
from modelling.vocabulary.formulas.linear import Linear, equals


@dataclass(frozen=True)
class AllDifferent(Predicate):
    """All values differ pairwise, but for those in ``except_``, which may repeat.

    There may be more values than terms. If a variable occurs twice, its value must
    be one of ``except_``.
    """

    xcsp3: ClassVar[str] = "allDifferent"
    minizinc: ClassVar[str] = "all_different"
    WITHOUT = NO_SIMPLE_OPPOSITE

    terms: Terms
    except_: Ints = later(())  # noqa: RUF009 (it is dataclasses.field)

    def relates(self, terms: Sequence[int], except_: Sequence[int]) -> bool:
        counted = [value for value in terms if value not in except_]
        return len(set(counted)) == len(counted)

    def holds(self, values: Sequence[int]) -> bool:
        if self.is_plain:  # relates() without the way to it: it is asked very often
            return len(set(values)) == len(values)
        return Predicate.holds(self, values)

    def simplified(self) -> Constraint:
        kept = [t for t in self.terms if not (is_constant(t) and t.offset in self.except_)]
        if len(kept) < 2 and are_total(kept):
            return TRUE
        repeated = [term for term, times in Counter(kept).items() if times > 1]
        if repeated:
            if not self.except_ or any(map(is_constant, repeated)):
                return FALSE
            once = AllDifferent(tuple(t for t in kept if t not in repeated), self.except_)
            return And((once.simplified(), *(self._excepted(term) for term in repeated)))
        return AllDifferent(tuple(kept), self.except_)

    def _excepted(self, term: Any) -> Constraint:
        return Or(tuple(equals(term, value) for value in self.except_))

    def expand(self, fresh: Fresh) -> Constraint:
        """Each pair differs, or is equal to an excepted value."""
        if not self.except_:
            return And(
                (
                    *map(NotEqual, combinations(self.terms, 2)),
                    *(Linear((term,), (0,), "==", 0) for term in self.terms[:1]),
                )
            )
        return And(
            (
                *(
                    Or((NotEqual((x, y)), *(equals(x, value) for value in self.except_)))
                    for x, y in combinations(self.terms, 2)
                ),
                *(Linear((term,), (0,), "==", 0) for term in self.terms),
            )
        )

    def expanded_size(self) -> int:
        return len(self.terms) * (len(self.terms) - 1) * (1 + len(self.except_))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> AllDifferent:
        excepted = [terms.value() for _ in range(rng.choice((0, 0, 1, 2)))]
        return cls(terms.some(0, 4), tuple(dict.fromkeys(excepted)))

    EDGES = (
        (((),), True),
        ((constants(5),), True),
        ((constants(1, 2, 1),), False),
        ((constants(1, 2, 1), (1,)), True),
        ((constants(1, 1, 2, 2), (1,)), False),
        (((Affine(None, 3, 1), *constants(1)),), False),
    )
