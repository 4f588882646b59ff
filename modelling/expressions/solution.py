"""A solution, as a person asks for it: by name, as an attribute, by the variable itself.

solution["x"], solution.x       an integer, or for an array of variables their values
solution[x], solution[x[0, 0]]  by the handle; any expression, which is then evaluated
dict(solution)                  names with values
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modelling.errors import ModelError
from modelling.expressions.arrays import Array
from modelling.expressions.blocks import Block, read_nested
from modelling.expressions.expression import Condition, Expression, to_formula, to_term
from modelling.expressions.space import Space
from modelling.terms import evaluate, is_true


class Values(Block):
    """The values of an array of variables, in its shape; equal to nested lists of the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        nested = read_nested(other)
        return nested is not None and nested == (list(self.flat), self.shape)

    def __hash__(self) -> int:
        return hash((self.flat, self.shape))

    def __repr__(self) -> str:
        return repr(self.tolist())

    def __str__(self) -> str:
        return "\n".join(_rows(self))


def _rows(values: Values) -> list[str]:
    """A matrix line by line, in columns; what has more dimensions with blank lines between."""
    if len(values.shape) == 1:
        return [" ".join(map(str, values.flat))]
    if len(values.shape) == 2:
        width = max((len(str(value)) for value in values.flat), default=0)
        return [" ".join(f"{value:>{width}}" for value in row) for row in values]
    blocks = ["\n".join(_rows(block)) for block in values]
    return "\n\n".join(blocks).split("\n")


class Solution(Mapping[str, Any]):
    """Values of a model's variables; a value itself: it can be compared, and is a key.

    ``values`` has them in the order in which the variables were made; ``objective`` is what the
    objective comes to, None if the model has none.
    """

    __slots__ = ("_called", "_space", "objective", "values_in_order")

    def __init__(
        self,
        space: Space,
        called: Mapping[str, Any],
        values: Sequence[int],
        objective: int | None = None,
    ) -> None:
        self._space = space
        self._called = called
        self.values_in_order = tuple(values)
        self.objective = objective

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key in self._called:
                return self[self._called[key]]
            if key in self._space.taken:
                return self.values_in_order[self._space.names.index(key)]
            raise KeyError(f"no variable is called {key!r}; there are: {', '.join(self._called)}")
        if isinstance(key, Array):
            return Values([self[one] for one in key.flat], key.shape)
        if isinstance(key, Expression):
            return self._value(key)
        if isinstance(key, int):  # in an array of variables and constants
            return key
        raise KeyError(f"{key!r} is no name and no expression of the model")

    def _value(self, item: Expression) -> int | bool:
        if item._space is not None and item._space is not self._space:
            raise ModelError(f"{item!r} is of another model than this solution")
        if isinstance(item, Condition):
            return is_true(to_formula(item), self.values_in_order)
        found = evaluate(to_term(item), self.values_in_order)
        if found is None:
            raise ModelError(f"{item!r} has no value in this solution")
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # Python looks for some of its own
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._called)

    def __len__(self) -> int:
        return len(self._called)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and (key in self._called or key in self._space.taken)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Solution):
            same = self.values_in_order == other.values_in_order
            return same and self._space.names == other._space.names
        return dict(self) == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.values_in_order)

    def __repr__(self) -> str:
        return f"Solution({', '.join(f'{name}={value!r}' for name, value in self.items())})"

    def __str__(self) -> str:
        lines = []
        for name, value in self.items():
            if isinstance(value, Values) and len(value.shape) > 1:
                lines += [f"{name} =", *(f"  {row}".rstrip() for row in str(value).split("\n"))]
            else:
                lines.append(f"{name} = {value}")
        if self.objective is not None:
            lines.append(f"objective = {self.objective}")
        return "\n".join(lines)
