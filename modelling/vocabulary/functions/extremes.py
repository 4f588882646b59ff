"""Minimum and Maximum: the least and the greatest value."""

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
from modelling.vocabulary.formulas.connectives import And, Or
from modelling.vocabulary.formulas.linear import Linear


@dataclass(frozen=True)
class Minimum(Function):
    """The least value of ``terms``, of which there must be one (ModelError; CP-SAT calls the
    minimum of none infeasible).

    The decomposition: at most each, at least one of them. It grows with the number of terms.
    """

    xcsp3: ClassVar[str] = "minimum"
    minizinc: ClassVar[str] = "min"

    terms: Terms

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_not_empty(self)

    def value(self, terms: Sequence[int]) -> int:
        return min(terms)

    def bounds(self, domains: Domains) -> tuple[int, int]:
        ends = [bounds(term, domains) for term in self.terms]
        return min(low for low, _ in ends), min(high for _, high in ends)

    def simplified(self) -> Term:
        once = _once(self.terms, min)
        return once[0] if len(once) == 1 else Minimum(once)

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        return _bounded(result, self.terms, "<=", ">=")

    def expanded_size(self) -> int:
        return 20 * len(self.terms)

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Minimum:
        return cls(terms.some(1, 4))

    EDGES = (((constants(7),), 7), ((constants(3, -1, 2),), -1), ((constants(3, 3),), 3))


@dataclass(frozen=True)
class Maximum(Function):
    """The greatest value of ``terms``, of which there must be one (ModelError).

    The decomposition: at least each, at most one of them. It grows with the number of terms.
    """

    xcsp3: ClassVar[str] = "maximum"
    minizinc: ClassVar[str] = "max"

    terms: Terms

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_not_empty(self)

    def value(self, terms: Sequence[int]) -> int:
        return max(terms)

    def bounds(self, domains: Domains) -> tuple[int, int]:
        ends = [bounds(term, domains) for term in self.terms]
        return max(low for low, _ in ends), max(high for _, high in ends)

    def simplified(self) -> Term:
        once = _once(self.terms, max)
        return once[0] if len(once) == 1 else Maximum(once)

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        return _bounded(result, self.terms, ">=", "<=")

    def expanded_size(self) -> int:
        return 20 * len(self.terms)

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Maximum:
        return cls(terms.some(1, 4))

    EDGES = (((constants(7),), 7), ((constants(3, -1, 2),), 3), ((constants(-3, -3),), -3))


def _check_not_empty(made: Minimum | Maximum) -> None:
    if not made.terms:
        kind = type(made).__name__
        raise ModelError(f"{kind} of no terms has no value anywhere; give it at least one term")


def _once(terms: Sequence[Term], chosen: Any) -> tuple[Term, ...]:
    """Each term once, and of the constants the one that counts."""
    fixed = [term.offset for term in terms if is_constant(term)]
    others = dict.fromkeys(term for term in terms if not is_constant(term))
    return (*others, *((constant(chosen(fixed)),) if fixed else ()))


def _bounded(result: Term, terms: Sequence[Term], all_of: str, one_of: str) -> Constraint:
    """``result`` is so related to all of ``terms``, and so to one of them."""
    every = (Linear((result, term), (1, -1), all_of, 0) for term in terms)
    one = Or(tuple(Linear((result, term), (1, -1), one_of, 0) for term in terms))
    return And((*every, one))
