"""The worker processes of a session: started below their reapers, kept warm, heard, ended.

The pool reports what becomes of the workers as a stream of events;
``harness.supervise.supervisor`` decides what they mean for a job.

Words
-----
idle        a warm worker between jobs, which holds no slot; at most slots x backends exist for each
            repeat, and a new one has those of earlier repeats leave, which have seen the instances
event       what ``Pool.wait`` yields: a worker is ready, answered, closed its pipe, is late, ...
"""

from __future__ import annotations

import secrets
import selectors
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from enum import Enum
from functools import cache, partial
from time import perf_counter
from typing import NamedTuple

import msgspec

from harness.environments.interpreter import interpreter_for
from harness.job import Job
from harness.machine import describe_python
from harness.supervise import cgroups
from harness.supervise.cgroups import Group
from harness.supervise.processes import LINUX, sweep
from harness.supervise.protocol import Greeting, Start
from harness.supervise.settings import MODES, Isolation, Settings
from harness.supervise.worker_process import (
    ENDING,
    FOREVER,
    Attempt,
    ReaperProcess,
    State,
    WorkerProcess,
)
from modelling.errors import WorkerError
from modelling.versions import find_version

NO_PROTOCOL = "not the worker's protocol"
_LEAVE_SECONDS = 0.2
_GONE_SECONDS = 5.0
_HEADROOM = 2.0
_HEADROOM_MB = 2048.0


class EventKind(Enum):
    """What has happened to a worker."""

    GREETED = "it has loaded its backend"
    BROKEN = "it cannot load its backend, for the reason in the text"
    READY = "it has loaded all that its job needs"
    ANSWERED = "it has sent the payload, about its job"
    FAILED = "it takes too long to load, or keeps to no protocol, as the text says"
    HUNG_UP = "it has closed its pipe; its reaper will say how it ended"
    NOT_STARTED = "it could not be started, for the reason in the text, and nothing is left of it"
    STOPPED = "a signal has stopped it"
    ENDED = "it has ended unasked"
    GONE = "nothing that it started is left"
    LATE = "its deadline is over"
    DUE = "what its job uses is to be compared with the limits"
    ABANDONED = "its reaper has ended unasked; GONE follows"


class Event(NamedTuple):
    """Something that happened to a worker."""

    what: EventKind
    worker: WorkerProcess
    payload: bytes = b""
    text: str = ""


@cache
def _shared_versions() -> dict[str, str]:
    """What a worker runs as its supervisor does; finding it out costs a fifth of a start."""
    return {"concord": find_version(), "python": describe_python()}


