"""The constraint vocabulary: what each constraint *means*, and nothing about how to solve it.

Words
-----
scope       the variables that a constraint speaks of, as positions in the structure's order,
            each at most once
values      one value per variable of the scope, in the scope's order
holds       the definition of the constraint; the checker and the brute-force oracle use it and
            nothing else, so every backend is measured against these few lines

Names follow XCSP3 (allDifferent, sum, extension) and MiniZinc (all_different, linear, table).
A scope may be written with variable names instead of positions; ``problem.state`` resolves them.
An empty scope is legal and has the obvious meaning (``AllDifferent(())`` is true).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from modelling.errors import ModelError

RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Constraint:
    """A relation over the variables of ``scope``; subclasses define ``holds``."""

    arity: ClassVar[int | None] = None
    """How many variables the scope must have; None when any number is allowed."""

    scope: tuple[Any, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope", tuple(self.scope))
        if len(set(self.scope)) != len(self.scope):
            twice = next(v for v in self.scope if self.scope.count(v) > 1)
            raise ModelError(
                f"{type(self).__name__}: variable {twice!r} stands twice in the scope; "
                "name each variable once (for Linear, add its coefficients)"
            )
        if self.arity is not None and len(self.scope) != self.arity:
            raise ModelError(
                f"{type(self).__name__} takes {self.arity} variables, got {len(self.scope)}"
            )

    def holds(self, values: Sequence[int]) -> bool:
        """Whether ``values`` (one per variable of the scope, in that order) satisfy it."""
        raise NotImplementedError(f"{type(self).__name__} must define holds(values)")

    def over(self, scope: Sequence[Any]) -> Self:
        """The same relation over other variables (as many as before).

        A copy, for what a class of somebody else's means need not be in dataclass fields.
        """
        if len(scope) != len(self.scope):
            raise ModelError(f"{type(self).__name__}: a new scope must have as many variables")
        moved = copy(self)
        object.__setattr__(moved, "scope", tuple(scope))
        moved.__post_init__()
        return moved


@dataclass(frozen=True)
class AllDifferent(Constraint):
    """All values differ pairwise. There may be more values than variables."""

    def holds(self, values: Sequence[int]) -> bool:
        return len(set(values)) == len(values)


@dataclass(frozen=True)
class NotEqual(Constraint):
    """The two values differ."""

    arity: ClassVar[int | None] = 2

    def holds(self, values: Sequence[int]) -> bool:
        return values[0] != values[1]


@dataclass(frozen=True)
class Linear(Constraint):
    """``sum(coefficient * value) RELATION constant``, all integers (XCSP3 sum, MiniZinc linear).

    ``relation`` is one of ``== != < <= > >=``. An empty sum is 0.
    """

    coefficients: tuple[int, ...]
    relation: str
    constant: int

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "coefficients", tuple(self.coefficients))
        if len(self.coefficients) != len(self.scope):
            raise ModelError(
                f"Linear: {len(self.scope)} variables but {len(self.coefficients)} coefficients"
            )
        if self.relation not in RELATIONS:
            raise ModelError(
                f"Linear: unknown relation {self.relation!r}; use one of {' '.join(RELATIONS)}"
            )
        for number in (*self.coefficients, self.constant):
            if not isinstance(number, int):
                raise ModelError(f"Linear takes integers, got {number!r}")

    def holds(self, values: Sequence[int]) -> bool:
        total = sum(map(operator.mul, self.coefficients, values))
        return RELATIONS[self.relation](total, self.constant)


@dataclass(frozen=True)
class Table(Constraint):
    """The tuple of values is listed (``allowed=True``) or is not listed (``allowed=False``).

    XCSP3 calls the two forms supports and conflicts. Repeated tuples count once.
    """

    tuples: tuple[tuple[int, ...], ...]
    allowed: bool = True
    _set: frozenset[tuple[int, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = tuple(tuple(row) for row in self.tuples)
        object.__setattr__(self, "tuples", rows)
        object.__setattr__(self, "_set", frozenset(rows))
        for number, row in enumerate(rows):
            if len(row) != len(self.scope):
                raise ModelError(
                    f"Table: tuple {number} has {len(row)} values for {len(self.scope)} variables"
                )

    def holds(self, values: Sequence[int]) -> bool:
        return (tuple(values) in self._set) is self.allowed
