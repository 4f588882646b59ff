"""Where jobs run: here, or on a cluster; whoever carries a run out need not know.

A backend with ``reuse=solver`` keeps its solver from job to job, so what a job takes depends on
those before it: its jobs are a sequence, which runs in one fixed order, and no two at a time. Their
record says with ``nth`` how many jobs the solver has had. A kill, or a resumed run, goes on with a
new solver, and ``nth`` begins again at 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from msgspec import structs

from backends.interface.registry import keeps_state
from harness.job import Job
from harness.machine import this_machine
from harness.noise import BestProbe, Probe
from harness.record import Record
from harness.store.store import Store
from harness.supervise.settings import Settings, token_of
from harness.supervise.supervisor import supervise

MOST_HELD = 1000
"""So many jobs are held back before no more are looked at."""


class Executor(Protocol):
    """Where jobs run."""

    def check(self, settings: Settings) -> None:
        """Raises ConcordError if nothing can run with these settings; asked before all else."""

    def run(self, store: Store, settings: Settings) -> Iterator[Record | None]:
        """Run what is pending in a store; yields records, and None at least every tick."""


class LocalExecutor:
    """Runs jobs on this machine."""

    def check(self, settings: Settings) -> None:
        settings.check()

    def run(self, store: Store, settings: Settings) -> Iterator[Record | None]:
        machine = this_machine()
        store.add_machine(machine)
        reading = Store.open(store.folder)  # one of its own does not wait for commits
        jobs = SequencedJobs(reading.read_pending())
        if not settings.token:  # what a killed supervisor of this run left behind is ended first
            settings = replace(settings, token=token_of(store.folder))
        best = BestProbe(machine.id)

        def note(probe: Probe) -> None:
            own = 0 if probe.when == "before" else settings.slots * settings.threads
            best_s = best.update(probe.wall_s)
            store.add_probe(structs.replace(probe, machine=machine.id, best_s=best_s, own=own))

        on_probe = note if settings.probe_seconds else None
        records = supervise(jobs, settings, store.add_version, on_probe)
        try:
            for record in records:
                if record is not None:
                    jobs.ended(record.job)
                    record.machine = machine.id
                yield record
        finally:
            records.close()  # type: ignore[attr-defined] # a generator: this ends the workers
            reading.close()


class SequencedJobs(Iterator[Job]):
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
                return self._give(job)
        while len(self._held) < MOST_HELD:
            job = next(self._jobs)
            if job.backend not in self._running:
                return self._give(job)
            self._held.append(job)
        raise StopIteration

    def _give(self, job: Job) -> Job:
        if keeps_state(job.backend):
            self._running[job.backend] = job.number
        return job

    def ended(self, number: int) -> None:
        """The job with this number has its record."""
        for backend, running in self._running.items():
            if running == number:
                del self._running[backend]
                return
