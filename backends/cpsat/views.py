"""What handlers see of a model: terms as CP-SAT's expressions, conditions as its literals.

Words
-----
literal    a Boolean of CP-SAT, its negation, or ``True`` or ``False`` where that is known; so no
           model has constants among its variables
enforced   literals that a constraint is posed under: it holds where all of them do
truths     what stands for a constraint -> the literal that is equivalent to it, so that each is
           defined once
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from modelling.problem import Structure
from modelling.terms import Term, affine, bounds
from modelling.vocabulary.comparisons import RELATIONS

Literal = Any
Literals = Sequence[Literal]


class Views(ABC):
    """A model over the variables of a structure; a formulation says how these are posed."""

    def __init__(self, cp: Any, structure: Structure) -> None:
        self.cp = cp
        self.model = cp.CpModel()
        self.domains = structure.domains
        self.truths: dict[Any, Literal] = {}
        self.other: Any = None
        self.merges_tables = True
        self._compared = (cp.BoundedLinearExpression, bool)

    @abstractmethod
    def integer(self, variable: int) -> Any:
        """An integer of CP-SAT that is equal to a variable."""

    @abstractmethod
    def has_value(self, variable: int, value: int) -> Literal:
        """Whether a variable has a value of its domain."""

    @abstractmethod
    def total(self, terms: Sequence[Term], factors: Sequence[int] | None = None) -> Any:
        """A sum of affine terms as a linear expression."""

    # --- terms ---

    def expression(self, term: Term) -> Any:
        """An affine term as CP-SAT has it: an integer or ``factor * integer + offset``."""
        variable, factor, offset = affine(term)
        if variable is None:
            return offset
        whole = self.integer(variable)
        return whole if (factor, offset) == (1, 0) else whole * factor + offset

    def expressions_of(self, terms: Iterable[Term]) -> list[Any]:
        """Each as an expression."""
        return list(map(self.expression, terms))

    def values(self, term: Term) -> Sequence[int]:
        """The values of an affine term."""
        variable, factor, offset = affine(term)
        if variable is None:
            return (offset,)
        return [factor * value + offset for value in self.domains[variable]]

    def bounds(self, term: Term) -> tuple[int, int]:
        """The least and the greatest value of an affine term."""
        return bounds(term, self.domains)

    def equals(self, term: Term, value: int) -> Literal:
        """Whether an affine term has a value."""
        variable, factor, offset = affine(term)
        if variable is None:
            return offset == value
        wanted, rest = divmod(value - offset, factor)
        domain = self.domains[variable]
        if rest or wanted not in domain:
            return False
        return True if len(domain) == 1 else self.has_value(variable, wanted)

    def weight(self, literals: Iterable[Literal], sizes: Iterable[int] | None = None) -> Any:
        """What the true ones of ``literals`` weigh together, each 1 by default, as a linear
        expression."""
        counted = list(literals)
        kept: list[Literal] = []
        weights: list[int] = []
        known = 0
        for literal, size in zip(counted, sizes or [1] * len(counted), strict=True):
            if isinstance(literal, bool):
                known += size * literal
            else:
                kept.append(literal)
                weights.append(size)
        return self.cp.LinearExpr.weighted_sum(kept, weights) + known if kept else known

    # --- literals ---

    def literal(self) -> Literal:
        """A new Boolean."""
        return self.model.new_bool_var("")

    def post(self, made: Any, enforced: Literals = ()) -> None:
        """Let a comparison of linear expressions hold, or a constraint that CP-SAT has made."""
        if isinstance(made, self._compared):
            made = self.model.add(made)
        if enforced:
            made.only_enforce_if(*enforced)

    def compare(self, total: Any, relation: str, constant: Any, enforced: Literals = ()) -> None:
        """A linear expression is so related to another one, or to a number."""
        self.post(RELATIONS[relation](total, constant), enforced)

    def clause(self, literals: Iterable[Literal], enforced: Literals = ()) -> None:
        """At least one of them is true, where all of ``enforced`` are."""
        left = [literal for literal in literals if literal is not False]
        if not any(literal is True for literal in left):
            self.model.add_bool_or([*left, *map(negation, enforced)])

    def forbid(self, enforced: Literals = ()) -> None:
        """Not all of ``enforced`` are true."""
        self.clause((), enforced)

    def equate(self, one: Literal, other: Literal, enforced: Literals = ()) -> None:
        """Both are true or neither."""
        self.clause((negation(one), other), enforced)
        self.clause((negation(other), one), enforced)

    def any_of(self, literals: Iterable[Literal], into: Literal = None) -> Literal:
        """The literal that at least one of them is true; ``into``, if that is given."""
        left = [literal for literal in literals if literal is not False]
        known: Literal = None
        if any(literal is True for literal in left):
            known = True
        else:  # by their indices, since 9.12 cannot hash the negation of a literal
            left = list({literal.index: literal for literal in left}.values())
            if len(left) < 2:
                known = left[0] if left else False
        if known is not None:
            if into is not None:
                self.equate(into, known)
            return known if into is None else into
        found = self.literal() if into is None else into
        self.clause((negation(found), *left))
        for literal in left:
            self.clause((negation(literal), found))
        return found

    def within(self, term: Term, values: Sequence[int], enforced: Literals = ()) -> None:
        """An affine term has one of these values."""
        allowed = set(values)
        if not all(value in allowed for value in self.values(term)):
            self.clause([self.equals(term, value) for value in values], enforced)


def negation(literal: Literal) -> Literal:
    """The opposite."""
    return (not literal) if isinstance(literal, bool) else literal.negated()
