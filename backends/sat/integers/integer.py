"""An integer variable as literals: what every encoding of one offers to constraints.

Words
-----
value literal    x == v
step             x >= v, an order literal
digits           x as a constant and a sum of weighted literals
view             ``factor * x + offset``, which costs no clause

Literals are made when they are first asked for, defined by those that are there already; so each is
determined, and an integer may have any of the three besides what it is made of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from backends.sat.cnf import Cnf


class Digits(NamedTuple):
    """``offset`` and the weights of the literals that are true are the value."""

    offset: int
    weighted: list[tuple[int, int]]


class Integer(ABC):
    """An integer that takes one of ``domain``, ascending and not empty, in the formula ``cnf``."""

    cnf: Cnf
    domain: Sequence[int]

    @property
    def low(self) -> int:
        """The least value."""
        return self.domain[0]

    @property
    def high(self) -> int:
        """The greatest value."""
        return self.domain[-1]

    @abstractmethod
    def value_literal(self, value: int) -> int:
        """``x == value``; false where the domain lacks it."""

    @abstractmethod
    def step(self, value: int) -> int:
        """``x >= value``."""

    @abstractmethod
    def digits(self) -> Digits:
        """It as a short sum."""

    @property
    @abstractmethod
    def digit_clauses(self) -> int:
        """About how many clauses asking for ``digits`` writes."""

    @abstractmethod
    def moved(self, cnf: Cnf) -> Self:
        """The same integer in a copy of the formula, where it may be given further literals."""

    def value_literals(self) -> dict[int, int]:
        """All of them, by value."""
        return {value: self.value_literal(value) for value in self.domain}

    def above(self, value: int) -> int | None:
        """The next greater value of the domain, if there is one."""
        place = bisect_left(self.domain, value + 1)
        return self.domain[place] if place < len(self.domain) else None


@dataclass(frozen=True, eq=False)
class View:
    """``factor * integer + offset``, factor not 0."""

    integer: Integer
    factor: int
    offset: int

    @property
    def size(self) -> int:
        """How many values it takes."""
        return len(self.integer.domain)

    @property
    def low(self) -> int:
        """The least value."""
        inner = self.integer
        return self.factor * (inner.low if self.factor > 0 else inner.high) + self.offset

    @property
    def high(self) -> int:
        """The greatest value."""
        inner = self.integer
        return self.factor * (inner.high if self.factor > 0 else inner.low) + self.offset

    def __iter__(self) -> Iterator[int]:
        """The values, ascending."""
        values = self.integer.domain if self.factor > 0 else reversed(self.integer.domain)
        return (self.factor * value + self.offset for value in values)

    def value_literal(self, value: int) -> int:
        """``self == value``."""
        inner, rest = divmod(value - self.offset, self.factor)
        return -self.integer.cnf.true if rest else self.integer.value_literal(inner)

    def step(self, value: int) -> int:
        """``self >= value``."""
        if self.factor > 0:
            return self.integer.step(-((self.offset - value) // self.factor))
        return -self.integer.step((value - self.offset) // self.factor + 1)
