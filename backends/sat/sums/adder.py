"""Adders: a sum of integers as binary digits, by full adders over digits of equal weight.

Three digits of one weight become one of that weight and a carry, until one is left of each (Eén and
Sörensson, "Translating pseudo-Boolean constraints into SAT", JSAT 2, 2006; Warners, "A linear-time
transformation of linear inequalities into conjunctive normal form", 1998). It grows with the number
of digits, not with what they count: the one technique for large domains and large factors. It
propagates less than the others do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import gcd

from backends.sat.cnf import Cnf
from backends.sat.gates import conjunction, parity, sum_and_carry
from backends.sat.integers.log import Log
from backends.sat.sums.merging import Weighted


def total(cnf: Cnf, terms: Sequence[Weighted]) -> Log:
    """The sum; it has no cap, since a cap would save nothing."""
    offset, weighted = 0, []
    for factor, integer in terms:
        digits = integer.digits()
        offset += factor * digits.offset
        for weight, literal in digits.weighted:
            if factor * weight < 0:  # -w l == w (1 - l) - w
                offset += factor * weight
                literal = -literal
            weighted.append((abs(factor * weight), literal))
    stride = gcd(*(weight for weight, _ in weighted)) or 1
    most = sum(weight for weight, _ in weighted)
    bits = _added(cnf, [(w // stride, literal) for w, literal in weighted], most // stride)
    return Log(cnf, range(offset, offset + most + 1, stride), stride, bits)


def _added(cnf: Cnf, weighted: Sequence[tuple[int, int]], most: int) -> list[int]:
    """The digits of a sum that is ``most`` at most, the last one first."""
    width = most.bit_length()
    columns: list[deque[int]] = [deque() for _ in range(width + 1)]
    for weight, literal in weighted:
        for k in range(weight.bit_length()):
            if weight >> k & 1:
                columns[k].append(literal)
    bits = []
    for k, column in enumerate(columns[:width]):
        while len(column) > 1:
            # Oldest first: the adders then form a shallow tree.
            digits = [column.popleft() for _ in range(min(3, len(column)))]
            if k == width - 1:  # no carry: the sum would pass its most
                column.append(parity(cnf, digits))
            elif len(digits) == 2:
                column.append(parity(cnf, digits))
                columns[k + 1].append(conjunction(cnf, digits))
            else:
                last, first = sum_and_carry(cnf, *digits)
                column.append(last)
                columns[k + 1].append(first)
        bits.append(column[0] if column else -cnf.true)
    return bits


def clauses(terms: Sequence[Weighted]) -> int:
    """At least as many clauses as it writes, those for digits included."""
    digits = found = 0
    for factor, integer in terms:
        width = ((integer.high - integer.low) or 1).bit_length()
        digits += width * abs(factor).bit_count()
        found += integer.digit_clauses
    return found + 14 * (digits + 64)
