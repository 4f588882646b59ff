"""An objective as clauses that are written once, so that each better bound is a few more clauses.

Words
-----
rest        what the objective is above the least that its terms can be, its sign turned for
            maximising, so that less is better; a sum of numbers from 0 up
reached     a Boolean of a layer and a sum: the rest of the terms so far is at least this sum. It is
            implied, not determined, so such a formula is for deciding, not for counting

Layer by layer: what is reached stays reached, a value of the next term adds to it, and a larger sum
implies a smaller one. This is the sequential weight counter (Hölldobler, Manthey and Steinke,
*A compact encoding of pseudo-Boolean constraints into SAT*, KI 2012) over the sums that can occur
and terms of several values, up to the first bound. Forbidding the last layer's sums prunes the
values of each term as bounds reasoning on the sum would.

Where that is too large, or a term has digits only, the objective is added up (``sums.adder``), and
a bound is a comparison of its digits with a number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from backends.sat.cnf import Clause, Cnf, TooLarge
from backends.sat.encode import Encoding, copied
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import Integer, View
from backends.sat.integers.log import Log, at_most
from backends.sat.sums import adder
from modelling.problem import Objective, Structure

MOST = 300_000
"""More clauses than this are not written for an objective in layers; it is added up then."""

Term = list[tuple[int, int]]
"""What each value of a variable adds to the rest, and a literal that implies that as much is
added."""


class Bounds(Protocol):
    """Clauses that say ``better than``, over literals that a formula has already."""

    def better(self, than: int) -> list[Clause]:
        """That the objective is better than ``than``, which is at least as good as all before."""
        ...


@dataclass(frozen=True)
class Steps:
    """``sums[k]``, ascending, is reached only if ``literals[k]`` is true; ``chained`` says that
    this implies the literals of smaller sums."""

    objective: Objective
    least: int
    sums: Sequence[int]
    literals: Sequence[int]
    chained: bool

    def better(self, than: int) -> list[Clause]:
        """See ``Bounds``."""
        rest = sign(self.objective) * than - self.least
        if rest <= 0:
            return [(1,), (-1,)]  # nothing is better
        place = bisect_left(self.sums, rest)
        stop = place + 1 if self.chained else None
        return [(-literal,) for literal in self.literals[place:stop]]


@dataclass(frozen=True)
class Added:
    """``total`` is the objective, its sign turned for maximising."""

    objective: Objective
    total: Log

    def better(self, than: int) -> list[Clause]:
        """See ``Bounds``."""
        below = sign(self.objective) * than - 1 - self.total.low
        if below < 0:
            return [(1,), (-1,)]
        return list(at_most(self.total.bits, below // self.total.stride))


def sign(objective: Objective) -> int:
    """1 for minimising, -1 for maximising."""
    return 1 if objective.sense == "minimize" else -1


def weighted(
    encoding: Encoding, structure: Structure, objective: Objective, cnf: Cnf
) -> tuple[int, list[tuple[int, Integer]]]:
    """A constant, and the terms of several values with their factors, the sign turned for
    maximising."""
    integers = encoding.integers(structure, cnf)
    constant, terms = 0, []
    for variable, coefficient in zip(objective.scope, objective.coefficients, strict=True):
        integer, factor = integers[variable], sign(objective) * coefficient
        if factor and len(integer.domain) > 1:
            terms.append((factor, integer))
        else:
            constant += factor * integer.low
    return constant, terms


def of_one_variable(
    encoding: Encoding, structure: Structure, objective: Objective
) -> Bounds | None:
    """The bounds of an objective over one variable at most, whose literals are there; else None."""
    cnf = Cnf()
    cnf.top = encoding.top
    constant, terms = weighted(encoding, structure, objective, cnf)
    if not terms:
        return Steps(objective, constant, [], [], chained=False)
    factor, integer = terms[0]
    if len(terms) > 1:
        return None
    if isinstance(integer, Log):
        if abs(factor) != 1 or factor < 0:
            return None  # its digits are the other way round: they are added up
        ends = (integer.low + constant, integer.high + constant)
        return Added(objective, Log(cnf, ends, integer.stride, integer.bits))
    least, term = _added(integer, factor)
    chained = not isinstance(integer, Direct)
    sums, literals = [s for s, _ in term], [x for _, x in term]
    return Steps(objective, constant + least, sums, literals, chained)


def _added(integer: Integer, factor: int) -> tuple[int, Term]:
    """The least that a term can be, and what is reached above it by which literal."""
    view = View(integer, factor, 0)
    least = view.low
    if isinstance(integer, Direct):
        pairs = ((factor * value - least, x) for value, x in integer.literals.items())
        return least, sorted(pairs)
    return least, [(value - least, view.step(value)) for value in view if value > least]


def counted(
    encoding: Encoding, structure: Structure, objective: Objective, than: int
) -> tuple[Encoding, Bounds]:
    """The encoding with an objective better than ``than``, and what says that it is better still.

    Raises ``TooLarge`` where the formula would have too many clauses.
    """
    cnf = copied(encoding)
    constant, terms = weighted(encoding, structure, objective, cnf)
    bounds: Bounds | None = None
    if not any(isinstance(integer, Log) for _, integer in terms):
        try:
            bounds = _layered(cnf, objective, constant, terms, than)
        except TooLarge:
            cnf = copied(encoding)
            constant, terms = weighted(encoding, structure, objective, cnf)
    if bounds is None:
        total = adder.total(cnf, terms)
        span = total.domain
        moved = range(span[0] + constant, span[-1] + constant + 1, total.stride)
        bounds = Added(objective, Log(cnf, moved, total.stride, total.bits))
    for clause in bounds.better(than):
        cnf.add(clause)
    return replace(encoding, top=cnf.top, clauses=cnf.clauses), bounds


def _layered(
    cnf: Cnf,
    objective: Objective,
    constant: int,
    terms: Sequence[tuple[int, Integer]],
    than: int,
) -> Bounds:
    """The bounds by layers; TooLarge beyond ``MOST`` clauses."""
    pairs = [_added(integer, factor) for factor, integer in terms]
    least = constant + sum(least for least, _ in pairs)
    most = len(cnf.clauses) + MOST
    reached: dict[int, int] = {}
    cap = sign(objective) * than - least
    for _, term in pairs if cap > 0 else ():  # else nothing is better
        reached = _next_layer(cnf, reached, term, cap)
        if len(cnf.clauses) > most:
            raise TooLarge(f"its objective takes more than {MOST:,} clauses")
    sums = sorted(reached)
    return Steps(objective, least, sums, [reached[s] for s in sums], chained=True)


def _next_layer(cnf: Cnf, reached: dict[int, int], term: Term, cap: int) -> dict[int, int]:
    """The literals of the sums after one more term; sums above ``cap`` count as ``cap``."""
    sums = {min(s + number, cap) for s in (0, *reached) for number in (0, *(n for n, _ in term))}
    sums -= {0}
    after = {s: cnf.new() for s in sorted(sums)}
    ordered = list(after.values())
    for smaller, larger in pairwise(ordered):
        cnf.add((-larger, smaller))
    for s, literal in reached.items():
        cnf.add((-literal, after[s]))
    for number, value in term:
        if number:
            cnf.add((-value, after[min(number, cap)]))
            for s, literal in reached.items():
                if s < cap:
                    cnf.add((-literal, -value, after[min(s + number, cap)]))
    return after
