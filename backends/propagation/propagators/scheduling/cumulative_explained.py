"""Why ``cumulative`` bounds a variable: by the tasks that certainly run at one time.

At that time the others demand so much that a task, if it ran then, would exceed the capacity. So
one whose start is bounded by the time and its duration begins after it, or ends before. Tasks that
are not needed for this are left out. (Schutt, Feydy, Stuckey and Wallace, *Explaining the
cumulative propagator*, Constraints 16, 2011: pointwise explanations.) Where a segment of the
profile is longer than the task, the tasks run through all of what is needed of it. O(n^2) at most.
"""

from __future__ import annotations

from backends.propagation.kernel.facts import (
    LEAST,
    MOST,
    lower_at,
    upper_at,
    write,
    write_all_bounds,
)
from backends.propagation.kernel.layout import COUNT, SCOPE, arguments
from backends.propagation.propagators.scheduling.cumulative import NO_PART, PART_BEGIN, PART_END

NOBODY = -1


def explain_cumulative(S, T, M, a, slot, value, place, out):
    """What certainly runs at a time, and what is known of the task that is bounded."""
    n = (T[a + COUNT] - 1) // 3
    note_parts(S, T, M, a, n, place)
    x, kind = slot >> 2, slot & 1
    for i in range(n):
        written = NOBODY
        if x == T[a + SCOPE + i] and kind == LEAST:
            written = explain_earliest(S, T, M, a, n, i, value, place, out)
        elif x == T[a + SCOPE + i]:
            written = explain_latest(S, T, M, a, n, i, -value, place, out)
        if written < 0 and x == T[a + SCOPE + n + i] and kind == MOST:
            written = explain_duration(S, T, M, a, n, i, -value, place, out)
        if written < 0 and x == T[a + SCOPE + 2 * n + i] and kind == MOST:
            written = explain_demand(S, T, M, a, n, i, -value, place, out)
        if written >= 0:
            return written
    return explain_capacity(S, T, M, a, n, value, place, out)


def note_parts(S, T, M, a, n, place):
    """Note where each task certainly ran before ``place``."""
    scratch = T[arguments(T, a)]
    for i in range(n):
        s = T[a + SCOPE + i]
        begin = upper_at(S, M, s, place)
        end = lower_at(S, M, s, place) + lower_at(S, M, T[a + SCOPE + n + i], place)
        if begin >= end:
            begin = end = NO_PART
        M[scratch + PART_BEGIN * n + i] = begin
        M[scratch + PART_END * n + i] = end


def explain_earliest(S, T, M, a, n, i, first, place, out):
    """Why a task begins at ``first`` at the earliest; -1 if it is not for the load at a time."""
    low = lower_at(S, M, T[a + SCOPE + i], place)
    duration = lower_at(S, M, T[a + SCOPE + n + i], place)
    last = low + duration - 1  # a task that does not begin later runs then
    time = last if last < first else first - 1
    begins = T[arguments(T, a)] + PART_BEGIN * n
    for k in range(-1, n):
        if k >= 0:
            time = M[begins + k]
        if k < 0 or first <= time + 1 <= last + 1:
            written = write_excess(S, T, M, a, n, i, time, max(time, first - 1), place, out)
            if written >= 0:
                start = 4 * T[a + SCOPE + i]
                return written + write(M, out + 2 * written, start, time - duration + 1)
    return NOBODY


def explain_latest(S, T, M, a, n, i, last, place, out):
    """Why a task begins at ``last`` at the latest; -1 if it is not for the load at a time."""
    high = upper_at(S, M, T[a + SCOPE + i], place)
    end = last + lower_at(S, M, T[a + SCOPE + n + i], place)
    time = max(high, end)
    ends = T[arguments(T, a)] + PART_END * n
    for k in range(-1, n):
        if k >= 0:
            time = M[ends + k] - 1
        if k < 0 or high <= time <= end:
            written = write_excess(S, T, M, a, n, i, min(time, end), time, place, out)
            if written >= 0:
                return written + write(M, out + 2 * written, 4 * T[a + SCOPE + i] + MOST, -time)
    return NOBODY


def explain_duration(S, T, M, a, n, i, most, place, out):
    """Why a task lasts ``most`` at most; -1 if it is not for the load at a time."""
    s, r = T[a + SCOPE + i], T[a + SCOPE + 2 * n + i]
    demand = lower_at(S, M, r, place)
    capacity = T[a + SCOPE + 3 * n]
    if demand > upper_at(S, M, capacity, place):
        written = write(M, out, 4 * r, demand)
        return written + write(M, out + 2 * written, 4 * capacity + MOST, 1 - demand)
    high, end = upper_at(S, M, s, place), lower_at(S, M, s, place) + most
    begins = T[arguments(T, a)] + PART_BEGIN * n
    for k in range(-1, n):
        time = high if k < 0 else M[begins + k]
        if high <= time <= end:
            written = write_load(S, T, M, a, n, i, time, time, demand, place, out)
            if written >= 0:
                written += write(M, out + 2 * written, 4 * r, demand)
                written += write(M, out + 2 * written, 4 * s + MOST, -time)
                return written + write(M, out + 2 * written, 4 * s, time - most)
    return NOBODY


