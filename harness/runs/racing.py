"""A run with a budget: when it is over, and which backends are stopped before that.

Words
-----
budget      the seconds that all jobs of a run may take together, by the clock on the wall
reference   an answer that another backend of a known family gave to the same job. Answers are
            judged later, and whoever answers anything at once must not have others stopped
behind      how many times as long as the fastest reference a backend takes: the geometric mean
            over its jobs that have ended and have a reference
hopeless    ``FAR`` times behind after ``SHARE`` of the jobs, or ``MOST_LATE`` time-outs where there
            is a reference. What is hopeless is stopped, if its other jobs would take more than
            ``WORTH`` of the budget

Whether a backend is stopped depends on the records alone, so that a resumed run stops it again.
What is not run gets a record that says why: ``stopped``, or ``skipped`` when the budget is used up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from math import ceil
from statistics import fmean, geometric_mean
from time import perf_counter
from typing import NamedTuple

from backends.interface.registry import known_family
from harness.job import Job
from harness.record import UNRUN, Outcome, Record
from harness.store.store import Store

FAR = 20.0
SHARE = 0.2
MOST_LATE = 2
WORTH = 0.05

LEAST_JOBS = 3
"""Fewer jobs say nothing of how far a backend is behind."""

SHORTEST = 1e-6
"""Shorter times are taken as a microsecond, the resolution of the clock."""

LATE = ("timeout", "memout")

Task = tuple[str, str, str, int]
"""What several backends are asked: set, instance, question, repeat."""


class Ended(NamedTuple):
    """How a job ended: whether it was answered, and its seconds."""

    answered: bool
    late: bool
    seconds: float


class Race:
    """The backends of a run, by what is known so far; ``stopped`` says why each was stopped."""

    def __init__(self, planned: Mapping[str, int], budget: float) -> None:
        self._planned = planned
        self._worth = WORTH * budget
        self._ended: dict[str, dict[Task, Ended]] = {name: {} for name in planned}
        self._counts_as_reference = {name: known_family(name) is not None for name in planned}
        self._late: dict[str, set[Task]] = {name: set() for name in planned}
        self.stopped: dict[str, str] = {}

    def add(self, backend: str, task: Task, ended: Ended) -> None:
        """Take in how a job ended, and stop who is hopeless by that."""
        if backend not in self._ended:
            return
        self._ended[backend][task] = ended
        for name in self._planned:
            own = self._ended[name].get(task)
            if own is not None and own.late and self._find_reference(name, task) is not None:
                self._late[name].add(task)
                self._look_at(name)
        if len(self._ended[backend]) % ceil(self._planned[backend] / 20) == 0:
            self._look_at(backend)

    def _find_reference(self, backend: str, task: Task) -> float | None:
        """The seconds of the fastest answer of another one; None where there is none."""
        found = [
            ended[task].seconds
            for name, ended in self._ended.items()
            if name != backend and self._counts_as_reference[name]
            if task in ended and ended[task].answered
        ]
        return min(found, default=None)

    def _look_at(self, backend: str) -> None:
        """Stop a backend that is hopeless, unless little is left to be won by that."""
        own, planned = self._ended[backend], self._planned[backend]
        if backend in self.stopped or not own:
            return
        left = (planned - len(own)) * fmean(one.seconds for one in own.values())
        if left < self._worth:
            return
        late = len(self._late[backend])
        if late >= MOST_LATE:
            cause = f"{late} time-outs where another solved"
        elif len(own) >= max(LEAST_JOBS, SHARE * planned) and (times := self._behind(own, backend)):
            cause = f"{times:.0f} times behind the fastest of the others"
        else:
            return
        self.stopped[backend] = f"stopped after {len(own)} of {planned} jobs: {cause}"

    def _behind(self, own: Mapping[Task, Ended], backend: str) -> float:
        """How far it is behind; 0 where that is not hopeless."""
        ratios = [
            max(one.seconds, SHORTEST) / max(best, SHORTEST)
            for task, one in own.items()
            if (best := self._find_reference(backend, task)) is not None
        ]
        times = geometric_mean(ratios) if len(ratios) >= LEAST_JOBS else 0.0
        return times if times >= FAR else 0.0


class Budget:
    """The budget of a run that is being carried out, and its race."""

    def __init__(self, store: Store, seconds: float) -> None:
        self._store = store
        self._seconds = seconds
        self._before = store.read_spent()
        self._started = perf_counter()
        self._noted = self._started
        self._under_way: dict[int, tuple[str, Task]] = {}
        self._race = Race(store.count_planned(), seconds)
        for row in store.read_rows(verdicts=False):
            if row.job.role == "timed" and row.record.outcome not in UNRUN:
                self._race.add(row.job.backend, _find_task(row.job), _find_end(row.record))

    @property
    def left(self) -> float:
        """Seconds until it is used up, earlier sessions included."""
        return self._seconds - self._before - (perf_counter() - self._started)

    def admit(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """The jobs whose backend is not stopped when their turn comes."""
        for job in jobs:
            if job.backend not in self._race.stopped:
                if job.role == "timed":
                    self._under_way[job.number] = job.backend, _find_task(job)
                yield job

    def add(self, record: Record) -> None:
        """Take in a record, and note once a second how much is used up."""
        known = self._under_way.pop(record.job, None)
        if known is not None:
            self._race.add(*known, _find_end(record))
        if perf_counter() - self._noted >= 1:
            self.note()

    def note(self) -> None:
        """Have the store know how much is used up, for a run that is resumed."""
        self._noted = perf_counter()
        self._store.note_spent(self._seconds - self.left)

    def list_unrun(self) -> Iterator[Record]:
        """A record for each job that is not run any more, which says why."""
        used_up = f"the budget of {self._seconds:g} s was used up" if self.left <= 0 else ""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        for job in self._store.read_pending():
            outcome: Outcome = "skipped"
            why = used_up
            if job.backend in self._race.stopped:
                outcome, why = "stopped", self._race.stopped[job.backend]
            if why:
                yield Record(job=job.number, outcome=outcome, error=f"not run: {why}", ended_at=now)


def _find_task(job: Job) -> Task:
    return job.set, job.instance, job.question.text, job.repeat


def _find_end(record: Record) -> Ended:
    return Ended(record.outcome == "finished", record.outcome in LATE, record.wall_s)
