"""What a worker's whole tree uses, as seen from outside while a job runs.

A look at one process costs about 0.02 ms, finding who belongs to a tree a look at every process of
the machine. So the known members are looked at each time, and new ones are searched for at most so
often that it takes a fiftieth of the time. In a control group the kernel tells both.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from harness.process_tree import (
    Seen,
    children_of,
    everything,
    look_at,
    shared_out_mb,
    tree,
)
from harness.worker_process import WorkerProcess

GROWTH_MB = 2000.0
"""Memory is expected to grow by no more than this in a second; it decides when to look again."""

SHORTEST = 0.005
"""Seconds between two looks at the least."""

_SEARCH_SHARE = 50


@dataclass(frozen=True)
class Usage:
    """Seconds of CPU time of the tree since the worker began, and its resident memory now."""

    cpu_s: float = 0.0
    resident_mb: float = 0.0


class Onlooker:
    """Looks at the trees of workers; what it knows of who descends from whom serves them all."""

    def __init__(self) -> None:
        self._children: dict[int, list[int]] = {}
        self._search_at = 0.0

    def look(self, worker: WorkerProcess, *, search: bool = False) -> Usage:
        """What ``worker`` uses; ``search`` for descendants in any case."""
        if worker.pid is None:
            return Usage()
        group = worker.under.group
        members = group.pids() if group is not None else self._members(worker.pid, search)
        seen = {pid: what for pid in members if (what := look_at(pid)) is not None}
        cpu = group.cpu_s() if group is not None else None
        if cpu is None:
            cpu = sum(what.cpu_s for what in seen.values())
        return Usage(cpu, sum(what.resident_mb for what in seen.values()))

    def shared_out_mb(self, worker: WorkerProcess) -> float | None:
        """Resident memory with shared pages counted once; None where the system cannot say."""
        if worker.pid is None:
            return None
        parts = [shared_out_mb(pid) for pid in self._members(worker.pid, search=True)]
        known = [part for part in parts if part is not None]
        return sum(known) if known else None

    def _members(self, pid: int, search: bool) -> list[int]:
        now = perf_counter()
        if search or now >= self._search_at:
            table: dict[int, Seen] = everything()
            self._children = children_of(table)
            took = perf_counter() - now
            self._search_at = now + _SEARCH_SHARE * took
        return tree([pid], self._children)


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
