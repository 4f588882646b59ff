"""CPU time and memory of jobs, compared with their limits as often as these need it, and how often
a backend may fail to start.

A look at one process costs about 0.02 ms. The kernel knows the processes of a worker's tree where
the worker has a control group. Otherwise a ``DescendantTracker`` finds them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, replace
from time import perf_counter

from backends.interface.registry import known_family
from harness.job import Job
from harness.record import Outcome, Record
from harness.supervise.cgroups import Group
from harness.supervise.processes import ProcessInfo, list_pids, look_at, peak_mb, pss_mb
from harness.supervise.settings import Isolation, Settings
from harness.supervise.worker_process import FOREVER, WorkerProcess
from puzzles.family import is_own

GROWTH_MB = 2000.0
"""Memory is expected to grow by no more than this in a second; it decides when to look again."""

SHORTEST = 0.005
"""Seconds between two looks at the least."""

STOPS_SECONDS = 0.25
"""How often a job without such limits is looked at, for what is stopped of it."""

STOPPED = "a signal stopped a process of it"

LEAST_SHARE = 0.01
"""A job that had its whole limit and used less CPU time than this part of it was hindered."""

_LIST_SHARE = 4
"""Listing takes a fifth of the time at the most: it counts when there are thousands."""

_CHECK_SHARE = 50
_CHECKED_AT_ONCE = 100

Violation = tuple[Outcome, str]
"""The outcome and the message of a job beyond a limit, or whose worker does not start."""

MOST_FAILED_STARTS = 3
"""After this many failed starts in a row a backend, or a puzzle family, is not loaded any more."""


@dataclass(frozen=True)
class Usage:
    """Seconds of CPU time of the tree since the worker began, its resident memory now, and how many
    processes it is: pages that they share count for each. ``stopped`` of them are stopped."""

    cpu_s: float = 0.0
    resident_mb: float = 0.0
    processes: int = 0
    stopped: int = 0


class UsageSampler:
    """Looks at the trees of workers."""

    def __init__(self) -> None:
        self._tracker = DescendantTracker()

    def sample(self, pid: int | None, group: Group | None) -> Usage:
        """What the worker ``pid`` and all that it started use; nothing before it is started."""
        if pid is None:
            return Usage()
        if group is None:
            seen = list(self._tracker.members(pid).values())
        else:
            seen = [what for pid in group.pids() if (what := look_at(pid)) is not None]
        cpu_s = None if group is None else group.cpu_s()
        if cpu_s is None:
            cpu_s = sum(what.cpu_s for what in seen)
        stopped = sum(what.is_stopped for what in seen)
        return Usage(cpu_s, sum(what.resident_mb for what in seen), len(seen), stopped)

    def pss_mb(self, pid: int | None) -> float | None:
        """The PSS of the worker's tree in MB; None where the system cannot say."""
        members = () if pid is None else self._tracker.members(pid, now=True)
        known = [part for member in members if (part := pss_mb(member)) is not None]
        return sum(known) if known else None


def seconds_to_next_look(
    usage: Usage, cpu_left: float | None, memory_mb: float | None, cores: int, longest: float
) -> float:
    """Seconds after which to look again: before a limit can have been passed by much."""
    wait = longest
    if cpu_left is not None:
        wait = min(wait, cpu_left / cores)
    if memory_mb is not None:
        wait = min(wait, (memory_mb - usage.resident_mb) / GROWTH_MB)
    return max(wait, SHORTEST)


