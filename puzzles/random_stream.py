"""Draws that depend on a seed and an item alone: the same on every machine, for any order of work.

Value k of a stream is a mixing function of its key and k (SplitMix64: Steele, Lea, Flood, "Fast
splittable pseudorandom number generators", OOPSLA 2014); the key is the same mix folded over the
seed and the item's path of numbers. So items need not be drawn in order, nor in one process, and a
library's change of its generators changes nothing here. Integers below n are drawn without bias
(Lemire, "Fast random integer generation in an interval", 2019), shuffles are Fisher and Yates's.

``Stream`` draws for one item, ``Streams`` for many side by side, row by row the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from modelling.errors import InputError

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

_WORD = (1 << 64) - 1
_HALF = 1 << 32
_STEP = 0x9E3779B97F4A7C15
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""SplitMix64's increment and multipliers."""


def _mix(word: int) -> int:
    word = (word ^ word >> 30) * _FIRST & _WORD
    word = (word ^ word >> 27) * _SECOND & _WORD
    return word ^ word >> 31


def _fold(key: int, number: int) -> int:
    return _mix((key ^ number) + _STEP & _WORD)


def _key(seed: int, path: Sequence[int]) -> int:
    key = 0
    for number in (seed, *path):
        if not 0 <= number <= _WORD:
            raise InputError(f"a seed of {number}; seeds go from 0 to 2**64 - 1")
        key = _fold(key, number)
    return key


class Stream:
    """The draws of one item: ``Stream(seed, item)``, or further numbers for parts of its work."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, *path: int) -> None:
        self._state = _key(seed, path)

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = self._state + _STEP & _WORD
        return _mix(self._state)

    def below(self, n: int) -> int:
        """One of 0..n-1, each as likely; 1 <= n < 2**32."""
        if not 0 < n < _HALF:
            raise ValueError(f"a draw below {n}")
        refused = _HALF % n
        while True:
            product = (self.bits() >> 32) * n
            if product % _HALF >= refused:
                return product >> 32

    def choice(self, items: Sequence[T]) -> T:
        """One of them, each as likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of them, every order as likely."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class Streams:
    """The draws of many items side by side: row i is ``Stream(seed, items[i], *path)``.

    ``rows`` arguments are indices of rows, int64[K] without repeats; only those rows draw.
    """

    def __init__(self, seed: int, items: Sequence[int] | np.ndarray, *path: int) -> None:
        import numpy as np

        self._state: Any = np.array(
            [_key(seed, (int(item), *path)) for item in items], dtype=np.uint64
        )

    def __len__(self) -> int:
        return len(self._state)

    def bits(self, rows: Any) -> Any:
        """uint64[K]: the next 64 bits of each of these rows."""
        import numpy as np

        word = self._state[rows] + np.uint64(_STEP)
        self._state[rows] = word
        word = (word ^ word >> np.uint64(30)) * np.uint64(_FIRST)
        word = (word ^ word >> np.uint64(27)) * np.uint64(_SECOND)
        return word ^ word >> np.uint64(31)

    def below(self, n: Any, rows: Any = None) -> Any:
        """int64[K]: for each row one of 0..n-1; ``n`` is a number or int64[K], all at least 1."""
        import numpy as np

        rows = np.arange(len(self)) if rows is None else np.asarray(rows)
        bound = np.broadcast_to(np.asarray(n, np.uint64), rows.shape)
        if len(rows) and not (int(bound.min()) > 0 and int(bound.max()) < _HALF):
            raise ValueError("a draw below a number that is not in 1..2**32-1")
        drawn = np.empty(len(rows), np.int64)
        waiting = np.arange(len(rows))
        while len(waiting):
            limit = bound[waiting]
            product = (self.bits(rows[waiting]) >> np.uint64(32)) * limit
            drawn[waiting] = product >> np.uint64(32)
            refused = (product & np.uint64(_HALF - 1)) < np.uint64(_HALF) % limit
            waiting = waiting[refused]
        return drawn

    def shuffled(self, size: int, rows: Any = None) -> Any:
        """int64[K, size]: for each row a permutation of 0..size-1."""
        import numpy as np

        rows = np.arange(len(self)) if rows is None else np.asarray(rows)
        order = np.tile(np.arange(size, dtype=np.int64), (len(rows), 1))
        line = np.arange(len(rows))
        for last in range(size - 1, 0, -1):
            other = self.below(last + 1, rows)
            order[line, last], order[line, other] = (
                order[line, other],
                order[line, last].copy(),
            )
        return order
