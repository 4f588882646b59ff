"""Jobs given out such that those of a sequence run one after the other.

A backend with ``reuse=solver`` keeps its solver from job to job, so what a job takes depends on
those before it: they run in one fixed order, and no two at a time. Their record says with ``nth``
how many jobs the solver has had. A kill, or a resumed run, goes on with a new solver, and ``nth``
begins again at 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from backends.interface.registry import keeps_state
from harness.job import Job

MOST_HELD = 1000
"""So many jobs are held back before no more are looked at."""


class InTurn(Iterator[Job]):
    """An iterator over ``jobs`` that ends for the time being when each job left must wait.

    It is asked again once ``ended`` has told of the job that was waited for.
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._held: deque[Job] = deque()
        self._running: dict[str, int] = {}

    def __next__(self) -> Job:
        """The next job that may run; those that were held back come first."""
        for job in self._held:
            if job.backend not in self._running:
                self._held.remove(job)
                return self._given(job)
        while len(self._held) < MOST_HELD:
            job = next(self._jobs)
            if job.backend not in self._running:
                return self._given(job)
            self._held.append(job)
        raise StopIteration

    def _given(self, job: Job) -> Job:
        if keeps_state(job.backend):
            self._running[job.backend] = job.number
        return job

    def ended(self, number: int) -> None:
        """The job with this number has its record."""
        for backend, running in self._running.items():
            if running == number:
                del self._running[backend]
                return
