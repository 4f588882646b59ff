"""How far a run is: told by the process that carries it out, or read from its store by another.

Nothing is validated here, so there are no verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from harness.record import OUTCOMES
from harness.store.store import Store

PROGRESS_SECONDS = 0.1
"""``on_progress`` is called at most so often."""


@dataclass(frozen=True)
class RunProgress:
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
        self, total: int, before: Mapping[str, int], report: Callable[[RunProgress], None] | None
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

    def report(self, *, now: bool = False) -> None:
        """Report, if that is due or to be done ``now``."""
        elapsed = perf_counter() - self._started
        if self._report is None or (elapsed < self._next and not now):
            return
        self._next = elapsed + PROGRESS_SECONDS
        here = self.done - self.before
        left = elapsed / here * (self.total - self.done) if here else None
        counts = dict(self.counts)
        self._report(RunProgress(self.total, self.done, counts, elapsed, left, self.before))


@dataclass(frozen=True)
class Standing:
    """How one backend stands: ``ended`` of ``jobs``, by outcome, with seconds of wall clock."""

    backend: str
    jobs: int
    ended: int
    outcomes: dict[str, int]
    mean_s: float
    max_s: float


@dataclass(frozen=True)
class Look:
    """A run at one moment.

    ``jobs`` are those of the run, ``total`` those of the experiment, other shares included.
    ``seconds_ago`` is since the last record ended, None when there is none; ``looked_s`` what
    looking took.
    """

    folder: Path
    jobs: int
    ended: int
    total: int
    seconds_ago: float | None
    standings: tuple[Standing, ...]
    looked_s: float

    @property
    def complete(self) -> bool:
        """Whether every job of the run has ended."""
        return self.ended == self.jobs


def look(folder: Path) -> Look:
    """How the run in ``folder`` stands now; raises StoreError when it cannot be read."""
    started = perf_counter()
    with closing(Store.open(folder)) as store:
        planned, ended, last = store.progress()
        total = store.total()
    standings = []
    for backend, number in planned.items():
        cells = [cell for cell in ended if cell.backend == backend]
        many = sum(cell.number for cell in cells)
        standings.append(
            Standing(
                backend,
                number,
                many,
                {o: cell.number for o in OUTCOMES for cell in cells if cell.outcome == o},
                sum(cell.total_s for cell in cells) / many if many else 0.0,
                max((cell.max_s for cell in cells), default=0.0),
            )
        )
    return Look(
        folder,
        sum(planned.values()),
        sum(standing.ended for standing in standings),
        total,
        None if last is None else _seconds_since(last),
        tuple(standings),
        perf_counter() - started,
    )


def _seconds_since(moment: str) -> float:
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds())