class Pool:
    """The ``workers`` of a session by number."""

    def __init__(self, settings: Settings, isolation: Isolation) -> None:
        self._settings = settings
        self._groups = isolation.groups
        self._is_polled = isolation.means == "polled" and LINUX
        self._mode = MODES[settings.mode]
        self._token = settings.token or secrets.token_hex(8)
        self._reapers: dict[str, ReaperProcess] = {}
        self._started = self._reapers_started = 0
        self._interpreter_for = cache(interpreter_for)
        self.workers: dict[int, WorkerProcess] = {}
        self.rested_s = 0.0  # that nothing happened
        self._selector = selectors.DefaultSelector()  # with a handler for each descriptor
        if settings.token:
            sweep(settings.token)
            if self._groups is not None:
                cgroups.remove_all(self._groups, settings.token)

    # --- starting, and idling --------------------------------------------------------------

    def start(self, attempt: Attempt, cores: tuple[int, ...]) -> WorkerProcess:
        """A new worker for a job.

        Those that served earlier repeats of its backend's jobs leave. Raises OSError where
        descriptors, processes or memory are used up.
        """
        job = attempt.job
        for worker in self.idle_for(job.backend):
            if worker.repeat < job.repeat:
                self.dismiss(worker)
        reaper = self._find_reaper(job, alone=attempt.was_lost)
        self._started += 1
        number, memory_mb = self._started, self._settings.memory_mb
        group = headroom_mb = None
        if self._groups is not None:
            group = Group(self._groups, f"{self._token}-{number}")
        if memory_mb is not None and self._is_polled:
            headroom_mb = _HEADROOM * memory_mb + _HEADROOM_MB
        interpreter = self._interpreter_for(job.backend)
        start = Start(
            job.backend,
            list(interpreter.path),
            once=self._mode.once,
            headroom_mb=headroom_mb,
            memory_mb=memory_mb,
        )
        worker = WorkerProcess(reaper, number, start, attempt, cores, group, interpreter)
        worker.deadline = worker.started_at + self._settings.start_seconds
        if self._mode.forked:  # its fork server has imported it
            worker.families.add(job.family)
        self.workers[number] = worker
        self._watch(worker.answers, partial(self._hear, worker))
        self._watch(worker.output.descriptor, partial(self._drain, worker))
        return worker

    def _find_reaper(self, job: Job, *, alone: bool) -> ReaperProcess:
        """The reaper of all workers, or the fork server of the backend, started if need be.

        A job that was there when a reaper was killed may be why. It runs again below a reaper of
        its own, ``alone``, so that the second time it costs no other job.
        """
        backend = job.backend if self._mode.forked else ""
        name = f"{backend} {job.number}" if alone else backend
        if name not in self._reapers:
            self._reapers_started += 1
            token = f"{self._token}.{self._reapers_started}"
            kept_from = self._settings.hidden, self._settings.sandbox
            interpreter = self._interpreter_for(backend)
            reaper = ReaperProcess(backend, token, name, interpreter, *kept_from)
            self._reapers[name] = reaper
            self._watch(reaper.fileno(), partial(self._hear_reaper, reaper))
            self._watch(reaper.output.descriptor, partial(self._drain, reaper))
        return self._reapers[name]

    def take_idle(self, job: Job, cores: Collection[tuple[int, ...]]) -> WorkerProcess | None:
        """An idle worker that serves this repeat of the backend's jobs, if there is any.

        If possible one that ran on one of ``cores``, which are those of the free slots.
        """
        idle = [worker for worker in self.idle_for(job.backend) if worker.repeat == job.repeat]
        if not idle:
            return None
        return next((worker for worker in idle if worker.cores in cores), idle[-1])

    def idle_for(self, backend: str | None = None) -> list[WorkerProcess]:
        """The idle workers for a backend, or for any; what has been idle longest comes first."""
        idle = [
            worker
            for worker in self.workers.values()
            if worker.state is State.IDLE and backend in (None, worker.backend)
        ]
        return sorted(idle, key=lambda worker: worker.heard_at)

    def put_back(self, worker: WorkerProcess) -> None:
        """It has done its job, and is there for the next one."""
        worker.state = State.IDLE
        worker.deadline = worker.look_at = FOREVER

    @property
    def is_active(self) -> bool:
        """Whether any worker is not idle."""
        return any(worker.state is not State.IDLE for worker in self.workers.values())

    def workers_of(self, reaper: ReaperProcess) -> list[WorkerProcess]:
        return [worker for worker in self.workers.values() if worker.reaper is reaper]

    # --- talking ---------------------------------------------------------------------------

    def send(self, worker: WorkerProcess, payload: bytes) -> None:
        """Send a frame; what the pipe does not take follows as soon as it does."""
        worker.send(payload)
        if worker.unsent:
            handler = partial(self._flush, worker)
            self._selector.register(worker.requests, selectors.EVENT_WRITE, handler)

    def prepare(self, worker: WorkerProcess) -> bool:
        """Whether it is ready for its job; if not, it is asked to load the puzzle family first."""
        family = worker.attempt.job.family
        if worker.greeting is None or family in worker.families:
            return worker.greeting is not None
        worker.state = State.LOADING
        worker.deadline = perf_counter() + self._settings.start_seconds
        self.send(worker, msgspec.json.encode(family))
        return False

    def wait(self) -> Iterator[Event]:
        """Wait for something to happen, at most a tick; the events, each as it is asked for."""
        now = perf_counter()
        nearest = now + self._settings.tick
        for worker in self.workers.values():  # an idle one waits for ever
            nearest = min(nearest, worker.deadline, worker.look_at)
        ready = self._selector.select(max(0.0, nearest - now))
        self.rested_s += perf_counter() - now
        for key, _ in ready:
            if self._selector.get_map().get(key.fd) is key:  # its owner may have ended just now
                yield from key.data() or ()
        now = perf_counter()
        if now >= nearest:
            for reaper in self._reapers.values():
                reaper.ensure_running()
        for worker in list(self.workers.values()) if now >= nearest else ():
            if worker.number not in self.workers:  # forgotten meanwhile, with all of its reaper's
                continue
            if now >= worker.deadline:
                if worker.state is State.LEAVING:
                    self._kill(worker)
                elif worker.state is State.KILLED:  # stuck in the kernel; its reaper tries on
                    yield Event(EventKind.GONE, worker)
                elif worker.state is State.LOADING and not worker.hung_up:
                    yield from self._give_up_loading(worker)
                else:
                    yield Event(EventKind.LATE, worker)
            elif now >= worker.look_at:
                yield Event(EventKind.DUE, worker)

    def _watch(self, descriptor: int, handler: Callable[[], Iterable[Event] | None]) -> None:
        self._selector.register(descriptor, selectors.EVENT_READ, handler)

    def _unwatch(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            with suppress(KeyError, ValueError):  # it was not watched, or is closed
                self._selector.unregister(descriptor)

    def _hear(self, worker: WorkerProcess) -> Iterator[Event]:
        try:
            for payload in worker.receive():
                if worker.state is State.LOADING:
                    yield from self._hear_loading(worker, payload)
                else:
                    yield Event(EventKind.ANSWERED, worker, payload)
        except (WorkerError, msgspec.MsgspecError) as error:
            yield Event(EventKind.FAILED, worker, text=f"{NO_PROTOCOL}: {error}")
            return
        if worker.hung_up:
            self._unwatch(worker.answers)
            yield Event(EventKind.HUNG_UP, worker)

    def _hear_loading(self, worker: WorkerProcess, payload: bytes) -> Iterator[Event]:
        if worker.greeting is None:
            greeting = msgspec.json.decode(payload, type=Greeting)
            if greeting.error:
                yield Event(EventKind.BROKEN, worker, text=greeting.error)
                return
            environment = worker.interpreter.environment
            version = msgspec.structs.replace(
                greeting.version, **_shared_versions(), environment=environment
            )
            worker.greeting = msgspec.structs.replace(greeting, version=version)
            worker.version = version.id
            yield Event(EventKind.GREETED, worker)
        else:
            family = msgspec.json.decode(payload, type=str)
            if family != worker.attempt.job.family:
                raise WorkerError(f"the worker speaks of {family!r} without being asked")
            worker.families.add(family)
        if self.prepare(worker):
            yield Event(EventKind.READY, worker)

    def _hear_reaper(self, reaper: ReaperProcess) -> Iterator[Event]:
        messages, is_there = reaper.receive()
        for message in messages:
            worker = self.workers.get(message.get("worker", 0))
            if worker is None:
                continue
            event = message["event"]
            if event == "started":
                worker.pid, worker.inherited_mb = message["pid"], message["inherited_mb"]
            worker.status = message.get("status", worker.status)
            if event == "failed":
                yield Event(EventKind.NOT_STARTED, worker, text=message["error"])
            elif event == "stopped" and worker.state not in ENDING:
                yield Event(EventKind.STOPPED, worker)
            elif event == "ended" and worker.state not in ENDING:
                before = None  # its last words first
                while worker.has_job and not worker.hung_up and before != worker.heard_at:
                    before = worker.heard_at
                    yield from self._hear(worker)
                if worker.state not in ENDING:
                    yield Event(EventKind.ENDED, worker)
            elif event == "gone":
                yield Event(EventKind.GONE, worker)
        if not is_there and self._reapers.get(reaper.name) is reaper:
            yield from self.abandon(reaper)

    def _give_up_loading(self, worker: WorkerProcess) -> Iterator[Event]:
        reaper = worker.reaper
        text = f"{worker.loads} did not load within {self._settings.start_seconds:g} s"
        if reaper.ready or not reaper.backend:
            yield Event(EventKind.FAILED, worker, text=text)
        else:  # it is the fork server that loads, for all that wait for it
            for one in self.workers_of(reaper):
                yield Event(EventKind.FAILED, one, text=text)
            yield from self.abandon(reaper)

    def _flush(self, worker: WorkerProcess) -> None:
        worker.flush()
        if not worker.unsent:
            self._unwatch(worker.requests)

    def _drain(self, printing: WorkerProcess | ReaperProcess) -> None:
        if not printing.output.drain():
            self._unwatch(printing.output.descriptor)

    # --- ending ----------------------------------------------------------------------------

    def dismiss(self, worker: WorkerProcess, *, at_once: bool = False) -> None:
        """Let the worker leave, or kill it; the event ``GONE`` follows."""
        self._unwatch(worker.answers, worker.requests)
        worker.hang_up()
        worker.state = State.LEAVING
        worker.look_at = FOREVER
        worker.deadline = perf_counter() + _LEAVE_SECONDS
        if at_once:
            self._kill(worker)

    def _kill(self, worker: WorkerProcess) -> None:
        worker.state = State.KILLED
        worker.deadline = perf_counter() + _GONE_SECONDS
        worker.reaper.send({"kill": worker.number})

    def forget(self, worker: WorkerProcess) -> None:
        """Give back what is held of a worker that is gone."""
        del self.workers[worker.number]
        self._unwatch(worker.answers, worker.requests, worker.output.descriptor)
        worker.close()
        reaper = worker.reaper
        is_alone = reaper.name != reaper.backend and self._reapers.get(reaper.name) is reaper
        if is_alone and not self.workers_of(reaper):
            self._end_reaper(reaper)

    def abandon(self, reaper: ReaperProcess) -> Iterator[Event]:
        """End a reaper that has ended or hangs, and give up its workers."""
        self._end_reaper(reaper)
        for worker in self.workers_of(reaper):
            if worker.group is not None:  # no reaper ends any more what is left in it
                worker.group.kill()
            yield Event(EventKind.ABANDONED, worker)
            yield Event(EventKind.GONE, worker)

    def _end_reaper(self, reaper: ReaperProcess) -> None:
        self._unwatch(reaper.fileno(), reaper.output.descriptor)
        del self._reapers[reaper.name]
        reaper.end()

    def close(self) -> None:
        """End every worker: idle ones may leave by themselves, for a moment."""
        for worker in list(self.workers.values()):
            if worker.has_job:
                self.dismiss(worker, at_once=True)
            elif worker.state is State.IDLE:
                self.dismiss(worker)
                worker.deadline = perf_counter() + self._settings.exit_seconds
        until = perf_counter() + self._settings.exit_seconds + _GONE_SECONDS
        while self.is_active and perf_counter() < until:
            for event in self.wait():
                if event.what in (EventKind.GONE, EventKind.NOT_STARTED):
                    self.forget(event.worker)
        for reaper in list(self._reapers.values()):
            self._end_reaper(reaper)
        for worker in list(self.workers.values()):
            self.forget(worker)
        self._selector.close()
