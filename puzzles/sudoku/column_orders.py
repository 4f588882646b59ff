"""The orders of a grid's columns that put a row's clues as far to the right as they go.

The canonical form begins with such a row (``canonical``); columns that are empty in every row are
alike and keep their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from math import factorial

import numpy as np

_KEPT = 1296
"""A table of at most this many orders is kept for the next row like it."""


@dataclass(frozen=True, slots=True)
class _Stack:
    """The columns in which a row has a blank, those in which it has a clue, and the blank ones in
    which every row has; ``first`` stands for the stack."""

    first: int
    blank: list[int]
    clues: list[int]
    empty: list[int]

    @property
    def is_empty(self) -> bool:
        return not self.clues and self.blank == self.empty


def orders_of_columns(high: int, clues: bytes, empty: bytes) -> np.ndarray:
    """uint8[K, n]: the orders of columns that put a row's clues as far to the right as they go.

    ``high`` is the number of stacks; ``clues`` and ``empty`` say of each column, as bytes 0 or 1,
    whether the row has a clue in it and whether no row has. Empty columns keep their order.
    """
    few = number_of_orders(high, clues, empty) <= _KEPT
    return (_kept_orders if few else _orders)(high, clues, empty)


def _stacks(high: int, clues: bytes, empty: bytes) -> list[list[_Stack]]:
    """The stacks in groups that have as many clues in the row, fewest first."""
    wide = len(clues) // high
    stacks = []
    for first in range(0, len(clues), wide):
        columns = range(first, first + wide)
        blank = [column for column in columns if not clues[column]]
        given = [column for column in columns if clues[column]]
        void = [column for column in blank if empty[column]]
        stacks.append(_Stack(first, blank, given, void))
    numbers = sorted({len(stack.clues) for stack in stacks})
    return [[stack for stack in stacks if len(stack.clues) == number] for number in numbers]


def number_of_orders(high: int, clues: bytes, empty: bytes) -> int:
    number = 1
    for group in _stacks(high, clues, empty):
        alike = sum(stack.is_empty for stack in group)
        number *= factorial(len(group)) // factorial(alike)
        for stack in group:
            number *= factorial(len(stack.blank)) // factorial(len(stack.empty))
            number *= factorial(len(stack.clues))
    return number


def _orders(high: int, clues: bytes, empty: bytes) -> np.ndarray:
    inside: dict[int, np.ndarray] = {}
    groups = []
    for group in _stacks(high, clues, empty):
        for stack in group:
            blanks = _permutations(stack.blank, stack.empty)
            orders = [[*left, *right] for left in blanks for right in permutations(stack.clues)]
            inside[stack.first] = np.array(orders, np.uint8)
        alike = [stack.first for stack in group if stack.is_empty]
        groups.append(_permutations([stack.first for stack in group], alike))
    tables = []
    for parts in product(*groups):
        blocks = [inside[first] for part in parts for first in part]
        picked = np.indices([len(block) for block in blocks]).reshape(len(blocks), -1)
        tables.append(np.hstack([block[k] for block, k in zip(blocks, picked, strict=True)]))
    return np.concatenate(tables)


_kept_orders = lru_cache(maxsize=1024)(_orders)


def _permutations(items: list[int], alike: list[int]) -> list[tuple[int, ...]]:
    """Every order of ``items`` in which those that are ``alike`` keep their order."""
    others = [item for item in items if item not in alike]
    found = []
    for places in combinations(range(len(items)), len(others)):
        for order in permutations(others):
            stands = dict(zip(places, order, strict=True))
            rest = iter(alike)
            found.append(tuple(stands[k] if k in stands else next(rest) for k in range(len(items))))
    return found
