"""A literal for each value of each variable, and constraints as clauses over these."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Generic

from backends.interface.libraries.formulas import (
    Builders,
    FormulaBuilder,
    Literal,
    Made,
    TermBuilder,
)
from modelling.constraints import Clauses, Linear, NotEqual, Table
from modelling.terms import ANY, Term, affine
from modelling.vocabulary.comparisons import RELATIONS


class ValueLiterals(Generic[Literal]):
    """``literals`` has for each variable the literal of each value; ``true`` and ``false`` are
    those of what is known."""

    literals: Sequence[Mapping[int, Literal]]
    true: Literal
    false: Literal

    def values(self, term: Term) -> Mapping[int, Literal]:
        """The literals of an affine term, by its values."""
        variable, factor, offset = affine(term)
        if variable is None:
            return {offset: self.true}
        literals: Mapping[int, Literal] = self.literals[variable]
        if (factor, offset) == (1, 0):
            return literals
        return {factor * value + offset: literal for value, literal in literals.items()}

    def equals(self, term: Term, value: int) -> Literal:
        """Whether a term has a value."""
        return self.values(term).get(value, self.false)

    def weigh_from_least(
        self, terms: Iterable[Term], factors: Iterable[int]
    ) -> tuple[list[tuple[Literal, int]], int]:
        """A sum as literals with positive weights, and a constant to add."""
        weighed: list[tuple[Literal, int]] = []
        least = 0
        for term, factor in zip(terms, factors, strict=True):
            added = [(literal, factor * v) for v, literal in self.values(term).items()]
            lowest = min((weight for _, weight in added), default=0)
            weighed += [(literal, weight - lowest) for literal, weight in added if weight > lowest]
            least += lowest
        return weighed, least

    def takers(
        self, terms: Iterable[Term], except_: Collection[int] = ()
    ) -> dict[int, list[Literal]]:
        """For each value, but for ``except_``, the literals of the terms that may have it."""
        return find_takers(map(self.values, terms), except_)

    def rows(self, constraint: Table) -> list[list[Literal]]:
        """The literals of each row that may be met."""
        values = list(map(self.values, constraint.terms))
        return [row_literals(row, values) for row in constraint.rows_among(values)]


def find_takers(
    terms: Iterable[Mapping[int, Literal]], except_: Collection[int] = ()
) -> dict[int, list[Literal]]:
    """See ``ValueLiterals.takers``, of the literals of each term by its values."""
    having: dict[int, list[Literal]] = {}
    for literals in terms:
        for value, literal in literals.items():
            if value not in except_:
                having.setdefault(value, []).append(literal)
    return having


def row_literals(row: Sequence[Any], values: Iterable[Mapping[int, Literal]]) -> list[Literal]:
    """The literals of what a row of a table says, by the ``values`` of its terms."""
    return [of[value] for value, of in zip(row, values, strict=True) if value is not ANY]


class ClauseBuilder(ValueLiterals[Literal], FormulaBuilder[Made, Literal]):
    """What makes clauses of them."""

    @abstractmethod
    def opposite(self, literal: Literal) -> Literal:
        """The literal that is true where this one is false."""

    @abstractmethod
    def clauses(self, rows: Iterable[Sequence[Literal]]) -> Made:
        """A literal of each row is true."""

    @abstractmethod
    def partnered(self, pairs: Iterable[tuple[Literal, Sequence[Literal]]]) -> Made:
        """Where the first of a pair is true, one of the others is."""

    @abstractmethod
    def none_of(self, rows: Iterable[Sequence[Literal]]) -> Made:
        """All literals of a row are true in none."""

    @abstractmethod
    def one_of(self, rows: Iterable[Sequence[Literal]]) -> Made:
        """All literals of one row are true."""


def not_equal(draft: ClauseBuilder[Literal, Made], constraint: NotEqual) -> Made:
    """No value is that of both."""
    one, other = map(draft.values, constraint.terms)
    return draft.none_of([one[value], other[value]] for value in one if value in other)


def table(draft: ClauseBuilder[Literal, Made], constraint: Table) -> Made:
    """One of the rows is met, or none is."""
    rows = draft.rows(constraint)
    return draft.one_of(rows) if constraint.allowed else draft.none_of(rows)


def clauses(draft: ClauseBuilder[Any, Any] | TermBuilder[Any], constraint: Clauses) -> Any:
    """A literal of each holds."""
    zero = [draft.equals(term, 0) for term in constraint.terms]
    true = list(map(draft.opposite, zero))
    return draft.clauses(
        [true[x - 1] if x > 0 else zero[-x - 1] for x in clause] for clause in constraint.literals
    )


def compare_one(draft: ClauseBuilder[Literal, Made], constraint: Linear) -> Made:
    """A comparison of one term: one of the values that do it, or none of the others, whichever are
    fewer."""
    (factor,), holds = constraint.coefficients, RELATIONS[constraint.relation]
    does: list[Literal] = []
    others: list[Literal] = []
    for value, literal in draft.values(constraint.terms[0]).items():
        (does if holds(factor * value, constraint.constant) else others).append(literal)
    if len(others) < len(does):
        return draft.none_of([literal] for literal in others)
    return draft.clauses([does])


def compare_two(draft: ClauseBuilder[Literal, Made], constraint: Linear) -> Made:
    """A comparison of two terms: no two values have that sum, or each has a partner."""
    (a, b), (one, other) = constraint.coefficients, map(draft.values, constraint.terms)
    relation, constant = constraint.relation, constraint.constant
    if relation == "!=":
        return draft.none_of(
            (literal, other[rest])
            for value, literal in one.items()
            for rest in [(constant - a * value) // b]
            if rest in other and a * value + b * rest == constant
        )
    holds = RELATIONS[relation]
    return draft.partnered(
        (first, [y for w, y in other.items() if holds(a * v + b * w, constant)])
        for v, first in one.items()
    )


def has_few_pairs(draft: ValueLiterals[Any], constraint: Linear, most: int) -> bool:
    """Whether the two terms of a sum with the most values have at most ``most`` pairs of them, and
    no factor is 0."""
    if not all(constraint.coefficients):
        return False
    sizes = sorted(len(draft.values(term)) for term in constraint.terms)
    return sizes[-1] * sizes[-2] <= most


CLAUSES: Builders = {NotEqual: not_equal, Table: table, Clauses: clauses}
