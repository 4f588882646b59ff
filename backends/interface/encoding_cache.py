"""A cache of encodings, keyed by the structure that they encode and bounded by memory.

``reuse=encoding`` keeps what depends on the structure alone; the givens of an instance come as
unit clauses, fixed domains or assumptions at each call, and the solver is fresh each time.

Words
-----
weight      about how many bytes an encoding keeps; an estimate will do, since it only bounds
budget      how much the encodings of one cache may weigh together; the most recently used one is
            kept whatever it weighs, or it would be built anew at each call
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from importlib import import_module
from typing import Generic, TypeVar

from modelling.constraints import Linear, Table
from modelling.problem import Structure
from modelling.stopping import watched

Encoding = TypeVar("Encoding")

MOST_BYTES = 256 << 20
"""The largest budget, however much memory there is."""

SHARE = 8
"""A budget is at most this part (one eighth) of the memory that may be used."""

_allowed: list[int] = []


def allow_memory(megabytes: float) -> None:
    """Let the budgets of this process fit a limit on its memory that it cannot see itself."""
    _allowed[:] = [int(megabytes * (1 << 20))]


def budget() -> int:
    """How many bytes a cache may weigh here: a share of the memory that is left to use."""
    return min(MOST_BYTES, min((*_allowed, *_address_space(), *_available())) // SHARE)


def _address_space() -> list[int]:
    """The limit on the addresses of this process, if it has one; Windows knows none."""
    try:
        resource = import_module("resource")
    except ImportError:
        return []
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return [] if soft == resource.RLIM_INFINITY else [soft]


def _available() -> list[int]:
    """The memory that the machine has left; what the system does not tell bounds nothing."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file)
        return [int(lines["MemAvailable"].split()[0]) << 10]
    except (OSError, KeyError):
        return [SHARE * MOST_BYTES]


def weight(structure: Structure) -> int:
    """About how many bytes an encoding keeps that is linear in the size of the structure."""
    sizes = [1 if isinstance(domain, range) else len(domain) for domain in structure.domains]
    entries = sum(sizes)
    for constraint in watched(structure.constraints):
        entries += sum(map(sizes.__getitem__, constraint.scope))
        if isinstance(constraint, Table):
            entries += len(constraint.tuples) * len(constraint.scope)
        elif isinstance(constraint, Linear):
            entries += 10 * len(constraint.scope)
    return 1000 + 200 * entries


class EncodingCache(Generic[Encoding]):
    """The most recently used encodings, as many as the budget has room for.

    ``size`` bounds their number besides; 0 builds a new one at each call. ``weigh`` says what an
    encoding weighs (default: what its structure makes likely), ``most`` is the budget (default:
    ``budget()``, when the first encoding is kept).
    """

    def __init__(
        self,
        size: int | None = None,
        weigh: Callable[[Encoding], int] | None = None,
        most: int | None = None,
    ) -> None:
        self.size = size
        self.bytes = 0
        self._weigh = weigh
        self._most = most
        self._kept: OrderedDict[str, tuple[Structure, Encoding, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(
        self, structure: Structure, build: Callable[[Structure], Encoding]
    ) -> tuple[Encoding, bool]:
        """The encoding of ``structure`` and whether it was reused.

        Equal digests are not enough: two classes of constraints may have one name.
        """
        key = structure.digest
        kept = self._kept.get(key)
        if kept is not None and (kept[0] is structure or kept[0] == structure):
            self._kept.move_to_end(key)
            return kept[1], True
        encoding = build(structure)
        if self.size != 0:
            self._keep(key, structure, encoding)
        return encoding, False

    def _keep(self, key: str, structure: Structure, encoding: Encoding) -> None:
        if self._most is None:
            self._most = budget()
        bytes_ = weight(structure) if self._weigh is None else self._weigh(encoding)
        self._drop(key)
        self._kept[key] = structure, encoding, bytes_
        self.bytes += bytes_
        while len(self._kept) > 1 and self._is_full(self._most):
            self._drop(next(iter(self._kept)))

    def _is_full(self, most: int) -> bool:
        return self.bytes > most or (self.size is not None and len(self._kept) > self.size)

    def _drop(self, key: str) -> None:
        dropped = self._kept.pop(key, None)
        if dropped is not None:
            self.bytes -= dropped[2]
