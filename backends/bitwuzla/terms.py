"""Terms of Bitwuzla: formulas, and bit-vectors that wrap.

A formula is a term that holds or does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from backends.interface.libraries.formulas import Builders, TermBuilder

Formula = Any


class Terms(TermBuilder[Formula]):
    """What makes terms of one term manager."""

    def __init__(self, bitwuzla: Any, builders: Builders) -> None:
        super().__init__(builders)
        self.manager = bitwuzla.TermManager()
        self.kind = bitwuzla.Kind
        self.true, self.false = self.manager.mk_true(), self.manager.mk_false()
        self._sorts: dict[int, Any] = {}

    # --- formulas ---

    def known(self, value: bool) -> Formula:
        return self.true if value else self.false

    def any_of(self, literals: Iterable[Formula]) -> Formula:
        parts = list(literals)
        if len(parts) > 1:
            return self.manager.mk_term(self.kind.OR, parts)
        return parts[0] if parts else self.false

    def all_of(self, parts: Iterable[Formula]) -> Formula:
        made = list(parts)
        if len(made) > 1:
            return self.manager.mk_term(self.kind.AND, made)
        return made[0] if made else self.true

    def denied(self, literal: Formula) -> Formula:
        return self.manager.mk_term(self.kind.NOT, [literal])

    def implied(self, condition: Formula, literal: Formula) -> Formula:
        return self.manager.mk_term(self.kind.IMPLIES, [condition, literal])

    def same(self, one: Any, other: Any) -> Formula:
        """Two formulas hold or neither; two bit-vectors of one width are equal."""
        return self.manager.mk_term(self.kind.EQUAL, [one, other])

    def odd(self, literals: Iterable[Formula]) -> Formula:
        return reduce(
            lambda one, other: self.manager.mk_term(self.kind.XOR, [one, other]),
            literals,
            self.false,
        )

    def chosen(self, condition: Formula, one: Any, other: Any) -> Any:
        """One bit-vector, or another one."""
        return self.manager.mk_term(self.kind.ITE, [condition, one, other])

    # --- bit-vectors ---

    def sort(self, width: int) -> Any:
        """The sort of a width."""
        found = self._sorts.get(width)
        if found is None:
            found = self._sorts[width] = self.manager.mk_bv_sort(width)
        return found

    def bits(self, value: int, width: int) -> Any:
        """An integer in two's complement."""
        return self.manager.mk_bv_value(self.sort(width), f"{value % (1 << width):b}", 2)

    def plus(self, bits: Sequence[Any], added: int, width: int) -> Any:
        """A sum of bit-vectors of one width, and a constant."""
        parts = [*bits, self.bits(added, width)] if added or not bits else list(bits)
        return self.manager.mk_term(self.kind.BV_ADD, parts) if len(parts) > 1 else parts[0]

    def times(self, bits: Any, factor: int, width: int) -> Any:
        """A bit-vector several times."""
        if factor == 1:
            return bits
        return self.manager.mk_term(self.kind.BV_MUL, [bits, self.bits(factor, width)])
