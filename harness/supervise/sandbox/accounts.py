"""What workers use by the system's account, beside their own: of backends of no known family.

A worker says itself how much CPU time and memory a job took, and what lives in it may have
rewritten it. The system counts CPU time in hundredths of a second, and what a worker does before
and after a job as well: so only what is far from that is refused. A worker without a job that
burns on slows its rivals, and one that leaves processes behind burdens whoever comes next: both are
named once.

So is one that hides time. From sending a job to reading its answer, the worker computes, or waits
for a processor, or the supervisor is busy: the system counts each. What remains, it waited for
something else. If its record tells less than that, time has passed where its clock does not look.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from backends.interface.registry import known_family
from harness.record import Record
from harness.supervise.processes import MB, look_at, on_processor, peak_mb
from harness.supervise.sandbox.afterwards import LOOKS_S
from harness.supervise.worker_process import WorkerProcess
from puzzles.family import Flattened, family

LEAST_CPU_S = 0.05
LEAST_MB = 32.0
"""What a record may leave out in any case: ticks of the system's clock, and writing the answer."""

MOST_PART = 0.5
"""The part of the memory that the system counted that a record must at least admit, beyond that."""

MOST_CPU_PART = 0.8
"""The part of the CPU time."""

SECONDS_BYTE = 5e-8
"""CPU time that writing a byte of an answer may take."""

TIMES_ANSWER = 20
"""Writing an answer may take this many times its bytes."""

IDLE_CPU_S, IDLE_PART = 0.1, 0.1
"""CPU time that a worker may use without a job, in seconds and as part of the time in which no
thread of it waited for a processor."""

LEAST_HIDDEN_S = 0.03
"""Seconds of waiting that a record may leave out: reading from a disk, say."""

LEAST_BUSY_S = 0.002
"""Other threads that ran, or were ready to run, for longer may have been at work."""

TICKS_S = 0.02
"""Two ticks of the system's clock."""

HIDDEN_JOBS = 2
"""Jobs in which a backend hides time before it is named."""


class _Look(NamedTuple):
    """A worker at one moment. ``ran_s`` and ``waited_s`` are those of its first thread on a
    processor and for one, ``others_s`` both of the other threads that live; ``busy_s`` is what the
    supervisor has spent at work, or waited to."""

    at: float
    cpu_s: float
    ran_s: float | None
    waited_s: float
    others_s: float
    busy_s: float

    def since(self, before: _Look) -> float | None:
        """Seconds since ``before`` in which a worker neither ran nor waited for a processor, nor
        for the supervisor, at the least; None where the system does not say."""
        if self.ran_s is None or before.ran_s is None:
            return None
        used = self.ran_s + self.waited_s + self.busy_s
        return self.at - before.at - (used - before.ran_s - before.waited_s - before.busy_s)

    def of_others_since(self, before: _Look) -> float:
        """Seconds since ``before`` that other threads than the first ran or were ready to run, of
        those that have ended as far as the system's ticks count them."""
        ended_s = self.cpu_s - before.cpu_s - (self.ran_s or 0.0) + (before.ran_s or 0.0)
        return max(self.others_s - before.others_s, ended_s - TICKS_S)


