"""Sum, and Linear, a sum compared with a constant: what most rewrites end in."""

from __future__ import annotations

import operator
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import (
    Domains,
    Fresh,
    Function,
    Int,
    Ints,
    Term,
    Terms,
    Text,
    affine,
    bounds,
    constants,
    shortest,
)
from modelling.terms import constant as constant_term
from modelling.vocabulary.comparisons import OPPOSITES, RELATIONS, are_total, is_total
from modelling.vocabulary.formulas.connectives import FALSE, TRUE


@dataclass(frozen=True)
class Sum(Function):
    """``sum(coefficient * term)``; without coefficients, each is 1. An empty sum is 0."""

    xcsp3: ClassVar[str] = "sum"
    minizinc: ClassVar[str] = "sum"

    terms: Terms
    coefficients: Ints = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.coefficients:
            object.__setattr__(self, "coefficients", (1,) * len(self.terms))
        _check_coefficients(self)

    def value(self, terms: Sequence[int], coefficients: Sequence[int]) -> int:
        return sum(map(operator.mul, coefficients, terms))

    def bounds(self, domains: Domains) -> tuple[int, int]:
        low = high = 0
        for term, coefficient in zip(self.terms, self.coefficients, strict=True):
            ends = [coefficient * end for end in bounds(term, domains)]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def simplified(self) -> Term:
        found, offset = _merged(self)
        if not found:
            return constant_term(offset)
        if len(found) == 1:
            ((term, coefficient),) = found.items()
            if not isinstance(term, Function):
                return shortest(affine(term)._replace(factor=coefficient, offset=offset))
            if coefficient == 1 and not offset:
                return term
        rest = (constant_term(offset),) if offset else ()
        return Sum((*found, *rest), (*found.values(), *(1 for _ in rest)))

    def expand(self, result: Term, fresh: Fresh) -> Linear:
        return Linear((*self.terms, result), (*self.coefficients, -1), "==", 0)

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Sum:
        drawn = terms.some(1, 3)
        return cls(drawn, tuple(rng.choice((1, 1, -1, 2, -3, 0)) for _ in drawn))

    EDGES = (
        (((),), 0),
        ((constants(3), (0,)), 0),
        ((constants(3, -4),), -1),
        ((constants(3, 3), (2, -1)), 3),
    )


@dataclass(frozen=True)
class Linear(Predicate):
    """``sum(coefficient * term) RELATION constant``, all integers (XCSP3 sum, MiniZinc linear).

    ``relation`` is one of ``== != < <= > >=``. An empty sum is 0.
    """

    xcsp3: ClassVar[str] = "sum"
    minizinc: ClassVar[str] = "int_lin"

    terms: Terms
    coefficients: Ints
    relation: Text
    constant: Int

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_coefficients(self)
        if self.relation not in RELATIONS:
            raise ModelError(
                f"Linear: unknown relation {self.relation!r}; use one of {' '.join(RELATIONS)}"
            )
        if not isinstance(self.constant, int):
            raise ModelError(f"Linear takes integers, got {self.constant!r}")

    def relates(
        self, terms: Sequence[int], coefficients: Sequence[int], relation: str, constant: int
    ) -> bool:
        return RELATIONS[relation](sum(map(operator.mul, coefficients, terms)), constant)

    def holds(self, values: Sequence[int]) -> bool:
        if self.is_plain:  # relates() without the way to it: it is asked very often
            total = sum(map(operator.mul, self.coefficients, values))
            return RELATIONS[self.relation](total, self.constant)
        return Predicate.holds(self, values)

    def negated(self) -> Linear | None:
        if not are_total(self.terms):
            return None
        return Linear(self.terms, self.coefficients, OPPOSITES[self.relation], self.constant)

    def simplified(self) -> Constraint:
        found, offset = _merged(self)
        bound = self.constant - offset
        if not found:
            return TRUE if RELATIONS[self.relation](0, bound) else FALSE
        return Linear(tuple(found), tuple(found.values()), self.relation, bound)

    def expand(self, fresh: Fresh) -> Constraint:
        """Itself: nothing is simpler."""
        return self

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Linear:
        drawn = terms.some(0, 4)
        coefficients = tuple(rng.choice((1, 1, 1, -1, 2, -3, 0)) for _ in drawn)
        return cls(drawn, coefficients, rng.choice(tuple(RELATIONS)), rng.randint(-4, 6))

    EDGES = (
        (((), (), "==", 0), True),
        (((), (), "<", 0), False),
        ((constants(2, 2), (1, -1), "==", 0), True),
        ((constants(2, 5), (0, 1), ">=", 6), False),
        ((constants(-7), (-1,), "!=", 7), False),
    )


def equals(term: Term, value: int) -> Linear:
    """``term == value``."""
    return Linear((term,), (1,), "==", value)


def equal(one: Term, other: Term) -> Linear:
    """``one == other``."""
    return Linear((one, other), (1, -1), "==", 0)


def within(term: Term, least: int, most: int) -> tuple[Linear, Linear]:
    """``least <= term`` and ``term <= most``."""
    return Linear((term,), (1,), ">=", least), Linear((term,), (1,), "<=", most)


def defined(terms: Iterable[Term]) -> tuple[Linear, ...]:
    """Constraints that these terms have values; none for terms that are total by their form."""
    return tuple(Linear((term,), (0,), "==", 0) for term in terms if not is_total(term))


def parts_of(total: Sum | Linear) -> tuple[dict[Any, int], int] | None:
    """A sum of variables as their factors and an offset; None for one of functions."""
    factors: dict[Any, int] = {}
    offset = 0
    for term, coefficient in zip(total.terms, total.coefficients, strict=True):
        if isinstance(term, Function):
            return None
        variable, factor, more = affine(term)
        offset += coefficient * more
        if variable is not None:
            factors[variable] = factors.get(variable, 0) + coefficient * factor
    return factors, offset


def _check_coefficients(made: Sum | Linear) -> None:
    kind = type(made).__name__
    if len(made.coefficients) != len(made.terms):
        raise ModelError(
            f"{kind}: {len(made.terms)} variables but {len(made.coefficients)} coefficients"
        )
    for number in made.coefficients:
        if not isinstance(number, int):
            raise ModelError(f"{kind} takes integers, got {number!r}")


def _merged(made: Sum | Linear) -> tuple[dict[Term, int], int]:
    """Coefficients of distinct terms, and a constant.

    Affine terms and sums within are taken apart, without recursion: they may be nested deeply. A
    term of coefficient 0 stays if it can be undefined.
    """
    found: dict[Term, int] = {}
    offset = 0
    left = list(zip(made.terms, made.coefficients, strict=True))[::-1]
    while left:
        term, coefficient = left.pop()
        if type(term) is Sum:
            inner = zip(term.terms, term.coefficients, strict=True)
            left.extend([(t, coefficient * c) for t, c in inner][::-1])
        elif isinstance(term, Function):
            found[term] = found.get(term, 0) + coefficient
        else:
            variable, factor, added = affine(term)
            offset += coefficient * added
            if variable is not None:
                found[variable] = found.get(variable, 0) + coefficient * factor
    return {t: c for t, c in found.items() if c or not is_total(t)}, offset
