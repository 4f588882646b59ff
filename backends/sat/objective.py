"""An objective as clauses that are written once, so that each better bound is one more unit clause.

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
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from backends.sat.cnf import Clause, Cnf, TooLarge
from backends.sat.encode import Encoding
from modelling.problem import Objective, Structure

MOST = 300_000
"""More clauses than this are not written for an objective; each bound is then encoded anew."""

Term = list[tuple[int, int]]
"""What each value of a variable adds to the rest, and its literal."""


@dataclass(frozen=True)
class Bounds:
    """Clauses that say ``better than``, over literals that a formula has already.

    ``sums[k]``, ascending, is reached only if ``literals[k]`` is true; ``chained`` says that this
    implies the literals of smaller sums.
    """

    objective: Objective
    least: int
    sums: Sequence[int]
    literals: Sequence[int]
    chained: bool

    def better(self, than: int) -> list[Clause]:
        """That the objective is better than ``than``, which is no better than any one before."""
        rest = sign(self.objective) * than - self.least
        if rest <= 0:
            return [(1,), (-1,)]  # nothing is better
        place = bisect_left(self.sums, rest)
        stop = place + 1 if self.chained else None
        return [(-literal,) for literal in self.literals[place:stop]]


def sign(objective: Objective) -> int:
    """1 for minimising, -1 for maximising."""
    return 1 if objective.sense == "minimize" else -1


def terms_of(
    encoding: Encoding, structure: Structure, objective: Objective
) -> tuple[int, list[Term]]:
    """The least that the objective can be, its sign turned for maximising, and its terms."""
    least, terms = 0, []
    for variable, factor in zip(objective.scope, objective.coefficients, strict=True):
        domain, first = structure.domains[variable], encoding.first[variable]
        added = [(sign(objective) * factor * value, first + k) for k, value in enumerate(domain)]
        floor = min(added)[0]
        least += floor
        if factor and len(domain) > 1:
            terms.append(sorted((number - floor, literal) for number, literal in added))
    return least, terms


def of_one_variable(
    encoding: Encoding, structure: Structure, objective: Objective
) -> Bounds | None:
    """The bounds of an objective over one variable at most, whose literals are there; else None."""
    least, terms = terms_of(encoding, structure, objective)
    if len(terms) > 1:
        return None
    pairs = terms[0] if terms else []
    return Bounds(objective, least, [s for s, _ in pairs], [x for _, x in pairs], chained=False)


def counted(
    encoding: Encoding, structure: Structure, objective: Objective, than: int
) -> tuple[Encoding, Bounds]:
    """The encoding with an objective better than ``than``, and what says that it is better still.

    Raises ``TooLarge`` beyond ``MOST`` clauses.
    """
    least, terms = terms_of(encoding, structure, objective)
    cnf = Cnf()
    cnf.clauses, cnf.top = encoding.clauses.copy(), encoding.top
    most = len(cnf.clauses) + MOST
    reached: dict[int, int] = {}
    cap = sign(objective) * than - least
    for term in terms if cap > 0 else ():  # else nothing is better
        reached = _next_layer(cnf, reached, term, cap)
        if len(cnf.clauses) > most:
            raise TooLarge(f"its objective takes more than {MOST:,} clauses")
    sums = sorted(reached)
    bounds = Bounds(objective, least, sums, [reached[s] for s in sums], chained=True)
    for clause in bounds.better(than):
        cnf.add(clause)
    return replace(encoding, top=cnf.top, clauses=cnf.clauses), bounds


def _next_layer(cnf: Cnf, reached: dict[int, int], term: Term, cap: int) -> dict[int, int]:
    """The literals of the sums after one more term; sums above ``cap`` count as ``cap``."""
    sums = {min(s + number, cap) for s in (0, *reached) for number, _ in term} - {0}
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
