"""Constraints that no backend has heard of, as a user of ``concord.Constraint`` writes them.

Each says what it means by ``holds`` and nothing else. The conformance suite draws problems with
them: a backend must rewrite them or refuse with the class's name, and never skip them. Two are
written so that a careless backend goes wrong: ``DifferentUnlessZero`` is a subclass of
AllDifferent that means less, and ``Residue`` keeps what it means in a plain attribute.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from modelling.constraints import AllDifferent, Constraint


@dataclass(frozen=True)
class Product(Constraint):
    """``x * y == z``."""

    arity: ClassVar[int | None] = 3

    def holds(self, values: Sequence[int]) -> bool:
        return values[0] * values[1] == values[2]


@dataclass(frozen=True)
class Parity(Constraint):
    """An odd number of the values is odd, or an even one (the exclusive or of their parities)."""

    odd: bool = True

    def holds(self, values: Sequence[int]) -> bool:
        return sum(values) % 2 == self.odd


@dataclass(frozen=True)
class Element(Constraint):
    """The first value, modulo the number of the others, points at one that equals the last."""

    def holds(self, values: Sequence[int]) -> bool:
        index, *array = values
        return array[index % len(array)] == array[-1]


@dataclass(frozen=True)
class Ascending(Constraint):
    """No value is smaller than the one before it."""

    def holds(self, values: Sequence[int]) -> bool:
        return all(a <= b for a, b in pairwise(values))


@dataclass(frozen=True)
class DifferentUnlessZero(AllDifferent):
    """All values but zeros differ."""

    def holds(self, values: Sequence[int]) -> bool:
        return super().holds([value for value in values if value])


class Residue(Constraint):
    """The values' sum leaves this remainder."""

    modulus: int
    remainder: int

    def __init__(self, scope: tuple[int, ...], modulus: int, remainder: int) -> None:
        super().__init__(scope)
        object.__setattr__(self, "modulus", modulus)
        object.__setattr__(self, "remainder", remainder)

    def __repr__(self) -> str:
        return f"Residue({self.scope!r}, {self.modulus}, {self.remainder})"

    def holds(self, values: Sequence[int]) -> bool:
        return sum(values) % self.modulus == self.remainder


LEAST: dict[type[Constraint], int] = {
    Product: 3,
    Parity: 0,
    Element: 2,
    Ascending: 0,
    DifferentUnlessZero: 0,
    Residue: 0,
}
"""The classes, and the fewest variables that each can be over."""


def draw_foreign(rng: random.Random, variables: int) -> Constraint:
    """One of them over at most four of the variables, or over none where it has a meaning."""
    kind = rng.choice([kind for kind, least in LEAST.items() if least <= variables])
    size = kind.arity or rng.randint(LEAST[kind], min(4, variables))
    scope = tuple(rng.sample(range(variables), size))
    if kind is Parity:
        return Parity(scope, rng.random() < 0.5)
    if kind is Residue:
        modulus = rng.randint(1, 4)
        return Residue(scope, modulus, rng.randrange(modulus))
    return kind(scope)
