"""A worker together with the job that it is charged with, and what is known of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

from harness.job import Job
from harness.record import Record, Version
from harness.supervise.process_tree import peak_mb
from harness.supervise.usage import Usage
from harness.supervise.worker_process import WorkerProcess

FOREVER = float("inf")


@dataclass(eq=False)
class Charge:
    """A worker in its slot; times are moments of ``perf_counter``.

    ``job``        what it works at; None when it is idle or leaving
    ``version``    None until it has greeted
    ``families``   the puzzle families that it has imported
    ``repeat``     the repeat whose jobs it serves: those of others go to other workers
    ``warming``    it warms up in place of its job, which is sent again afterwards
    ``warm_up``    what went wrong in the warm-up before its job
    ``started_at``, ``sent_at``  when it was started, and when its job was sent: None before
    ``deadline``   when it is too late: for loading, for the job, for leaving
    ``look_at``    when to compare what the job uses with its limits
    ``hung_up``    it has closed its end of the answers
    ``kills_before``  how many of its group the kernel had killed before the job
    ``most_mb``    the most memory of the whole tree that was seen during the job
    ``record``     of a job that it was killed for, complete when it is gone
    ``has_slot``, ``killed``  whether its slot waits for it, whether it was told to be killed
    """

    worker: WorkerProcess
    slot: int
    job: Job | None = None
    version: Version | None = None
    version_id: str = ""
    import_s: float = 0.0
    families: set[str] = field(default_factory=set)
    repeat: int = 1
    warming: bool = False
    warm_up: str = ""
    started_at: float = field(default_factory=perf_counter)
    sent_at: float | None = None
    heard_at: float = 0.0
    deadline: float = FOREVER
    look_at: float = FOREVER
    hung_up: bool = False
    kills_before: int = 0
    most_mb: float = 0.0
    record: Record | None = None
    has_slot: bool = True
    killed: bool = False
    watched: set[int] = field(default_factory=set)

    def cpu_s(self, usage: Usage) -> float:
        """CPU seconds of the job, 0 as long as the worker has not begun it."""
        board = self.worker.board
        if self.job is None or not board.taken(self.job.number):
            return 0.0
        return max(0.0, usage.cpu_s - board.cpu_before_s)

    def was_oom(self) -> bool:
        """Whether the kernel has killed a part of it for want of memory."""
        group = self.worker.under.group
        return group is not None and group.kills() > self.kills_before

    def died_idle(self) -> bool:
        """Whether it had ended before it took its job, of which that is no fault."""
        assert self.job is not None
        before = self.worker.served - (self.sent_at is not None)
        return before > 0 and not self.worker.board.taken(self.job.number)

    def tell_found(self, record: Record) -> None:
        """Write into the record of a job without an answer what it was seen to have found.

        The worker has ended: it notes no more.
        """
        seen = self.worker.board.read(record.job)
        record.count, record.solutions = seen.count, seen.solutions
        record.objective = seen.objective
        record.status = "SATISFIABLE" if seen.count else "UNKNOWN"
        record.stopped_by = {"timeout": "time", "memout": "memory"}.get(record.outcome, "")

    def tell_used(self, record: Record, usage: Usage) -> None:
        """Write into the record of a job without an answer what it was seen to have used."""
        worker = self.worker
        if not worker.board.taken(record.job):
            return
        if usage.cpu_s:
            record.cpu_s = self.cpu_s(usage)
        own = peak_mb(worker.pid) if worker.pid is not None and worker.status is None else None
        peak = max(own or 0.0, usage.resident_mb, self.most_mb)
        record.peak_memory_mb = peak or None
        record.baseline_memory_mb = before = worker.board.memory_before_mb
        if before is not None and peak:
            record.memory_increment_mb = max(0.0, peak - before)
