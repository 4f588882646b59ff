"""What a worker's whole tree uses, as seen from outside while a job runs.

A look at one process costs about 0.02 ms. Who belongs to a tree is found by
``harness.supervise.descent``; in a control group the kernel tells it.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.supervise.descent import Descent
from harness.supervise.process_tree import look_at, shared_out_mb
from harness.supervise.worker_process import WorkerProcess

GROWTH_MB = 2000.0
"""Memory is expected to grow by no more than this in a second; it decides when to look again."""

SHORTEST = 0.005
"""Seconds between two looks at the least."""


@dataclass(frozen=True)
class Usage:
    """Seconds of CPU time of the tree since the worker began, its resident memory now, and how many
    processes it is: pages that they share count for each."""

    cpu_s: float = 0.0
    resident_mb: float = 0.0
    processes: int = 0


class Onlooker:
    """Looks at the trees of workers; what it knows of who descends from whom serves them all."""

    def __init__(self) -> None:
        self._descent = Descent()

    def look(self, worker: WorkerProcess) -> Usage:
        """What ``worker`` uses."""
        if worker.pid is None:
            return Usage()
        group = worker.under.group
        if group is None:
            seen = self._descent.members(worker.pid)
        else:
            seen = {pid: what for pid in group.pids() if (what := look_at(pid)) is not None}
        cpu = group.cpu_s() if group is not None else None
        if cpu is None:
            cpu = sum(what.cpu_s for what in seen.values())
        return Usage(cpu, sum(what.resident_mb for what in seen.values()), len(seen))

    def shared_out_mb(self, worker: WorkerProcess) -> float | None:
        """Resident memory with shared pages counted once; None where the system cannot say."""
        if worker.pid is None:
            return None
        parts = [shared_out_mb(pid) for pid in self._descent.members(worker.pid, now=True)]
        known = [part for part in parts if part is not None]
        return sum(known) if known else None


def next_look(
    usage: Usage, cpu_left: float | None, memory_mb: float | None, cores: int, longest: float
) -> float:
    """Seconds after which to look again: before a limit can have been passed by much."""
    wait = longest
    if cpu_left is not None:
        wait = min(wait, cpu_left / cores)
    if memory_mb is not None:
        wait = min(wait, (memory_mb - usage.resident_mb) / GROWTH_MB)
    return max(wait, SHORTEST)
