"""The supervisor: hands jobs to warm workers, keeps the limits from outside, loses no job.

Words
-----
slot        the right to run one job; as many jobs run at a time as there are slots
pool        the workers alive: an idle one is kept for the next job of its backend, so at most
            slots x backends exist
grace       what a worker may take beyond the limit before it is killed, so that a solver that
            stops by itself can still say what it had found

One thread and one selector do all of it. Whatever a worker does - hang, crash, leave, babble, flood
its output, leave children behind - ends in exactly one record for its job and a new worker for the
next. An answer is first followed by the next job and only then looked at, so that workers do not
wait for bookkeeping.
"""

from __future__ import annotations

import selectors
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter

import msgspec

from harness.job import Job
from harness.process_tree import tree_memory_mb
from harness.protocol import Greeting
from harness.record import Outcome, Record, Version
from harness.worker_process import WorkerProcess, how_it_ended
from modelling.errors import WorkerError

MOST_FAILED_STARTS = 3
"""After so many failed starts in a row a backend is not started any more."""

_WITH_OUTPUT: frozenset[Outcome] = frozenset({"crashed", "error", "timeout", "memout", "lost"})
_FOREVER = float("inf")


@dataclass(frozen=True)
class Settings:
    """How a session is supervised; seconds of wall clock.

    ``memory_mb`` limits the resident memory of a worker with all that it has started, looked at
    every ``tick`` seconds. ``start_seconds`` is the time to load a backend, ``exit_seconds`` what
    the idle workers get to leave by themselves at the end.
    """

    slots: int = 1
    memory_mb: float | None = None
    start_seconds: float = 60.0
    exit_seconds: float = 1.0
    tick: float = 0.1

    @property
    def isolation(self) -> str:
        """What is enforced from outside."""
        if self.memory_mb is None:
            return "wall time"
        return f"wall time, memory {self.memory_mb:g} MB"


def grace(seconds: float) -> float:
    """How long after a limit of ``seconds`` a worker is killed."""
    return 0.2 + min(1.0, 0.1 * seconds)


def supervise(
    jobs: Iterable[Job],
    settings: Settings = Settings(),
    on_version: Callable[[Version], None] = lambda version: None,
) -> Iterator[Record | None]:
    """Run ``jobs``; each ends in one record, yielded as soon as it is there.

    None is yielded every ``settings.tick`` seconds at the least, so that the caller can do its
    own work in time. ``on_version`` hears of each version before the first record that refers
    to it. Closing the generator ends the workers; jobs under way then leave no record.
    """
    pool = _Pool(settings, on_version)
    todo = iter(jobs)
    finished: list[Record] = []
    try:
        while True:
            while pool.has_free_slot and (job := next(todo, None)) is not None:
                failed = pool.assign(job)
                if failed is not None:
                    finished.append(failed)
                    if len(finished) >= 100:  # a backend that does not start: tell in time
                        break
            yield from finished or (None,)
            finished = []
            if pool.running:
                finished = pool.wait()
            elif job is None:
                return
    finally:
        pool.close()


@dataclass(eq=False)
class _Charge:
    """A worker and the job that it is charged with, if any."""

    worker: WorkerProcess
    job: Job | None = None
    version: Version | None = None
    import_s: float = 0.0
    sent_at: float | None = None
    heard_at: float = 0.0
    deadline: float = _FOREVER
    watched: set[int] = field(default_factory=set)


