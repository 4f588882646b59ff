"""Lex: rows in lexicographic order.

Words
-----
flag        of two rows and a position: whether they agree before it
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.terms import Fresh, Matrix, Term, constants
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Implies
from modelling.vocabulary.formulas.linear import Linear, defined, equal, equals
from modelling.vocabulary.formulas.truth import Truth


@dataclass(frozen=True)
class Lex(Predicate):
    """Each row is at most the next in lexicographic order; less, if ``strict``.

    Rows are compared as Python's tuples are: a proper prefix is less. Without rows, and for one
    row, it is true. Everything must be defined, also after the first place where two rows differ.

    The decomposition has a flag for each position: the rows agree before it, and where they do, the
    first is not greater there (Frisch, Hnich, Kiziltan, Miguel and Walsh, "Propagation algorithms
    for lexicographic ordering constraints", Artificial Intelligence 170, 2006). It grows with the
    number of terms.
    """

    xcsp3: ClassVar[str] = "lex"
    minizinc: ClassVar[str] = "lex_chain"

    rows: Matrix
    strict: bool = False

    def relates(self, rows: Sequence[Sequence[int]], strict: bool) -> bool:
        pairs = pairwise(map(tuple, rows))
        return all(one < other if strict else one <= other for one, other in pairs)

    def negated(self) -> Constraint | None:
        """Only for two rows: they change places, and ``strict`` is inverted."""
        if len(self.rows) != 2 or not are_total(self.terms_within()):
            return None
        return Lex(self.rows[::-1], not self.strict)

    def simplified(self) -> Constraint:
        return TRUE if len(self.rows) < 2 and are_total(self.terms_within()) else self

    def expand(self, fresh: Fresh) -> Constraint:
        """Each two neighbours by their flags."""
        parts = [part for two in pairwise(self.rows) for part in self._ordered(*two, fresh)]
        return And((*defined(chain.from_iterable(self.rows)), *parts))

    def _ordered(
        self, one: Sequence[Term], other: Sequence[Term], fresh: Fresh
    ) -> Iterator[Constraint]:
        agree: Constraint = TRUE
        shorter = min(len(one), len(other))
        for k, (x, y) in enumerate(zip(one, other, strict=False), 1):
            yield Implies(agree, Linear((x, y), (1, -1), "<=", 0))
            if k < shorter or not self._allows(len(one), len(other)):
                agree = equals(fresh(Truth(And((agree, equal(x, y))))), 1)
        if not self._allows(len(one), len(other)):
            yield Implies(agree, FALSE)

    def _allows(self, one: int, other: int) -> bool:
        """Whether rows of such lengths are in order where the shorter is a prefix of the other."""
        return one < other if self.strict else one <= other

    def expanded_size(self) -> int:
        return 15 * self.size()

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Lex:
        length = rng.randint(0, 3)
        rows = rng.choice((0, 1, 2, 2, 2, 2, 3))
        some = rng.random() < 0.7
        lengths = [length if some else rng.randint(0, 3) for _ in range(rows)]
        return cls(tuple(terms.some(n, n) for n in lengths), rng.random() < 0.5)

    EDGES = (
        (((), True), True),
        (((constants(3, 1),), True), True),
        (((constants(1, 2), constants(1, 2)),), True),
        (((constants(1, 2), constants(1, 2)), True), False),
        (((constants(1, 9), constants(2, 0)), True), True),
        (((constants(2, 0), constants(1, 9)),), False),
        (((constants(1), constants(1, 0)), True), True),
        (((constants(1, 0), constants(1)),), False),
        ((((), ()), True), False),
        ((((), constants(0)), True), True),
        (((constants(1), constants(2), constants(2)), True), False),
        (((constants(1), constants(2), constants(2)),), True),
    )
