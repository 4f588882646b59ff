"""Element2D: the term at a place of a matrix."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.terms import (
    Domains,
    Fresh,
    Function,
    Matrix,
    Term,
    bounds,
    constant,
    constants,
    is_constant,
)
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.formulas.connectives import And
from modelling.vocabulary.formulas.linear import Sum, equal, within
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.element import Element


@dataclass(frozen=True)
class Element2D(Function):
    """``matrix[row][column]``, counted from 0; undefined if either index is outside, or any term is
    undefined. Rows are of one length, and there is a term at least (ModelError).

    The decomposition takes the element of the rows in one list, at ``row * columns + column``, and
    says that each index is inside: beyond the end of a row that place would be in the next. It
    grows with the number of terms.
    """

    xcsp3: ClassVar[str] = "element"
    minizinc: ClassVar[str] = "element"

    matrix: Matrix
    row: Term
    column: Term

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.matrix or not self.matrix[0]:
            raise ModelError("Element2D of no terms has no value anywhere; give it at least one")
        if len(set(map(len, self.matrix))) > 1:
            raise ModelError("Element2D: the rows of a matrix have one length")

    def value(self, matrix: Sequence[Sequence[int]], row: int, column: int) -> int | None:
        inside = 0 <= row < len(matrix) and 0 <= column < len(matrix[0])
        return matrix[row][column] if inside else None

    def guards(self) -> tuple[Constraint, ...]:
        return (
            *within(self.row, 0, len(self.matrix) - 1),
            *within(self.column, 0, len(self.matrix[0]) - 1),
        )

    def totalised(self) -> Function:
        """An index outside counts as 0."""
        row, column = (
            IfThenElse(And(within(index, 0, number - 1)), index, constant(0))
            for index, number in zip((self.row, self.column), self._shape(), strict=True)
        )
        return Element2D(self.matrix, row, column)

    def _shape(self) -> tuple[int, int]:
        return len(self.matrix), len(self.matrix[0])

    def bounds(self, domains: Domains) -> tuple[int, int]:
        ends = [bounds(term, domains) for term in chain.from_iterable(self.matrix)]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def simplified(self) -> Term:
        """An element of one row or column, where the other index is a constant."""
        if are_total(chain.from_iterable(self.matrix)):
            rows, columns = self._shape()
            if is_constant(self.row) and 0 <= self.row.offset < rows:
                return Element(self.matrix[self.row.offset], self.column)
            if is_constant(self.column) and 0 <= self.column.offset < columns:
                return Element(tuple(row[self.column.offset] for row in self.matrix), self.row)
        return self

    def expand(self, result: Term, fresh: Fresh) -> Constraint:
        _, columns = self._shape()
        place = Sum((self.row, self.column), (columns, 1))
        element = Element(tuple(chain.from_iterable(self.matrix)), place)
        return And((*self.guards(), equal(result, element)))

    def expanded_size(self) -> int:
        return 15 * len(self.matrix) * len(self.matrix[0])

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Element2D:
        columns = rng.randint(1, 2)
        rows = tuple(terms.some(columns, columns) for _ in range(rng.randint(1, 2)))
        return cls(rows, terms.term(), terms.term())

    EDGES = (
        (((constants(7),), *constants(0, 0)), 7),
        (((constants(1, 2), constants(3, 4)), *constants(1, 0)), 3),
        (((constants(1, 2), constants(3, 4)), *constants(0, 2)), None),
        (((constants(1, 2), constants(3, 4)), *constants(1, -1)), None),
        (((constants(1, 2), constants(3, 4)), *constants(2, 0)), None),
        (((constants(1, 2), constants(3, 4)), *constants(-1, 3)), None),
    )
