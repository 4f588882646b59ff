"""Product, Quotient and Remainder, which expand to each other.

Division rounds toward zero, and a remainder has the sign of x, so that always
``x == y * Quotient(x, y) + Remainder(x, y)``. That is the division of XCSP3, MiniZinc and C, the
T-division of Leijen, "Division and modulus for computer scientists" (2001). Python's ``//`` and
``%`` round down, and z3 has Euclid's division: these are others where x or y is negative.

Words
-----
digit       0 or 1: of a factor written in binary, counted from its least value, so without a sign
multiple    y times the quotient; it lies between 0 and x
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from modelling.constraint import Constraint
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
from modelling.vocabulary.formulas.connectives import And, Implies, Or
from modelling.vocabulary.formulas.linear import Linear, Sum, defined, equal
from modelling.vocabulary.formulas.truth import IfThenElse


@dataclass(frozen=True)
class Product(Function):
    """The product of ``terms``; of none it is 1. ``x**k`` is x written k times.

    The decomposition multiplies the products of two halves. It writes the one of two factors that
    has fewer values in binary, and adds the other for each digit that is 1: multiplication as at
    school, each step a product with a Boolean (Glover, "Improved linear integer programming
    formulations of nonlinear integer problems", Management Science 22, 1975). Digits are
    differences of quotients and so are determined. It grows with the number of factors, times the
    logarithm of the number of their values.
    """

    xcsp3: ClassVar[str] = "mul"
    minizinc: ClassVar[str] = "int_times"

    terms: Terms

    def value(self, terms: Sequence[int]) -> int:
        return prod(terms)

    def bounds(self, domains: Domains) -> tuple[int, int]:
        low = high = 1
        for term, times in Counter(self.terms).items():
            least, greatest = bounds(term, domains)
            ends = [least**times, greatest**times]
            if least < 0 < greatest:
                ends.append(0)
            corners = [end * other for end in (low, high) for other in ends]
            low, high = min(corners), max(corners)
        return low, high

    def simplified(self) -> Term:
        """The constants are one factor before the others."""
        factor = prod(term.offset for term in self.terms if is_constant(term))
        others = tuple(term for term in self.terms if not is_constant(term))
        if not others or (factor == 0 and are_total(others)):
            return constant(factor)
        rest = others[0] if len(others) == 1 else Product(others)
        return rest if factor == 1 else Sum((rest,), (factor,))

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        if len(self.terms) != 2:
            half = len(self.terms) // 2
            parts = [part for part in (self.terms[:half], self.terms[half:]) if part]
            halves = tuple(part[0] if len(part) == 1 else Product(part) for part in parts)
            return equal(result, Product(halves) if len(halves) == 2 else (*halves, constant(1))[0])
        one, other = sorted(self.terms, key=lambda term: _width(term, fresh))
        low = fresh.bounds(one)[0]
        digits = _digits(one, fresh)
        added = [IfThenElse(digit, other, constant(0)) for digit in digits]
        weights = [1 << k for k in range(len(digits))]
        total = Linear((result, other, *added), (-1, low, *weights), "==", 0)
        return And((total, *defined((one, other))))

    def expanded_size(self) -> int:
        return 200 * len(self.terms)

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Product:
        return cls(terms.some(0, 3))

    EDGES = (
        (((),), 1),
        ((constants(-3),), -3),
        ((constants(2, -3, 4),), -24),
        ((constants(5, 0),), 0),
    )


def _width(term: Term, fresh: Fresh) -> int:
    low, high = fresh.bounds(term)
    return high - low


def _digits(term: Term, fresh: Fresh) -> list[Constraint]:
    """The binary digits of a term above its least value, the last one first, as constraints."""
    low = fresh.bounds(term)[0]
    above = Sum((term, constant(-low)))
    number = _width(term, fresh).bit_length()
    shifted = [above, *(Quotient(above, constant(1 << k)) for k in range(1, number))][:number]
    following = (*shifted[1:], constant(0))
    pairs = zip(shifted, following, strict=False)
    return [Linear(pair, (1, -2), "==", 1) for pair in pairs]


@dataclass(frozen=True)
class Quotient(Function):
    """``x / y`` rounded toward zero; undefined where y is 0.

    The decomposition says that the multiple lies between 0 and x, and nearer to x than y is to 0:
    linear where y is a constant, else with a ``Product``. But for that its size does not depend on
    the domains.
    """

    xcsp3: ClassVar[str] = "div"
    minizinc: ClassVar[str] = "div"

    x: Term
    y: Term

    def value(self, x: int, y: int) -> int | None:
        return _truncated(x, y) if y else None

    def guards(self) -> tuple[Constraint, ...]:
        return _is_not_zero(self.y)

    def totalised(self) -> Function:
        """A divisor 0 counts as 1."""
        return Quotient(self.x, _or_one(self.y))

    def bounds(self, domains: Domains) -> tuple[int, int]:
        """The quotient is least or greatest where x and y are, or where y is next to 0."""
        numerators, (low, high) = bounds(self.x, domains), bounds(self.y, domains)
        divisors = [y for y in (low, high, -1, 1) if y and low <= y <= high]
        corners = [_truncated(x, y) for x in numerators for y in divisors]
        return min(corners, default=0), max(corners, default=0)

    def simplified(self) -> Term:
        if is_constant(self.y) and self.y.offset in (1, -1):
            return Sum((self.x,), (self.y.offset,))
        return self

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        x, y = self.x, self.y
        multiple = Product((result, y)) if not is_constant(y) else Sum((result,), (y.offset,))
        sides = []
        least, greatest = fresh.bounds(x)
        for sign, side, possible in ((1, ">=", greatest >= 0), (-1, "<=", least < 0)):
            beyond = (
                Linear((x, multiple, y), (sign, -sign, turned), "<=", -1) for turned in (-1, 1)
            )
            said = And((Linear((x, multiple), (1, -1), side, 0), Or(tuple(beyond))))
            if possible:
                sides.append(Implies(Linear((x,), (1,), side, 0), said))
        return And((*self.guards(), *sides, *defined((x, y, result))))

    def expanded_size(self) -> int:
        return 60 if is_constant(self.y) else 500

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Quotient:
        return cls(terms.term(), terms.term())

    EDGES = (
        (constants(7, 2), 3),
        (constants(-7, 2), -3),
        (constants(7, -2), -3),
        (constants(-7, -2), 3),
        (constants(0, -5), 0),
        (constants(5, 0), None),
        (constants(0, 0), None),
    )


@dataclass(frozen=True)
class Remainder(Function):
    """What x is beyond y times the quotient, with the sign of x; undefined where y is 0.

    The decomposition is this sentence. Its size is that of a ``Quotient`` and a ``Product``.
    """

    xcsp3: ClassVar[str] = "mod"
    minizinc: ClassVar[str] = "mod"

    x: Term
    y: Term

    def value(self, x: int, y: int) -> int | None:
        return x - y * _truncated(x, y) if y else None

    def guards(self) -> tuple[Constraint, ...]:
        return _is_not_zero(self.y)

    def totalised(self) -> Function:
        """A divisor 0 counts as 1."""
        return Remainder(self.x, _or_one(self.y))

    def bounds(self, domains: Domains) -> tuple[int, int]:
        least, greatest = bounds(self.x, domains)
        most = max(0, *(abs(end) - 1 for end in bounds(self.y, domains)))
        return max(-most, min(0, least)), min(most, max(0, greatest))

    def simplified(self) -> Term:
        if is_constant(self.y) and self.y.offset in (1, -1) and are_total((self.x,)):
            return constant(0)
        return self

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        multiple = Product((self.y, Quotient(self.x, self.y)))
        return Linear((result, self.x, multiple), (1, -1, 1), "==", 0)

    def expanded_size(self) -> int:
        return 100 if is_constant(self.y) else 900

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Remainder:
        return cls(terms.term(), terms.term())

    EDGES = (
        (constants(7, 2), 1),
        (constants(-7, 2), -1),
        (constants(7, -2), 1),
        (constants(-7, -2), -1),
        (constants(6, -3), 0),
        (constants(5, 0), None),
    )


def _truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _is_not_zero(divisor: Term) -> tuple[Constraint, ...]:
    if is_constant(divisor) and divisor.offset:
        return ()
    return (Linear((divisor,), (1,), "!=", 0),)


def _or_one(divisor: Term) -> Term:
    return IfThenElse(Linear((divisor,), (1,), "!=", 0), divisor, constant(1))
