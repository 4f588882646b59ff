"""The worker processes of a session: started below their reapers, kept warm, heard, ended.

What becomes of the workers is told as a stream of events; what it means for a job is decided by
``harness.supervise.supervisor``.

Words
-----
idle        a warm worker between jobs, which holds no slot; at most slots x backends exist for each
            repeat, and a new one has those of earlier repeats leave, which have seen the instances
event       what ``Pool.wait`` yields: a worker answered, closed its pipe, ended, is late, ...
"""

from __future__ import annotations

import secrets
import selectors
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from enum import Enum
from functools import partial
from time import perf_counter
from typing import NamedTuple

from harness.job import Job
from harness.supervise import cgroups
from harness.supervise.cgroups import Group
from harness.supervise.processes import LINUX, sweep
from harness.supervise.protocol import Start
from harness.supervise.reaper_process import ReaperProcess, Reapers, module_path, number_in
from harness.supervise.settings import MODES, Isolation, Settings
from harness.supervise.worker_process import ENDING, FOREVER, State, WorkerProcess
from modelling.errors import WorkerError

_LEAVE_SECONDS = 0.2
_GONE_SECONDS = 5.0
_HEADROOM = 2.0
_HEADROOM_MB = 2048.0


class What(Enum):
    """What has happened to a worker."""

    ANSWERED = "it has sent the payload"
    SPOILT = "it has sent what is no frame, as the text says"
    HUNG_UP = "it has closed its pipe; its reaper will say how it ended"
    NOT_STARTED = "it could not be started, for the reason in the text, and nothing is left of it"
    ENDED = "it has ended, though nobody told it to"
    GONE = "nothing that it started is left"
    LATE = "its deadline is over"
    DUE = "what its job uses is to be compared with the limits"


class WorkerEvent(NamedTuple):
    """Something that happened to a worker."""

    what: What
    worker: WorkerProcess
    payload: bytes = b""
    text: str = ""


class ReaperEnded(NamedTuple):
    """A reaper has ended, though nobody told it to; its workers are no longer kept."""

    reaper: ReaperProcess


Event = WorkerEvent | ReaperEnded
Handler = Callable[[], Iterable[Event]]


