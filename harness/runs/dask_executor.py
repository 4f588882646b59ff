"""Dask distributed as the executor of a run: jobs travel in batches, one writer takes records in.

A batch is one Dask task. On its worker it is supervised as on one's own machine, one job at a time
under the same limits, so a Dask worker gets one thread for each job that it is to run at a time.
The jobs of an instance are in one batch, since what is compared should run on one machine; so is
a whole sequence (``reuse=solver``), in its order.

Words
-----
announcement  what a batch tells the client when it starts: the second one says that the worker on
              which it ran first is lost, with all that was done of it
attempt       1, or 2 when a lost worker's batch ran again; a batch that is lost twice is not run
              a third time, and the outcome of its jobs is ``lost``

Dask starts a lost batch again by itself. A batch is settled once, whatever comes of it later, so
that no job has two records; batches under way leave none when the run is interrupted.
"""

from __future__ import annotations

import queue
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from backends.interface.registry import keeps_state
from harness.job import Job
from harness.machine import this_machine
from harness.record import Record
from harness.runs.dask_cluster import Account, check_scheduler, connect, require_dask, run_batch
from harness.runs.execution import Executor
from harness.store.store import Store
from harness.supervise.settings import Settings
from modelling.errors import InputError, WorkerError

BATCH_SECONDS = 20.0
"""A batch is to take about so long: what is lost with a worker, and what a start is spread over."""

FIRST_JOBS, MOST_JOBS = 20, 5000
"""Jobs in a batch: before anything is known of how long they take, and at the most."""

MOST_ATTEMPTS = 2
AHEAD = 2
"""So many batches are handed over for each thread, so that workers do not wait."""


class DaskExecutor(Executor):
    """Runs jobs on the cluster of ``scheduler``, or on a local one.

    ``scheduler`` is an address such as ``tcp://host:8786``. A local cluster has as many worker
    processes as jobs are to run at a time. Raises InputError where Dask is not installed.
    """

    def __init__(self, scheduler: str | None = None) -> None:
        require_dask()
        self._scheduler = scheduler

    def check(self, settings: Settings) -> None:
        """Raises InputError where cores are to be pinned, or no scheduler answers."""
        if settings.pin:
            raise InputError("pin: Dask workers do not know of each other's cores; leave it out")
        if self._scheduler is not None:
            check_scheduler(self._scheduler)

    def run(self, store: Store, settings: Settings) -> Iterator[Record | None]:
        with connect(self._scheduler, settings.slots) as client:
            yield from _Campaign(client, store, settings).records()


@dataclass
class _Batch:
    """A batch under way; ``lost`` counts the times that Dask gave it up.

    ``patience_s`` is how long its account may take to come. It doubles each time that it did not:
    what always comes too late on a busy machine would be fetched for ever.
    """

    number: int
    jobs: list[Job]
    patience_s: float
    future: Any = None
    lost: int = 0

    @property
    def has_failed(self) -> bool:
        """Whether the work itself ended in an error."""
        return bool(self.future.status == "error")


