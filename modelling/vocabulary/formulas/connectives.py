"""And, Or, Not, Implies, Iff, Xor: constraints made of constraints.

``And(())`` is true and ``Or(())`` false: they stand for the two truth values. ``Xor`` is true if an
odd number of its parts are (XCSP3), so ``Xor(())`` is false. ``b => c`` and ``b <=> c`` are
``Implies`` and ``Iff`` of ``Linear((b,), (1,), "==", 1)`` and ``c``.

``And``, ``Or`` and ``Not`` are what the others expand to, so they expand to themselves.

What is undefined within a part makes the nearest part false, not the whole: ``Not(x // 0 == 3)`` is
true.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.terms import Formula, Formulas, Fresh


@dataclass(frozen=True)
class And(Predicate):
    """All of them hold."""

    xcsp3: ClassVar[str] = "and"
    minizinc: ClassVar[str] = "forall"

    formulas: Formulas

    def relates(self, formulas: Sequence[bool]) -> bool:
        return all(formulas)

    def negated(self) -> Constraint:
        return Or(tuple(map(opposite, self.formulas)))

    def simplified(self) -> Constraint:
        return _flat(self, And, FALSE)

    def expand(self, fresh: Fresh) -> Constraint:
        return self

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> And:
        return cls(terms.formulas(0, 3))


@dataclass(frozen=True)
class Or(Predicate):
    """At least one of them holds."""

    xcsp3: ClassVar[str] = "or"
    minizinc: ClassVar[str] = "exists"

    formulas: Formulas

    def relates(self, formulas: Sequence[bool]) -> bool:
        return any(formulas)

    def negated(self) -> Constraint:
        return And(tuple(map(opposite, self.formulas)))

    def simplified(self) -> Constraint:
        return _flat(self, Or, TRUE)

    def expand(self, fresh: Fresh) -> Constraint:
        return self

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Or:
        return cls(terms.formulas(0, 3))


TRUE = And(())
FALSE = Or(())

And.EDGES = ((((),), True), (((TRUE,),), True), (((TRUE, FALSE),), False))
Or.EDGES = ((((),), False), (((FALSE,),), False), (((TRUE, FALSE),), True))


def _flat(made: And | Or, kind: type[And | Or], absorbing: Constraint) -> Constraint:
    """Parts of the same kind taken in, each part once, and without the neutral truth value."""
    found: dict[Constraint, None] = {}
    left = list(made.formulas)[::-1]
    while left:
        part = left.pop()
        if part == absorbing:
            return absorbing
        if type(part) is kind:
            left.extend(part.formulas[::-1])
        else:
            found[part] = None
    return next(iter(found)) if len(found) == 1 else kind(tuple(found))


@dataclass(frozen=True)
class Not(Predicate):
    """It does not hold."""

    xcsp3: ClassVar[str] = "not"
    minizinc: ClassVar[str] = "bool_not"

    formula: Formula

    def relates(self, formula: bool) -> bool:
        return not formula

    def negated(self) -> Constraint:
        found: Constraint = self.formula
        return found

    def simplified(self) -> Constraint:
        return opposite(self.formula)

    def expand(self, fresh: Fresh) -> Constraint:
        return self

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Not:
        return cls(terms.formula())

    EDGES = (((TRUE,), False), ((FALSE,), True))


def opposite(formula: Constraint) -> Constraint:
    """What holds exactly when ``formula`` does not."""
    return formula.negated() or Not(formula)


@dataclass(frozen=True)
class Implies(Predicate):
    """If the condition holds, so does the consequence."""

    xcsp3: ClassVar[str] = "imp"
    minizinc: ClassVar[str] = "bool_le"

    condition: Formula
    consequence: Formula

    def relates(self, condition: bool, consequence: bool) -> bool:
        return consequence or not condition

    def negated(self) -> Constraint:
        return And((self.condition, opposite(self.consequence)))

    def simplified(self) -> Constraint:
        if self.condition in (TRUE, FALSE) or self.consequence in (TRUE, FALSE):
            return Or((opposite(self.condition), self.consequence)).simplified()
        return TRUE if self.condition == self.consequence else self

    def expand(self, fresh: Fresh) -> Constraint:
        return Or((opposite(self.condition), self.consequence))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Implies:
        return cls(terms.formula(), terms.formula())

    EDGES = (
        ((TRUE, TRUE), True),
        ((TRUE, FALSE), False),
        ((FALSE, TRUE), True),
        ((FALSE, FALSE), True),
    )


@dataclass(frozen=True)
class Iff(Predicate):
    """Both hold or neither."""

    xcsp3: ClassVar[str] = "iff"
    minizinc: ClassVar[str] = "bool_eq"

    one: Formula
    other: Formula

    def relates(self, one: bool, other: bool) -> bool:
        return one == other

    def negated(self) -> Constraint:
        return Xor((self.one, self.other))

    def simplified(self) -> Constraint:
        for this, that in ((self.one, self.other), (self.other, self.one)):
            if this in (TRUE, FALSE):
                found: Constraint = that if this == TRUE else opposite(that)
                return found
        return TRUE if self.one == self.other else self

    def expand(self, fresh: Fresh) -> Constraint:
        return And((Implies(self.one, self.other), Implies(self.other, self.one)))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Iff:
        return cls(terms.formula(), terms.formula())

    EDGES = (
        ((TRUE, TRUE), True),
        ((TRUE, FALSE), False),
        ((FALSE, TRUE), False),
        ((FALSE, FALSE), True),
    )


@dataclass(frozen=True)
class Xor(Predicate):
    """An odd number of them hold."""

    xcsp3: ClassVar[str] = "xor"
    minizinc: ClassVar[str] = "xorall"

    formulas: Formulas

    def relates(self, formulas: Sequence[bool]) -> bool:
        return sum(formulas) % 2 == 1

    def negated(self) -> Constraint:
        if not self.formulas:
            return TRUE
        return Xor((opposite(self.formulas[0]), *self.formulas[1:]))

    def simplified(self) -> Constraint:
        """Pairs of equal parts cancel out."""
        odd: dict[Constraint, None] = {}
        turned = False
        for part in self.formulas:
            if part == TRUE:
                turned = not turned
            elif part in odd:
                del odd[part]
            elif part != FALSE:
                odd[part] = None
        if len(odd) > 1:
            rest: Constraint = Xor(tuple(odd))
        else:
            rest = next(iter(odd), FALSE)
        return opposite(rest) if turned else rest

    def expand(self, fresh: Fresh) -> Constraint:
        """Its halves differ."""
        if len(self.formulas) < 2:
            single: Constraint = next(iter(self.formulas), FALSE)
            return single
        half = len(self.formulas) // 2
        return Iff(Xor(self.formulas[:half]), opposite(Xor(self.formulas[half:])))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Xor:
        return cls(terms.formulas(0, 3))

    EDGES = (
        (((),), False),
        (((TRUE,),), True),
        (((TRUE, TRUE),), False),
        (((TRUE, FALSE, FALSE),), True),
        (((TRUE, TRUE, TRUE),), True),
    )


CONNECTIVES = (And, Or, Not, Implies, Iff, Xor)
"""All of them."""
