"""Arrays of expressions: operators item by item, and expressions as indices (element).

``array(values)[x]`` is the item at the value of x, from 0; where x is outside, the nearest
constraint is false. With two expressions, ``matrix[x, y]``; dimensions that have no index, or a
slice, remain, so that ``matrix[x]`` is a row.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NoReturn

from modelling.errors import ModelError
from modelling.expressions import traps
from modelling.expressions.blocks import Block, read_nested
from modelling.expressions.expression import Call, Expression, common_space, join, operand, to_term
from modelling.vocabulary.formulas.connectives import And
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D


def _item_by_item(made: Callable[[Any, Any], Any]) -> Any:
    """An operator of arrays that applies one of items to each."""

    def operate(array: Array, other: Any) -> Array:
        return array._with(other, made)

    return operate


class Array(Block):
    """Expressions and integers in any number of dimensions; an operator is applied to each."""

    __slots__ = ()
    __array_ufunc__ = None
    is_array = True

    def __getitem__(self, index: Any) -> Any:
        chosen = index if isinstance(index, tuple) else (index,)
        places = [k for k, one in enumerate(chosen) if isinstance(one, Expression)]
        if not places:
            return super().__getitem__(index)
        rest = tuple(slice(None) if k in places else one for k, one in enumerate(chosen))
        block = super().__getitem__(rest)
        lost = [sum(not isinstance(one, slice) for one in rest[:k]) for k in places]
        axes = [k - before for k, before in zip(places, lost, strict=True)]
        return _choose(block, axes, [chosen[k] for k in places])

    def isin(self, values: Iterable[Any]) -> Array:
        """For each item, whether it is one of ``values``."""
        kept = list(values)
        return self._each(
            lambda one: one.isin(kept) if isinstance(one, Expression) else one in kept
        )

    def between(self, low: Any, high: Any) -> Array:
        """For each item, ``low <= item <= high``."""
        return self._each(lambda one: join(And, (low <= one, one <= high)))

    def _each(self, made: Callable[[Any], Any]) -> Array:
        return Array(map(made, self.flat), self.shape)

    def _with(self, other: Any, made: Callable[[Any, Any], Any]) -> Array:
        """Each item with ``other``, or with the item at the same place of it."""
        nested = None if isinstance(other, Expression) else read_nested(other)
        if nested is None:
            return self._each(lambda one: made(one, other))
        items, shape = nested
        if shape != self.shape:
            raise ModelError(
                f"an array of shape {self.shape} and one of shape {shape} cannot be combined item "
                "by item; shapes must be equal, or one an integer"
            )
        # convert numpy's integers: as left operands, their own operators would come first
        pairs = zip(self.flat, (operand(item, "an array") for item in items), strict=True)
        return Array([made(one, item) for one, item in pairs], self.shape)

    def __radd__(self, other: Any) -> Array:
        if type(other) is int and not other:  # sum() begins with it
            return self
        return self._with(other, lambda one, item: item + one)

    __add__ = _item_by_item(operator.add)
    __sub__ = _item_by_item(operator.sub)
    __rsub__ = _item_by_item(lambda one, item: item - one)
    __mul__ = _item_by_item(operator.mul)
    __rmul__ = _item_by_item(lambda one, item: item * one)
    __floordiv__ = _item_by_item(operator.floordiv)
    __rfloordiv__ = _item_by_item(lambda one, item: item // one)
    __mod__ = _item_by_item(operator.mod)
    __rmod__ = _item_by_item(lambda one, item: item % one)
    __pow__ = _item_by_item(operator.pow)

    __eq__ = _item_by_item(operator.eq)
    __ne__ = _item_by_item(operator.ne)
    __lt__ = _item_by_item(operator.lt)
    __le__ = _item_by_item(operator.le)
    __gt__ = _item_by_item(operator.gt)
    __ge__ = _item_by_item(operator.ge)

    __and__ = __rand__ = _item_by_item(operator.and_)
    __or__ = __ror__ = _item_by_item(operator.or_)
    __xor__ = __rxor__ = _item_by_item(operator.xor)

    def __neg__(self) -> Array:
        return self._each(operator.neg)

    def __abs__(self) -> Array:
        return self._each(operator.abs)

    def __invert__(self) -> Array:
        return self._each(operator.invert)

    def __bool__(self) -> bool:
        traps.refuse_truth(repr(self))

    def __hash__(self) -> int:
        traps.refuse_hash(repr(self))

    def __contains__(self, item: Any) -> bool:
        traps.refuse_truth("`x in array`")

    def __index__(self) -> NoReturn:
        traps.refuse_index(repr(self))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self.flat[:4])) + (", ..." if len(self.flat) > 4 else "")
        return f"Array({shown}; shape {self.shape})"


def array(values: Any) -> Array:
    """An array of nested sequences of integers and expressions, or of numpy's."""
    nested = read_nested(values)
    if nested is None:
        raise ModelError(f"{values!r} is no sequence of integers and expressions")
    items, shape = nested
    return Array([operand(item, "an array") for item in items], shape)


def flat_items(values: Any) -> Iterator[Any]:
    """The expressions and integers of one, or of nested sequences and generators of them."""
    if isinstance(values, Block):
        yield from values.flat
    elif not isinstance(values, Iterable) or _is_one(values):
        yield operand(values, "a list of expressions")
    else:
        for value in values:
            yield from flat_items(value)


def _is_one(values: Any) -> bool:
    """Texts, and numpy's arrays without dimensions, are one item, and no integer for that."""
    return isinstance(values, (str, bytes)) or getattr(values, "shape", None) == ()


def _choose(block: Array, axes: list[int], indices: list[Expression]) -> Any:
    """What expressions choose along some dimensions; the other dimensions remain."""
    if len(axes) > 2:
        raise ModelError(
            "at most two indices of an array can be expressions; compute one index of several, "
            "as in array(values).reshape(-1)[x * 9 + y * 3 + z]"
        )
    if len(axes) == 2 and axes[0] > axes[1]:
        axes, indices = axes[::-1], indices[::-1]
    shape = [n for axis, n in enumerate(block.shape) if axis not in axes]
    space = common_space(*block.flat, *indices)
    terms = [to_term(index) for index in indices]
    made = []
    for place in product(*map(range, shape)):
        full: list[Any] = list(place)
        for axis in axes:
            full.insert(axis, slice(None))
        part = Block.__getitem__(block, tuple(full))
        if len(axes) == 1:
            made.append(Call(space, Element(tuple(map(to_term, part.flat)), *terms)))
        else:
            rows = tuple(tuple(map(to_term, row)) for row in Block.__iter__(part))
            made.append(Call(space, Element2D(rows, *terms)))
    return Array(made, shape) if shape else made[0]
