"""Truth: whether a constraint holds, as 0 or 1; and IfThenElse, which chooses between two terms."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint
from modelling.terms import Domains, Formula, Fresh, Function, Term, bounds, constant, constants
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Iff, Implies, opposite
from modelling.vocabulary.formulas.linear import Linear, equal, equals, within


@dataclass(frozen=True)
class Truth(Function):
    """1 if the constraint holds, else 0 (also where a term of it is undefined)."""

    minizinc: ClassVar[str] = "bool2int"
    WITHOUT: ClassVar[Mapping[str, str]] = {
        "xcsp3": "a condition is 0 or 1 there without a word for it"
    }

    formula: Formula

    def value(self, formula: bool) -> int:
        return int(formula)

    def bounds(self, domains: Domains) -> tuple[int, int]:
        return 0, 1

    def simplified(self) -> Term:
        if self.formula in (TRUE, FALSE):
            return constant(int(self.formula == TRUE))
        return self

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        return And((*within(result, 0, 1), Iff(equals(result, 1), self.formula)))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Truth:
        return cls(terms.formula())

    EDGES = (((TRUE,), 1), ((FALSE,), 0))


@dataclass(frozen=True)
class IfThenElse(Function):
    """``yes`` if the condition holds, else ``no``; both must be defined."""

    xcsp3: ClassVar[str] = "if"
    minizinc: ClassVar[str] = "if then else"

    condition: Formula
    yes: Term
    no: Term

    def value(self, condition: bool, yes: int, no: int) -> int:
        return yes if condition else no

    def bounds(self, domains: Domains) -> tuple[int, int]:
        """Those of ``yes`` where the condition bounds it, as that of a safe copy does."""
        ends = [*self._bounds_of_yes(domains), *bounds(self.no, domains)]
        return min(ends), max(ends)

    def _bounds_of_yes(self, domains: Domains) -> tuple[int, ...]:
        low, high = bounds(self.yes, domains)
        condition = self.condition
        for part in condition.formulas if type(condition) is And else (condition,):
            if type(part) is Linear and (part.terms, part.coefficients) == ((self.yes,), (1,)):
                low = max(low, part.constant) if part.relation == ">=" else low
                high = min(high, part.constant) if part.relation == "<=" else high
        return (low, high) if low <= high else ()

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        return And(
            (
                Implies(self.condition, equal(result, self.yes)),
                Implies(opposite(self.condition), equal(result, self.no)),
                equal(self.yes, self.yes),  # false where it is undefined, chosen or not
                equal(self.no, self.no),
            )
        )

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> IfThenElse:
        return cls(terms.formula(), terms.term(), terms.term())

    EDGES = (((TRUE, *constants(3, 4)), 3), ((FALSE, *constants(3, 4)), 4))
