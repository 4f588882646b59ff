"""The structure that a rewrite is making: variables, constraints, definitions; with a way back.

Words
-----
mark        how far the draft was; ``undo`` takes back all that came after it
shared      function -> the term that is equal to it, so that a common subterm is defined once
total       functions that are known to be defined everywhere, though their guards may not show it
goals       what is being said at the moment, each for the sake of the one before; a goal that leads
            back to itself leads nowhere
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count, product
from math import prod
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.definedness import MOST_TRIED
from modelling.errors import ConcordError
from modelling.problem import Objective, Structure
from modelling.rewriting.order import Order
from modelling.rewriting.profile import Profile
from modelling.rewriting.rewritten import Rewritten
from modelling.terms import Domains, Function, Term

COUNTED = 10**60
"""More combinations than this are not told apart: of a million variables the product takes long."""


class NoWay(ConcordError):
    """No rule leads from a constraint to native ones; it is caught within this room.

    ``in_circle`` says that its rewrite leads back to it.
    """

    def __init__(self, constraint: Constraint, in_circle: bool = False) -> None:
        super().__init__(f"no rewrite expresses {type(constraint).__name__}")
        self.constraint = constraint
        self.in_circle = in_circle


class Goal(NamedTuple):
    """A constraint that is to hold, or to be said by a literal (``as_literal``)."""

    constraint: Constraint
    as_literal: bool


class Mark(NamedTuple):
    """How far a draft was."""

    domains: int
    posted: int
    definitions: int
    shared: int
    total: int


class Draft:
    """What has been rewritten so far, for one structure and one profile."""

    def __init__(self, structure: Structure, profile: Profile, counting: bool) -> None:
        self.profile = profile
        self.counting = counting
        self.domains: list[Any] = list(structure.domains)
        self.posted: dict[Constraint, None] = {}
        self.definitions: list[tuple[int, Function]] = []
        self.shared: dict[Function, Term] = {}
        self.total: dict[Function, None] = {}
        self.goals: dict[Goal, None] = {}
        self._given = structure
        self._order = Order(structure.constraints if profile.narrows else (), structure.domains)

    def takes(self, constraint: Constraint) -> bool:
        """Whether the backend takes ``constraint`` at the root as it stands."""
        return self.profile.takes(constraint, "root", self)

    def variable(self, function: Function) -> int:
        """A new variable that is to be equal to a total function; nothing is posted."""
        variable = len(self.domains)
        self.domains.append(self._order.narrow(function, values_of(function, self.domains)))
        self.definitions.append((variable, function))
        return variable

    def free_variable(self) -> int:
        """A new variable, 0 or 1, that nothing determines; for those who do not count."""
        assert not self.counting, "whoever counts needs determined auxiliaries"
        self.domains.append((0, 1))
        return len(self.domains) - 1

    def share(self, function: Function, term: Term) -> Term:
        """Let ``term`` stand for ``function`` from now on."""
        self.shared[function] = term
        return term

    def mark(self) -> Mark:
        """How far the draft is."""
        kept = self.domains, self.posted, self.definitions, self.shared, self.total
        return Mark(*map(len, kept))

    def undo(self, mark: Mark) -> None:
        """Take back what came after ``mark``."""
        del self.domains[mark.domains :]
        del self.definitions[mark.definitions :]
        while len(self.posted) > mark.posted:
            self.posted.popitem()
        while len(self.shared) > mark.shared:
            self.shared.popitem()
        while len(self.total) > mark.total:
            self.total.popitem()

    def finished(self, objective: Objective | None) -> Rewritten:
        """The draft as a structure."""
        given = self._given
        names = set(given.names)
        free = (name for name in map("_{}".format, count(1)) if name not in names)
        added = tuple(next(free) for _ in self.domains[given.size :])
        structure = replace(
            given,
            names=given.names + added,
            domains=tuple(self.domains),
            constraints=tuple(self.posted),
            objective=objective,
        )
        determined = len(self.definitions) == len(added)
        return Rewritten(structure, given.size, tuple(self.definitions), determined)


def values_of(function: Function, domains: Domains) -> tuple[int, ...] | range:
    """The values that a total function can have: exactly, if they are few; else an interval.

    No more arguments are tried than show that every value of the interval occurs.
    """
    low, high = function.bounds(domains)
    own = [domains[v] for v in function.scope]
    if prod(map(len, own)) > MOST_TRIED:
        return range(low, high + 1)
    found: set[int] = set()
    for row in product(*own):
        value = function.value_at(dict(zip(function.scope, row, strict=True)))
        if value is not None and value not in found:
            found.add(value)
            if len(found) == high - low + 1:
                break
    return tuple(sorted(found))


def combinations_of(item: Constraint | Function, domains: Domains) -> int:
    """How many combinations of values the variables of ``item`` have; ``COUNTED`` for more."""
    found = 1
    for variable in item.scope:
        found *= len(domains[variable])
        if found > COUNTED:
            return COUNTED if all(map(len, map(domains.__getitem__, item.scope))) else 0
    return found
