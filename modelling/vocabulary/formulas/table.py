"""Table: the combinations of values that are allowed, or that are not."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from itertools import product
from operator import is_not
from typing import Any, ClassVar, Self

from modelling.constraint import Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import ANY, Fresh, Function, Rows, Term, Terms, affine, constants
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Or, opposite
from modelling.vocabulary.formulas.linear import Linear, equals


@dataclass(frozen=True)
class Table(Predicate):
    """The tuple of values is listed (``allowed=True``) or is not listed (``allowed=False``).

    XCSP3 calls the two forms supports and conflicts. Repeated tuples count once; values outside of
    the domains do no harm; ``ANY`` stands for every value.
    """

    xcsp3: ClassVar[str] = "extension"
    minizinc: ClassVar[str] = "table"

    terms: Terms
    tuples: Rows
    allowed: bool = True
    _set: frozenset[tuple[Any, ...]] = field(init=False, repr=False, compare=False)
    _short: tuple[tuple[Any, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = frozenset(self.tuples)
        short = tuple(row for row in dict.fromkeys(self.tuples) if ANY in row)
        object.__setattr__(self, "_set", rows)
        object.__setattr__(self, "_short", short)
        if short:
            object.__setattr__(self, "is_plain", False)
        for number, row in enumerate(self.tuples):
            if len(row) != len(self.terms):
                raise ModelError(
                    f"Table: tuple {number} has {len(row)} values for {len(self.terms)} variables"
                )

    def with_terms(self, terms: Sequence[Term]) -> Self:
        """The same tuples over other terms, as many as before, without looking at them again."""
        if len(terms) != len(self.terms):
            raise ModelError(f"Table: {len(terms)} terms in the place of {len(self.terms)}")
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, terms=tuple(terms))
        made.settle_scope()
        if made._short:
            object.__setattr__(made, "is_plain", False)
        return made

    def rebuilt(
        self, of_term: Callable[[Term], Term], of_formula: Callable[[Any], Any] | None = None
    ) -> Self:
        terms = tuple(map(of_term, self.terms))
        return self.with_terms(terms) if any(map(is_not, terms, self.terms)) else self

    def rows_among(self, values: Sequence[Container[int]]) -> list[tuple[Any, ...]]:
        """The rows that may be met where each term has one of its values, each once."""
        return [
            row
            for row in dict.fromkeys(self.tuples)
            if all(cell is ANY or cell in of for cell, of in zip(row, values, strict=True))
        ]

    def relates(self, terms: Sequence[int], tuples: Sequence[Any], allowed: bool) -> bool:
        listed = tuple(terms) in self._set or any(
            all(cell in (ANY, value) for cell, value in zip(row, terms, strict=True))
            for row in self._short
        )
        return listed is allowed

    def holds(self, values: Sequence[int]) -> bool:
        if self.is_plain:  # relates() without the way to it: it is asked very often
            return (tuple(values) in self._set) is self.allowed
        return Predicate.holds(self, values)

    def negated(self) -> Table | None:
        if not are_total(self.terms):
            return None
        return Table(self.terms, self.tuples, not self.allowed)

    def simplified(self) -> Constraint:
        """Over distinct variables and functions, each row once, without rows that never match."""
        columns = {term: k for k, term in enumerate(dict.fromkeys(map(_core, self.terms)))}
        columns.pop(None, None)
        rows = dict.fromkeys(row for row in map(self._row, self.tuples) if row is not None)
        places = [list(dict.fromkeys(map(_core, self.terms))).index(t) for t in columns]
        kept = tuple(dict.fromkeys(tuple(row[k] for k in places) for row in rows))
        if self.allowed and not kept:
            return FALSE
        whole = any(all(cell == ANY for cell in row) for row in kept)
        if are_total(columns):
            if not kept:
                return TRUE
            if whole:
                return TRUE if self.allowed else FALSE
        return Table(tuple(columns), kept, self.allowed)

    def _row(self, row: Sequence[Any]) -> tuple[Any, ...] | None:
        """The row over the cores of the terms, each once; None if no values match it."""
        found: dict[Any, Any] = {}
        for term, cell in zip(self.terms, row, strict=True):
            core, wanted = _core(term), cell
            if cell != ANY and not isinstance(term, Function):
                variable, factor, offset = affine(term)
                if variable is None:
                    if cell != offset:
                        return None
                    wanted = ANY
                else:
                    wanted, rest = divmod(cell - offset, factor)
                    if rest:
                        return None
            if found.get(core, ANY) == ANY:
                found[core] = wanted
            elif wanted not in (ANY, found[core]):
                return None
        return tuple(found.values())

    def expand(self, fresh: Fresh) -> Constraint:
        """One of the rows matches, each a conjunction of equations; or none does."""
        rows = Or(
            tuple(And(tuple(_matches(self.terms, row))) for row in dict.fromkeys(self.tuples))
        )
        defined = (Linear((term,), (0,), "==", 0) for term in self.terms)
        return And((rows if self.allowed else opposite(rows), *defined))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Table:
        drawn = terms.some(0, 3)
        values = sorted({terms.value() for _ in range(4)})
        every = list(product(values, repeat=len(drawn)))
        rows = rng.sample(every, min(len(every), rng.randint(0, 9)))
        if rng.random() < 0.4:
            rows = [tuple(ANY if rng.random() < 0.3 else v for v in row) for row in rows]
        if rng.random() < 0.2:
            rows.append(tuple(99 for _ in drawn))
        return cls(drawn, tuple(rows), rng.random() < 0.6)

    EDGES = (
        (((), ()), False),
        (((), ((),)), True),
        (((), (), False), True),
        (((), ((), ()), False), False),
        ((constants(1, 2), ((1, 2),)), True),
        ((constants(1, 2), ((2, 1), (1, 1))), False),
        ((constants(1, 2), ((1, ANY),)), True),
        ((constants(1, 2), ((ANY, 1),), False), True),
        ((constants(1, 2), ((ANY, ANY),), False), False),
    )


def _core(term: Term) -> Any:
    """The variable or function of which a term is a view; None for a constant."""
    return term if isinstance(term, Function) else affine(term).variable


def _matches(terms: Sequence[Term], row: Sequence[Any]) -> list[Linear]:
    return [equals(term, cell) for term, cell in zip(terms, row, strict=True) if cell != ANY]
