"""Splits a problem into components after propagation, and describes each by few numbers.

Two open variables are in one component if a constraint has both, unless the constraint holds for
all their values. Some variables of a constraint have a value already. A sum is then described by
what those add up to, a clause by the clause itself, any other constraint by their values. Values
that must differ from one another have left the domains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from backends.propagation.encode.arena import Search
from backends.propagation.encode.draft import Draft
from backends.propagation.forms import INTERPRETED
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.domains import contains
from backends.propagation.propagators.formulas.clauses import AT_LEAST, EQUAL, NOT_EQUAL, visit
from backends.propagation.propagators.linear import at_most, equal, not_equal

holds_value: Any = contains
VISIT, AT_MOST_SUM = INTERPRETED.bound(visit), INTERPRETED.bound(at_most)
SUMS = {AT_MOST_SUM, INTERPRETED.bound(equal), INTERPRETED.bound(not_equal)}


class Constraint:
    """A constraint over the variables at ``scope``, of which nothing more is known."""

    def __init__(self, number: int, scope: Sequence[int]) -> None:
        self.number = number
        self.scope = tuple(dict.fromkeys(scope))

    def holds(self, S: Any) -> bool:
        """Whether it is known that all open values fulfil it."""
        return False

    def rest(self, S: Any) -> tuple[int, ...]:
        """What it leaves depends on these numbers and on the open values alone."""
        fixed = [y for y in self.scope if S[y + at.SIZE] == 1]
        return tuple([number for y in fixed for number in (y, S[y])])


class Sum(Constraint):
    """``sum(factor * variable)``, compared with a constant; at most ``most`` if that is known."""

    def __init__(self, number: int, terms: Sequence[tuple[int, int]], most: int | None) -> None:
        super().__init__(number, [x for x, _ in terms])
        self.terms = terms
        self.most = most

    def holds(self, S: Any) -> bool:
        """Whether the greatest sum is small enough."""
        if self.most is None:
            return False
        greatest: int = sum([k * S[x + at.UPPER if k > 0 else x] for x, k in self.terms])
        return greatest <= self.most

    def rest(self, S: Any) -> tuple[int, ...]:
        """What the terms that have a value add up to."""
        return (sum([k * S[x] for x, k in self.terms if S[x + at.SIZE] == 1]),)


class Clause(Constraint):
    """Literals, one of which is true: a variable, how it is compared, a value."""

    def __init__(self, number: int, literals: Sequence[tuple[int, int, int]]) -> None:
        super().__init__(number, [x for x, _, _ in literals])
        self.literals = literals

    def holds(self, S: Any) -> bool:
        """Whether a literal is true."""
        for x, kind, value in self.literals:
            if kind == EQUAL:
                found = S[x] == S[x + at.UPPER] == value
            elif kind == NOT_EQUAL:
                found = not holds_value(S, x, value)
            elif kind == AT_LEAST:
                found = S[x] >= value
            else:
                found = S[x + at.UPPER] <= value
            if found:
                return True
        return False

    def rest(self, S: Any) -> tuple[int, ...]:
        """Nothing: the open literals say it all."""
        return ()


class Component(NamedTuple):
    """Open variables that belong together, ascending, and the constraints that are left."""

    variables: Sequence[int]
    constraints: Sequence[Constraint]


class Components:
    """The constraints of a search as a graph of variables."""

    def __init__(self, search: Search, draft: Draft) -> None:
        S, T, _ = search
        first = T[at.T_VARIABLES]
        self.S = S
        self.variables: list[int] = T[first : first + T[at.T_SIZE]]
        self.near = self._list_rivals(draft)
        self.of: dict[int, list[Constraint]] = {x: [] for x in self.variables}
        propagators = dict.fromkeys(
            a for x in self.variables for a in row_of(T, S[x + at.WATCHERS])[::2]
        )
        found = [constraint_of(T, a) for a in propagators if T[a] != VISIT]
        store = draft.known.get("clauses")
        for number, clause in enumerate(() if store is None else store.clauses):
            literals = [(self.variables[v], kind, value) for v, kind, value in clause]
            found.append(Clause(-1 - number, literals))
        for constraint in found:
            for x in constraint.scope:
                self.of[x].append(constraint)

    def _list_rivals(self, draft: Draft) -> dict[int, list[int]]:
        """For each variable those whose values exclude some of its own by themselves."""
        found: list[dict[int, None]] = [
            dict.fromkeys(y for y, _ in pairs) for pairs in draft.rivals
        ]
        for group in draft.groups:
            members = dict.fromkeys(y for y, _ in group)
            for x in members:
                found[x] |= members
        places = self.variables
        return {places[x]: [places[y] for y in others if y != x] for x, others in enumerate(found)}

    def split(self, variables: Sequence[int]) -> Iterator[Component]:
        """The components of those of ``variables`` that are open."""
        S = self.S
        opened = [x for x in variables if S[x + at.SIZE] > 1]
        left = set(opened)
        for start in opened:
            if start not in left:
                continue
            left.remove(start)
            reached, seen, kept = [start], set(), []
            for x in reached:
                for constraint in self.of[x]:
                    if constraint.number not in seen:
                        seen.add(constraint.number)
                        if not constraint.holds(S):
                            kept.append(constraint)
                            reached += take_out(left, constraint.scope)
                reached += take_out(left, self.near[x])
            yield Component(sorted(reached), kept)

    def key(self, component: Component) -> tuple[Any, ...]:
        """What the number of solutions of a component depends on.

        The value of a rival is not needed, since the component has lost it; an interval keeps it.
        """
        S, variables = self.S, component.variables
        key: list[Any] = []
        for x in variables:
            if S[x + at.LENGTH] == at.WORDS:
                key += x, S[x], S[x + at.UPPER]
                key += [(y, S[y]) for y in self.near[x] if S[y + at.SIZE] == 1]
            else:
                key += x, S[x], *S[x + at.WORDS : x + S[x + at.LENGTH]]
        rest = sorted([(c.number, *c.rest(S)) for c in component.constraints])
        return (*key, *rest)

    def is_free(self, component: Component) -> bool:
        """Whether it is one variable, each open value of which is a solution."""
        x = component.variables[0]
        is_alone = len(component.variables) == 1 and not component.constraints
        return is_alone and (self.S[x + at.LENGTH] != at.WORDS or not self.near[x])


def row_of(T: Any, place: int) -> list[int]:
    """A row of T, whose length is its first cell."""
    return list(T[place + 1 : place + 1 + T[place]])


def take_out(left: set[int], scope: Sequence[int]) -> list[int]:
    """Take those of ``scope`` out of a set; what was there."""
    found = [y for y in scope if y in left]
    left.difference_update(found)
    return found


def constraint_of(T: Any, a: int) -> Constraint:
    """The constraint of propagator ``a``."""
    n = T[a + at.COUNT]
    scope = T[a + at.SCOPE : a + at.SCOPE + n]
    if T[a] not in SUMS:
        return Constraint(a, scope)
    factors = a + at.SCOPE + n + 1
    most = T[factors + n] if T[a] == AT_MOST_SUM else None
    return Sum(a, list(zip(scope, T[factors : factors + n], strict=True)), most)