def explain_demand(S, T, M, a, n, i, most, place, out):
    """Why a task demands ``most`` at most; -1 if it is not for the load at a time."""
    s, d = T[a + SCOPE + i], T[a + SCOPE + n + i]
    duration = lower_at(S, M, d, place)
    capacity = T[a + SCOPE + 3 * n]
    if most >= upper_at(S, M, capacity, place):
        written = write(M, out, 4 * capacity + MOST, -most)
        return written + write(M, out + 2 * written, 4 * d, 1)
    high, last = upper_at(S, M, s, place), lower_at(S, M, s, place) + duration - 1
    begins = T[arguments(T, a)] + PART_BEGIN * n
    for k in range(-1, n):
        time = high if k < 0 else M[begins + k]
        if high <= time <= last:
            written = write_load(S, T, M, a, n, i, time, time, most + 1, place, out)
            if written >= 0:
                written += write(M, out + 2 * written, 4 * d, duration)
                written += write(M, out + 2 * written, 4 * s + MOST, -time)
                return written + write(M, out + 2 * written, 4 * s, time - duration + 1)
    return NOBODY


def explain_capacity(S, T, M, a, n, least, place, out):
    """Why the capacity is ``least`` at least: a demand, or the load at a time."""
    for i in range(n):
        r, d = T[a + SCOPE + 2 * n + i], T[a + SCOPE + n + i]
        if lower_at(S, M, r, place) >= least and lower_at(S, M, d, place) > 0:
            return write(M, out, 4 * r, least) + write(M, out + 2, 4 * d, 1)
    begins = T[arguments(T, a)] + PART_BEGIN * n
    for k in range(n):
        time = M[begins + k]
        if time != NO_PART:
            written = write_tasks(S, T, M, a, n, NOBODY, time, time, least, place, out)
            if written >= 0:
                return written
    return write_all_bounds(S, T, M, a, place, out)


def write_excess(S, T, M, a, n, i, first, last, place, out):
    """Write that task ``i`` has no room at any time from ``first`` to ``last``: what the others
    demand, its demand, its duration; -1 if it has."""
    r, d = T[a + SCOPE + 2 * n + i], T[a + SCOPE + n + i]
    demand = lower_at(S, M, r, place)
    written = write_load(S, T, M, a, n, i, first, last, demand, place, out)
    if written < 0:
        return NOBODY
    written += write(M, out + 2 * written, 4 * r, demand)
    return written + write(M, out + 2 * written, 4 * d, lower_at(S, M, d, place))


def write_load(S, T, M, a, n, without, first, last, demand, place, out):
    """Write that the tasks but one leave less than ``demand`` of the capacity at any time from
    ``first`` to ``last``; -1 if they leave as much."""
    capacity = T[a + SCOPE + 3 * n]
    most = upper_at(S, M, capacity, place)
    needed = most - demand + 1
    written = write_tasks(S, T, M, a, n, without, first, last, needed, place, out)
    if written < 0:
        return NOBODY
    return written + write(M, out + 2 * written, 4 * capacity + MOST, -most)


def write_tasks(S, T, M, a, n, without, first, last, needed, place, out):
    """Write that tasks but one run from ``first`` to ``last`` and demand ``needed`` together; -1 if
    they do not."""
    scratch = T[arguments(T, a)]
    begins, ends = scratch + PART_BEGIN * n, scratch + PART_END * n
    surplus = -needed
    for j in range(n):
        if j != without and M[begins + j] <= first and last < M[ends + j] and first != NO_PART:
            surplus += lower_at(S, M, T[a + SCOPE + 2 * n + j], place)
    if surplus < 0:
        return NOBODY
    written = 0
    for j in range(n):
        if j != without and M[begins + j] <= first and last < M[ends + j]:
            demand = lower_at(S, M, T[a + SCOPE + 2 * n + j], place)
            if demand <= surplus:
                surplus -= demand
                continue
            s, d = T[a + SCOPE + j], T[a + SCOPE + n + j]
            duration = lower_at(S, M, d, place)
            written += write(M, out + 2 * written, 4 * s + MOST, -first)
            written += write(M, out + 2 * written, 4 * s, last + 1 - duration)
            written += write(M, out + 2 * written, 4 * d, duration)
            written += write(M, out + 2 * written, 4 * T[a + SCOPE + 2 * n + j], demand)
    return written
