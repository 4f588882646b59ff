"""How far runs are: as the process tells that carries one out, or as their stores tell others.

Nothing is validated here. A run whose store cannot be read by this version is ``unreadable``; the
other states are those of docs/glossary.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from harness.record import OUTCOMES
from harness.runs.loading import RUNS, open_runs
from harness.runs.racing import Budget
from harness.store.files import NAME, is_locked
from harness.store.store import Store
from modelling.errors import StoreError

PROGRESS_SECONDS = 0.1
"""``on_progress`` is called at most so often."""


@dataclass(frozen=True)
class RunProgress:
    """How far a run is; ``left`` is an estimate in seconds, None as long as it has no basis.

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
    """Counts outcomes and reports progress; ``before`` has those of earlier sessions."""

    def __init__(
        self,
        total: int,
        before: Mapping[str, int],
        report: Callable[[RunProgress], None] | None,
        budget: Budget | None = None,
    ) -> None:
        self.total = total
        self.counts = dict.fromkeys(OUTCOMES, 0) | dict(before)
        self.before = self.done = sum(self.counts.values())
        self._report = report
        self._budget = budget
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
        if left is not None and self._budget is not None:
            left = max(0.0, min(left, self._budget.left))
        counts = dict(self.counts)
        self._report(RunProgress(self.total, self.done, counts, elapsed, left, self.before))


@dataclass(frozen=True)
class BackendProgress:
    """How far one backend is: ``ended`` of ``jobs``, by outcome, with seconds of wall clock."""

    backend: str
    jobs: int
    ended: int
    outcomes: dict[str, int]
    mean_s: float
    max_s: float


@dataclass(frozen=True)
class RunStatus:
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
    standings: tuple[BackendProgress, ...]
    looked_s: float

    @property
    def complete(self) -> bool:
        """Whether every job of the run has ended."""
        return self.ended == self.jobs


def look(folder: Path) -> RunStatus:
    """The state of the run in ``folder``; raises StoreError when it cannot be read."""
    started = perf_counter()
    with closing(Store.open(folder)) as store:
        planned, ended, total = store.count_planned(), store.sum_up_ended(), store.count_total()
    standings = []
    for backend, jobs in planned.items():
        own = [part for part in ended if part.backend == backend]
        many = sum(part.number for part in own)
        known: tuple[str, ...] = OUTCOMES
        outcomes = {o: part.number for o in known for part in own if part.outcome == o}
        mean_s = sum(part.total_s for part in own) / many if many else 0.0
        max_s = max((part.max_s for part in own), default=0.0)
        standings.append(BackendProgress(backend, jobs, many, outcomes, mean_s, max_s))
    ago = None
    if ended:
        last = datetime.fromisoformat(max(part.last for part in ended))
        ago = max(0.0, (datetime.now(UTC) - last).total_seconds())
    jobs, done = sum(planned.values()), sum(standing.ended for standing in standings)
    return RunStatus(folder, jobs, done, total, ago, tuple(standings), perf_counter() - started)


# --- all runs ------------------------------------------------------------------------------


@dataclass(frozen=True)
class ListedRun:
    """One run; ``counts`` are of its outcomes and of its verdicts."""

    name: str
    begun: datetime
    state: str
    jobs: int = 0
    ended: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def list_runs(folder: Path = RUNS) -> list[ListedRun]:
    """The runs in ``folder`` that may be read, in the order in which they were begun."""
    return [_look_at(path, datetime.fromtimestamp(begun, UTC)) for begun, path in open_runs(folder)]


def _look_at(path: Path, begun: datetime) -> ListedRun:
    if not (path / NAME).is_file():  # a reference is whole
        return ListedRun(path.name, begun, "complete")
    try:
        with closing(Store.open(path)) as store:
            jobs, outcomes = sum(store.count_planned().values()), store.count_outcomes()
            verdicts, every = store.count_verdicts(), store.count("jobs")
    except StoreError:
        return ListedRun(path.name, begun, "unreadable")
    state = "complete" if sum(verdicts.values()) == every else "unfinished"
    if is_locked(path):
        state = "running"
    return ListedRun(path.name, begun, state, jobs, sum(outcomes.values()), outcomes | verdicts)
