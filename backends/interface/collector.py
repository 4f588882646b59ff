"""The shared collector: what every backend does with a solution that it has found.

It counts, stamps the first solution's time, keeps as many as asked, adds up the order-independent
digest, passes the solution to the sink, and says whether to continue. It never hides a duplicate: a
repeated solution is counted again, as the solver reported it, and ``repeats`` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from time import perf_counter

from backends.interface.api import AllOptima, Optimum, Result, Sink, Solutions, StoppedBy
from modelling.problem import Assignment

REMEMBERED = 200_000
"""Most solutions that are remembered to notice a repeat; memory stays bounded beyond it."""

_MODULUS = 1 << 128


_SMALL = {value: b"%d" % value for value in range(-1024, 4096)}
"""Integers as text: most values are among these, and joining them takes a third of ``repr``."""


def solution_hash(values: Assignment) -> int:
    """128 bits that depend on the values and their order alone."""
    if len(values) < 2:
        return text_hash(repr(values).encode())
    try:
        return text_hash(b"(%b)" % b", ".join(map(_SMALL.__getitem__, values)))
    except KeyError:
        return text_hash(repr(values).encode())


def text_hash(text: bytes) -> int:
    """The ``solution_hash`` of the values that ``repr`` writes as ``text``."""
    return int.from_bytes(blake2b(text, digest_size=16).digest(), "little")


class Collector:
    """Collects the solutions of one call. ``add`` returns whether the search should continue.

    What is found on the way to an ``Optimum`` is not collected: see ``driver``.
    """

    __slots__ = (
        "_hashes",
        "_seen",
        "count",
        "first_at",
        "keep",
        "kept",
        "limit",
        "repeats",
        "sink",
        "started",
        "stopped_by",
    )

    def __init__(self, ask: Solutions | Optimum | AllOptima, sink: Sink | None = None) -> None:
        self.limit = None if isinstance(ask, Optimum) else ask.limit
        self.keep = 1 if isinstance(ask, Optimum) else ask.keep
        self.sink = sink
        self.count = 0
        self.repeats = 0
        self.kept: list[Assignment] = []
        self.stopped_by: StoppedBy | None = None
        self.started = perf_counter()
        self.first_at: float | None = None
        self._hashes = 0
        self._seen: set[int] = set()

    def add(self, values: Assignment, fingerprint: int | None = None) -> bool:
        """Take one solution, a tuple of values in the structure's order; whether to continue.

        ``fingerprint`` is the ``solution_hash`` of the values that tell it from others, where those
        are not all.
        """
        if self.first_at is None:
            self.first_at = perf_counter()
        self._note(solution_hash(values) if fingerprint is None else fingerprint)
        if self.keep is None or len(self.kept) < self.keep:
            self.kept.append(values)
        if self.sink is not None and not self.sink(values):
            self.stopped_by = "sink"
        if self.limit is not None and self.count >= self.limit:
            self.stopped_by = "enough"
        return self.stopped_by is None

    def wanted(self, number: int) -> int:
        """How many of the next ``number`` solutions are kept or shown; the rest is counted only."""
        if self.sink is not None or self.keep is None:
            return number
        return min(number, self.keep - len(self.kept))

    def add_texts(self, texts: Iterable[bytes]) -> bool:
        """Take solutions that are counted only, as ``repr`` writes their tuples; as ``add`` does.

        For backends that can write thousands of solutions faster than make tuples of them. No more
        may come than the limit leaves.
        """
        if self.first_at is None:
            self.first_at = perf_counter()
        for text in texts:
            self._note(text_hash(text))
        if self.limit is not None and self.count >= self.limit:
            self.stopped_by = "enough"
        return self.stopped_by is None

    def _note(self, fingerprint: int) -> None:
        self.count += 1
        self._hashes += fingerprint
        if self.limit != 1:
            if fingerprint in self._seen:
                self.repeats += 1
            elif len(self._seen) < REMEMBERED:
                self._seen.add(fingerprint)

    @property
    def digest(self) -> str:
        """32 hexadecimal digits; the same for the same set of solutions in any order."""
        return f"{self._hashes % _MODULUS:032x}"

    def result(
        self,
        stopped_by: StoppedBy,
        *,
        native_status: str = "",
        statistics: Mapping[str, int | float] | None = None,
        phases: dict[str, float] | None = None,
        encoding_reused: bool = False,
        configuration: str = "",
    ) -> Result:
        """The result; ``stopped_by`` holds unless the collector itself ended the search."""
        phases = dict(phases or {})
        if self.first_at is not None:
            phases.setdefault("first_solution", self.first_at - self.started)
        return Result(
            count=self.count,
            stopped_by=self.stopped_by or stopped_by,
            solutions=tuple(self.kept),
            digest=self.digest,
            repeats=self.repeats,
            native_status=native_status,
            statistics=statistics or {},
            phases=phases,
            encoding_reused=encoding_reused,
            configuration=configuration,
        )
