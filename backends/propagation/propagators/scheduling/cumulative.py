"""Cumulative: tasks share a resource, whose load never exceeds the capacity.

Time-table: where the latest start of a task comes before its earliest end, it runs in between, and
these parts of all tasks add up to a profile of loads. No task runs where its demand on top of the
profile, without its own part, exceeds the capacity: so its start is bounded, and the duration of
one that runs up to there. A start reaches bounds(Z) consistency when all else is fixed.

The profile is swept in O(n) from sorted parts, and each task passes over the segments of it that
its bounds cover: O(n^2) at most (Gay, Hartert and Schaus, *Simple and scalable time-table filtering
for the cumulative constraint*, CP 2015). Woken by its own changes.

Scope: the n starts, n durations and n demands, then the capacity; only starts may be negative.
Arguments: scratch (``scratch_of``).
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments
from backends.propagation.propagators.scheduling.sorting import sort_tasks

# The scratch is lists of n cells: where the certain part of each task begins and ends; the tasks by
# these; and the profile: when each segment begins (and the one before it ends), and its load.
PART_BEGIN, PART_END, BY_BEGIN, BY_END, PROFILE = range(5)
NO_PART = 1 << 60


def scratch_of(n: int) -> list[int]:
    """The scratch for ``n`` tasks."""
    return [0] * (2 * n) + [*range(n), *range(n)] + [0] * (4 * n + 2)


def cumulative(S, T, M, a):
    """Bound capacity, starts, durations and demands by the profile."""
    n = (T[a + COUNT] - 1) // 3
    scratch = T[arguments(T, a)]
    capacity = T[a + SCOPE + 3 * n]
    parts = collect_parts(S, T, M, a, n, scratch)
    sort_tasks(M, scratch + BY_BEGIN * n, n, scratch + PART_BEGIN * n)
    sort_tasks(M, scratch + BY_END * n, n, scratch + PART_END * n)
    count = sweep(S, T, M, a, n, scratch, parts)
    profile = scratch + PROFILE * n
    most = 0
    for k in range(count):
        if M[profile + 2 * k + 1] > most:
            most = M[profile + 2 * k + 1]
    if not set_lower(S, T, M, capacity, most):
        return False
    for i in range(n):
        if not narrow_task(S, T, M, a, n, i, capacity, scratch, count):
            return False
    return True


def collect_parts(S, T, M, a, n, scratch):
    """Note where each task certainly runs; how many do so at all."""
    parts = 0
    for i in range(n):
        s = T[a + SCOPE + i]
        begin, end = S[s + UPPER], S[s] + S[T[a + SCOPE + n + i]]
        if begin >= end or S[T[a + SCOPE + 2 * n + i]] <= 0:
            begin = end = NO_PART
        else:
            parts += 1
        M[scratch + PART_BEGIN * n + i] = begin
        M[scratch + PART_END * n + i] = end
    return parts


def sweep(S, T, M, a, n, scratch, parts):
    """Write the profile; how many segments it has. Another entry says where the last one ends."""
    demands = a + SCOPE + 2 * n
    begins, ends = scratch + PART_BEGIN * n, scratch + PART_END * n
    by_begin, by_end = scratch + BY_BEGIN * n, scratch + BY_END * n
    at = scratch + PROFILE * n
    load, begun, ended = 0, 0, 0
    while ended < parts:
        time = M[ends + M[by_end + ended]]
        if begun < parts and M[begins + M[by_begin + begun]] < time:
            time = M[begins + M[by_begin + begun]]
        while ended < parts and M[ends + M[by_end + ended]] == time:
            load -= S[T[demands + M[by_end + ended]]]
            ended += 1
        while begun < parts and M[begins + M[by_begin + begun]] == time:
            load += S[T[demands + M[by_begin + begun]]]
            begun += 1
        M[at] = time
        M[at + 1] = load
        at += 2
    if parts == 0:
        return 0
    return (at - scratch - PROFILE * n) // 2 - 1


def narrow_task(S, T, M, a, n, i, capacity, scratch, count):
    """Bound the start, the duration and the demand of a task."""
    s, d, r = T[a + SCOPE + i], T[a + SCOPE + n + i], T[a + SCOPE + 2 * n + i]
    duration, demand = S[d], S[r]
    if duration > 0 and demand > 0:
        if not set_lower(S, T, M, capacity, demand):
            return False
        if S[s] != S[s + UPPER] and not narrow_start(
            S, T, M, n, i, s, d, r, capacity, scratch, count
        ):
            return False
    is_open = demand > 0 and duration != S[d + UPPER]
    if is_open and not narrow_duration(S, T, M, n, i, s, d, r, capacity, scratch, count):
        return False
    if duration > 0 and demand != S[r + UPPER]:
        return narrow_demand(S, T, M, n, i, s, d, r, capacity, scratch, count)
    return True


def first_segment(M, profile, count, time):
    """The number of the first segment that ends after ``time``; maybe ``count``."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if M[profile + 2 * middle + 2] > time:
            high = middle
        else:
            low = middle + 1
    return low


def load_of_others(M, n, i, scratch, segment, demand):
    """The load in a segment without the part of task ``i``."""
    time, load = M[segment], M[segment + 1]
    if M[scratch + PART_BEGIN * n + i] <= time and time < M[scratch + PART_END * n + i]:
        return load - demand
    return load


def narrow_start(S, T, M, n, i, s, d, r, capacity, scratch, count):
    """Begin after, and end before, segments that leave too little."""
    profile = scratch + PROFILE * n
    duration, demand = S[d], S[r]
    free = S[capacity + UPPER] - demand
    time = S[s]
    first = first_segment(M, profile, count, time)
    k = first
    while k < count and M[profile + 2 * k] < time + duration:
        segment = profile + 2 * k
        if M[segment + 1] > free and load_of_others(M, n, i, scratch, segment, demand) > free:
            time = M[segment + 2]
            if not set_lower(S, T, M, s, time):  # one segment explains it
                return False
        k += 1
    time = S[s + UPPER] + duration
    k = first_segment(M, profile, count, time - 1)
    if k == count:
        k -= 1
    while k >= first and M[profile + 2 * k + 2] > time - duration:
        segment = profile + 2 * k
        if (
            M[segment] < time
            and M[segment + 1] > free
            and load_of_others(M, n, i, scratch, segment, demand) > free
        ):
            time = M[segment]
            if not set_upper(S, T, M, s, time - duration):
                return False
        k -= 1
    return True


def narrow_duration(S, T, M, n, i, s, d, r, capacity, scratch, count):
    """End before the first segment, from the latest start on, that leaves too little."""
    profile = scratch + PROFILE * n
    free = S[capacity + UPPER] - S[r]
    if free < 0:
        return set_upper(S, T, M, d, 0)
    latest = S[s + UPPER]
    for k in range(first_segment(M, profile, count, latest), count):
        segment = profile + 2 * k
        if load_of_others(M, n, i, scratch, segment, S[r]) > free:
            return set_upper(S, T, M, d, max(M[segment], latest) - S[s])
    return True


def narrow_demand(S, T, M, n, i, s, d, r, capacity, scratch, count):
    """Demand what the others leave wherever the task certainly runs."""
    profile = scratch + PROFILE * n
    latest, end = S[s + UPPER], S[s] + S[d]
    most = 0
    if latest < end:
        k = first_segment(M, profile, count, latest)
        while k < count and M[profile + 2 * k] < end:
            load = load_of_others(M, n, i, scratch, profile + 2 * k, S[r])
            if load > most:
                most = load
            k += 1
    return set_upper(S, T, M, r, S[capacity + UPPER] - most)