class SystemAccounts:
    """Accounts of the workers of a session.

    ``on_fault`` hears what a backend does that it must not, once for each kind. ``busy_s`` says how
    long the supervisor has been at work, from any beginning.
    """

    def __init__(self, on_fault: Callable[[str], None], busy_s: Callable[[], float]) -> None:
        self._on_fault = on_fault
        self._busy_s = busy_s
        self._named: set[tuple[str, str]] = set()
        self._seen: dict[int, _Look] = {}
        self._hidden: Counter[str] = Counter()  # jobs that hid time, by backend

    def begin(self, worker: WorkerProcess) -> None:
        """A job is about to be sent, or the worker to be ended: what did it do without one?"""
        before, now = self._seen.get(worker.number), self.look(worker)
        if before is None or now is None:
            return
        cpu_s, passed_s = now.cpu_s - before.cpu_s, now.at - before.at
        kept_s = max(0.0, now.of_others_since(before) - cpu_s)  # from processors, by others
        if cpu_s > max(IDLE_CPU_S, IDLE_PART * (passed_s - kept_s)):
            what = f"its worker used {cpu_s:.2f} s of CPU time in {passed_s:.2f} s without a job"
            self._name(worker, "idle", what)

    def look(self, worker: WorkerProcess) -> _Look | None:
        """Look at a worker from now on; None for a known backend, or where nothing can be seen."""
        self._seen.pop(worker.number, None)
        if worker.pid is None or known_family(worker.backend) is not None:
            return None
        if (found := look_at(worker.pid)) is None:
            return None
        ran_s, waited_s = on_processor(worker.pid) or (None, 0.0)
        others_s = _look_at_others(worker.pid) if found.threads > 1 else 0.0
        _, late_s = on_processor("thread-self") or (0.0, 0.0)
        busy_s = self._busy_s() + late_s
        now = _Look(perf_counter(), found.cpu_s, ran_s, waited_s, others_s, busy_s)
        self._seen[worker.number] = now
        return now

    def forget(self, worker: WorkerProcess) -> None:
        """Nothing is left of a worker."""
        self._seen.pop(worker.number, None)

    def find_flaw(self, worker: WorkerProcess, record: Record, size: int) -> str:
        """What cannot be true of a record, whose answer has ``size`` bytes; empty for nothing."""
        if record.proof and known_family(worker.backend) is None:
            return f"its proof is {record.proof}, and no proof of such a backend is checked"
        before, now = self._seen.get(worker.number), self.look(worker)
        if before is None or now is None:
            return ""
        if record.left_behind:
            what = f"processes or busy threads ({record.left_behind}) were left behind after job "
            self._name(worker, "left", f"{what}{record.job}; they were ended and charged to it")
        flatten_s = _find_flattening(worker, record)
        self._find_hidden_time(worker, record, now.since(before), now.of_others_since(before))
        cpu_s, told_s = now.cpu_s - before.cpu_s, record.cpu_s
        least_s = LEAST_CPU_S + SECONDS_BYTE * size
        if (
            told_s is not None
            and not flatten_s
            and cpu_s - told_s > least_s
            and told_s < MOST_CPU_PART * cpu_s
        ):
            return f"cpu_s is {told_s:.6f}, and the system counted {cpu_s:.2f} s"
        own_mb, told_mb = peak_mb(worker.pid or 0), record.peak_memory_mb
        if own_mb is None or told_mb is None or told_mb >= MOST_PART * own_mb:
            return ""
        if own_mb - told_mb <= LEAST_MB + TIMES_ANSWER * size / MB:
            return ""
        return f"peak_memory_mb is {told_mb:.3f}, and the system counted {own_mb:.1f} MB"

    def _find_hidden_time(
        self, worker: WorkerProcess, record: Record, passed_s: float | None, others_s: float
    ) -> None:
        """Name a backend whose jobs wait where their clock does not look: of ``passed_s`` seconds
        in which the worker neither ran nor waited to its record tells less.

        After a job its new threads are looked at while they are at work (``others_s``).
        """
        if passed_s is None:
            return
        told_s = record.wall_s + _find_flattening(worker, record)
        allowed_s = LEAST_HIDDEN_S + (sum(LOOKS_S) if others_s > LEAST_BUSY_S else 0.0)
        hidden_s = passed_s - told_s
        if hidden_s <= max(allowed_s, told_s):
            return
        self._hidden[worker.backend] += 1
        if self._hidden[worker.backend] == HIDDEN_JOBS:
            what = f"its record of job {record.job} tells {1000 * told_s:.3g} ms; for "
            what += f"{1000 * hidden_s:.3g} ms more its worker did nothing, and waited for no "
            what += f"processor; it hides time in {HIDDEN_JOBS} jobs"
            self._name(worker, "hidden", what)

    def _name(self, worker: WorkerProcess, kind: str, what: str) -> None:
        if (worker.backend, kind) not in self._named:
            self._named.add((worker.backend, kind))
            self._on_fault(f"{worker.backend}: {what}")


def _find_flattening(worker: WorkerProcess, record: Record) -> float:
    """Seconds in which a program has flattened the instance, which is in no job's time."""
    seconds = record.phases.get("flatten", 0.0)
    can_flatten = seconds and isinstance(family(worker.attempt.job.family), Flattened)
    return seconds if can_flatten else 0.0


def _look_at_others(pid: int) -> float:
    """Seconds that the threads of a process, its first one apart, ran or were ready to run."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return 0.0
    return sum(sum(on_processor(f"{pid}/task/{one}") or ()) for one in threads if one != str(pid))