class LimitWatch:
    """Watches over the limits of ``settings``; a job may use up to ``cores`` cores at a time."""

    def __init__(self, settings: Settings, isolation: Isolation, cores: int) -> None:
        self._cpu_s = settings.cpu_seconds
        self._most_mb = settings.memory_mb
        self._longest = settings.tick
        self._can_look = isolation.means != "wall"
        self._can_see = look_at(os.getpid()) is not None
        self._cores = cores
        self._sampler = UsageSampler()

    def start(self, worker: WorkerProcess) -> None:
        """The job of ``worker`` is about to be sent."""
        attempt = worker.attempt
        attempt.kills_before = 0 if worker.group is None else worker.group.kills()
        attempt.most_mb = 0.0
        worker.look_at = perf_counter() + self._seconds_to_wait(Usage(), worker)

    def check(self, worker: WorkerProcess) -> Violation | None:
        """Compare what the job uses with its limits; None while it is within them."""
        usage = self._sampler.sample(worker.pid, worker.group)
        if usage.stopped:
            return "lost", STOPPED
        if not self._can_look:
            worker.look_at = perf_counter() + self._seconds_to_wait(usage, worker)
            return None
        worker.attempt.most_mb = max(worker.attempt.most_mb, usage.resident_mb)
        if self._is_above(usage, worker) or worker.was_oom():  # the kernel may kill but a child
            return "memout", f"killed above {self._most_mb or 0:g} MB"
        if self._cpu_s is not None and worker.job_cpu_s(usage.cpu_s) >= self._cpu_s:
            return "timeout", f"killed after the limit of {self._cpu_s:g} s of CPU time"
        worker.look_at = perf_counter() + self._seconds_to_wait(usage, worker)
        return None

    def find_hindrance(self, worker: WorkerProcess, wall_s: float) -> str:
        """Why a job that has had ``wall_s`` seconds could not run; empty if it could.

        A part of it is stopped, or its tree has used next to no CPU time. Solvers of known families
        calculate without a pause; a backend or a puzzle family of a user's may wait by itself.
        """
        if not self._can_see:
            return ""
        usage = self._sampler.sample(worker.pid, worker.group)
        if usage.stopped:
            return STOPPED
        attempt = worker.attempt
        may_wait = known_family(worker.backend) is None or is_own(attempt.job.family)
        if attempt.sent_at is None or may_wait:
            return ""
        cpu_s = worker.job_cpu_s(usage.cpu_s)
        if cpu_s > LEAST_SHARE * wall_s:
            return ""
        return f"its processes used {cpu_s:.2g} s of CPU time in {wall_s:.3g} s"

    def forgive(self, worker: WorkerProcess) -> None:
        """What the kernel killed while proofs were checked was no part of the job."""
        worker.attempt.kills_before = 0 if worker.group is None else worker.group.kills()

    def check_answer(self, worker: WorkerProcess, record: Record) -> None:
        """Correct the outcome of an answer that came from beyond a limit."""
        peak = max(record.peak_memory_mb or 0.0, worker.attempt.most_mb)
        record.peak_memory_mb = peak or None
        if (self._most_mb is not None and peak > self._most_mb) or worker.was_oom():
            record.outcome = "memout"
        elif record.outcome == "finished" and (record.cpu_s or 0) > (self._cpu_s or FOREVER):
            record.outcome = "timeout"

    def find_kernel_kill(self, worker: WorkerProcess) -> Violation | None:
        """What to say if it was the kernel that killed for want of memory."""
        if worker.group is None or not worker.was_oom():
            return None
        most = self._most_mb or 0.0
        worker.attempt.most_mb = (worker.group.peak_mb() or most) + worker.inherited_mb
        return "memout", f"killed by the kernel above {most:g} MB"

    def write_usage(self, worker: WorkerProcess, record: Record) -> None:
        """Write into the record of a job without an answer what it was seen to have used."""
        usage = self._sampler.sample(worker.pid, worker.group)
        if usage.processes > 1:
            pss = self._sampler.pss_mb(worker.pid)
            usage = replace(usage, resident_mb=min(usage.resident_mb, pss or FOREVER))
        board = worker.board
        if not board.has_taken(record.job):
            return
        if usage.cpu_s:
            record.cpu_s = worker.job_cpu_s(usage.cpu_s)
        own = peak_mb(worker.pid) if worker.pid is not None and worker.status is None else None
        peak = max(own or 0.0, usage.resident_mb, worker.attempt.most_mb)
        record.peak_memory_mb = peak or None
        record.baseline_memory_mb = before = board.memory_before_mb
        if before is not None and peak:
            record.memory_increment_mb = max(0.0, peak - before)

    def _is_above(self, usage: Usage, worker: WorkerProcess) -> bool:
        most = self._most_mb
        if most is None or usage.resident_mb <= most:
            return False
        alone = peak_mb(worker.pid or 0)
        if alone is not None and alone > most:
            return True
        pss = self._sampler.pss_mb(worker.pid)
        if pss is not None:
            worker.attempt.most_mb = pss
        return pss is None or pss > most

    def _seconds_to_wait(self, usage: Usage, worker: WorkerProcess) -> float:
        if not self._can_look:
            return STOPS_SECONDS if self._can_see else FOREVER
        left = None if self._cpu_s is None else self._cpu_s - worker.job_cpu_s(usage.cpu_s)
        return seconds_to_next_look(usage, left, self._most_mb, self._cores, self._longest)


