"""Rectangular blocks of items in any number of dimensions, indexed as numpy's arrays are.

An index is an integer (numpy's too), a slice, or a tuple of these; negative ones count from the
end. A slice is a block of its own, not a view: blocks do not change.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Self

from modelling.errors import ModelError


class Block:
    """Items in rows; ``shape`` has the length of each dimension, ``flat`` the items in order."""

    __slots__ = ("flat", "shape")
    flat: tuple[Any, ...]
    shape: tuple[int, ...]

    def __init__(self, items: Iterable[Any], shape: Sequence[int] | None = None) -> None:
        self.flat = tuple(items)
        self.shape = (len(self.flat),) if shape is None else tuple(shape)
        if prod(self.shape) != len(self.flat):
            raise ModelError(f"{len(self.flat)} items do not make an array of shape {self.shape}")

    @property
    def T(self) -> Self:  # noqa: N802 (numpy's name)
        """With the dimensions in reverse order: the columns of a matrix as rows."""
        places = product(*map(range, self.shape[::-1]))
        return type(self)([self._at(place[::-1]) for place in places], self.shape[::-1])

    def reshape(self, *shape: int) -> Self:
        """The same items in the same order, in other dimensions; -1 stands for what is left."""
        known = prod(length for length in shape if length != -1)
        left = len(self.flat) // known if known else 0
        return type(self)(self.flat, [left if length == -1 else length for length in shape])

    def tolist(self) -> Any:
        """Nested lists."""
        return [row.tolist() if isinstance(row, Block) else row for row in self]

    def _at(self, place: Sequence[int]) -> Any:
        number = 0
        for index, length in zip(place, self.shape, strict=True):
            number = number * length + index
        return self.flat[number]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if len(self.shape) == 1:
            return iter(self.flat)
        return (self[k] for k in range(self.shape[0]))

    def __getitem__(self, index: Any) -> Any:
        axes, shape = [], []
        chosen = index if isinstance(index, tuple) else (index,)
        if len(chosen) > len(self.shape):
            raise ModelError(f"{len(chosen)} indices for an array of {len(self.shape)} dimensions")
        for axis, length in enumerate(self.shape):
            one = chosen[axis] if axis < len(chosen) else slice(None)
            if isinstance(one, slice):
                axes.append(range(length)[one])
                shape.append(len(axes[-1]))
            else:
                axes.append(self._one(one, axis, length))
        items = [self._at(place) for place in product(*axes)]
        return type(self)(items, shape) if shape else items[0]

    def _one(self, index: Any, axis: int, length: int) -> range:
        try:
            number = operator.index(index)
        except TypeError:
            raise ModelError(
                f"{index!r} is no index of an array; use an integer, a slice or a tuple of these"
            ) from None
        if not -length <= number < length:
            # Python ends old-style loops by it, and people look for it
            raise IndexError(f"index {number} is beyond dimension {axis}, which has {length} items")
        return range(length)[number : number + 1 or None]


def read_nested(values: Any) -> tuple[list[Any], tuple[int, ...]] | None:
    """Items and shape of nested sequences of equal lengths; None for what is not a sequence.

    Generators are read; numpy's arrays are iterated over. Raises ModelError for rows of different
    lengths.
    """
    if isinstance(values, Block):
        return list(values.flat), values.shape
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        return None
    if getattr(values, "shape", None) == ():  # numpy's arrays without dimensions
        return None
    rows = list(values)
    inner = [read_nested(row) for row in rows]
    if all(part is None for part in inner):
        return rows, (len(rows),)
    shapes = {None if part is None else part[1] for part in inner}
    if len(shapes) != 1:
        raise ModelError("the rows of an array must have one length and shape; some differ")
    (shape,) = shapes
    assert shape is not None
    return [item for part in inner if part for item in part[0]], (len(rows), *shape)
