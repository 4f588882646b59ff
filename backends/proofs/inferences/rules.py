"""Constraints: a definition, and a rule that sees that nothing within a box satisfies them.

A rule may overlook that; it must never find it wrongly. A variable that occurs in several terms
counts as several, which leaves more assignments, not fewer. Where a rule finds nothing,
``enumerated`` goes through all assignments by the definition, if these are not too many.

Circuits are strongly connected; different terms are matched with their values (Kuhn, *The Hungarian
method*, 1955, for the matching).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, Protocol

from backends.proofs.inferences.box import Box, Literal, Term

Values = Mapping[int, int]
ANY = "*"


class Case(NamedTuple):
    """What a line of a proof is about: the variables of all its literals, and the variable of the
    conclusion, if it has one."""

    touched: Collection[int] = ()
    about: int | None = None


class Constraint(Protocol):
    """What is known of a constraint."""

    def scope(self) -> Iterator[int]:
        """Its variables."""

    def is_refuted(self, box: Box, case: Case) -> bool:
        """Whether its rule sees that no assignment within the box satisfies it."""

    def holds(self, values: Values) -> bool:
        """Whether an assignment satisfies it: its definition."""


def value_of(term: Term, values: Values) -> int:
    """The value of a term."""
    return term.factor * values[term.variable] + term.offset if term.factor else term.offset


def variables_of(terms: Sequence[Term]) -> Iterator[int]:
    """The variables of some terms."""
    return (term.variable for term in terms if term.factor)


class Linear(NamedTuple):
    """A sum of terms, each variable once, ``<=``, ``==`` or ``!=`` a constant."""

    terms: tuple[Term, ...]
    relation: str
    constant: int

    def scope(self) -> Iterator[int]:
        return variables_of(self.terms)

    def is_refuted(self, box: Box, case: Case) -> bool:
        """By the least and the greatest sum."""
        ends = [box.ends(term) for term in self.terms]
        least, greatest = sum(low for low, _ in ends), sum(high for _, high in ends)
        if self.relation == "<=":
            return least > self.constant
        if self.relation == "!=":
            return least == greatest == self.constant
        if not least <= self.constant <= greatest:
            return True
        open_terms = [k for k, (low, high) in enumerate(ends) if low < high]
        if len(open_terms) != 1:
            return False
        term, low = self.terms[open_terms[0]], ends[open_terms[0]][0]
        return not box.has(term, self.constant - least + low)

    def holds(self, values: Values) -> bool:
        return self.relates(sum(value_of(term, values) for term in self.terms))

    def relates(self, total: int) -> bool:
        """Whether a sum is as it should be."""
        if self.relation == "<=":
            return total <= self.constant
        return (total == self.constant) == (self.relation == "==")

    def negated(self) -> Linear:
        """The opposite."""
        if self.relation == "<=":
            terms = tuple(Term(-f, x, -offset) for f, x, offset in self.terms)
            return Linear(terms, "<=", -self.constant - 1)
        return self._replace(relation="!=" if self.relation == "==" else "==")


class Different(NamedTuple):
    """All terms have different values."""

    terms: tuple[Term, ...]

    def scope(self) -> Iterator[int]:
        return variables_of(self.terms)

    def is_refuted(self, box: Box, case: Case) -> bool:
        """Without a matching. Terms with as many values as there are terms can always differ."""
        fixed: set[int] = set()
        few = []
        for term in self.terms:
            low, high = box.ends(term)
            if low == high:
                if low in fixed:
                    return True
                fixed.add(low)
            few.append(term)
        few = [term for term in few if sum(1 for _ in _first(box, term, len(few))) < len(few)]
        matched: dict[int, int] = {}
        few.sort(key=box.term_size)
        return not all(self._match(box, few, k, matched, set()) for k in range(len(few)))

    def _match(
        self, box: Box, terms: list[Term], k: int, matched: dict[int, int], seen: set[int]
    ) -> bool:
        """Find a value for term ``k``, moving others."""
        for value in box.term_values(terms[k]):
            if value in seen:
                continue
            seen.add(value)
            if value not in matched or self._match(box, terms, matched[value], matched, seen):
                matched[value] = k
                return True
        return False

    def holds(self, values: Values) -> bool:
        found = [value_of(term, values) for term in self.terms]
        return len(set(found)) == len(found)


def _first(box: Box, term: Term, most: int) -> Iterator[int]:
    """The first values of a term."""
    for k, value in enumerate(box.term_values(term)):
        if k == most:
            return
        yield value


class Table(NamedTuple):
    """The terms are a row, or are none of the rows."""

    terms: tuple[Term, ...]
    rows: tuple[tuple[int | str, ...], ...]
    allowed: bool = True

    def scope(self) -> Iterator[int]:
        return variables_of(self.terms)

    def is_refuted(self, box: Box, case: Case) -> bool:
        """No row is within the box; or as many rows as it has assignments, none with a star."""
        inside = [row for row in self.rows if self._fits(box, row)]
        if self.allowed:
            return not inside
        if len(set(self.scope())) < len(self.terms) or any(ANY in row for row in inside):
            return False
        size = 1
        for term in self.terms:
            size *= box.term_size(term)
            if size > 100 * len(inside):
                return False
        exact = 1
        for term in self.terms:
            exact *= sum(1 for _ in box.term_values(term))
        return len(set(inside)) == exact

    def _fits(self, box: Box, row: tuple[int | str, ...]) -> bool:
        for term, cell in zip(self.terms, row, strict=True):
            if isinstance(cell, int) and not box.has(term, cell):
                return False
        return True

    def holds(self, values: Values) -> bool:
        found = [value_of(term, values) for term in self.terms]
        is_listed = any(
            all(cell in (ANY, value) for cell, value in zip(row, found, strict=True))
            for row in self.rows
        )
        return is_listed == self.allowed

    def negated(self) -> Table:
        """The opposite."""
        return self._replace(allowed=not self.allowed)


class Element(NamedTuple):
    """The result is the entry at a place, from 0 on."""

    result: Term
    place: Term
    entries: tuple[Term, ...]

    def scope(self) -> Iterator[int]:
        return variables_of((self.result, self.place, *self.entries))

    def is_refuted(self, box: Box, case: Case) -> bool:
        """No entry that the place reaches shares a value with the result."""
        return not any(
            box.has(self.place, k) and share_value(box, self.result, entry)
            for k, entry in enumerate(self.entries)
        )

    def holds(self, values: Values) -> bool:
        k = value_of(self.place, values)
        return 0 <= k < len(self.entries) and value_of(self.entries[k], values) == value_of(
            self.result, values
        )


def share_value(box: Box, one: Term, other: Term) -> bool:
    """Whether two terms may have one value."""
    (low, high), (least, greatest) = box.ends(one), box.ends(other)
    if max(low, least) > min(high, greatest):
        return False
    if box.term_size(one) > box.term_size(other):
        one, other = other, one
    return any(box.has(other, value) for value in box.term_values(one))


class Extreme(NamedTuple):
    """The result is the greatest of the terms; the least is that of negated terms."""

    result: Term
    terms: tuple[Term, ...]

    def scope(self) -> Iterator[int]:
        return variables_of((self.result, *self.terms))

    def is_refuted(self, box: Box, case: Case) -> bool:
        """No value of the result is at least all least values, and that of a term."""
        least = max(box.ends(term)[0] for term in self.terms)
        return not any(
            value >= least and any(box.has(term, value) for term in self.terms)
            for value in box.term_values(self.result)
        )

    def holds(self, values: Values) -> bool:
        return value_of(self.result, values) == max(value_of(term, values) for term in self.terms)


class Product(NamedTuple):
    """The result is the product of two terms."""

    result: Term
    one: Term
    other: Term

    def scope(self) -> Iterator[int]:
        return variables_of((self.result, self.one, self.other))

    def is_refuted(self, box: Box, case: Case) -> bool:
        """For no value of the factor that has fewer, another factor reaches the result."""
        one, other = sorted((self.one, self.other), key=box.term_size)
        return not any(self._reaches(box, value, other) for value in box.term_values(one))

    def _reaches(self, box: Box, value: int, other: Term) -> bool:
        low, high = box.ends(self.result)
        if value == 0:
            return box.has(self.result, 0)
        least, greatest = sorted((low, high)) if value > 0 else (-high, -low)
        size = abs(value)
        first, last = -(-least // size), greatest // size
        start, end = box.ends(other)
        for factor in range(max(first, start), min(last, end) + 1):
            if box.has(other, factor) and box.has(self.result, value * factor):
                return True
        return False

    def holds(self, values: Values) -> bool:
        one, other = value_of(self.one, values), value_of(self.other, values)
        return value_of(self.result, values) == one * other


class Circuit(NamedTuple):
    """Successors, from node 0 on, of one tour through all nodes, which are two or more."""

    following: tuple[Term, ...]

    def scope(self) -> Iterator[int]:
        return variables_of(self.following)

    def is_refuted(self, box: Box, case: Case) -> bool:
        """Some node is not reached from the first, or does not reach it; or no matching."""
        n = len(self.following)
        arcs = [[v for v in range(n) if box.has(term, v)] for term in self.following]
        back: list[list[int]] = [[] for _ in range(n)]
        for node, ends in enumerate(arcs):
            for end in ends:
                back[end].append(node)
        if n < 2 or len(reached(arcs)) < n or len(reached(back)) < n:
            return True
        return Different(self.following).is_refuted(box, case)

    def holds(self, values: Values) -> bool:
        node, seen = 0, set()
        while node not in seen and 0 <= node < len(self.following):
            seen.add(node)
            node = value_of(self.following[node], values)
        return len(seen) == len(self.following) > 1 and node == 0


def reached(arcs: Sequence[Sequence[int]]) -> set[int]:
    """The nodes that are reached from the first."""
    found, left = {0}, [0]
    while left:
        for end in arcs[left.pop()]:
            if end not in found:
                found.add(end)
                left.append(end)
    return found


class Clause(NamedTuple):
    """One of the literals is true."""

    literals: tuple[Literal, ...]

    def scope(self) -> Iterator[int]:
        return (literal.variable for literal in self.literals)

    def is_refuted(self, box: Box, case: Case) -> bool:
        return all(box.is_false(literal) for literal in self.literals)

    def holds(self, values: Values) -> bool:
        return any(is_true(literal, values[literal.variable]) for literal in self.literals)


def is_true(literal: Literal, value: int) -> bool:
    """Whether a literal is true of a value."""
    _, relation, bound = literal
    if relation in ("==", "!="):
        return (value == bound) == (relation == "==")
    return value >= bound if relation == ">=" else value <= bound


class Conditional(NamedTuple):
    """Where a variable has a value, a constraint holds; if ``full``, only there."""

    variable: int
    value: int
    full: bool
    within: Linear | Table

    def scope(self) -> Iterator[int]:
        yield self.variable
        yield from self.within.scope()

    def is_refuted(self, box: Box, case: Case) -> bool:
        """By the rule of the constraint where the variable has the value, and of the opposite."""
        if box.may(self.variable, self.value) and not self.within.is_refuted(box, case):
            return False
        is_other = box.low[self.variable] != self.value or box.high[self.variable] != self.value
        if not is_other:
            return True
        return self.full and self.within.negated().is_refuted(box, case)

    def holds(self, values: Values) -> bool:
        is_on, holds = values[self.variable] == self.value, self.within.holds(values)
        return is_on == holds if self.full else holds or not is_on


MOST_ASSIGNMENTS = 100_000
"""A constraint is enumerated if the box has at most this many assignments."""
SAMPLES = 50


def enumerated(constraint: Constraint, box: Box) -> Values | bool:
    """An assignment within the box that satisfies a constraint; True if there is none; False if
    there are too many assignments to know."""
    scope = sorted(set(constraint.scope()))
    size = 1
    for x in scope:
        size *= box.size(x)
        if size > MOST_ASSIGNMENTS:
            return sampled(constraint, box, scope)
    for row in product(*[list(box.values(x)) for x in scope]):
        values = dict(zip(scope, row, strict=True))
        if constraint.holds(values):
            return values
    return True


def sampled(constraint: Constraint, box: Box, scope: Sequence[int]) -> Values | bool:
    """One of a few assignments that satisfies a constraint; False if none does."""
    for k in range(SAMPLES):
        values = {}
        for place, x in enumerate(scope):
            at = (0, box.size(x) - 1, k * (place + 7) * 2654435761 % box.size(x))[min(k, 2)]
            value = box.low[x] + at
            values[x] = value if box.may(x, value) else box.low[x]
        if constraint.holds(values):
            return values
    return False
