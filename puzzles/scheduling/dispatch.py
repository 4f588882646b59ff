"""Schedules that a rule makes: good enough to say how long the best takes at most.

Words
-----
active      a schedule in which no operation could begin earlier without another beginning later;
            some best schedule is active
rule        which of the operations that compete for a machine goes first: here that of the job
            with most work left, then that of the job with most operations left, then that which
            takes longest
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Rule = Callable[[int, int], tuple[int, ...]]
"""Job, its operation -> the operation with the least of these goes first."""


def schedule_jobs(jobs: Sequence[Sequence[tuple[int, int]]]) -> int:
    """When the shortest of three active schedules of a job shop ends (Giffler and Thompson,
    "Algorithms for solving production-scheduling problems", Operations Research 8, 1960)."""
    left = [[sum(d for _, d in job[k:]) for k in range(len(job))] for job in jobs]
    rules: tuple[Rule, ...] = (
        lambda j, k: (-left[j][k], j),
        lambda j, k: (k - len(jobs[j]), -left[j][k], j),
        lambda j, k: (-jobs[j][k][1], j),
    )
    return min(_schedule(jobs, rule) for rule in rules)


def _schedule(jobs: Sequence[Sequence[tuple[int, int]]], rule: Rule) -> int:
    done = [0] * len(jobs)
    ready = [0] * len(jobs)
    free: dict[int, int] = {}
    waiting = {j for j, job in enumerate(jobs) if job}
    while waiting:
        begins = {j: max(ready[j], free.get(jobs[j][done[j]][0], 0)) for j in waiting}
        ends = {j: begins[j] + jobs[j][done[j]][1] for j in waiting}
        first = min(waiting, key=lambda j: (ends[j], j))
        machine = jobs[first][done[first]][0]
        rivals = [
            j
            for j in waiting
            if jobs[j][done[j]][0] == machine and (begins[j] < ends[first] or j == first)
        ]
        chosen = min(rivals, key=lambda j: rule(j, done[j]))
        ready[chosen] = free[machine] = ends[chosen]
        done[chosen] += 1
        if done[chosen] == len(jobs[chosen]):
            waiting.discard(chosen)
    return max(ready)


def schedule_open(durations: Sequence[Sequence[int]]) -> int:
    """When a dense schedule of an open shop ends: whenever job and machine are both free, one that
    has most work left begins."""
    machines = len(durations[0])
    left = {(j, m): d for j, job in enumerate(durations) for m, d in enumerate(job) if d}
    ready, free = [0] * len(durations), [0] * machines
    job_work = [sum(job) for job in durations]
    machine_work = [sum(job[m] for job in durations) for m in range(machines)]
    while left:
        chosen = min(
            left,
            key=lambda o: (
                max(ready[o[0]], free[o[1]]),
                -max(job_work[o[0]], machine_work[o[1]]),
                -job_work[o[0]] - machine_work[o[1]],
                o,
            ),
        )
        job, machine = chosen
        duration = left.pop(chosen)
        ready[job] = free[machine] = max(ready[job], free[machine]) + duration
        job_work[job] -= duration
        machine_work[machine] -= duration
    return max(ready)


def schedule_flexible(jobs: Sequence[Sequence[Sequence[tuple[int, int]]]]) -> int:
    """When the shorter of two schedules of a flexible job shop ends: the next operation is the one
    that can end first, or that of the job with most work left; it goes where it ends first."""
    left = [
        [sum(min(d for _, d in operation) for operation in job[k:]) for k in range(len(job))]
        for job in jobs
    ]
    rules: tuple[Callable[[int, int, int], tuple[int, ...]], ...] = (
        lambda j, k, end: (end, -left[j][k], j),
        lambda j, k, end: (-left[j][k], end, j),
    )
    return min(_schedule_flexible(jobs, rule) for rule in rules)


def _schedule_flexible(
    jobs: Sequence[Sequence[Sequence[tuple[int, int]]]],
    rule: Callable[[int, int, int], tuple[int, ...]],
) -> int:
    done, ready = [0] * len(jobs), [0] * len(jobs)
    free: dict[int, int] = {}
    waiting = set(range(len(jobs)))
    while waiting:
        best = {
            j: min((max(ready[j], free.get(m, 0) if d else 0) + d, m) for m, d in jobs[j][done[j]])
            for j in waiting
        }
        chosen = min(waiting, key=lambda j: rule(j, done[j], best[j][0]))
        end, machine = best[chosen]
        if end > ready[chosen]:
            free[machine] = max(end, free.get(machine, 0))
        ready[chosen] = end
        done[chosen] += 1
        if done[chosen] == len(jobs[chosen]):
            waiting.discard(chosen)
    return max(ready)
