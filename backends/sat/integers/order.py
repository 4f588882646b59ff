"""The order encoding: a literal for each step, ``x >= v`` for every value but the least.

Crawford and Baker, "Experimental results on the application of satisfiability algorithms to
scheduling problems", AAAI 1994; Tamura, Taga, Kitagawa and Banbara, "Compiling finite linear CSP
into SAT", Constraints 14, 2009. An integer of two values is one Boolean.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy
from itertools import pairwise

from backends.sat.cnf import Cnf
from backends.sat.gates import conjunction
from backends.sat.integers.integer import Digits, Integer


class Order(Integer):
    """``steps[k]`` says that it is at least ``domain[k + 1]``; each implies the one before."""

    def __init__(self, cnf: Cnf, domain: Sequence[int], steps: list[int]) -> None:
        self.cnf = cnf
        self.domain = domain
        self.steps = steps
        self._digits: Digits | None = None

    @classmethod
    def new(cls, cnf: Cnf, domain: Sequence[int]) -> Order:
        """A new integer."""
        cnf.expect(len(domain) - 2)
        made = cls(cnf, domain, [cnf.new() for _ in domain[1:]])
        for one, other in pairwise(made.steps):
            cnf.add((one, -other))
        return made

    def step(self, value: int) -> int:
        return self._step_at(bisect_left(self.domain, value))

    def _step_at(self, place: int) -> int:
        if place <= 0:
            return self.cnf.true
        return -self.cnf.true if place >= len(self.domain) else self.steps[place - 1]

    def value_literal(self, value: int) -> int:
        place = bisect_left(self.domain, value)
        if place == len(self.domain) or self.domain[place] != value:
            return -self.cnf.true
        if len(self.domain) == 2:
            return self.steps[0] if place else -self.steps[0]
        return conjunction(self.cnf, (self._step_at(place), -self._step_at(place + 1)))

    def digits(self) -> Digits:
        """Binary digits above the least value.

        A digit is constant on blocks of places: between two steps it is what the block says.
        """
        if self._digits is None:
            if len(self.domain) == 2:
                self._digits = Digits(self.low, [(self.high - self.low, self.steps[0])])
            else:
                self._digits = self._new_digits()
        return self._digits

    def _new_digits(self) -> Digits:
        number = (self.high - self.low).bit_length()
        above = [value - self.low for value in self.domain]
        weighted = []
        for k in range(number):
            digit = self.cnf.new()
            weighted.append((1 << k, digit))
            changes = [p for p in range(1, len(above)) if (above[p] ^ above[p - 1]) >> k & 1]
            for begin, end in pairwise((0, *changes, len(above))):
                said = digit if above[begin] >> k & 1 else -digit
                self.cnf.say(-self._step_at(begin), self._step_at(end), said)
        return Digits(self.low, weighted)

    @property
    def digit_clauses(self) -> int:
        return 0 if len(self.domain) == 2 else 2 * len(self.domain)

    def moved(self, cnf: Cnf) -> Order:
        other = copy(self)
        other.cnf = cnf
        return other
