"""A bounded cache of encodings, keyed by the digest of the structure that they encode.

``reuse=encoding`` keeps what depends on the structure alone; the givens of an instance come as
unit clauses, fixed domains or assumptions at each call, and the solver is fresh each time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from modelling.problem import Structure

Encoding = TypeVar("Encoding")


class EncodingCache(Generic[Encoding]):
    """The ``size`` most recently used encodings; size 0 builds a new one at each call."""

    def __init__(self, size: int = 8) -> None:
        self.size = size
        self._kept: OrderedDict[str, Encoding] = OrderedDict()

    def get(
        self, structure: Structure, build: Callable[[Structure], Encoding]
    ) -> tuple[Encoding, bool]:
        """The encoding of ``structure`` and whether it was reused."""
        key = structure.digest
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key], True
        encoding = build(structure)
        if self.size:
            self._kept[key] = encoding
            while len(self._kept) > self.size:
                self._kept.popitem(last=False)
        return encoding, False
