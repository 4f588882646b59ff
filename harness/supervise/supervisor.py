"""The supervisor: hands jobs to workers, keeps the limits from outside, loses no job.

Words
-----
slot        the right to run one job; as many jobs run at a time as there are slots. If a job
            failed, its slot is free when nothing that the worker started is left
grace       what a worker may take beyond the wall limit before it is killed, so that a solver that
            stops by itself can still say what it had found

One thread and one selector do all of it. Whatever a worker does - hang, crash, leave, babble, flood
its output, leave children behind - ends in exactly one record for its job and a new worker for the
next. An answer is first followed by the next job and only then looked at, so that workers do not
wait for bookkeeping.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from operator import attrgetter
from time import perf_counter

import msgspec

from backends.interface.registry import known_family
from harness.flaws import CHECKED, find_flaw
from harness.job import Job, warm_up_limit
from harness.machine import this_machine
from harness.noise import Probe, When, take_probe
from harness.record import UNRUN, Outcome, Record, Version
from harness.supervise.limits import STOPPED, FailedStarts, LimitWatch
from harness.supervise.pool import NO_PROTOCOL, Event, EventKind, Pool
from harness.supervise.protocol import ProofCheck, WarmedUp, WarmUp
from harness.supervise.sandbox.accounts import SystemAccounts
from harness.supervise.settings import MODES, Settings
from harness.supervise.worker_process import FOREVER, Attempt, State, WorkerProcess
from modelling.errors import WorkerError
from modelling.wording import join_words

__all__ = ["Settings", "supervise"]

GRACE = 0.05
"""Seconds after the wall limit at which a worker is killed."""

CHECK_GRACE = 10.0
"""Seconds that a worker is given beyond what it says that a check of proofs takes."""

LONGEST_CHECK = 86_400.0
"""No check may take longer than this."""

_PROOF = b'["proof"'

_look_at = attrgetter(*CHECKED)
_WITH_OUTPUT: frozenset[Outcome] = frozenset({"crashed", "error", "timeout", "memout", "lost"})
_EOF_SECONDS = 0.25


def supervise(
    jobs: Iterable[Job],
    settings: Settings = Settings(),
    on_version: Callable[[Version], None] = lambda version: None,
    on_probe: Callable[[Probe], None] | None = None,
    on_fault: Callable[[str], None] = lambda text: None,
) -> Generator[Record | None, None, None]:
    """Run ``jobs``; each ends in one record, yielded as soon as it is there.

    None is yielded every ``settings.tick`` seconds at the least, so that the caller can do its
    own work in time; limits are looked after while this generator has its turn, so the caller's
    should be short. ``on_version`` hears of each version before the first record that refers
    to it. ``on_probe`` hears how noisy the machine is, before, during and after; ``on_fault`` what
    a backend does to others (``harness.supervise.sandbox.accounts``). ``jobs`` may end for the time
    being, and is asked again after each record. Closing the generator ends the workers; jobs under
    way then leave no record.
    """
    session = Session(settings, on_version, on_fault)
    todo = iter(jobs)
    probe_at = FOREVER

    def probe(when: When) -> None:
        nonlocal probe_at
        if on_probe is not None:
            on_probe(take_probe(when))
            probe_at = perf_counter() + settings.probe_seconds

    try:
        probe("before")
        job: Job | None = None
        while True:
            while session.has_free_slot:
                if perf_counter() >= probe_at:
                    probe("during")
                if session.again:
                    session.assign(session.again.pop())
                elif session.runs_apart:
                    break
                else:
                    job = next(todo, None)
                    if job is None:
                        break
                    session.assign(Attempt(job))
                if len(session.finished) >= 100:  # a backend that does not start: tell in time
                    break
            if job is None and session.apart:
                session.assign_apart()
            finished, session.finished = session.finished, []
            yield from finished or (None,)
            if session.pool.is_active:
                for event in session.pool.wait():
                    session.handle_event(event)
            elif job is None and not finished and not (session.again or session.apart):
                break  # a record may have let go of jobs that waited for it: asked again before
        session.look_at_idle()
        probe("after")
    finally:
        session.pool.close()


class Session:
    """``assign`` jobs to free slots, ``handle_event`` events, and take away what has ``finished``.

    ``again`` holds jobs whose worker had died before it took them, or whose reaper died, or for
    which no worker could be started while others took up what that needs; ``apart`` those that were
    hindered from outside: each is run again when no other worker is there.
    """

    def __init__(
        self,
        settings: Settings,
        on_version: Callable[[Version], None],
        on_fault: Callable[[str], None],
    ) -> None:
        settings.check()
        self._settings = settings
        self._on_version = on_version
        self.finished: list[Record] = []
        self.again: list[Attempt] = []
        self.apart: list[Attempt] = []
        self.runs_apart = False
        self._cores = settings.cores()
        isolation = settings.chosen_isolation()
        self._isolation_text = isolation.text
        usable = len(self._cores[0]) or os.cpu_count() or 1
        self._limits = LimitWatch(settings, isolation, usable)
        self.pool = pool = Pool(settings, isolation)
        self._accounts = SystemAccounts(on_fault, lambda: perf_counter() - pool.rested_s)
        self._free = list(range(settings.slots))
        self._is_short = False  # of descriptors, processes or memory, until a worker ends
        self._starts = FailedStarts()
        self._hindered: dict[str, str] = {}  # why idle workers were stopped, by backend
        self._machine = this_machine().id
        self._versions: set[str] = set()  # those that were reported
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Record).decode

    @property
    def has_free_slot(self) -> bool:
        return bool(self._free) and not self._is_short

    # --- jobs to workers -------------------------------------------------------------------

    def assign(self, attempt: Attempt) -> None:
        """Give a job to a worker in a free slot; a record at once if its backend is broken."""
        given_up = self._starts.find(attempt.job)
        if given_up is not None:
            outcome, text = given_up
            self._settle(Record(job=attempt.job.number, outcome=outcome, error=text), attempt)
            return
        slot = self._free[-1]
        worker = None
        if not (attempt.was_lost or attempt.cold or attempt.hindered):
            worker = self.pool.take_idle(attempt.job, {self._cores[one] for one in self._free})
        if worker is None:
            try:
                worker = self.pool.start(attempt, self._cores[slot])
            except OSError as error:
                self._put_off(attempt, str(error))
                return
        else:
            slot = next((one for one in self._free if self._cores[one] == worker.cores), slot)
            worker.move(self._cores[slot])
            worker.attempt = attempt
        self._free.remove(slot)
        worker.slot = slot
        if self.pool.prepare(worker):
            self._begin(worker)

    def assign_apart(self) -> None:
        """Give a job that was hindered to a worker once all others have ended."""
        if any(worker.has_job for worker in self.pool.workers.values()):
            return
        for worker in self.pool.idle_for():
            self.pool.dismiss(worker, at_once=True)
        if not self.pool.workers and not self.again:
            self.runs_apart = True
            self.assign(self.apart.pop())

    def _put_off(self, attempt: Attempt, error: str) -> None:
        """Descriptors, processes or memory are used up; a worker that ends gives some back."""
        if self.pool.workers:
            self.again.append(attempt.renew())
            self._is_short = True
            for worker in self.pool.idle_for()[:1]:
                self.pool.dismiss(worker)
        else:
            text = f"no worker could be started: {error}"
            self._starts.add(attempt.job.backend, "lost", text, perf_counter())
            self._settle(Record(job=attempt.job.number, outcome="lost", error=text), attempt)

    def _begin(self, worker: WorkerProcess) -> None:
        """Send a worker that is ready its job; before its first one it warms up."""
        if worker.is_warm or worker.attempt.cold or not self._settings.warm_ups:
            worker.is_warm = True
            self._send_job(worker)
            return
        job = worker.attempt.job
        worker.state, worker.warming_at = State.WARMING, perf_counter()
        worker.deadline = worker.warming_at + self._warm_up_seconds(worker) + GRACE
        self._limits.start(worker)
        order = WarmUp(self._settings.warm_ups, job.question, job.limits)
        self.pool.send(worker, self._encode(order))

    def _send_job(self, worker: WorkerProcess) -> None:
        attempt = worker.attempt
        worker.output.clear()
        worker.served += 1
        payload = self._encode(attempt.job)
        worker.state = State.RUNNING
        self._accounts.begin(worker)
        attempt.sent_at = now = perf_counter()
        seconds = attempt.job.limits.seconds
        worker.deadline = FOREVER if seconds is None else now + seconds + GRACE
        self._limits.start(worker)
        self.pool.send(worker, payload)

    def look_at_idle(self) -> None:
        """Nothing is left to be run: what has each worker done since its last job?"""
        for worker in self.pool.idle_for():
            self._accounts.begin(worker)

    # --- events ----------------------------------------------------------------------------

    def handle_event(self, event: Event) -> None:
        """Handle an event of a worker."""
        what, worker = event.what, event.worker
        if what is EventKind.GONE:
            self._on_gone(worker)
        elif what is EventKind.NOT_STARTED:
            had_job = worker.has_job
            self._on_gone(worker)
            if had_job:
                self._put_off(worker.attempt, event.text)
        elif what is EventKind.STOPPED:
            self._on_stopped(worker)
        elif worker.state is State.IDLE:  # of no use any more: it has ended, or speaks unasked
            self.pool.dismiss(worker, at_once=what is not EventKind.ENDED)
        elif worker.has_job:  # else it speaks on, though its job is settled
            self._follow(event, worker)

    def _follow(self, event: Event, worker: WorkerProcess) -> None:
        match event.what:
            case EventKind.GREETED:
                self._starts.reset(worker.backend)
                if worker.greeting is not None and worker.version not in self._versions:
                    self._versions.add(worker.version)
                    self._on_version(worker.greeting.version)
            case EventKind.READY:
                self._starts.reset(worker.attempt.job.family)
                self._accounts.look(worker)  # it has imported a family
                self._begin(worker)
            case EventKind.ANSWERED:
                try:
                    if event.payload.startswith(_PROOF):
                        self._on_check(worker, msgspec.json.decode(event.payload, type=ProofCheck))
                    elif event.payload.startswith(b"["):
                        self._on_warm(worker, msgspec.json.decode(event.payload, type=WarmedUp))
                    else:
                        self._on_record(worker, self._decode(event.payload), len(event.payload))
                except (WorkerError, msgspec.MsgspecError) as error:
                    self._fail(worker, "error", f"{NO_PROTOCOL}: {error}")
            case EventKind.BROKEN | EventKind.FAILED:
                if event.what is EventKind.BROKEN:
                    self._starts.give_up(worker.backend, "error", event.text)
                self._fail(worker, "error", event.text)
            case EventKind.HUNG_UP:
                worker.deadline = min(worker.deadline, worker.heard_at + _EOF_SECONDS)
            case EventKind.ENDED:
                self._on_end(worker)
            case EventKind.ABANDONED:
                self._on_abandoned(worker)
            case EventKind.LATE:
                self._on_late(worker)
            case EventKind.DUE:
                violation = self._limits.check(worker)
                if violation and violation[0] == "lost":
                    self._lose(worker, violation[1])
                elif violation:
                    self._fail(worker, *violation)

    def _on_warm(self, worker: WorkerProcess, word: WarmedUp) -> None:
        if worker.state is not State.WARMING:
            raise WorkerError("the worker speaks of warm-ups out of turn")
        if word.left_behind:
            self._fail(worker, "error", "it left processes behind")
        else:
            worker.is_warm, worker.warm_up_s = True, worker.heard_at - worker.warming_at
            worker.attempt.warm_up = word.error
            self._send_job(worker)

    def _on_check(self, worker: WorkerProcess, word: ProofCheck) -> None:
        """The limits of the job are kept no more: it is answered."""
        is_known = known_family(worker.backend) is not None
        if worker.state is not State.RUNNING or not is_known or not word.seconds <= LONGEST_CHECK:
            raise WorkerError("the worker speaks of proofs out of turn")
        worker.state = State.CHECKING
        worker.attempt.answered_at = worker.heard_at
        worker.look_at = FOREVER
        worker.deadline = perf_counter() + word.seconds + CHECK_GRACE

    def _warm_up_seconds(self, worker: WorkerProcess) -> float:
        return warm_up_limit(worker.attempt.job.limits.seconds) * self._settings.warm_ups

    def _on_record(self, worker: WorkerProcess, record: Record, size: int) -> None:
        attempt = worker.attempt
        if record.job != attempt.job.number or worker.state is State.WARMING:
            raise WorkerError(f"an answer to job {record.job} instead of {attempt.job.number}")
        if worker.state is State.CHECKING:
            self._limits.forgive(worker)
        self._limits.check_answer(worker, record)
        is_whole = not (worker.frames.partial or worker.unsent)
        is_spoilt = bool(record.left_behind) or not is_whole or record.outcome == "memout"
        if record.outcome in _WITH_OUTPUT:
            record.output = worker.output.text()
        if attempt.sent_at is not None:
            record.elapsed_s = (attempt.answered_at or worker.heard_at) - attempt.sent_at
        worker.sign(record)
        if record.outcome in UNRUN:  # it would leave the instance out for everybody
            raise WorkerError(f"its record cannot be true: {record.outcome}, though it was run")
        flaw = find_flaw(_look_at(record)) or self._accounts.find_flaw(worker, record, size)
        if flaw:
            raise WorkerError(f"its record cannot be true: {flaw}")
        self._settle(record, attempt)
        if is_spoilt or MODES[self._settings.mode].once:
            self.pool.dismiss(worker, at_once=is_spoilt)
        else:
            self.pool.put_back(worker)
            self._give_back_slot(worker)

    def _on_end(self, worker: WorkerProcess) -> None:
        if worker.died_idle() and not worker.attempt.was_untaken:
            self.again.append(replace(worker.attempt.renew(), was_untaken=True))
            self.pool.dismiss(worker)
        elif killed := self._find_killed(worker):
            self._lose(worker, killed)
        else:
            loading = f" while it loaded {worker.loads}" if worker.state is State.LOADING else ""
            how = f"the worker {_describe_end(worker.status)}{loading}, without an answer"
            self._fail(worker, "crashed", how)

    def _on_late(self, worker: WorkerProcess) -> None:
        if worker.hung_up:
            how = "closed its pipe" if worker.status is None else _describe_end(worker.status)
            self._fail(worker, "crashed", f"the worker {how}, without an answer")
        elif worker.state is State.CHECKING:
            self._fail(worker, "lost", "killed while the proofs of its answer were checked")
        elif hindrance := self._limits.find_hindrance(worker, self._seconds_of(worker)):
            self._lose(worker, hindrance)
        else:
            seconds = self._seconds_of(worker)
            self._fail(worker, "timeout", f"killed after the limit of {seconds:g} s")

    def _seconds_of(self, worker: WorkerProcess) -> float:
        """What a worker was given for what it does."""
        if worker.state is State.WARMING:
            return self._warm_up_seconds(worker)
        return worker.attempt.job.limits.seconds or 0.0

    def _on_stopped(self, worker: WorkerProcess) -> None:
        """Whoever stops another one's worker must not win by it."""
        suspects = self._list_suspects(worker)
        text = f"{STOPPED}, beside {join_words(suspects)}" if suspects else STOPPED
        if worker.state is State.IDLE:
            self._hindered[worker.backend] = text
            self.pool.dismiss(worker, at_once=True)
        elif worker.has_job:
            self._lose(worker, text)

    def _list_suspects(self, worker: WorkerProcess) -> list[str]:
        """The other backends of no known family that have a worker beside this one."""
        beside = {one.backend for one in self.pool.workers.values()} - {worker.backend}
        return sorted(name for name in beside if known_family(name) is None)

    def _find_killed(self, worker: WorkerProcess) -> str:
        """How a worker was ended by a signal that may be another one's; empty where it was not."""
        suspects = self._list_suspects(worker)
        is_killed = worker.status is not None and worker.status < 0 and not worker.was_oom()
        if worker.attempt.hindered and is_killed:  # it was alone: that was no other's doing
            worker.attempt.hindered = ""
        elif is_killed and suspects:
            return f"it {_describe_end(worker.status)}, beside {join_words(suspects)}"
        return ""

    def _lose(self, worker: WorkerProcess, text: str) -> None:
        """A job that could not run as it should is run again, with no other worker, once."""
        attempt = worker.attempt
        if attempt.hindered:
            self._fail(worker, "lost", f"{text}, for the second time")
        else:
            self.apart.append(replace(attempt.renew(), hindered=text))
            self.pool.dismiss(worker, at_once=True)

    def _on_abandoned(self, worker: WorkerProcess) -> None:
        reaper = worker.reaper
        how = _describe_end(reaper.status)
        if not reaper.ready:
            who = "fork server" if reaper.backend else "reaper"
            text = f"the {who} {how} while it loaded the backend, without an answer"
            self._fail(worker, "crashed", text, output=reaper.printed)
        elif not worker.attempt.was_lost:
            self.again.append(replace(worker.attempt.renew(), was_lost=True))
        elif (suspects := self._list_suspects(worker)) and not worker.attempt.hindered:
            text = f"its reaper {how}, beside {join_words(suspects)}"
            self.apart.append(replace(worker.attempt.renew(), hindered=text))
        else:
            text = f"the reaper of its worker {how} unasked, for the second time"
            self._fail(worker, "lost", text)

    # --- ends ------------------------------------------------------------------------------

    def _fail(
        self, worker: WorkerProcess, outcome: Outcome, error: str, output: str | None = None
    ) -> None:
        """End the worker; its job's record says what it was seen to have found and used.

        A job whose worker was warming up has not been sent: it runs cold in another one.
        """
        attempt = worker.attempt
        job, sent_at = attempt.job, attempt.sent_at
        outcome, error = self._limits.find_kernel_kill(worker) or (outcome, error)
        if worker.state is State.WARMING:
            self.again.append(replace(attempt.renew(), cold=f"{outcome}: {error}"))
        else:
            record = Record(job=job.number, outcome=outcome, error=error)
            if sent_at is not None:
                self._limits.write_usage(worker, record)
                record.wall_s = perf_counter() - sent_at
            elif outcome != "lost":
                what = worker.backend if worker.greeting is None else job.family
                self._starts.add(what, outcome, error, worker.started_at)
            record.output = worker.output.text() if output is None else output
            attempt.failure = record
        self.pool.dismiss(worker, at_once=True)

    def _on_gone(self, worker: WorkerProcess) -> None:
        """Nothing of the worker is left: its slot is free, and the record of its job complete."""
        attempt, record = worker.attempt, worker.attempt.failure
        if record is not None:
            worker.sign(record)
            if attempt.sent_at is not None:
                # It has ended, and notes no more: what it has found so far can be read.
                seen = worker.board.read(record.job)
                for name in seen.__struct_fields__:
                    setattr(record, name, getattr(seen, name))
                record.status = "SATISFIABLE" if seen.count else "UNKNOWN"
                record.stopped_by = {"timeout": "time", "memout": "memory"}.get(record.outcome, "")
                record.elapsed_s = perf_counter() - attempt.sent_at
        self.pool.forget(worker)
        self._accounts.forget(worker)
        self._give_back_slot(worker)
        if record is not None:
            self._settle(record, attempt)

    def _give_back_slot(self, worker: WorkerProcess) -> None:
        self._is_short = False
        if worker.slot is not None:
            self._free.append(worker.slot)
            worker.slot = None

    def _settle(self, record: Record, attempt: Attempt) -> None:
        record.ended_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        record.isolation = ", ".join(filter(None, (self._isolation_text, record.isolation)))
        record.mode = self._settings.mode
        record.machine = self._machine
        record.attempt = 2 if attempt.was_lost or attempt.hindered else 1
        record.hindered = attempt.hindered or self._hindered.pop(attempt.job.backend, "")
        record.warm_up = attempt.cold or attempt.warm_up
        self.finished.append(record)
        self.runs_apart = False


def _describe_end(status: int | None) -> str:
    if status is None:
        return "could not be killed"
    if status >= 0:
        return f"left with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = " (out of memory?)" if -status == signal.SIGKILL else ""
    return f"was killed by {name}{hint}"
