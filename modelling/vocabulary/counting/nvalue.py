"""NValue: how many distinct values there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint
from modelling.terms import Domains, Fresh, Function, Ints, Term, Terms, constants
from modelling.vocabulary.formulas.connectives import And, Or
from modelling.vocabulary.formulas.linear import Linear, Sum, defined, equal, equals
from modelling.vocabulary.formulas.truth import Truth


@dataclass(frozen=True)
class NValue(Function):
    """How many distinct values ``terms`` have, those in ``except_`` not counted; of none it is 0.

    The decomposition sums, for each value, whether a term has it (Bessiere, Katsirelos, Narodytska,
    Quimper and Walsh, "Decomposition of the NValue constraint", CP 2010). Where the values are many
    more than the terms, it counts the terms that are equal to none before them. It grows with the
    square of the number of terms.
    """

    xcsp3: ClassVar[str] = "nValues"
    minizinc: ClassVar[str] = "nvalue"

    terms: Terms
    except_: Ints = ()

    def value(self, terms: Sequence[int], except_: Sequence[int]) -> int:
        return len(set(terms) - set(except_))

    def bounds(self, domains: Domains) -> tuple[int, int]:
        return int(bool(self.terms) and not self.except_), len(self.terms)

    def simplified(self) -> Term:
        """Each term once, each excepted value once."""
        once, excepted = dict.fromkeys(self.terms), dict.fromkeys(self.except_)
        return NValue(tuple(once), tuple(excepted))

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        ends = [fresh.bounds(term) for term in self.terms]
        values = range(
            min((e[0] for e in ends), default=0), max((e[1] for e in ends), default=0) + 1
        )
        by_value = len(values) <= 4 * len(self.terms)
        new = list(self._values_taken(values) if by_value else self._first_of_its_value())
        counted = Sum(tuple(map(Truth, new)))
        return And((equal(result, counted), *defined(self.terms)))

    def _values_taken(self, values: Sequence[int]) -> Iterator[Constraint]:
        for value in values:
            if value not in self.except_:
                yield Or(tuple(equals(term, value) for term in self.terms))

    def _first_of_its_value(self) -> Iterator[Constraint]:
        for k, term in enumerate(self.terms):
            others = (Linear((term, other), (1, -1), "!=", 0) for other in self.terms[:k])
            excepted = (Linear((term,), (1,), "!=", value) for value in self.except_)
            yield And((*others, *excepted))

    def expanded_size(self) -> int:
        return 10 * len(self.terms) * (len(self.terms) + len(self.except_))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> NValue:
        excepted = [terms.value() for _ in range(rng.choice((0, 0, 1, 2)))]
        return cls(terms.some(0, 4), tuple(dict.fromkeys(excepted)))

    EDGES = (
        (((),), 0),
        ((constants(5),), 1),
        ((constants(1, 2, 1),), 2),
        ((constants(1, 2, 1), (1,)), 1),
        ((constants(1, 1), (1, 7)), 0),
    )
