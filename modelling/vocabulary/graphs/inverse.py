"""Inverse: two lists, each of which says where the other has what."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.terms import Fresh, Terms, constants
from modelling.vocabulary.formulas.connectives import FALSE, And, Iff
from modelling.vocabulary.formulas.linear import equals, within


@dataclass(frozen=True)
class Inverse(Predicate):
    """``f[i] == j`` if and only if ``g[j] == i``, and all values are places, counted from 0.

    So both are permutations. Lists of unequal lengths are not inverse (XCSP3 asks for one
    direction then); two empty ones are. Both lists may be the same: ``Inverse(x, x)`` says
    that x pairs its places (MiniZinc's symmetric all_different).

    The decomposition is this equivalence for each i and j (Hnich, Smith and Walsh, "Dual modelling
    of permutation and injection problems", Journal of Artificial Intelligence Research 21, 2004).
    It grows with the square of the length.
    """

    xcsp3: ClassVar[str] = "channel"
    minizinc: ClassVar[str] = "inverse"
    WITHOUT = NO_SIMPLE_OPPOSITE

    f: Terms
    g: Terms

    def relates(self, f: Sequence[int], g: Sequence[int]) -> bool:
        n = len(f)
        if n != len(g) or not all(0 <= value < n for value in (*f, *g)):
            return False
        return all(g[f[i]] == i and f[g[i]] == i for i in range(n))

    def simplified(self) -> Constraint:
        return self if len(self.f) == len(self.g) else FALSE

    def expand(self, fresh: Fresh) -> Constraint:
        if len(self.f) != len(self.g):
            return FALSE
        inside = [part for term in (*self.f, *self.g) for part in within(term, 0, len(self.f) - 1)]
        pairs = (
            Iff(equals(x, j), equals(y, i))
            for i, x in enumerate(self.f)
            for j, y in enumerate(self.g)
        )
        return And((*inside, *pairs))

    def expanded_size(self) -> int:
        return 12 * len(self.f) * (1 + len(self.g))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Inverse:
        length = rng.choice((0, 1, 2, 2, 3))
        f = terms.some(length, length)
        if rng.random() < 0.3:
            return cls(f, f)
        other = length if rng.random() < 0.9 else rng.randint(0, 3)
        return cls(f, terms.some(other, other))

    EDGES = (
        (((), ()), True),
        ((constants(0), constants(0)), True),
        ((constants(1), constants(1)), False),
        ((constants(1, 2, 0), constants(2, 0, 1)), True),
        ((constants(1, 2, 0), constants(1, 2, 0)), False),
        ((constants(1, 0, 2), constants(1, 0, 2)), True),
        ((constants(0), ()), False),
        ((constants(0, 1), constants(0)), False),
        ((constants(0, -1), constants(0, 1)), False),
        ((constants(0, 0), constants(0, 0)), False),
    )
