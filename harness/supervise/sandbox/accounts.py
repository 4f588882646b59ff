"""What workers use by the system's account, beside their own: of backends of no known family.

A worker says itself how much CPU time and memory a job took, and what lives in it may have
rewritten it. The system counts CPU time in hundredths of a second, and what a worker does before
and after a job as well: so only what is far from that is refused. A worker without a job that
burns on slows its rivals, and one that leaves processes behind burdens whoever comes next: both are
named once.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from backends.interface.registry import known_family
from harness.record import Record
from harness.supervise.processes import MB, look_at, peak_mb
from harness.supervise.worker_process import WorkerProcess

LEAST_CPU_S = 0.05
LEAST_MB = 32.0
"""What a record may leave out in any case: ticks of the system's clock, and writing the answer."""

MOST_PART = 0.5
"""The part of what the system counted that a record must at least admit, beyond that."""

TIMES_ANSWER = 20
"""Writing an answer may take this many times its bytes."""

IDLE_CPU_S, IDLE_PART = 0.1, 0.1
"""CPU time that a worker may use without a job, in seconds and as part of the time."""


class SystemAccounts:
    """Accounts of the workers of a session; ``on_fault`` hears what a backend does that it must
    not, once for each kind."""

    def __init__(self, on_fault: Callable[[str], None]) -> None:
        self._on_fault = on_fault
        self._named: set[tuple[str, str]] = set()
        self._seen: dict[int, tuple[float, float]] = {}  # CPU time, and when it was looked at

    def begin(self, worker: WorkerProcess) -> None:
        """A job is about to be sent, or the worker to be ended: what did it do without one?"""
        before, now = self._seen.get(worker.number), self.look(worker)
        if before is None or now is None:
            return
        cpu_s, passed_s = now[0] - before[0], now[1] - before[1]
        if cpu_s > max(IDLE_CPU_S, IDLE_PART * passed_s):
            what = f"its worker used {cpu_s:.2f} s of CPU time in {passed_s:.2f} s without a job"
            self._name(worker, "idle", what)

    def look(self, worker: WorkerProcess) -> tuple[float, float] | None:
        """Look at a worker from now on; None for a known backend, or where nothing can be seen."""
        self._seen.pop(worker.number, None)
        if worker.pid is None or known_family(worker.backend) is not None:
            return None
        if (found := look_at(worker.pid)) is None:
            return None
        self._seen[worker.number] = found.cpu_s, perf_counter()
        return self._seen[worker.number]

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
        cpu_s, told_s = now[0] - before[0], record.cpu_s
        if told_s is not None and cpu_s - told_s > LEAST_CPU_S and told_s < MOST_PART * cpu_s:
            return f"cpu_s is {told_s:.6f}, and the system counted {cpu_s:.2f} s"
        own_mb, told_mb = peak_mb(worker.pid or 0), record.peak_memory_mb
        if own_mb is None or told_mb is None or told_mb >= MOST_PART * own_mb:
            return ""
        if own_mb - told_mb <= LEAST_MB + TIMES_ANSWER * size / MB:
            return ""
        return f"peak_memory_mb is {told_mb:.3f}, and the system counted {own_mb:.1f} MB"

    def _name(self, worker: WorkerProcess, kind: str, what: str) -> None:
        if (worker.backend, kind) not in self._named:
            self._named.add((worker.backend, kind))
            self._on_fault(f"{worker.backend}: {what}")
