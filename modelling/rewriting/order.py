"""What constraints of order say of sums: auxiliaries whose domains are tighter than the terms'.

The marks of a ruler ascend, so no distance between two is below 1, and none but that of the ends is
as long as the ruler. Only what must hold is looked at, ``Increasing`` and comparisons of two
variables, and only auxiliaries are narrowed: with their definitions they then say what the
constraints of order say anyway.

Words
-----
gap         how much greater than one variable another must be at least
ends        the least and the greatest value that gaps and domains leave to a variable
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.stopping import watched
from modelling.terms import Domains, Function, Term, affine
from modelling.vocabulary.formulas.connectives import And
from modelling.vocabulary.formulas.linear import Linear, Sum, parts_of
from modelling.vocabulary.ordering.increasing import Increasing

MOST_STEPS = 500_000
"""So many gaps are followed for a structure, half a second; differences that come later are
narrowed by the ends of their variables alone."""

Ends = tuple[int, int]


class Gap(NamedTuple):
    """``below + least <= above``."""

    below: Any
    above: Any
    least: int


class Order:
    """The gaps of a structure.

    If they form a cycle, or leave a variable no value, nothing is narrowed: there is probably no
    solution, and the solver has to find that out.
    """

    def __init__(self, constraints: Collection[Constraint], domains: Domains) -> None:
        self._domains = domains
        self._over: dict[Any, list[Gap]] = {}
        for gap in _gaps(watched(constraints)):
            self._over.setdefault(gap.below, []).append(gap)
        self._ends = _ends(self._over, domains) if all(domains) else {}
        self._reached: dict[Any, dict[Any, int]] = {}
        self._steps = MOST_STEPS

    def narrow(self, function: Function, values: tuple[int, ...] | range) -> Any:
        """The values of a total function without those that order rules out."""
        if not self._ends or type(function) is not Sum:
            return values
        parts = parts_of(function)
        if parts is None or self._ends.keys().isdisjoint(parts[0]):
            return values
        low, high = self._bounds(*parts)
        if isinstance(values, range):
            return range(max(low, values[0]), min(high, values[-1]) + 1) or values
        return tuple([value for value in values if low <= value <= high]) or values

    def _bounds(self, factors: dict[Any, int], offset: int) -> Ends:
        """The least and the greatest value of a sum."""
        low = high = offset
        for variable, factor in factors.items():
            domain = self._domains[variable]
            ends = self._ends.get(variable, (domain[0], domain[-1]))
            one, other = factor * ends[0], factor * ends[1]
            low, high = low + min(one, other), high + max(one, other)
        if sorted(factors.values()) == [-1, 1]:
            above, below = sorted(factors, key=factors.__getitem__, reverse=True)
            least, most = self._gap(below, above), self._gap(above, below)
            low = low if least is None else max(low, offset + least)
            high = high if most is None else min(high, offset - most)
        return low, high

    def _gap(self, below: Any, above: Any) -> int | None:
        """How much greater than ``below`` the other must be; None if nothing is known."""
        found = self._reached.get(below)
        if found is None:
            if self._steps <= 0:
                return None
            found = self._reached[below] = self._reach(below)
        return found.get(above)

    def _reach(self, start: Any) -> dict[Any, int]:
        """What lies above a variable, each with the greatest sum of gaps on a way there."""
        waiting: dict[Any, int] = {}
        seen, stack = {start}, [start]
        while stack:
            for _, above, _ in self._over.get(stack.pop(), ()):
                self._steps -= 1
                waiting[above] = waiting.get(above, 0) + 1
                if above not in seen:
                    seen.add(above)
                    stack.append(above)
        found, ready = {start: 0}, [start]
        while ready:
            below = ready.pop()
            for _, above, least in self._over.get(below, ()):
                found[above] = max(found.get(above, found[below] + least), found[below] + least)
                waiting[above] -= 1
                if not waiting[above]:
                    ready.append(above)
        return found


def _ends(over: dict[Any, list[Gap]], domains: Domains) -> dict[Any, Ends]:
    """The ends of each variable that is in order; of none, where gaps lead in a circle."""
    waiting: dict[Any, int] = dict.fromkeys(over, 0)
    for gaps in watched(over.values()):
        for gap in gaps:
            waiting[gap.above] = waiting.get(gap.above, 0) + 1
    low = {variable: domains[variable][0] for variable in waiting}
    high = {variable: domains[variable][-1] for variable in waiting}
    ready = deque(variable for variable, number in waiting.items() if not number)
    ascending = []
    while ready:
        below = ready.popleft()
        ascending.append(below)
        for _, above, least in over.get(below, ()):
            low[above] = max(low[above], low[below] + least)
            waiting[above] -= 1
            if not waiting[above]:
                ready.append(above)
    for below in reversed(ascending):
        for _, above, least in over.get(below, ()):
            high[below] = min(high[below], high[above] - least)
    if len(ascending) < len(waiting) or any(low[v] > high[v] for v in waiting):
        return {}
    return {variable: (low[variable], high[variable]) for variable in waiting}


def _gaps(constraints: Iterable[Constraint]) -> Iterator[Gap]:
    for constraint in constraints:
        if type(constraint) is And:
            yield from _gaps(constraint.formulas)
        elif type(constraint) is Increasing:
            terms = constraint.terms[::-1] if constraint.decreasing else constraint.terms
            for below, above in pairwise(terms):
                yield from _gap_between(below, above, int(constraint.strict))
        elif type(constraint) is Linear and constraint.relation in SIGNS:
            yield from _gap_of(constraint)


SIGNS = {"<": (-1, 1), "<=": (-1, 0), ">": (1, 1), ">=": (1, 0)}
"""For each comparison the sign that makes it ``>=``, and what must be added then."""


def _gap_of(linear: Linear) -> Iterator[Gap]:
    """``above - below >= least``, if that is what is compared."""
    if len(linear.terms) != 2 or sorted(linear.coefficients) != [-1, 1]:
        return
    sign, more = SIGNS[linear.relation]
    one, other = linear.terms
    below, above = (one, other) if linear.coefficients[0] == -sign else (other, one)
    yield from _gap_between(below, above, sign * linear.constant + more)


def _gap_between(below: Term, above: Term, least: int) -> Iterator[Gap]:
    """A gap of two terms as one of their variables, if they have one each, counted once."""
    if isinstance(below, Function) or isinstance(above, Function):
        return
    one, other = affine(below), affine(above)
    if one.factor == other.factor == 1 and one.variable != other.variable:
        yield Gap(one.variable, other.variable, least + one.offset - other.offset)
