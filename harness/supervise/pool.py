"""The workers of a session: given jobs, listened to, kept within limits, ended.

Words
-----
idle        a warm worker between jobs, which holds no slot; at most slots x backends exist for each
            repeat, and a new one has those of earlier repeats leave, which have seen the instances
leaving     a worker that is told to leave or be killed; its slot is free, and the record of a job
            that it was killed for is there, when nothing that it started is left
grace       what a worker may take beyond the wall limit before it is killed, so that a solver that
            stops by itself can still say what it had found
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from time import perf_counter

import msgspec

from harness.job import Job, warm_up_limit
from harness.record import Outcome, Record, Version
from harness.supervise import cgroups
from harness.supervise.cgroups import Group
from harness.supervise.charge import FOREVER, Charge
from harness.supervise.failed_starts import FailedStarts
from harness.supervise.idle import Idle
from harness.supervise.keeper_process import KeeperProcess, number_in
from harness.supervise.keepers import Keepers
from harness.supervise.limit_watch import LimitWatch
from harness.supervise.listening import Handler, Listener
from harness.supervise.process_tree import LINUX, sweep
from harness.supervise.protocol import Greeting, WarmUp
from harness.supervise.settings import MODES, Settings
from harness.supervise.worker_process import Conditions, WorkerProcess, how_it_ended
from modelling.errors import WorkerError

GRACE = 0.05
"""Seconds after the wall limit at which a worker is killed."""

_WITH_OUTPUT: frozenset[Outcome] = frozenset({"crashed", "error", "timeout", "memout", "lost"})
_EOF_SECONDS = 0.25
_LEAVE_SECONDS = 0.2
_GONE_SECONDS = 5.0
_HEADROOM = 2.0
_HEADROOM_MB = 2048.0


class Pool:
    """``assign`` jobs while there is a free slot, ``wait``, and take what has ``finished``.

    ``again`` holds jobs whose worker had died before it took them, or whose keeper died, or for
    which no worker could be started while others took up what that needs.
    """

    def __init__(self, settings: Settings, on_version: Callable[[Version], None]) -> None:
        settings.check()
        self._settings = settings
        self._on_version = on_version
        self.finished: list[Record] = []
        self.again: list[Job] = []
        self._mode = MODES[settings.mode]
        self._isolation = settings.chosen_isolation()
        self._isolation_text = self._isolation.text
        self._cores = settings.cores()
        usable = max(1, len(self._cores[0]) or (os.cpu_count() or 1))
        self._limits = LimitWatch(settings, self._isolation, usable)
        self._token = settings.token or secrets.token_hex(8)
        self._keepers = Keepers(self._token, self._mode.forked, self._listen_to)
        self._free = list(range(settings.slots))
        self._running: dict[Charge, None] = {}
        self._leaving: dict[Charge, None] = {}
        self._idle = Idle()
        self._charges: dict[int, Charge] = {}
        self._tried_again: set[int] = set()
        self._lost_once: set[int] = set()
        self._cold: dict[int, str] = {}  # jobs to run without a warm-up, and why
        self._starts = FailedStarts()
        self._is_short = False
        self._listener = Listener()
        self._versions: dict[Version, str] = {}
        self._started = 0
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Record).decode
        if settings.token:
            sweep(settings.token)
            if self._isolation.groups is not None:
                cgroups.remove_all(self._isolation.groups, settings.token)

    @property
    def has_free_slot(self) -> bool:
        return bool(self._free) and not self._is_short

    @property
    def busy(self) -> bool:
        """Whether there is anything to wait for."""
        return bool(self._running or self._leaving)

    def take_finished(self) -> list[Record]:
        """The records of what has ended since the last call."""
        finished, self.finished = self.finished, []
        return finished

    # --- jobs to workers -------------------------------------------------------------------

    def assign(self, job: Job) -> None:
        """Give ``job`` to a worker in a free slot; a record at once if its backend is broken."""
        verdict = self._starts.verdict_on(job)
        if verdict is not None:
            outcome, error = verdict
            self._settle(Record(job=job.number, outcome=outcome, error=error), None)
            return
        apart = job.number in self._lost_once or job.number in self._cold
        charge = None if apart else self._idle.take(job.backend, job.repeat, self._free)
        if charge is None:
            try:
                charge = self._start(job, self._free[-1])
            except OSError as error:
                self._could_not_start(job, str(error))
                return
        elif charge.slot not in self._free:
            charge.slot = self._free[-1]
            charge.worker.move(self._cores[charge.slot])
        self._free.remove(charge.slot)
        charge.job, charge.has_slot = job, True
        self._running[charge] = None
        if charge.version is not None:
            self._proceed(charge)

    def _could_not_start(self, job: Job, error: str) -> None:
        """Descriptors, processes or memory are used up; a worker that ends gives some back."""
        if self._charges:
            self.again.append(job)
            self._is_short = True
            idle = self._idle.longest()
            if idle is not None:
                self._part_with(idle)
        else:
            text = f"no worker could be started: {error}"
            self._starts.failed(job.backend, ("lost", text), perf_counter())
            self._settle(Record(job=job.number, outcome="lost", error=text), None)

    def _start(self, job: Job, slot: int) -> Charge:
        for idle in self._idle.of_earlier(job.backend, job.repeat):
            self._part_with(idle)
        keeper = self._keepers.of(job, alone=job.number in self._lost_once)
        self._started += 1
        worker = WorkerProcess(
            keeper,
            job.backend,
            self._started,
            job.family,
            self._conditions(slot, first_cold=job.number in self._cold),
        )
        charge = Charge(
            worker,
            slot,
            repeat=job.repeat,
            deadline=perf_counter() + self._settings.start_seconds,
        )
        if self._mode.forked:  # its fork server has imported it
            charge.families.add(job.family)
        self._charges[worker.number] = charge
        self._watch(charge, worker.answers, lambda: self._on_answers(charge))
        self._watch(charge, worker.output.descriptor, lambda: self._on_output(charge))
        return charge

    def _listen_to(self, keeper: KeeperProcess) -> None:
        self._listener.listen(keeper.fileno(), lambda: self._on_keeper(keeper))
        self._listener.listen(keeper.output.descriptor, lambda: self._on_keeper_output(keeper))

    def _conditions(self, slot: int, *, first_cold: bool) -> Conditions:
        most, groups = self._settings.memory_mb, self._isolation.groups
        group = Group(groups, f"{self._token}-{self._started}") if groups is not None else None
        polled = most is not None and self._isolation.rung == "polled" and LINUX
        headroom = _HEADROOM * most + _HEADROOM_MB if polled and most is not None else None
        return Conditions(
            self._mode.once,
            group,
            most,
            headroom,
            self._cores[slot],
            self._settings.warm_ups,
            first_cold,
        )

    def _proceed(self, charge: Charge) -> None:
        """Send the job, or first the name of its puzzle family if the worker has not got that."""
        assert charge.job is not None
        charge.sent_at, charge.warm_up = None, ""
        if charge.job.family in charge.families:
            self._send_job(charge)
        else:
            charge.deadline = perf_counter() + self._settings.start_seconds
            self._send(charge, self._encode(charge.job.family))

    def _send_job(self, charge: Charge) -> None:
        job, worker = charge.job, charge.worker
        assert job is not None
        worker.output.forget()
        worker.served += charge.sent_at is None  # not when it is sent again behind a warm-up
        payload = self._encode(job)
        charge.sent_at = now = perf_counter()
        seconds = job.limits.seconds
        charge.deadline = FOREVER if seconds is None else now + seconds + GRACE
        self._limits.begin(charge)
        self._send(charge, payload)

    def _send(self, charge: Charge, payload: bytes) -> None:
        worker = charge.worker
        worker.send(payload)
        if worker.unsent:
            self._watch(charge, worker.requests, lambda: self._on_writable(charge), to_write=True)

    # --- events ----------------------------------------------------------------------------

    def wait(self) -> None:
        """Wait for something to happen, at most a tick, and deal with it."""
        now = perf_counter()
        nearest = now + self._settings.tick
        for charge in (*self._running, *self._leaving):
            nearest = min(nearest, charge.deadline, charge.look_at)
        self._listener.wait(nearest - now)
        now = perf_counter()
        if now >= nearest:
            self._look_around(now)

    def _on_output(self, charge: Charge) -> None:
        if not charge.worker.output.drain():
            self._unwatch(charge, charge.worker.output.descriptor)

    def _on_writable(self, charge: Charge) -> None:
        charge.worker.flush()
        if not charge.worker.unsent:
            self._unwatch(charge, charge.worker.requests)

    def _on_keeper_output(self, keeper: KeeperProcess) -> None:
        if not keeper.output.drain():
            self._listener.deafen(keeper.output.descriptor)

    def _on_answers(self, charge: Charge) -> bool:
        """Deal with what the worker says; false when it will say no more."""
        worker = charge.worker
        try:
            payloads = worker.receive()
            charge.heard_at = perf_counter()
            if payloads is None:  # its keeper will say how it ended
                self._unwatch(charge, worker.answers)
                charge.hung_up = True
                charge.deadline = min(charge.deadline, charge.heard_at + _EOF_SECONDS)
                if charge.job is None and charge not in self._leaving:  # of no use any more
                    self._part_with(charge, at_once=True)
                return False
            for payload in payloads:
                self._on_payload(charge, payload)
        except (WorkerError, msgspec.MsgspecError) as error:
            self._fail(charge, "error", f"not the worker's protocol: {error}")
            return False
        return bool(payloads)

    def _on_payload(self, charge: Charge, payload: bytes) -> None:
        if charge.job is None:
            if charge in self._leaving:  # it speaks on, though its job is settled
                return
            raise WorkerError("the worker spoke without being asked")
        if charge.version is None:
            self._on_greeting(charge, msgspec.json.decode(payload, type=Greeting))
        elif charge.sent_at is None:
            self._on_family(charge, msgspec.json.decode(payload, type=str))
        elif payload.startswith(b"["):
            self._on_warm_up(charge, msgspec.json.decode(payload, type=WarmUp))
        else:
            self._on_record(charge, self._decode(payload))

    def _on_greeting(self, charge: Charge, greeting: Greeting) -> None:
        backend = charge.worker.backend
        if greeting.error:
            self._starts.give_up(backend, ("error", greeting.error))
            self._fail(charge, "error", greeting.error)
            return
        self._starts.loaded(backend)
        version = greeting.version
        if version not in self._versions:
            self._versions[version] = version.id
            self._on_version(version)
        charge.version, charge.version_id = version, self._versions[version]
        charge.import_s = greeting.import_s
        self._proceed(charge)

    def _on_family(self, charge: Charge, family: str) -> None:
        assert charge.job is not None
        if family != charge.job.family:
            raise WorkerError(f"the worker speaks of {family!r} without being asked")
        self._starts.loaded(family)
        charge.families.add(family)
        self._send_job(charge)

    def _on_warm_up(self, charge: Charge, told: WarmUp) -> None:
        assert charge.job is not None
        if charge.warming != (told.state == "ends") or not self._settings.warm_ups:
            raise WorkerError("the worker speaks of warm-ups out of turn")
        if told.state == "begins":
            charge.warming = True
            most = warm_up_limit(charge.job.limits.seconds) * self._settings.warm_ups
            charge.deadline = perf_counter() + most + GRACE
        elif told.left_behind:
            self._fail(charge, "error", "it left processes behind")
        else:
            charge.warming, charge.warm_up = False, told.error
            self._send_job(charge)

    def _on_record(self, charge: Charge, record: Record) -> None:
        job, worker = charge.job, charge.worker
        assert job is not None
        if record.job != job.number or charge.warming:
            raise WorkerError(f"an answer to job {record.job} instead of {job.number}")
        spoilt = bool(record.left_behind) or worker.mid_frame or worker.unsent
        self._limits.answered(charge, record)
        spoilt = spoilt or record.outcome == "memout"
        if record.outcome in _WITH_OUTPUT:
            record.output = worker.output.text()
        if charge.sent_at is not None:
            record.elapsed_s = charge.heard_at - charge.sent_at
        self._settle(record, charge)
        charge.job = None
        if spoilt or self._mode.once:
            self._part_with(charge, at_once=spoilt)
        else:
            del self._running[charge]
            charge.deadline = charge.look_at = FOREVER
            self._idle.add(charge)
            self._give_back_slot(charge)

    def _on_keeper(self, keeper: KeeperProcess) -> None:
        messages, there = keeper.events()
        for message in messages:
            charge = self._charges.get(number_in(message))
            if charge is None:
                continue
            if "failed" in message:
                job, charge.job = charge.job, None
                self._forget(charge)
                if job is not None:
                    self._could_not_start(job, message["error"])
                continue
            charge.worker.hear(message)
            if "ended" in message and charge not in self._leaving:
                self._on_end(charge)
            if "gone" in message:
                self._forget(charge)
        if not there:
            self._on_keeper_end(keeper)

    def _on_end(self, charge: Charge) -> None:
        """The worker has ended, though nobody told it to."""
        while charge.job is not None and not charge.hung_up and self._on_answers(charge):
            pass
        job, worker = charge.job, charge.worker
        if charge in self._leaving:
            return
        if job is None:
            self._part_with(charge)
        elif charge.died_idle() and job.number not in self._tried_again:
            self._tried_again.add(job.number)
            self.again.append(job)
            charge.job = None
            self._part_with(charge)
        else:
            loading = "" if charge.sent_at is not None else f" while it loaded {_loads(charge)}"
            how = how_it_ended(worker.status)
            self._fail(charge, "crashed", f"the worker {how}{loading}, without an answer")

    def _on_keeper_end(self, keeper: KeeperProcess) -> None:
        ready = keeper.ready
        printed = keeper.output.text()
        how = how_it_ended(self._end_keeper(keeper))
        for charge in self._of(keeper):
            group = charge.worker.under.group
            if group is not None:  # no keeper ends any more what is left in it
                group.kill()
            if charge.job is not None and not ready:
                who = "fork server" if keeper.backend else "keeper"
                text = f"the {who} {how} while it loaded the backend, without an answer"
                self._fail(charge, "crashed", text)
                if charge.record is not None:
                    charge.record.output = printed
            elif charge.job is not None and charge.job.number not in self._lost_once:
                self._lost_once.add(charge.job.number)
                self.again.append(charge.job)
                charge.job = None
            elif charge.job is not None:
                text = f"the keeper of its worker {how}, though not told to, for the second time"
                self._fail(charge, "lost", text)
            self._forget(charge)

    def _look_around(self, now: float) -> None:
        """Deadlines, and what the jobs use."""
        for charge in list(self._running):
            if now >= charge.deadline:
                self._too_late(charge)
            elif now >= charge.look_at:
                beyond = self._limits.look(charge)
                if beyond is not None:
                    self._fail(charge, *beyond)
        for charge in list(self._leaving):
            if now < charge.deadline:
                continue
            if charge.killed:  # and still there: stuck in the kernel; its keeper goes on trying
                self._forget(charge)
            else:
                self._kill(charge)

    def _too_late(self, charge: Charge) -> None:
        if charge.hung_up:
            ended = charge.worker.status
            how = "closed its pipe" if ended is None else how_it_ended(ended)
            self._fail(charge, "crashed", f"the worker {how}, without an answer")
        elif charge.sent_at is None:
            text = f"{_loads(charge)} did not load within {self._settings.start_seconds:g} s"
            keeper = charge.worker.keeper
            if keeper.ready or not keeper.backend:
                self._fail(charge, "error", text)
            else:  # it is the fork server that loads, for all that wait for it
                for one in self._of(keeper):
                    self._fail(one, "error", text)
                self._on_keeper_end(keeper)
        else:
            assert charge.job is not None
            seconds = charge.job.limits.seconds
            if charge.warming:
                seconds = warm_up_limit(seconds) * self._settings.warm_ups
            self._fail(charge, "timeout", f"killed after the limit of {seconds:g} s")

    # --- ends ------------------------------------------------------------------------------

    def _fail(self, charge: Charge, outcome: Outcome, error: str) -> None:
        """End the worker; its job's record says what it was seen to have found and used.

        A job that has not begun, since the worker was warming up, runs cold in another one.
        """
        job, worker = charge.job, charge.worker
        if job is not None:
            outcome, error = self._limits.killed_by_kernel(charge) or (outcome, error)
        if job is not None and charge.warming:
            self._cold[job.number] = f"{outcome}: {error}"
            self.again.append(job)
            charge.job = None
        elif job is not None:
            record = Record(job=job.number, outcome=outcome, error=error)
            if charge.sent_at is not None:
                self._limits.tell_used(charge, record)
            elif outcome != "lost":
                what = worker.backend if charge.version is None else job.family
                self._starts.failed(what, (outcome, error), charge.started_at)
            record.output = worker.output.text()
            record.wall_s = perf_counter() - charge.sent_at if charge.sent_at is not None else 0.0
            charge.record, charge.job = record, None
        self._part_with(charge, at_once=True)

    def _settle(self, record: Record, charge: Charge | None) -> None:
        """The record is complete: the job has ended."""
        record.ended_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        record.isolation, record.mode = self._isolation_text, self._mode.name
        record.attempt = 2 if record.job in self._lost_once else 1
        if charge is not None:
            worker = charge.worker
            record.worker, record.nth = worker.number, worker.served
            record.cores = ",".join(map(str, worker.cores))
            record.warm_up = self._cold.pop(record.job, charge.warm_up)
            if charge.version is not None:
                record.version, record.backend_family = charge.version_id, charge.version.family
                record.import_s = charge.import_s
        self.finished.append(record)

    def _part_with(self, charge: Charge, *, at_once: bool = False) -> None:
        """Let the worker leave, or kill it; if it has a slot, that is taken until it is gone."""
        worker = charge.worker
        self._running.pop(charge, None)
        self._idle.discard(charge)
        for descriptor in (worker.answers, worker.requests):
            if descriptor in charge.watched:
                self._unwatch(charge, descriptor)
        worker.hang_up()
        self._leaving[charge] = None
        charge.look_at = FOREVER
        charge.deadline = perf_counter() + _LEAVE_SECONDS
        if at_once:
            self._kill(charge)

    def _kill(self, charge: Charge) -> None:
        charge.killed = True
        charge.deadline = perf_counter() + _GONE_SECONDS
        charge.worker.keeper.kill(charge.worker.number)

    def _forget(self, charge: Charge) -> None:
        """Nothing of the worker is left: its slot is free, and the record of its job complete."""
        if self._charges.pop(charge.worker.number, None) is None:
            return
        self._running.pop(charge, None)
        self._leaving.pop(charge, None)
        self._idle.discard(charge)
        for descriptor in list(charge.watched):
            self._unwatch(charge, descriptor)
        record = charge.record
        if record is not None and charge.sent_at is not None:
            charge.tell_found(record)
            record.elapsed_s = perf_counter() - charge.sent_at
        charge.worker.close()
        keeper = charge.worker.keeper
        if self._keepers.is_alone(keeper) and not self._of(keeper):
            self._end_keeper(keeper)
        self._give_back_slot(charge)
        if record is not None:
            self._settle(record, charge)

    def _give_back_slot(self, charge: Charge) -> None:
        self._is_short = False
        if charge.has_slot:
            charge.has_slot = False
            self._free.append(charge.slot)

    def _of(self, keeper: KeeperProcess) -> list[Charge]:
        return [charge for charge in self._charges.values() if charge.worker.keeper is keeper]

    def _end_keeper(self, keeper: KeeperProcess) -> int | None:
        self._listener.deafen(keeper.fileno())
        self._listener.deafen(keeper.output.descriptor)
        return self._keepers.end(keeper)

    def close(self) -> None:
        """End every worker: idle ones may leave by themselves, for a moment."""
        for charge in list(self._charges.values()):
            charge.job = charge.record = None
            if charge in self._running:
                self._part_with(charge, at_once=True)
            elif charge not in self._leaving:
                self._part_with(charge)
                charge.deadline = perf_counter() + self._settings.exit_seconds
        until = perf_counter() + self._settings.exit_seconds + _GONE_SECONDS
        while self._leaving and perf_counter() < until:
            self.wait()
        for keeper in self._keepers.all():
            self._end_keeper(keeper)
        for charge in list(self._charges.values()):
            self._forget(charge)
        self._listener.close()

    # --- listening -------------------------------------------------------------------------

    def _watch(
        self, charge: Charge, descriptor: int, handler: Handler, *, to_write: bool = False
    ) -> None:
        self._listener.listen(descriptor, handler, to_write=to_write)
        charge.watched.add(descriptor)

    def _unwatch(self, charge: Charge, descriptor: int) -> None:
        self._listener.deafen(descriptor)
        charge.watched.discard(descriptor)


def _loads(charge: Charge) -> str:
    """What a worker loads that has no job yet."""
    if charge.version is None or charge.job is None:
        return "the backend"
    return f"the puzzle family {charge.job.family}"
