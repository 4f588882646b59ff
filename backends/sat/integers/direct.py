"""The direct encoding: a literal for each value, exactly one of them true (Walsh, "SAT v CSP",
CP 2000)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy

from backends.sat.cnf import Cnf
from backends.sat.integers.integer import Digits, Integer


class Direct(Integer):
    """Of ``literals``, by value, exactly one is true."""

    def __init__(self, cnf: Cnf, domain: Sequence[int], literals: dict[int, int]) -> None:
        self.cnf = cnf
        self.domain = domain
        self.literals = literals
        self._steps: list[int] = []
        self._digits: Digits | None = None

    def value_literal(self, value: int) -> int:
        found = self.literals.get(value)
        return -self.cnf.true if found is None else found

    def value_literals(self) -> dict[int, int]:
        return self.literals

    def step(self, value: int) -> int:
        place = bisect_left(self.domain, value)
        if place == 0:
            return self.cnf.true
        if place == len(self.domain):
            return -self.cnf.true
        if not self._steps:
            self._steps = self._new_steps()
        return self._steps[place]

    def _new_steps(self) -> list[int]:
        """A step is the value itself, or the next step: defined from the last one down."""
        literals = [self.literals[value] for value in self.domain]
        steps = [0] * (len(literals) - 1) + [literals[-1]]
        for k in range(len(literals) - 2, 0, -1):
            here = steps[k] = self.cnf.new()
            self.cnf.add((here, -literals[k]))
            self.cnf.add((here, -steps[k + 1]))
            self.cnf.add((-here, literals[k], steps[k + 1]))
            # implied; without it the values above would have to be excluded one by one
            self.cnf.add((-literals[k], -steps[k + 1]))
        return steps

    def digits(self) -> Digits:
        """Binary digits above the least value; each value says which of them are 1."""
        if self._digits is None:
            number = (self.high - self.low).bit_length()
            self.cnf.expect(number * len(self.domain))
            weighted = [(1 << k, self.cnf.new()) for k in range(number)]
            for value, literal in self.literals.items():
                for weight, digit in weighted:
                    self.cnf.add((-literal, digit if (value - self.low) & weight else -digit))
            self._digits = Digits(self.low, weighted)
        return self._digits

    @property
    def digit_clauses(self) -> int:
        return len(self.domain) * (self.high - self.low).bit_length()

    def moved(self, cnf: Cnf) -> Direct:
        other = copy(self)
        other.cnf, other._steps = cnf, self._steps.copy()
        return other
