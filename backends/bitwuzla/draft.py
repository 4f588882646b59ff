"""A structure as formulas of Bitwuzla over bit-vectors.

Words
-----
run       values of a domain that follow one another without a gap
together  the bit-vectors of some variables as one: a solution is one of its values
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backends.bitwuzla.numbers import Number, Numbers
from backends.bitwuzla.terms import Formula
from backends.interface.libraries.formulas import Builders
from modelling.problem import Structure
from modelling.terms import Term, affine


class BitwuzlaDraft(Numbers):
    """What is kept of a structure; a search asserts its formulas."""

    def __init__(self, bitwuzla: Any, structure: Structure, builders: Builders) -> None:
        super().__init__(bitwuzla, builders)
        self.domains = structure.domains
        self.numbers = [
            self.variable(f"x{variable}", domain[0], domain[-1]) if domain else Number(None, 0, 0)
            for variable, domain in enumerate(structure.domains)
        ]
        self.formulas: list[Formula] = [
            self.among(variable, domain)
            for variable, domain in enumerate(structure.domains)
            if len(domain) != 1 << self.numbers[variable].width
        ]

    def among(self, variable: int, values: Sequence[int]) -> Formula:
        """Whether a variable has one of some values."""
        number = self.numbers[variable]
        return self.any_of(self.within(number, *run) for run in _runs(values))

    def number(self, term: Term) -> Number:
        """An affine term."""
        variable, factor, offset = affine(term)
        if variable is None:
            return Number(None, offset, offset)
        if factor == 1:
            found: Number = self.numbers[variable].moved(offset)
            return found
        return self.scaled(self.numbers[variable], factor, offset)

    def numbers_of(self, terms: Sequence[Term]) -> list[Number]:
        """Several."""
        return list(map(self.number, terms))

    def equals(self, term: Term, value: int) -> Formula:
        """Whether a term has a value."""
        variable, factor, offset = affine(term)
        if variable is None:
            return self.true if value == offset else self.false
        quotient, remainder = divmod(value - offset, factor)
        if remainder:
            return self.false
        return self.is_value(self.numbers[variable], quotient)

    def concatenate(self, variables: Sequence[int]) -> Any:
        """Their bits, one after the other; None without any."""
        bits = [self.numbers[v].bits for v in variables if self.numbers[v].width]
        if len(bits) < 2:
            return bits[0] if bits else None
        return self.manager.mk_term(self.kind.BV_CONCAT, bits)

    def add(self, formula: Formula) -> None:
        self.formulas.append(formula)


def _runs(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The least and the greatest value of each run."""
    start = previous = None
    for value in values:
        if start is None or previous is None:
            start = value
        elif value != previous + 1:
            yield start, previous
            start = value
        previous = value
    if start is not None and previous is not None:
        yield start, previous
