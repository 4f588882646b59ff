"""Why ``edge_finding`` bounds a start: by sets of tasks, found again at the time of the change.

Each rule of ``edge_finding`` has its sets; all look in one direction of time, as the rules do:

overload                tasks within a window that is shorter than they are together
detectable precedences  tasks that cannot begin after the task ends, and begin late enough
edge finding            tasks within a window that is too short for the task besides: it ends after
                        the window, so after those of them that end late
not last                tasks that cannot end before the task begins, and begin after it otherwise

What a bound exceeds the need is given away. (Vilím, *Computing explanations for the unary resource
constraint*, CPAIOR 2005.) O(n^2), and O(n^3) for edge finding.
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
from backends.propagation.propagators.scheduling.edge_finding import (
    ECT,
    EST,
    LCT,
    LENGTH,
    LST,
    NOT_A_TASK,
)

NOTHING = -1
"""No set explains it."""


def explain_edge_finding(S, T, M, a, slot, value, place, out):
    """The sets of one of the rules."""
    n = T[a + COUNT] // 2
    facts = T[arguments(T, a)]
    if slot == 0:
        collect_at(S, T, M, a, n, facts, 1, place)
        written = explain_overload(T, M, a, n, facts, out)
        if written > 0:
            return written
    for i in range(n):
        if T[a + SCOPE + i] == slot >> 2:
            for way in range(-1, 2, 2):
                collect_at(S, T, M, a, n, facts, way, place)
                written = explain_start(T, M, a, n, i, facts, way, slot, value, out)
                if written >= 0:
                    return written
    return write_all_bounds(S, T, M, a, place, out)


def collect_at(S, T, M, a, n, facts, way, place):
    """Write the facts of each task as they were before ``place``."""
    for i in range(n):
        s, d = T[a + SCOPE + i], T[a + SCOPE + n + i]
        length = lower_at(S, M, d, place)
        est = lct = ect = lst = NOT_A_TASK
        if length > 0:
            if way == 1:
                est, lst = lower_at(S, M, s, place), upper_at(S, M, s, place)
            else:
                est = -upper_at(S, M, s, place) - length
                lst = -lower_at(S, M, s, place) - length
            ect, lct = est + length, lst + length
        M[facts + EST * n + i] = est
        M[facts + LCT * n + i] = lct
        M[facts + LENGTH * n + i] = length
        M[facts + ECT * n + i] = ect
        M[facts + LST * n + i] = lst


def explain_start(T, M, a, n, i, facts, way, slot, value, out):
    """Why a start is bounded, by the rules of one direction; -1 if it is not by these."""
    length = M[facts + LENGTH * n + i]
    if length == 0:
        return NOTHING
    is_lower = slot & 1 == LEAST
    if is_lower == (way == 1):
        first = value if is_lower else value - length
        written = explain_precedences(T, M, a, n, i, facts, way, first, out)
        if written < 0:
            written = explain_edge(T, M, a, n, i, facts, way, first, out)
        return written
    last = -value if is_lower else length - value
    return explain_not_last(T, M, a, n, i, facts, way, last, out)


def write_earliest(T, M, a, n, facts, way, j, time, out):
    """Write that task ``j`` begins at ``time`` at the earliest, and how long it is."""
    s, length = T[a + SCOPE + j], M[facts + LENGTH * n + j]
    if way == 1:
        written = write(M, out, 4 * s, time)
    else:
        written = write(M, out, 4 * s + MOST, time + length)
    return written + write(M, out + 2, 4 * T[a + SCOPE + n + j], length)


def write_latest(T, M, a, n, facts, way, j, time, out):
    """Write that task ``j`` begins at ``time`` at the latest."""
    s, length = T[a + SCOPE + j], M[facts + LENGTH * n + j]
    if way == 1:
        return write(M, out, 4 * s + MOST, -time)
    return write(M, out, 4 * s, -time - length)


def work_within(M, n, facts, without, begin, end):
    """How long the tasks but one are together that begin after ``begin`` and end before ``end``."""
    work = 0
    for j in range(n):
        if M[facts + EST * n + j] >= begin and M[facts + LCT * n + j] <= end and j != without:
            work += M[facts + LENGTH * n + j]
    return work


def write_within(T, M, a, n, facts, way, without, begin, end, earliest, out):
    """Write that these tasks begin at ``earliest`` at the earliest, and end by ``end``."""
    written = 0
    for j in range(n):
        if M[facts + EST * n + j] >= begin and M[facts + LCT * n + j] <= end and j != without:
            latest = end - M[facts + LENGTH * n + j]
            written += write_earliest(T, M, a, n, facts, way, j, earliest, out + 2 * written)
            written += write_latest(T, M, a, n, facts, way, j, latest, out + 2 * written)
    return written


def explain_overload(T, M, a, n, facts, out):
    """A window that is too short for the tasks within it."""
    for k in range(n):
        end = M[facts + LCT * n + k]
        for j in range(n):
            begin = M[facts + EST * n + j]
            if begin < end < NOT_A_TASK:
                work = work_within(M, n, facts, NOTHING, begin, end)
                if begin + work > end:
                    earliest = end + 1 - work
                    return write_within(T, M, a, n, facts, 1, NOTHING, begin, end, earliest, out)
    return 0


def explain_precedences(T, M, a, n, i, facts, way, first, out):
    """Tasks that must precede task ``i`` and do not end before ``first``."""
    end = M[facts + ECT * n + i]
    for k in range(n):
        begin = M[facts + EST * n + k]
        work = 0
        for j in range(n):
            if M[facts + LST * n + j] < end and M[facts + EST * n + j] >= begin and j != i:
                work += M[facts + LENGTH * n + j]
        if work > 0 and begin + work >= first:
            earliest = M[facts + EST * n + i]
            written = write_earliest(T, M, a, n, facts, way, i, earliest, out)
            for j in range(n):
                if M[facts + LST * n + j] < end and M[facts + EST * n + j] >= begin and j != i:
                    at = out + 2 * written
                    written += write_earliest(T, M, a, n, facts, way, j, first - work, at)
                    at = out + 2 * written
                    written += write_latest(T, M, a, n, facts, way, j, end - 1, at)
            return written
    return NOTHING


def explain_edge(T, M, a, n, i, facts, way, first, out):
    """A window that is too short for task ``i`` besides; and tasks that end in it, but not before
    ``first``."""
    own, length = M[facts + EST * n + i], M[facts + LENGTH * n + i]
    for k in range(n):
        end = M[facts + LCT * n + k]
        late = find_late(M, n, facts, i, end, first)
        if late == NOTHING:
            continue
        for j in range(n):
            begin = M[facts + EST * n + j]
            if begin >= end:
                continue
            work = work_within(M, n, facts, i, begin, end)
            if work > 0 and min(begin, own) + work + length > end:
                earliest = end + 1 - work - length
                written = write_earliest(T, M, a, n, facts, way, i, earliest, out)
                at = out + 2 * written
                written += write_within(T, M, a, n, facts, way, i, begin, end, earliest, at)
                begin = M[facts + EST * n + late]
                earliest = first - work_within(M, n, facts, i, begin, end)
                at = out + 2 * written
                return written + write_within(T, M, a, n, facts, way, i, begin, end, earliest, at)
    return NOTHING


def find_late(M, n, facts, i, end, first):
    """A task with which others begin that end by ``end``, but together not before ``first``; -1 if
    there is none."""
    for j in range(n):
        begin = M[facts + EST * n + j]
        is_within = begin < end and M[facts + LCT * n + j] <= end and j != i
        if is_within and begin + work_within(M, n, facts, i, begin, end) >= first:
            return j
    return NOTHING


def explain_not_last(T, M, a, n, i, facts, way, last, out):
    """Tasks that begin by ``last``, and do not all fit in before task ``i`` begins."""
    latest = M[facts + LST * n + i]
    for k in range(n):
        begin = M[facts + EST * n + k]
        work = 0
        for j in range(n):
            if M[facts + LST * n + j] <= last and M[facts + EST * n + j] >= begin and j != i:
                work += M[facts + LENGTH * n + j]
        if work > 0 and begin + work > latest:
            written = write_latest(T, M, a, n, facts, way, i, latest, out)
            for j in range(n):
                if M[facts + LST * n + j] <= last and M[facts + EST * n + j] >= begin and j != i:
                    earliest = latest + 1 - work
                    at = out + 2 * written
                    written += write_earliest(T, M, a, n, facts, way, j, earliest, at)
                    at = out + 2 * written
                    written += write_latest(T, M, a, n, facts, way, j, last, at)
            return written
    return NOTHING
