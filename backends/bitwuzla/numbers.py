"""Integers as bit-vectors that never wrap, and comparisons between them.

Words
-----
number   a bit-vector without a sign, with the least value that it stands for and the greatest: its
         bits say how far above the least it is
signed   a number in two's complement, of a width that is given
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from backends.bitwuzla.terms import Formula, Terms

Weighed = list[tuple["Number", int]]


@dataclass(frozen=True, slots=True)
class Number:
    """See the head of this file; without bits where there is one value."""

    bits: Any
    low: int
    high: int

    @property
    def width(self) -> int:
        """How many bits it takes."""
        return (self.high - self.low).bit_length()

    def moved(self, by: int) -> Number:
        """The same bits above another least value."""
        return Number(self.bits, self.low + by, self.high + by)


class Numbers(Terms):
    """Terms, and the numbers that are made of them."""

    def variable(self, name: str, low: int, high: int) -> Number:
        """A new number."""
        width = (high - low).bit_length()
        return Number(self.manager.mk_const(self.sort(width), name) if width else None, low, high)

    def widened(self, number: Number, width: int) -> Any:
        """Its bits, with zeros before them."""
        if not number.width:
            return self.bits(0, width)
        more = width - number.width
        if not more:
            return number.bits
        return self.manager.mk_term(self.kind.BV_ZERO_EXTEND, [number.bits], [more])

    def signed(self, number: Number, width: int) -> Any:
        """It in two's complement."""
        if not number.width:
            return self.bits(number.low, width)
        return self.plus([self.widened(number, width)], number.low, width)

    def scaled(self, number: Number, factor: int, offset: int) -> Number:
        """``factor * number + offset``."""
        if factor == 1 or not number.width:
            low = factor * number.low + offset
            return Number(number.bits, low, low + number.high - number.low)
        span = abs(factor) * (number.high - number.low)
        width = span.bit_length()
        bits = self.times(self.widened(number, width), factor, width)
        if factor < 0:
            bits = self.plus([bits], span, width)
        low, high = sorted((factor * number.low + offset, factor * number.high + offset))
        return Number(bits, low, high)

    def wrapped(self, weighed: Weighed, width: int) -> Any:
        """A sum modulo ``2 ** width``, which is wider than any of its numbers."""
        constant = sum(factor * number.low for number, factor in weighed)
        sides: tuple[list[Any], list[Any]] = ([], [])
        for number, factor in weighed:
            if factor and number.width:
                bits = self.times(self.widened(number, width), abs(factor), width)
                sides[factor < 0].append(bits)
        added, taken = sides
        if not taken:
            return self.plus(added, constant, width)
        pair = [self.plus(added, constant, width), self.plus(taken, 0, width)]
        return self.manager.mk_term(self.kind.BV_SUB, pair)

    def aligned(self, numbers: Sequence[Number]) -> tuple[list[Any], int]:
        """Numbers as bit-vectors of one width, in the same order and at the same distances.

        The second result is the least value of all; the bit-vectors represent it as 0.
        """
        low = min(number.low for number in numbers)
        width = max(1, (max(number.high for number in numbers) - low).bit_length())
        return [self.plus([self.widened(n, width)], n.low - low, width) for n in numbers], low

    # --- comparisons ---

    def is_value(self, number: Number, value: int) -> Formula:
        """Whether a number has a value."""
        if not number.low <= value <= number.high:
            return self.false
        if not number.width:
            return self.true
        return self.same(number.bits, self.bits(value - number.low, number.width))

    def within(self, number: Number, low: int, high: int) -> Formula:
        """Whether it is from ``low`` to ``high``; its bits may say more than its greatest value."""
        made = []
        if low == high:
            return self.is_value(number, low)
        if low > number.low:
            made.append(self._beside(number, self.kind.BV_UGE, low))
        if high - number.low < (1 << number.width) - 1:
            made.append(self._beside(number, self.kind.BV_ULE, high))
        return self.all_of(made)

    def _beside(self, number: Number, kind: Any, value: int) -> Formula:
        bits = self.bits(value - number.low, number.width)
        return self.manager.mk_term(kind, [number.bits, bits])

    def compare(self, weighed: Weighed, relation: str, constant: int) -> Formula:
        """The comparison of a sum with a constant.

        Subtracted terms move to the other side, and all terms are counted from their least values.
        Both sides are therefore sums without signs.
        """
        rest = constant - sum(factor * number.low for number, factor in weighed)
        sides: tuple[Weighed, Weighed] = ([], [])
        for number, factor in weighed:
            if factor and number.width:
                sides[factor < 0].append((number, abs(factor)))
        added = max(0, -rest), max(0, rest)
        width = max(
            1,
            *(
                (more + sum(f * (n.high - n.low) for n, f in side)).bit_length()
                for side, more in zip(sides, added, strict=True)
            ),
        )
        one, other = (
            self.plus([self.times(self.widened(n, width), f, width) for n, f in side], more, width)
            for side, more in zip(sides, added, strict=True)
        )
        if relation == "!=":
            return self.denied(self.same(one, other))
        if relation == "==":
            return self.same(one, other)
        kind = {
            "<": self.kind.BV_ULT,
            "<=": self.kind.BV_ULE,
            ">": self.kind.BV_UGT,
            ">=": self.kind.BV_UGE,
        }[relation]
        return self.manager.mk_term(kind, [one, other])
