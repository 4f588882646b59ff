"""How far a run is: jobs done by outcome, and what is left of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

from harness.record import OUTCOMES

PROGRESS_SECONDS = 0.1
"""``on_progress`` is called at most so often."""


@dataclass(frozen=True)
class Progress:
    """How far a run is; ``left`` is an estimate in seconds, None as long as there is no ground.

    ``counts`` has every outcome; ``done`` and ``total`` include what an earlier session did, which
    is ``before``. ``elapsed`` counts from the start of this one, in seconds.
    """

    total: int
    done: int
    counts: dict[str, int]
    elapsed: float
    left: float | None
    before: int = 0

    @property
    def rate(self) -> float:
        """Jobs a second, in this session."""
        return (self.done - self.before) / self.elapsed if self.elapsed > 0 else 0.0


class Counter:
    """Counts outcomes and reports progress.

    ``before`` has the number of jobs by outcome that earlier sessions did, of ``total`` in all.
    """

    def __init__(
        self, total: int, before: Mapping[str, int], report: Callable[[Progress], None] | None
    ) -> None:
        self.total = total
        self.counts = dict.fromkeys(OUTCOMES, 0) | dict(before)
        self.before = self.done = sum(self.counts.values())
        self._report = report
        self._started = perf_counter()
        self._next = 0.0

    def add(self, outcome: str) -> None:
        """A job has ended so."""
        self.counts[outcome] += 1
        self.done += 1

    def tell(self, *, now: bool = False) -> None:
        """Report, if that is due or to be done ``now``."""
        elapsed = perf_counter() - self._started
        if self._report is None or (elapsed < self._next and not now):
            return
        self._next = elapsed + PROGRESS_SECONDS
        here = self.done - self.before
        left = elapsed / here * (self.total - self.done) if here else None
        counts = dict(self.counts)
        self._report(Progress(self.total, self.done, counts, elapsed, left, self.before))