class FailedStarts:
    """Failures to load by name of a backend or a puzzle family, given up after a few in a row.

    A backend that takes a minute to fail would otherwise cost every one of its jobs that minute.
    """

    def __init__(self) -> None:
        self._number: dict[str, int] = defaultdict(int)
        self._known_at: dict[str, float] = defaultdict(float)
        self._given_up: dict[str, Violation] = {}

    def find(self, job: Job) -> Violation | None:
        """How ``job`` ends at once since what it needs is given up; None if it may be tried."""
        return self._given_up.get(job.backend) or self._given_up.get(job.family)

    def give_up(self, name: str, outcome: Outcome, error: str) -> None:
        self._given_up[name] = outcome, error

    def add(self, name: str, outcome: Outcome, error: str, started_at: float) -> None:
        """Count a failure of a worker that was started at this moment of ``perf_counter``.

        Workers that are started side by side fail for one reason: a worker that had started before
        the last failure was known does not count as a further one.
        """
        if started_at < self._known_at[name]:
            return
        self._known_at[name] = perf_counter()
        self._number[name] += 1
        if self._number[name] >= MOST_FAILED_STARTS:
            times = f"{MOST_FAILED_STARTS} failed starts in a row"
            self.give_up(name, outcome, f"{error} (not started again after {times})")

    def reset(self, name: str) -> None:
        """It does load: failures before were not in a row."""
        self._number[name] = 0


class DescendantTracker:
    """Who descends from whom, without looking at every process of the machine each time.

    Listing the numbers of all processes costs a twentieth for each of what looking at one does. So
    the numbers are listed, and looked at is only what can have another parent than last time:
    numbers that are new, orphans, whom Linux has given to another parent, and the members of the
    tree that is asked for, whose numbers may be other processes' by now. What remains is a number
    that changed hands between two listings and was no member before; for its sake everything is
    looked at again, a few at a time and slowly. One tracker serves all workers of a session.
    """

    def __init__(self) -> None:
        self._seen: dict[int, ProcessInfo] = {}
        self._children: dict[int, set[int]] = {}
        self._listed: set[int] = set()
        self._unchecked: list[int] = []
        self._list_at = self._check_at = 0.0

    def members(self, root: int, *, now: bool = False) -> dict[int, ProcessInfo]:
        """``root`` and all that descends from it, as they are at this moment.

        What has been started since the last listing may be missing where listing takes long;
        with ``now`` it is not.
        """
        looked_at = set(self._tree(root))
        for pid in looked_at:
            self._look(pid)
        if now or perf_counter() >= self._list_at:
            self._list()
        if perf_counter() >= self._check_at:
            self._check()
        members = self._tree(root)
        for pid in members:
            if pid not in looked_at:
                self._look(pid)
        return {pid: self._seen[pid] for pid in members if pid in self._seen}

    def _tree(self, root: int) -> list[int]:
        members = [root]
        for pid in members:  # grows while it is walked
            # The root is nobody's child: numbers that changed hands could lead round in a circle.
            members += self._children.get(pid, set()) - {root}
        return members

    def _list(self) -> None:
        began = perf_counter()
        there = set(list_pids())
        gone, new = self._listed - there, there - self._listed
        self._listed = there
        for pid in gone:
            self._note(pid, None)
        # Processes without a parent, or with one outside a container, are children of 0.
        orphans = [self._children[parent] for parent in self._children.keys() - there - {0}]
        for pid in new.union(*orphans):
            self._look(pid)
        ended = perf_counter()
        self._list_at = ended + _LIST_SHARE * (ended - began)

    def _check(self) -> None:
        began = perf_counter()
        if not self._unchecked:
            self._unchecked = list(self._listed)
        for pid in self._unchecked[-_CHECKED_AT_ONCE:]:
            self._look(pid)
        del self._unchecked[-_CHECKED_AT_ONCE:]
        ended = perf_counter()
        self._check_at = ended + _CHECK_SHARE * (ended - began)

    def _look(self, pid: int) -> None:
        seen = look_at(pid)
        if seen is None and pid in self._seen:
            self._listed.discard(pid)  # whoever has the number next is new
        self._note(pid, seen)

    def _note(self, pid: int, seen: ProcessInfo | None) -> None:
        before = self._seen.pop(pid, None)
        if before is not None:
            self._children[before.parent].discard(pid)
            if not self._children[before.parent]:
                del self._children[before.parent]
        if seen is not None:
            self._seen[pid] = seen
            self._children.setdefault(seen.parent, set()).add(pid)
