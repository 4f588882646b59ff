"""Partial sums in the order encoding, and the sum of two of them.

Words
-----
partial     sums that some terms can have together, from 0 up, and for each but the least the
            literal that says that it is reached
cap         all sums from here on count as one; None: without a cap

Both directions are written: what is reached by both is reached by the sum, and what is not, is not.
So the literals are determined (Bailleux and Boufkhad, "Efficient CNF encoding of Boolean
cardinality constraints", CP 2003, for numbers of literals; Joshi, Martins and Manquinho,
"Generalized totalizer encoding for pseudo-Boolean constraints", CP 2015, for weights).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from backends.sat.cnf import Cnf
from backends.sat.integers.integer import Integer, View
from backends.sat.integers.order import Order

Weighted = tuple[int, Integer]
"""A term of a sum: its factor, not 0, and its integer."""


class Partial(NamedTuple):
    """``steps[k]`` says that ``sums[k + 1]`` is reached; ``sums[0]`` is 0."""

    sums: list[int]
    steps: list[int]


def leaf(term: Weighted, cap: int | None) -> tuple[int, Partial]:
    """The least that one term can be, and what it is above that."""
    factor, integer = term
    least = View(integer, factor, 0).low
    view = View(integer, factor, -least)
    sums = [value for value in view if cap is None or value < cap]
    if len(sums) < view.size:
        assert cap is not None
        sums.append(cap)
    return least, Partial(sums, [view.step(value) for value in sums[1:]])


def merged(cnf: Cnf, one: Partial, other: Partial, cap: int | None) -> Partial:
    """The sums of both."""
    cnf.expect(2 * len(one.sums) * len(other.sums))
    capped = {a + b if cap is None else min(a + b, cap) for a in one.sums for b in other.sums}
    sums = sorted(capped)
    steps = [cnf.new() for _ in sums[1:]]
    for lower, upper in pairwise(steps):
        cnf.add((lower, -upper))
    place = {total: k for k, total in enumerate(sums)}
    ones, others = _bounds(cnf, one), _bounds(cnf, other)
    for a, (at_least_a, above_a) in zip(one.sums, ones, strict=True):
        for b, (at_least_b, above_b) in zip(other.sums, others, strict=True):
            total = a + b
            k = place[total if cap is None else min(total, cap)]
            if k:
                cnf.say(-at_least_a, -at_least_b, steps[k - 1])
            if k < len(steps):
                cnf.say(above_a, above_b, -steps[k])
    return Partial(sums, steps)


def _bounds(cnf: Cnf, partial: Partial) -> list[tuple[int, int]]:
    """For each sum, that it is reached and that the next one is."""
    literals = [cnf.true, *partial.steps, -cnf.true]
    return list(pairwise(literals))


def as_integer(cnf: Cnf, least: int, partial: Partial) -> Order:
    """A partial sum above ``least`` as an integer."""
    return Order(cnf, [least + total for total in partial.sums], partial.steps)


def sizes(terms: Sequence[Weighted], cap: int | None) -> list[tuple[int, int]]:
    """For each term, how many sums it can have, at most, and how far they reach."""
    found = []
    for factor, integer in terms:
        span = abs(factor) * (integer.high - integer.low)
        span = span if cap is None else min(span, cap)
        found.append((min(len(integer.domain), span + 1), span))
    return found


def merge_sizes(one: tuple[int, int], other: tuple[int, int], cap: int | None) -> tuple[int, int]:
    """The same of the sum of two."""
    span = one[1] + other[1]
    span = span if cap is None else min(span, cap)
    return min(one[0] * other[0], span + 1), span
