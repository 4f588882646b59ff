"""The log encoding: the binary digits of how far an integer is above its least value.

Iwama and Miyazaki, "SAT-variable complexity of hard combinatorial problems", IFIP 1994. The least
value is the offset, so digits need no sign: two's complement would be the same with the last digit
turned. It takes as many Booleans as the domain has digits, whatever the domain's size.

Words
-----
stride      what the domain's values are apart, all of them multiples of it above the least
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import pairwise
from math import gcd

from backends.sat.cnf import Clause, Cnf
from backends.sat.gates import conjunction, disjunction
from backends.sat.integers.integer import Digits, Integer


class Log(Integer):
    """``domain[0]`` and ``stride`` times what the ``bits`` say, the last digit first."""

    def __init__(self, cnf: Cnf, domain: Sequence[int], stride: int, bits: list[int]) -> None:
        self.cnf = cnf
        self.domain = domain
        self.stride = stride
        self.bits = bits
        self._steps: dict[tuple[int, int], int] = {}

    @classmethod
    def new(cls, cnf: Cnf, domain: Sequence[int]) -> Log:
        """A new integer."""
        stride = stride_of(domain)
        most = (domain[-1] - domain[0]) // stride
        made = cls(cnf, domain, stride, [cnf.new() for _ in range(most.bit_length())])
        for gap in gaps(domain, stride, (1 << len(made.bits)) - 1):
            for clause in outside(made.bits, *gap):
                cnf.add(clause)
        return made

    def step(self, value: int) -> int:
        place = -((self.low - value) // self.stride)
        if place <= 0:
            return self.cnf.true
        if place >> len(self.bits) or value > self.high:
            return -self.cnf.true
        # From the last digit up: greater so far, or equal in this digit and at least below it.
        # What was found for the last digits is shared by all bounds that end in them.
        found, start = self.cnf.true, 0
        for k in range(len(self.bits)):
            start |= place & 1 << k
            known = self._steps.get((k, start))
            if known is None:
                join = conjunction if place >> k & 1 else disjunction
                known = self._steps[k, start] = join(self.cnf, (self.bits[k], found))
            found = known
        return found

    def value_literal(self, value: int) -> int:
        if not self._has(value):
            return -self.cnf.true
        place = (value - self.low) // self.stride
        signed = [bit if place >> k & 1 else -bit for k, bit in enumerate(self.bits)]
        return conjunction(self.cnf, signed)

    def _has(self, value: int) -> bool:
        if isinstance(self.domain, range):
            return value in self.domain
        place = bisect_left(self.domain, value)
        return place < len(self.domain) and self.domain[place] == value

    def value_literals(self) -> dict[int, int]:
        self.cnf.expect(len(self.domain))
        return super().value_literals()

    def digits(self) -> Digits:
        return Digits(self.low, [(self.stride << k, bit) for k, bit in enumerate(self.bits)])

    @property
    def digit_clauses(self) -> int:
        return 0

    def moved(self, cnf: Cnf) -> Log:
        other = copy(self)
        other.cnf, other._steps = cnf, self._steps.copy()
        return other


def stride_of(domain: Sequence[int]) -> int:
    """What the values are apart; 1 for one value."""
    if isinstance(domain, range):
        return domain.step
    return gcd(*(value - domain[0] for value in domain[1:])) or 1


def gaps(domain: Sequence[int], stride: int, last: int) -> Iterator[tuple[int, int]]:
    """The places from 0 to ``last`` without a value, as intervals."""
    low = domain[0]
    if not isinstance(domain, range):
        for one, other in pairwise(domain):
            if other - one > stride:
                yield (one - low) // stride + 1, (other - low) // stride - 1
    most = (domain[-1] - low) // stride
    if most < last:
        yield most + 1, last


def outside(bits: Sequence[int], least: int, most: int) -> Iterator[Clause]:
    """Clauses that keep a binary number out of an interval, without auxiliary Booleans.

    The interval is cut into aligned blocks, as few as there are; a block is what its first digits
    are.
    """
    while least <= most:
        size = 0
        while not least >> size & 1 and least + (2 << size) - 1 <= most and size < len(bits):
            size += 1
        yield tuple(-bits[k] if least >> k & 1 else bits[k] for k in range(size, len(bits)))
        least += 1 << size


def at_most(bits: Sequence[int], most: int) -> Iterator[Clause]:
    """Clauses that keep a binary number at ``most``."""
    if most < 0:
        return iter([()])
    return outside(bits, most + 1, (1 << len(bits)) - 1)


def at_least(bits: Sequence[int], least: int) -> Iterator[Clause]:
    """Clauses that keep a binary number at ``least``."""
    if least >> len(bits):
        return iter([()])
    return outside(bits, 0, least - 1)