class EventLoop:
    """A selector with a handler for each descriptor, which turns what is there into events."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._handlers: dict[int, Handler] = {}

    def register(self, descriptor: int, handler: Handler, *, to_write: bool = False) -> None:
        """Call ``handler`` whenever ``descriptor`` has something to read, or can be written to."""
        events = selectors.EVENT_WRITE if to_write else selectors.EVENT_READ
        self._selector.register(descriptor, events)
        self._handlers[descriptor] = handler

    def unregister(self, *descriptors: int) -> None:
        """Wait no more for ``descriptors``, as far as anybody did."""
        for descriptor in descriptors:
            if self._handlers.pop(descriptor, None) is not None:
                with suppress(KeyError, ValueError):  # its owner has closed it before
                    self._selector.unregister(descriptor)

    def wait(self, seconds: float) -> Iterator[Event]:
        """Wait for something to happen, at most so long."""
        for key, _ in self._selector.select(max(0.0, seconds)):
            handler = self._handlers.get(key.fd)
            if handler is not None:  # its owner may have ended a moment ago
                yield from handler()

    def close(self) -> None:
        """Wait for nothing any more."""
        self._selector.close()
        self._handlers.clear()


class Pool:
    """The workers of a session; ``active`` are those that are not idle."""

    def __init__(self, settings: Settings, isolation: Isolation) -> None:
        self._settings = settings
        self._groups = isolation.groups
        self._is_polled = isolation.rung == "polled" and LINUX
        self._mode = MODES[settings.mode]
        self._token = settings.token or secrets.token_hex(8)
        self._reapers = Reapers(self._token, self._mode.forked)
        self._started = 0
        self._workers: dict[int, WorkerProcess] = {}
        self._idle: dict[str, list[WorkerProcess]] = defaultdict(list)
        self.active: dict[WorkerProcess, None] = {}
        self._loop = EventLoop()
        if settings.token:
            sweep(settings.token)
            if self._groups is not None:
                cgroups.remove_all(self._groups, settings.token)

    @property
    def is_empty(self) -> bool:
        """Whether there is no worker at all."""
        return not self._workers

    # --- starting, and idling --------------------------------------------------------------

    def start(
        self, job: Job, cores: tuple[int, ...], *, alone: bool, first_cold: bool
    ) -> WorkerProcess:
        """A new worker for ``job``, below a reaper of its own if ``alone``.

        Those that served earlier repeats of its backend's jobs leave. Raises OSError where
        descriptors, processes or memory are used up.
        """
        for worker in [one for one in self._idle[job.backend] if one.repeat < job.repeat]:
            self.dismiss(worker)
        reaper, is_new = self._reapers.find_or_start(job, alone=alone)
        if is_new:
            self._loop.register(reaper.fileno(), partial(self._hear_reaper, reaper))
            self._loop.register(reaper.output.descriptor, partial(self._drain, reaper))
        self._started += 1
        number, settings = self._started, self._settings
        group = None
        if self._groups is not None:
            group = Group(self._groups, f"{self._token}-{number}")
        headroom = None
        if settings.memory_mb is not None and self._is_polled:
            headroom = _HEADROOM * settings.memory_mb + _HEADROOM_MB
        start = Start(
            job.backend,
            module_path(),
            self._mode.once,
            headroom,
            settings.memory_mb,
            settings.warm_ups,
            first_cold,
        )
        worker = WorkerProcess(reaper, number, start, job, cores, group)
        worker.deadline = worker.started_at + settings.start_seconds
        if self._mode.forked:  # its fork server has imported it
            worker.families.add(job.family)
        self._workers[number] = worker
        self.active[worker] = None
        self._loop.register(worker.answers, partial(self._hear, worker))
        self._loop.register(worker.output.descriptor, partial(self._drain, worker))
        return worker

    def take_idle(self, job: Job, cores: Collection[tuple[int, ...]]) -> WorkerProcess | None:
        """An idle worker that serves this repeat of the backend's jobs, if there is any.

        If possible one that ran on one of ``cores``, which are those of the free slots.
        """
        found = None
        for worker in self._idle[job.backend]:
            if worker.repeat == job.repeat:
                found = worker
                if worker.cores in cores:
                    break
        if found is not None:
            self._idle[job.backend].remove(found)
            self.active[found] = None
        return found

    def put_back(self, worker: WorkerProcess) -> None:
        """It has done its job, and is warm for the next one."""
        worker.state = State.IDLE
        worker.deadline = worker.look_at = FOREVER
        self.active.pop(worker)
        self._idle[worker.backend].append(worker)

    def dismiss_longest_idle(self) -> None:
        """Let the worker that has been idle longest leave, if any is idle."""
        everyone = (worker for idle in self._idle.values() for worker in idle)
        longest = min(everyone, key=lambda worker: worker.heard_at, default=None)
        if longest is not None:
            self.dismiss(longest)

    def workers_of(self, reaper: ReaperProcess) -> list[WorkerProcess]:
        """The workers that ``reaper`` has started and that are not gone."""
        return [worker for worker in self._workers.values() if worker.reaper is reaper]

    # --- talking ---------------------------------------------------------------------------

    def send(self, worker: WorkerProcess, payload: bytes) -> None:
        """Send a frame; what the pipe does not take follows as soon as it does."""
        worker.send(payload)
        if worker.unsent:
            self._loop.register(worker.requests, partial(self._flush, worker), to_write=True)

    def wait(self) -> Iterator[Event]:
        """Wait for something to happen, at most a tick; the events, each as it is asked for."""
        now = perf_counter()
        nearest = now + self._settings.tick
        for worker in self.active:
            nearest = min(nearest, worker.deadline, worker.look_at)
        yield from self._loop.wait(nearest - now)
        now = perf_counter()
        for worker in list(self.active) if now >= nearest else ():
            if worker not in self.active:  # forgotten meanwhile, with all of its reaper's
                continue
            if now >= worker.deadline:
                if worker.state is State.LEAVING:
                    self._kill(worker)
                elif worker.state is State.KILLED:  # stuck in the kernel; its reaper tries on
                    yield WorkerEvent(What.GONE, worker)
                else:
                    yield WorkerEvent(What.LATE, worker)
            elif now >= worker.look_at:
                yield WorkerEvent(What.DUE, worker)

    def _hear(self, worker: WorkerProcess) -> Iterator[WorkerEvent]:
        try:
            payloads = worker.receive()
        except WorkerError as error:
            yield WorkerEvent(What.SPOILT, worker, text=str(error))
            return
        for payload in payloads:
            yield WorkerEvent(What.ANSWERED, worker, payload)
        if worker.hung_up:
            self._loop.unregister(worker.answers)
            yield WorkerEvent(What.HUNG_UP, worker)

    def _hear_reaper(self, reaper: ReaperProcess) -> Iterator[Event]:
        messages, is_there = reaper.receive()
        for message in messages:
            worker = self._workers.get(number_in(message))
            if worker is None:
                continue
            worker.note(message)
            if "failed" in message:
                yield WorkerEvent(What.NOT_STARTED, worker, text=message["error"])
            elif "ended" in message and worker.state not in ENDING:
                before = None  # its last words first
                while worker.has_job and not worker.hung_up and before != worker.heard_at:
                    before = worker.heard_at
                    yield from self._hear(worker)
                if worker.state not in ENDING:
                    yield WorkerEvent(What.ENDED, worker)
            elif "gone" in message:
                yield WorkerEvent(What.GONE, worker)
        if not is_there and reaper in self._reapers:
            yield ReaperEnded(reaper)

    def _flush(self, worker: WorkerProcess) -> tuple[()]:
        worker.flush()
        if not worker.unsent:
            self._loop.unregister(worker.requests)
        return ()

    def _drain(self, printing: WorkerProcess | ReaperProcess) -> tuple[()]:
        if not printing.output.drain():
            self._loop.unregister(printing.output.descriptor)
        return ()

    # --- ending ----------------------------------------------------------------------------

    def dismiss(self, worker: WorkerProcess, *, at_once: bool = False) -> None:
        """Let the worker leave, or kill it; the event ``GONE`` follows."""
        if worker in self._idle[worker.backend]:
            self._idle[worker.backend].remove(worker)
        self.active[worker] = None
        self._loop.unregister(worker.answers, worker.requests)
        worker.hang_up()
        worker.state = State.LEAVING
        worker.look_at = FOREVER
        worker.deadline = perf_counter() + _LEAVE_SECONDS
        if at_once:
            self._kill(worker)

    def _kill(self, worker: WorkerProcess) -> None:
        worker.state = State.KILLED
        worker.deadline = perf_counter() + _GONE_SECONDS
        worker.reaper.kill(worker.number)

    def forget(self, worker: WorkerProcess) -> None:
        """Give back what is held of a worker that is gone."""
        del self._workers[worker.number]
        self.active.pop(worker, None)
        if worker in self._idle[worker.backend]:
            self._idle[worker.backend].remove(worker)
        self._loop.unregister(*worker.descriptors)
        worker.close()
        reaper = worker.reaper
        if reaper.alone and reaper in self._reapers and not self.workers_of(reaper):
            self.end_reaper(reaper)

    def end_reaper(self, reaper: ReaperProcess) -> int | None:
        """End it with all that it has started; its exit status, if it has one."""
        self._loop.unregister(reaper.fileno(), reaper.output.descriptor)
        return self._reapers.end(reaper)

    def close(self) -> None:
        """End every worker: idle ones may leave by themselves, for a moment."""
        for worker in list(self._workers.values()):
            if worker.has_job:
                self.dismiss(worker, at_once=True)
            elif worker.state is State.IDLE:
                self.dismiss(worker)
                worker.deadline = perf_counter() + self._settings.exit_seconds
        until = perf_counter() + self._settings.exit_seconds + _GONE_SECONDS
        while self.active and perf_counter() < until:
            for event in self.wait():
                if isinstance(event, ReaperEnded):
                    self.end_reaper(event.reaper)
                    gone = self.workers_of(event.reaper)
                else:
                    gone = [event.worker] if event.what in (What.GONE, What.NOT_STARTED) else []
                for worker in gone:
                    self.forget(worker)
        for reaper in self._reapers:
            self.end_reaper(reaper)
        for worker in list(self._workers.values()):
            self.forget(worker)
        self._loop.close()
