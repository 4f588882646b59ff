"""Tiny problems at the edges of what a constraint allows: a variable twice, constants, no terms.

A translation has its own cases there, and a mistake in one shows in no other problem. They are
small, so that many are asked in the time of one that is larger.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from modelling.constraint import Constraint
from modelling.constraints import VOCABULARY, Linear, Sum
from modelling.definedness import can_be_undefined
from modelling.laws.drawing import CONTEXTS, Drawer, PlainDrawer, draw_constraint, structure_over
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, Function, Term, constant
from modelling.vocabulary.comparisons import RELATIONS

DOMAINS = (
    (0,), (1,), (-1,), (0, 1), (0, 1), (0, 1, 2), (1, 2, 3), (-1, 0, 1), (-2, 0, 3), (2, 3),
    (-3, -1), (0, 2, 4), (0, 1, 2, 3), (-2, -1, 0, 1),
)  # fmt: skip
"""One value, two, gaps, negative ones."""


class EdgeDrawer(Drawer):
    """Draws constants, views and functions for two terms in five, and short lists."""

    def term(self) -> Term:
        rng, kind = self.rng, self.rng.random()
        if not self.domains or kind < 0.2:
            return constant(self.value())
        variable = rng.randrange(len(self.domains))
        if kind < 0.32:
            return Affine(variable, rng.choice((-1, -1, 1, 2, -3)), rng.randint(-2, 2))
        if kind < 0.4:
            return self.function() or variable
        return variable

    def some(self, least: int, most: int) -> tuple[Term, ...]:
        return super().some(least, max(least, min(most, 3)) if self.rng.random() < 0.7 else most)

    def _below(self) -> Drawer:
        return EdgeDrawer(self.rng, self.domains, max(0, self.depth - 1))


MOST_DRAWS = 4
"""Draws of a constraint until it is neither always true nor always false, which tells more."""


WIDE = 0.03
"""The share of problems with a wide domain."""

WIDE_DOMAIN = tuple(range(-25, 45))
"""More values than translations take one by one: 50 for integer programs, 64 for clauses."""

COMPARED = 0.5
"""The share of these that are comparisons, which say more of a wide domain than others do."""

SUMS = 0.1
"""The share of problems with a sum, which each solver translates in the most ways."""

MOST_SUMMED = 400
"""Assignments of the variables of a sum at most."""

FACTORS = (1, 1, 1, -1, -1, 2, 3, -4, 5, -7, 9)


def draw_edge(rng: random.Random) -> tuple[str, Problem]:
    """A problem of one or two constraints over few small domains, and its position."""
    summed = rng.random() < SUMS
    domains = list(_draw_summed(rng) if summed else _draw_domains(rng))
    is_compared = summed or (WIDE_DOMAIN in domains and rng.random() < COMPARED)
    kind, binary = Linear if is_compared else rng.choice(VOCABULARY), len(domains)
    position = "root" if rng.random() < 0.4 else rng.choice(tuple(CONTEXTS))
    drawer = EdgeDrawer(rng, domains, depth=1) if rng.random() < 0.7 else PlainDrawer(rng, domains)
    other = draw_constraint(rng, Linear, drawer)
    for _ in range(MOST_DRAWS):
        drawn = _draw_sum(rng, domains) if summed else draw_constraint(rng, kind, drawer)
        posed = CONTEXTS[position](drawn, binary, other)
        if _varies(posed, [*domains, (0, 1)]):
            break
    constraints = [posed]
    if rng.random() < 0.25:
        constraints.append(draw_constraint(rng, rng.choice(VOCABULARY), drawer))
    if binary in posed.scope:
        domains.append((0, 1))
    structure = structure_over(domains, constraints)
    if rng.random() < 0.25:
        structure = _with_objective(rng, structure, drawer)
    return f"edge of {kind.__name__}, {position}", structure.problem()


def _draw_domains(rng: random.Random) -> Iterator[tuple[int, ...]]:
    if rng.random() < WIDE:
        yield WIDE_DOMAIN
        yield rng.choice(DOMAINS)
        return
    for _ in range(rng.choice((1, 2, 2, 3, 3, 4))):
        yield rng.choice(DOMAINS)


def _draw_summed(rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Three to six domains of several values; the later ones may have two values alone."""
    room = MOST_SUMMED
    for _ in range(rng.randint(3, 6)):
        domain = rng.choice([one for one in DOMAINS if len(one) > 1])
        domain = domain if len(domain) <= room // 4 else (0, 1)
        room //= len(domain)
        yield domain


def _draw_sum(rng: random.Random, domains: Sequence[tuple[int, ...]]) -> Linear:
    """A sum of most variables, whose constant is near to a value that it has."""
    terms = rng.sample(range(len(domains)), rng.randint(3, len(domains)))
    factors = [rng.choice(FACTORS) for _ in terms]
    reached = sum(k * rng.choice(domains[v]) for k, v in zip(factors, terms, strict=True))
    relation, near = rng.choice(tuple(RELATIONS)), reached + rng.choice((-1, 0, 0, 1))
    return Linear(tuple(terms), tuple(factors), relation, near)


def _varies(constraint: Constraint, domains: Sequence[tuple[int, ...]]) -> bool:
    found: set[bool] = set()
    for values in product(*(domains[variable] for variable in constraint.scope)):
        found.add(constraint.holds(values))
        if len(found) == 2:
            return True
    return False


def _with_objective(rng: random.Random, structure: Structure, drawer: Drawer) -> Structure:
    term = drawer.term()
    if not isinstance(term, Function) or can_be_undefined(term, structure.domains):
        terms = tuple(rng.randrange(structure.size) for _ in range(rng.randint(1, 3)))
        term = Sum(terms, tuple(rng.choice((-2, -1, 0, 1, 3)) for _ in terms))
    return replace(structure, objective=Objective(rng.choice(("minimize", "maximize")), term))