@dataclass
class _Pace:
    """How many jobs a batch should have, from what the last ones took.

    ``start_s`` is what a batch takes beside its jobs: its backends are loaded anew.
    """

    threads: int
    pending: int
    job_s: float = 0.0
    start_s: float = 0.0
    _seen: list[tuple[int, float, float]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """For ``BATCH_SECONDS``; towards the end fewer, such that every thread gets its share of
        the rest, but not so few that starting takes longer than the jobs."""
        fair = -(-self.pending // (AHEAD * max(1, self.threads)))
        if not self._seen:
            return max(1, min(FIRST_JOBS, fair))
        least, most = (seconds / max(self.job_s, 1e-6) for seconds in (self.start_s, BATCH_SECONDS))
        return int(max(1, min(max(fair, least), most, MOST_JOBS)))

    def note(self, account: Account) -> None:
        """A batch is done; the last ten tell the pace."""
        busy = sum(record.elapsed_s for record in account.records)
        self._seen = [*self._seen[-9:], (len(account.records), busy, account.seconds)]
        jobs, in_jobs, seconds = (sum(figures) for figures in zip(*self._seen, strict=True))
        self.job_s = in_jobs / max(1, jobs)
        self.start_s = (seconds - in_jobs) / len(self._seen)


class _Campaign:
    """The pending jobs of a store on a cluster; ``records`` yields what comes of them."""

    def __init__(self, client: Any, store: Store, settings: Settings) -> None:
        self._client = client
        self._store = store
        self._tick = settings.tick
        self._settings = replace(settings, slots=1, token="")
        self._topic = f"concord-{secrets.token_hex(8)}"
        self._starts: Counter[int] = Counter()
        self._news: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        self._under_way: dict[int, _Batch] = {}
        self._handed_over = 0
        pending = store.count("jobs") - store.count("records")
        self._pace = _Pace(0, pending)

    def records(self) -> Iterator[Record | None]:
        """Each record as it comes; None at least every tick."""
        yield from self._wait_for_workers()
        self._client.subscribe_topic(self._topic, self._on_announcement)
        batches = _make_batches(self._store, self._pace)
        try:
            while True:
                self._pace.threads = self._count_threads()
                self._hand_over(batches)
                if not self._under_way:
                    return
                yield from self._follow(self._wait()) or (None,)
        finally:
            with suppress(OSError):  # a scheduler that is gone runs nothing any more
                self._client.unsubscribe_topic(self._topic)
                self._client.cancel([b.future for b in self._under_way.values()], force=True)

    def _wait_for_workers(self) -> Iterator[None]:
        """A cluster's queue may let its workers wait; then see that Concord is there."""
        while not self._count_threads():
            try:
                self._client.wait_for_workers(1, timeout=self._tick)
            except TimeoutError:
                yield None
        try:
            self._client.run(this_machine)
        except Exception as error:  # what goes wrong on a worker comes back as any exception
            raise WorkerError(
                f"a Dask worker cannot run Concord ({error}); install the same version of it "
                "on every worker"
            ) from error

    def _count_threads(self) -> int:
        """How many the cluster has now; raises WorkerError when its scheduler is gone."""
        try:
            return sum(self._client.nthreads().values())
        except OSError as error:
            raise self._explain_lost_scheduler() from error

    def _explain_lost_scheduler(self) -> WorkerError:
        return WorkerError(
            f"the Dask scheduler is gone (the client is {self._client.status}); what came "
            "back is kept, start a scheduler and resume the run"
        )

    def _on_announcement(self, event: tuple[float, dict[str, Any]]) -> None:
        number = event[1]["batch"]
        self._starts[number] += 1
        if self._starts[number] > MOST_ATTEMPTS:
            self._news.put(("started too often", number))

    def _hand_over(self, batches: Iterator[list[Job]]) -> None:
        """Keep the workers busy with a little in hand."""
        while len(self._under_way) < AHEAD * max(1, self._pace.threads):
            jobs = next(batches, None)
            if jobs is None:
                return
            self._pace.pending -= len(jobs)
            self._handed_over += 1
            batch = _Batch(self._handed_over, jobs, self._tick)
            self._under_way[batch.number] = batch
            self._submit(batch)

    def _submit(self, batch: _Batch) -> None:
        number = batch.number
        batch.future = self._client.submit(
            run_batch,
            batch.jobs,
            self._settings,
            self._topic,
            number,
            key=f"{self._topic}-{number}-{batch.lost + 1}",
            pure=False,
        )
        batch.future.add_done_callback(lambda _: self._news.put(("ended", number)))

    def _wait(self) -> tuple[str, int] | None:
        try:
            return self._news.get(timeout=self._tick)
        except queue.Empty:
            if self._client.status not in ("running", "connecting"):
                raise self._explain_lost_scheduler() from None
            return None

    def _follow(self, news: tuple[str, int] | None) -> list[Record]:
        """The records that an event brings; none for a batch that is settled already."""
        if news is None or news[1] not in self._under_way:
            return []
        batch = self._under_way[news[1]]
        if news[0] == "started too often":
            batch.future.cancel(force=True)
            return self._give_up(batch)
        return self._take_in(batch)

    def _take_in(self, batch: _Batch) -> list[Record]:
        from distributed import KilledWorker

        try:
            account: Account = batch.future.result(timeout=batch.patience_s)
        except KilledWorker:
            batch.lost += 1
            if batch.lost >= MOST_ATTEMPTS:
                return self._give_up(batch)
            self._submit(batch)
            return []
        except Exception as error:
            if isinstance(error, TimeoutError | UnboundLocalError) and not batch.has_failed:
                # The wait ended without an answer (the second error is what becomes of one that is
                # cut short in distributed): the worker was lost behind it, Dask is at it again.
                batch.patience_s *= 2
                self._news.put(("ended", batch.number))
                return []
            raise WorkerError(
                f"a Dask worker could not run its batch: {type(error).__name__}: {error}; what "
                "came back is kept, so the run can be resumed"
            ) from error
        return self._settle(batch, account)

    def _settle(self, batch: _Batch, account: Account) -> list[Record]:
        del self._under_way[batch.number]
        batch.future.release()
        self._pace.note(account)
        self._store.add_machine(account.machine)
        for version in account.versions:
            self._store.add_version(version)
        attempt = max(1, batch.lost + 1, self._starts.pop(batch.number, 1))
        for record in account.records:
            record.attempt = max(record.attempt, min(attempt, MOST_ATTEMPTS))
        return account.records

    def _give_up(self, batch: _Batch) -> list[Record]:
        """A batch that two workers were lost with: each of its jobs may be why."""
        del self._under_way[batch.number]
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        text = f"the Dask workers that had it were lost, {MOST_ATTEMPTS} times"
        return [
            Record(job=job.number, outcome="lost", error=text, attempt=MOST_ATTEMPTS, ended_at=now)
            for job in batch.jobs
        ]


def _make_batches(store: Store, pace: _Pace) -> Iterator[list[Job]]:
    """What is pending: sequences first, since they are the longest, then instance by instance."""
    sequences: dict[str, list[Job]] = {}
    for job in store.read_pending():
        if keeps_state(job.backend):
            sequences.setdefault(job.backend, []).append(job)
    yield from sequences.values()
    others = (job for job in store.read_pending_by_instance() if not keeps_state(job.backend))
    batch: list[Job] = []
    for _, group in groupby(others, attrgetter("set", "instance", "family", "text")):
        jobs = list(group)
        if batch and len(batch) + len(jobs) > pace.size:
            yield sorted(batch, key=attrgetter("number"))
            batch = []
        batch += jobs
    if batch:
        yield sorted(batch, key=attrgetter("number"))
