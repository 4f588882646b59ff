"""Dask distributed as the executor of a run: jobs travel in batches, one writer takes records in.

A batch is one Dask task. On its worker it is supervised as on a single machine, one job at a time
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

import asyncio
import importlib
import logging
import queue
import secrets
from collections import Counter
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from time import perf_counter
from typing import Any

from backends.interface.registry import keeps_state
from harness.job import Job
from harness.machine import Machine, this_machine
from harness.record import Record, Version
from harness.runs.execution import Admit, Executor, admit_all
from harness.store.store import Store
from harness.supervise.settings import Settings, hide_store
from harness.supervise.supervisor import supervise
from modelling.errors import InputError, WorkerError

BATCH_SECONDS = 20.0
"""A batch is to take about so long: what is lost with a worker, and what a start is spread over."""

FIRST_JOBS, MOST_JOBS = 20, 5000
"""Jobs in a batch: before anything is known of how long they take, and at the most."""

MOST_ATTEMPTS = 2
CONNECT_SECONDS = 10.0
"""The time that a scheduler has to answer."""

AHEAD = 2
"""Batches that are handed over for each thread, so that workers do not wait."""


class DaskExecutor(Executor):
    """Runs jobs on the cluster of ``scheduler``, or on a local one.

    ``scheduler`` is an address such as ``tcp://host:8786``. A local cluster has as many worker
    processes as jobs are to run at a time. Raises InputError where Dask is not installed.
    """

    def __init__(self, scheduler: str | None = None) -> None:
        try:
            import distributed  # noqa: F401
        except ImportError as error:
            raise InputError(
                f"--on dask needs Dask distributed ({error}): pip install 'solver-concord[dask]'"
            ) from error
        self._scheduler = scheduler

    def check(self, settings: Settings) -> None:
        if settings.pin:
            raise InputError("pin: Dask workers do not know of each other's cores; leave it out")
        if self._scheduler is not None:
            check_scheduler(self._scheduler)

    def run(
        self, store: Store, settings: Settings, admit: Admit = admit_all
    ) -> Generator[Record | None, None, None]:
        # Batches leave long before a backend could be stopped: only the budget's end ends them.
        with connect(self._scheduler, settings.slots) as client:
            yield from _Campaign(client, store, settings).records()


# --- what is asked of Dask -----------------------------------------------------------------


def check_scheduler(address: str) -> None:
    """Raises InputError unless a Dask scheduler answers at ``address``, in time.

    Dask's own client waits without end for something that listens and speaks another language,
    such as a scheduler's dashboard.
    """
    core: Any = importlib.import_module("distributed.core")

    async def ask() -> dict[str, Any]:
        async with asyncio.timeout(CONNECT_SECONDS), core.rpc(address) as there:
            return await there.identity()  # type: ignore[no-any-return]

    with ThreadPoolExecutor(1) as thread:  # a notebook has a loop that runs in this one
        try:
            kind = thread.submit(asyncio.run, ask()).result().get("type")
        except TimeoutError as error:
            why = f"nothing came in {CONNECT_SECONDS:g} s"
            raise _explain_no_scheduler(address, why) from error
        except Exception as error:  # foreign bytes may raise anything
            raise _explain_no_scheduler(address, f"{type(error).__name__}: {error}") from error
    if kind != "Scheduler":
        raise _explain_no_scheduler(address, f"it is a {kind}")


def _explain_no_scheduler(address: str, why: str) -> InputError:
    return InputError(
        f"no Dask scheduler answers at {address} ({why}); start one with `dask scheduler`, and "
        "give the address that it prints, as tcp://host:8786"
    )


@contextmanager
def connect(scheduler: str | None, workers: int) -> Iterator[Any]:
    """A client of the cluster at ``scheduler``, or of a local one of this many worker processes."""
    distributed: Any = importlib.import_module("distributed")
    with ExitStack() as stack:
        address: Any = scheduler
        if scheduler is None:
            how = {
                "n_workers": workers,
                "threads_per_worker": 1,
                "dashboard_address": "127.0.0.1:0",  # with None it insists on port 8787
                "memory_limit": 0,  # limits are the supervisor's affair
                "silence_logs": logging.CRITICAL,
            }
            try:
                address = stack.enter_context(distributed.LocalCluster(**how))
            except RuntimeError as error:
                raise WorkerError(
                    f"Dask's local workers could not be started ({error}); in a script, call this "
                    'below `if __name__ == "__main__":`, since each of them imports the script'
                ) from error
        try:
            client = stack.enter_context(distributed.Client(address, timeout=CONNECT_SECONDS))
        except (OSError, ValueError, TimeoutError) as error:
            raise _explain_no_scheduler(str(scheduler), str(error)) from error
        yield client


@dataclass(frozen=True)
class Account:
    """What came of a batch: its records, the versions that they refer to, and the machine."""

    records: list[Record]
    versions: list[Version]
    machine: Machine
    seconds: float


def run_batch(jobs: list[Job], settings: Settings, topic: str, number: int) -> Account:
    """Run a batch on the Dask worker that calls this; an empty account when it was cancelled."""
    from distributed import get_worker

    worker = get_worker()
    worker.log_event(topic, {"batch": number, "worker": worker.address})
    started = perf_counter()
    machine = this_machine()
    records: list[Record] = []
    versions: list[Version] = []
    with closing(supervise(jobs, settings, versions.append)) as going:
        for record in going:
            if record is not None:
                records.append(record)
            task = worker.state.tasks.get(worker.get_current_task())
            if task is None or task.state == "cancelled":  # Dask does not stop a thread itself
                return Account([], [], machine, perf_counter() - started)
    return Account(records, versions, machine, perf_counter() - started)


# --- batches -------------------------------------------------------------------------------


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


@dataclass
class _Pace:
    """How many jobs a batch should have; ``start_s`` is what it takes beside its jobs, to load."""

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
        self._settings = hide_store(replace(settings, slots=1, token=""), store.folder)
        self._topic = f"concord-{secrets.token_hex(8)}"
        self._starts: Counter[int] = Counter()
        self._news: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        self._under_way: dict[int, _Batch] = {}
        self._handed_over = 0
        self._pace = _Pace(0, store.count("jobs") - store.count("records"))

    def records(self) -> Iterator[Record | None]:
        """Each record as it comes; None at least every tick."""
        while not self._count_threads():  # a cluster's queue may let its workers wait
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
        self._client.subscribe_topic(self._topic, self._on_announcement)
        batches = _make_batches(self._store, self._pace)
        try:
            while True:
                self._pace.threads = self._count_threads()
                self._hand_over(batches)
                if not self._under_way:
                    return
                yield from self._follow_up() or (None,)
        finally:
            with suppress(OSError):  # a scheduler that is gone runs nothing any more
                self._client.unsubscribe_topic(self._topic)
                self._client.cancel([b.future for b in self._under_way.values()], force=True)

    def _count_threads(self) -> int:
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
        key = f"{self._topic}-{number}-{batch.lost + 1}"
        how = batch.jobs, self._settings, self._topic, number
        batch.future = self._client.submit(run_batch, *how, key=key, pure=False)
        batch.future.add_done_callback(lambda _: self._news.put(("ended", number)))

    def _follow_up(self) -> list[Record]:
        """Wait a tick for an event; the records that it brings, none of a settled batch."""
        try:
            what, number = self._news.get(timeout=self._tick)
        except queue.Empty:
            if self._client.status not in ("running", "connecting"):
                raise self._explain_lost_scheduler() from None
            return []
        if number not in self._under_way:
            return []
        batch = self._under_way[number]
        if what == "started too often":
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
            has_failed = batch.future.status == "error"  # the work itself
            if isinstance(error, TimeoutError | UnboundLocalError) and not has_failed:
                # The wait ended without an answer (the second error is what becomes of one that is
                # cut short in distributed): the worker was lost, and Dask tries again.
                batch.patience_s *= 2
                self._news.put(("ended", batch.number))
                return []
            raise WorkerError(
                f"a Dask worker could not run its batch: {type(error).__name__}: {error}; what "
                "came back is kept, so the run can be resumed"
            ) from error
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