class _Pool:
    def __init__(self, settings: Settings, on_version: Callable[[Version], None]) -> None:
        self.settings = settings
        self.on_version = on_version
        self.running: dict[_Charge, None] = {}
        self._idle: dict[str, list[_Charge]] = defaultdict(list)
        self._failed_starts: dict[str, int] = defaultdict(int)
        self._broken: dict[str, tuple[Outcome, str]] = {}
        self._selector = selectors.DefaultSelector()
        self._started = 0
        self._next_look = 0.0
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Record).decode

    @property
    def has_free_slot(self) -> bool:
        return len(self.running) < self.settings.slots

    # --- jobs to workers -------------------------------------------------------------------

    def assign(self, job: Job) -> Record | None:
        """Give ``job`` to a worker; a record at once when its backend cannot be started."""
        if job.backend in self._broken:
            outcome, error = self._broken[job.backend]
            return self._stamp(Record(job=job.number, outcome=outcome, error=error), None)
        idle = self._idle[job.backend]
        while idle:
            charge = idle[-1]
            if charge.worker.has_ended():  # since its last answer: not this job's doing
                self._retire(charge)
                continue
            idle.pop()
            charge.job = job
            self.running[charge] = None
            self._send(charge)
            return None
        try:
            charge = self._start(job.backend)
        except OSError as error:
            text = f"no worker could be started: {error}"
            self._count_failed_start(job.backend, "lost", text)
            return self._stamp(Record(job=job.number, outcome="lost", error=text), None)
        charge.job = job
        self.running[charge] = None
        return None

    def _start(self, backend: str) -> _Charge:
        self._started += 1
        worker = WorkerProcess(backend, self._started)
        charge = _Charge(worker, deadline=perf_counter() + self.settings.start_seconds)
        self._watch(charge, worker.answers, self._on_answers)
        self._watch(charge, worker.output, self._on_output)
        return charge

    def _send(self, charge: _Charge) -> None:
        job, worker = charge.job, charge.worker
        assert job is not None
        worker.forget_output()
        worker.served += 1
        payload = self._encode(job)
        charge.sent_at = now = perf_counter()
        seconds = job.limits.seconds
        charge.deadline = _FOREVER if seconds is None else now + seconds + grace(seconds)
        worker.send(payload)
        if worker.unsent:
            self._watch(charge, worker.requests, self._on_writable, selectors.EVENT_WRITE)

    # --- events ----------------------------------------------------------------------------

    def wait(self) -> list[Record]:
        """Wait for something to happen, at most a tick; the records of what has ended."""
        now = perf_counter()
        nearest = min((charge.deadline for charge in self.running), default=_FOREVER)
        finished: list[Record] = []
        for key, _ in self._selector.select(max(0.0, min(nearest - now, self.settings.tick))):
            charge, handler = key.data
            if key.fd in charge.watched:  # its worker may have ended a moment ago
                record = handler(charge)
                if record is not None:
                    finished.append(record)
        now = perf_counter()
        if now >= min(nearest, self._next_look):
            finished += self._look_around(now)
        return finished

    def _on_output(self, charge: _Charge) -> None:
        if not charge.worker.drain():
            self._unwatch(charge, charge.worker.output)

    def _on_writable(self, charge: _Charge) -> None:
        charge.worker.flush()
        if not charge.worker.unsent:
            self._unwatch(charge, charge.worker.requests)

    def _on_answers(self, charge: _Charge) -> Record | None:
        record = None
        try:
            payloads = charge.worker.receive()
            charge.heard_at = perf_counter()
            if payloads is None:
                return self._on_end(charge)
            for payload in payloads:
                record = self._on_payload(charge, payload) or record
        except (WorkerError, msgspec.MsgspecError) as error:
            blamed = self._fail(charge, "error", f"not the worker's protocol: {error}")
            return record or blamed
        return record

    def _on_payload(self, charge: _Charge, payload: bytes) -> Record | None:
        if charge.job is None:
            raise WorkerError("the worker spoke without being asked")
        if charge.version is None:
            return self._on_greeting(charge, msgspec.json.decode(payload, type=Greeting))
        return self._on_record(charge, self._decode(payload))

    def _on_greeting(self, charge: _Charge, greeting: Greeting) -> Record | None:
        backend = charge.worker.backend
        if greeting.error:
            self._broken[backend] = ("error", greeting.error)
            return self._fail(charge, "error", greeting.error)
        self._failed_starts[backend] = 0
        charge.version, charge.import_s = greeting.version, greeting.import_s
        self.on_version(greeting.version)
        self._send(charge)
        return None

    def _on_record(self, charge: _Charge, record: Record) -> Record:
        job, worker = charge.job, charge.worker
        assert job is not None
        if record.job != job.number:
            raise WorkerError(f"an answer to job {record.job} instead of {job.number}")
        most = self.settings.memory_mb
        if most is not None and (record.peak_memory_mb or 0) > most:
            record.outcome = "memout"
        if record.outcome in _WITH_OUTPUT:
            record.output = worker.last_words()
        self._stamp(record, charge, charge.heard_at)
        if record.outcome == "memout" or worker.mid_frame or worker.unsent:
            self._retire(charge)
        else:
            del self.running[charge]
            charge.job, charge.deadline = None, _FOREVER
            self._idle[worker.backend].append(charge)
        return record

    def _on_end(self, charge: _Charge) -> Record | None:
        worker = charge.worker
        ended = worker.wait_for_end()
        output = worker.last_words()
        loading = " while it loaded the backend" if charge.version is None else ""
        record = self._fail(charge, "crashed", "", output)
        how = how_it_ended(worker.process.returncode) if ended else "closed its pipe"
        if record is not None:
            record.error = f"the worker {how}{loading}, without an answer"
            self._remember_start(charge, record)
        return record

    def _look_around(self, now: float) -> list[Record]:
        """Deadlines, deaths that closed no pipe (a child holds it open), and memory."""
        finished: list[Record | None] = []
        for charge in list(self.running):
            if now >= charge.deadline:
                finished.append(self._too_late(charge))
        if now >= self._next_look:
            for charge in list(self.running):
                if charge.worker.has_ended():
                    finished.append(self._on_answers(charge))
                    if charge in self.running:
                        finished.append(self._on_end(charge))
                elif self._takes_too_much(charge):
                    text = f"killed above {self.settings.memory_mb:g} MB"
                    finished.append(self._fail(charge, "memout", text))
            self._next_look = perf_counter() + self.settings.tick
        return [record for record in finished if record is not None]

    def _too_late(self, charge: _Charge) -> Record | None:
        if charge.version is None:
            text = f"the backend did not load within {self.settings.start_seconds:g} s"
            record = self._fail(charge, "error", text)
            self._remember_start(charge, record)
            return record
        assert charge.job is not None
        text = f"killed after the limit of {charge.job.limits.seconds:g} s"
        return self._fail(charge, "timeout", text)

    def _takes_too_much(self, charge: _Charge) -> bool:
        most = self.settings.memory_mb
        return most is not None and tree_memory_mb(charge.worker.process.pid) > most

    # --- ends ------------------------------------------------------------------------------

    def _fail(
        self, charge: _Charge, outcome: Outcome, error: str, output: str | None = None
    ) -> Record | None:
        """End the worker; the record of its job, with what it was seen to have found."""
        job, record = charge.job, None
        if job is not None:
            record = Record(job=job.number, outcome=outcome, error=error)
            if charge.sent_at is not None:
                seen = charge.worker.board.read(job.number)
                record.count, record.solutions = seen.count, seen.solutions
                record.objective = seen.objective
                record.status = "SATISFIABLE" if seen.count else "UNKNOWN"
                record.stopped_by = {"timeout": "time", "memout": "memory"}.get(outcome, "")
            record.output = charge.worker.last_words() if output is None else output
            self._stamp(record, charge, perf_counter())
            record.wall_s = record.elapsed_s
        self._retire(charge)
        return record

    def _remember_start(self, charge: _Charge, record: Record | None) -> None:
        if charge.version is None and record is not None:
            self._count_failed_start(charge.worker.backend, record.outcome, record.error)

    def _count_failed_start(self, backend: str, outcome: Outcome, error: str) -> None:
        self._failed_starts[backend] += 1
        if self._failed_starts[backend] >= MOST_FAILED_STARTS:
            text = f"{error} (not started again after {MOST_FAILED_STARTS} failed starts in a row)"
            self._broken[backend] = (outcome, text)

    def _stamp(self, record: Record, charge: _Charge | None, ended: float = 0.0) -> Record:
        record.ended_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        record.isolation = self.settings.isolation
        if charge is None:
            return record
        record.worker, record.nth = charge.worker.number, charge.worker.served
        if charge.sent_at is not None:
            record.elapsed_s = ended - charge.sent_at
        if charge.version is not None:
            record.version, record.backend_family = charge.version.id, charge.version.family
            record.import_s = charge.import_s
        return record

    def _retire(self, charge: _Charge) -> None:
        for descriptor in list(charge.watched):
            self._unwatch(charge, descriptor)
        self.running.pop(charge, None)
        idle = self._idle[charge.worker.backend]
        if charge in idle:
            idle.remove(charge)
        charge.worker.end()

    def close(self) -> None:
        """End every worker: idle ones may leave by themselves, for a moment."""
        idle = [charge for charges in self._idle.values() for charge in charges]
        for charge in idle:
            charge.worker.hang_up()
        for charge in list(self.running):
            self._retire(charge)
        until = perf_counter() + self.settings.exit_seconds
        for charge in idle:
            charge.worker.wait_for_end(max(0.0, until - perf_counter()))
            self._retire(charge)
        self._selector.close()

    def _watch(
        self,
        charge: _Charge,
        descriptor: int,
        handler: Callable[[_Charge], Record | None],
        events: int = selectors.EVENT_READ,
    ) -> None:
        self._selector.register(descriptor, events, (charge, handler))
        charge.watched.add(descriptor)

    def _unwatch(self, charge: _Charge, descriptor: int) -> None:
        self._selector.unregister(descriptor)
        charge.watched.discard(descriptor)
