"""Define: a variable that is equal to a function. In flat form functions occur nowhere else."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.terms import Affine, Fresh, Function, Term, constants
from modelling.vocabulary.formulas.linear import Sum, equal
from modelling.vocabulary.functions.element import Element


@dataclass(frozen=True)
class Define(Predicate):
    """``result == function``, and the function is defined."""

    xcsp3: ClassVar[str] = "eq"
    minizinc: ClassVar[str] = "int_eq"
    WITHOUT: ClassVar[Mapping[str, str]] = {
        "negated": "it is false where the function is undefined too, which no comparison says"
    }

    result: Term
    function: Term

    def relates(self, result: int, function: int) -> bool:
        return result == function

    def simplified(self) -> Constraint:
        """An equation, unless the function is more than a sum."""
        if type(self.function) is Sum or not isinstance(self.function, Function):
            return equal(self.result, self.function).simplified()
        return self

    def expand(self, fresh: Fresh) -> Constraint | None:
        found: Constraint | None = equal(self.result, self.function)
        if isinstance(self.function, Function):
            found = self.function.expand(self.result, fresh)
        return found

    def expanded_size(self) -> int:
        function = self.function
        return (
            function.expanded_size() if isinstance(function, Function) else super().expanded_size()
        )

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Define:
        return cls(terms.term(), terms.function() or terms.term())

    EDGES = (
        ((Affine(None, 0, 1), Element(constants(4, 1), Affine(None, 0, 1))), True),
        ((Affine(None, 0, 1), Element(constants(4, 1), Affine(None, 0, 2))), False),
    )
