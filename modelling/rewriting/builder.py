"""Builds the structure that a rewrite makes: variables, constraints, definitions; with undo.

Words
-----
mark        the sizes of a builder's lists; ``undo`` removes all that was added after it
shared      function -> the term equal to it, so that a common subterm is defined once
total       functions that are known to be defined everywhere, though their guards may not show it
goals       the stack of constraints in work, each needed by the one before; a goal that needs
            itself fails
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
"""The greatest number of combinations that is computed; the product of many sizes is slow."""


class NoWay(ConcordError):
    """No rule leads from a constraint to native ones; it is caught within this room.

    ``in_circle`` says that its rewrite leads back to it.
    """

    def __init__(self, constraint: Constraint, in_circle: bool = False) -> None:
        super().__init__(f"no rewrite expresses {type(constraint).__name__}")
        self.constraint = constraint
        self.in_circle = in_circle


class Goal(NamedTuple):
    """A constraint that must hold, or be expressed by a literal (``as_literal``)."""

    constraint: Constraint
    as_literal: bool


class Mark(NamedTuple):
    """The sizes of a builder's lists at one moment."""

    domains: int
    posted: int
    definitions: int
    shared: int
    total: int


class RewriteBuilder:
    """The result of a rewrite so far, for one structure and one profile."""

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
        """Whether the backend takes ``constraint`` at the root without a rewrite."""
        return self.profile.takes(constraint, "root", self)

    def variable(self, function: Function) -> int:
        """Add a variable defined by a total function; no constraint is posted."""
        variable = len(self.domains)
        self.domains.append(self._order.narrow(function, values_of(function, self.domains)))
        self.definitions.append((variable, function))
        return variable

    def free_variable(self) -> int:
        """Add a variable, 0 or 1, that nothing determines; not allowed when counting."""
        assert not self.counting, "whoever counts needs determined auxiliaries"
        self.domains.append((0, 1))
        return len(self.domains) - 1

    def share(self, function: Function, term: Term) -> Term:
        """Use ``term`` for ``function`` from now on."""
        self.shared[function] = term
        return term

    def mark(self) -> Mark:
        """Return the present sizes, for ``undo``."""
        kept = self.domains, self.posted, self.definitions, self.shared, self.total
        return Mark(*map(len, kept))

    def undo(self, mark: Mark) -> None:
        """Remove what was added after ``mark``."""
        del self.domains[mark.domains :]
        del self.definitions[mark.definitions :]
        while len(self.posted) > mark.posted:
            self.posted.popitem()
        while len(self.shared) > mark.shared:
            self.shared.popitem()
        while len(self.total) > mark.total:
            self.total.popitem()

    def build(self, objective: Objective | None) -> Rewritten:
        """Return what was built as a structure, with the definitions of its auxiliaries."""
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
