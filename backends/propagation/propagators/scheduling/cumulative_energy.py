"""Cumulative, time-table edge finding: no window of time holds more energy than it has room for.

The energy of a task is its duration times its demand. In a window from ``a`` to ``b`` there is what
certainly runs there (the time-table), and the rest of the tasks that lie within it. If that is more
than the capacity times ``b - a``, the constraint is violated. A task that may begin in the window
and end after it has the remaining room. If that is too small for the task at its earliest start,
the task begins later, so that enough of it comes after ``b``. With time reversed, the same rule
bounds the latest ends.

All windows from an earliest start to a latest end, O(n^2); for each the task that would take most
(Vilim, *Timetable edge finding filtering algorithm for discrete cumulative resources*, CPAIOR 2011;
in the form of Schutt, Feydy and Stuckey, *Explaining time-table-edge-finding propagation for the
cumulative resource constraint*, CPAIOR 2013). It strengthens ``cumulative``, which is posted too,
and checks nothing by itself: consistency *fixed*. It takes the least durations and demands.

Scope: the n starts, n durations and n demands, then the capacity. Arguments: scratch
(``scratch_of``).
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments
from backends.propagation.propagators.scheduling.sorting import sort_tasks

# The scratch is lists of n cells: the earliest start and the latest end of each task, which of the
# other end of time are their opposites; the time-table's energy before these; the energy besides
# the time-table; the duration; the demand; the new earliest starts; the tasks by starts, by ends.
START, END, BEFORE_START, BEFORE_END, FREE, DURATION, DEMAND, BOUND, BY_START, BY_END = range(10)
LISTS = 10


def scratch_of(n: int) -> list[int]:
    """The scratch for ``n`` tasks."""
    return [0] * (BY_START * n) + [*range(n), *range(n)]


def cumulative_energy(S, T, M, a):
    """Bound starts and ends by the energy of windows."""
    n = (T[a + COUNT] - 1) // 3
    scratch = T[arguments(T, a)]
    room = S[T[a + SCOPE + 3 * n] + UPPER]
    note_tasks(S, T, M, a, n, scratch)
    total = note_energy(M, n, scratch)
    if not pass_windows(M, n, scratch, room):
        return False
    for i in range(n):
        s, bound = T[a + SCOPE + i], M[scratch + BOUND * n + i]
        if bound > M[scratch + START * n + i] and not set_lower(S, T, M, s, bound):
            return False
    turn_round(M, n, scratch, total)
    if not pass_windows(M, n, scratch, room):
        return False
    for i in range(n):
        s, bound = T[a + SCOPE + i], M[scratch + BOUND * n + i]
        if bound > M[scratch + START * n + i]:
            latest = -bound - M[scratch + DURATION * n + i]
            if not set_upper(S, T, M, s, latest):
                return False
    return True


def note_tasks(S, T, M, a, n, scratch):
    """Note the bounds of each task; one that takes nothing has the demand 0."""
    for i in range(n):
        s = T[a + SCOPE + i]
        duration, demand = S[T[a + SCOPE + n + i]], S[T[a + SCOPE + 2 * n + i]]
        if duration <= 0 or demand <= 0:
            duration = demand = 0
        M[scratch + START * n + i] = S[s]
        M[scratch + END * n + i] = S[s + UPPER] + duration
        M[scratch + DURATION * n + i] = duration
        M[scratch + DEMAND * n + i] = demand


def certain_part(M, n, scratch, i, time):
    """How long task ``i`` certainly runs before ``time``."""
    duration = M[scratch + DURATION * n + i]
    latest = M[scratch + END * n + i] - duration
    end = M[scratch + START * n + i] + duration
    if time < end:
        end = time
    return end - latest if end > latest else 0


def note_energy(M, n, scratch):
    """Note the energy of the time-table before each start and each end, and what is besides; all of
    the time-table's."""
    total = 0
    for i in range(n):
        demand, end = M[scratch + DEMAND * n + i], M[scratch + END * n + i]
        certain = demand * certain_part(M, n, scratch, i, end)
        M[scratch + FREE * n + i] = demand * M[scratch + DURATION * n + i] - certain
        total += certain
    for i in range(n):
        start, end = M[scratch + START * n + i], M[scratch + END * n + i]
        before_start = before_end = 0
        for j in range(n):
            demand = M[scratch + DEMAND * n + j]
            before_start += demand * certain_part(M, n, scratch, j, start)
            before_end += demand * certain_part(M, n, scratch, j, end)
        M[scratch + BEFORE_START * n + i] = before_start
        M[scratch + BEFORE_END * n + i] = before_end
    return total


def turn_round(M, n, scratch, total):
    """Look at time from its other end."""
    for i in range(n):
        start, before = M[scratch + START * n + i], M[scratch + BEFORE_START * n + i]
        M[scratch + START * n + i] = -M[scratch + END * n + i]
        M[scratch + END * n + i] = -start
        M[scratch + BEFORE_START * n + i] = total - M[scratch + BEFORE_END * n + i]
        M[scratch + BEFORE_END * n + i] = total - before


def pass_windows(M, n, scratch, room):
    """Find new earliest starts; False if a window is too full."""
    by_start, by_end = scratch + BY_START * n, scratch + BY_END * n
    sort_tasks(M, by_start, n, scratch + START * n)
    sort_tasks(M, by_end, n, scratch + END * n)
    for i in range(n):
        M[scratch + BOUND * n + i] = M[scratch + START * n + i]
    last = -1
    for k in range(n):
        i = M[by_end + k]
        if last < 0 or M[scratch + END * n + i] != M[scratch + END * n + last]:
            last = i
            before = M[scratch + BEFORE_END * n + i]
            if not pass_starts(M, n, scratch, room, M[scratch + END * n + i], before):
                return False
    return True


def pass_starts(M, n, scratch, room, end, before_end):
    """Find what windows that end at ``end`` say, the latest start first."""
    by_start = scratch + BY_START * n
    energy, most, late, certain = 0, 0, -1, 0
    for k in range(n - 1, -1, -1):
        i = M[by_start + k]
        start = M[scratch + START * n + i]
        if start >= end:
            continue
        if M[scratch + END * n + i] <= end:
            energy += M[scratch + FREE * n + i]
        else:
            length = M[scratch + DURATION * n + i]
            if end - start < length:
                length = end - start
            demand = M[scratch + DEMAND * n + i]
            within = certain_part(M, n, scratch, i, end)
            if demand * (length - within) > most:
                most, late, certain = demand * (length - within), i, demand * within
        rest = room * (end - start) - energy - (before_end - M[scratch + BEFORE_START * n + i])
        if rest < 0:
            return False
        if most > rest:
            bound = end - (rest + certain) // M[scratch + DEMAND * n + late]
            if bound > M[scratch + BOUND * n + late]:
                M[scratch + BOUND * n + late] = bound
    return True
