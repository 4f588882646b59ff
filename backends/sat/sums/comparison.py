"""Comparisons of sums of integers in one form, so that equal ones are known again.

Words
-----
comparison  ``sum of factor * integer RELATION constant`` over distinct integers of two values at
            least, with one of ``== != <=`` and factors without a common divisor; or a truth value,
            where the bounds say it
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from backends.sat.integers.integer import View
from backends.sat.sums.merging import Weighted

_TURNED = {"==": "!=", "!=": "=="}


@dataclass(frozen=True, eq=False)
class Comparison:
    """See the head of this file."""

    terms: tuple[Weighted, ...]
    relation: str
    constant: int

    @property
    def key(self) -> tuple[object, ...]:
        """What equal comparisons have in common. Integers live as long as their formula."""
        terms = tuple(sorted((id(integer), factor) for factor, integer in self.terms))
        constant = self.constant
        if self.relation != "<=" and terms[0][1] < 0:
            terms, constant = tuple((one, -factor) for one, factor in terms), -constant
        return self.relation, constant, terms

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the greatest that the sum can be."""
        views = [View(integer, factor, 0) for factor, integer in self.terms]
        return sum(view.low for view in views), sum(view.high for view in views)

    def negated(self) -> Comparison:
        """The opposite."""
        if self.relation != "<=":
            return Comparison(self.terms, _TURNED[self.relation], self.constant)
        turned = tuple((-factor, integer) for factor, integer in self.terms)
        return Comparison(turned, "<=", -self.constant - 1)


def compare(terms: Iterable[Weighted], relation: str, constant: int) -> Comparison | bool:
    """The comparison of these; terms may repeat and have the factor 0."""
    merged: dict[int, Weighted] = {}
    for factor, integer in terms:
        if len(integer.domain) == 1:
            constant -= factor * integer.low
            continue
        before, _ = merged.get(id(integer), (0, integer))
        merged[id(integer)] = before + factor, integer
    kept = [(factor, integer) for factor, integer in merged.values() if factor]
    if relation in (">", ">="):
        kept = [(-factor, integer) for factor, integer in kept]
        relation, constant = relation.replace(">", "<"), -constant
    if relation == "<":
        relation, constant = "<=", constant - 1
    divisor = gcd(*(factor for factor, _ in kept)) or 1
    if relation != "<=" and constant % divisor:
        return relation == "!="
    kept = [(factor // divisor, integer) for factor, integer in kept]
    constant //= divisor
    made = Comparison(tuple(kept), relation, constant)
    low, high = made.ends
    if relation == "<=":
        return True if high <= constant else False if low > constant else made
    if not low <= constant <= high:
        return relation == "!="
    return made if kept else relation == "=="
