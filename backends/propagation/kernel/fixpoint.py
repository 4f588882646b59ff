"""Propagation to a fixed point: rivals of fixed values first, then the queues.

One fixed point may take long, where bounds creep or variables are many. So after some work, counted
in variables that have been looked at, Python is asked whether to stop. A search that is stopped is
over: it is not continued, so that what it leaves undone does not matter.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import remove
from backends.propagation.kernel.layout import (
    COUNT,
    GROUPS,
    IDEMPOTENT,
    M_ASK,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CONFLICT_Y,
    M_CURRENT,
    M_FIXED_TOP,
    M_PROPAGATIONS,
    M_STOPPED,
    M_WORK,
    RIVALS,
    T_FIXED_QUEUE,
    UPPER,
)
from backends.propagation.kernel.queue import dequeue

LARGE = 256
"""A propagator, or a list of rivals, of more variables is counted by these; of the runs of smaller
propagators each 256th is."""
MOST_WORK = 1 << 16
"""What is counted between two questions: some milliseconds, mostly."""


def ask(M):
    """1 where the search is to stop."""
    return M[M_ASK]()


def must_stop(M, work):
    """Whether the search is over; asked where enough has been done since the last time."""
    M[M_WORK] += work
    if M[M_WORK] < MOST_WORK:
        return False
    M[M_WORK] = 0
    if M[M_ASK] != 0 and ask(M) != 0:
        M[M_STOPPED] = 1
    return M[M_STOPPED] != 0


def must_stop_before(T, M, a):
    """Whether the search is over before propagator ``a`` runs."""
    is_counted = T[a + COUNT] > LARGE or M[M_PROPAGATIONS] & LARGE - 1 == 0
    return is_counted and must_stop(M, T[a + COUNT] + LARGE)


def run_propagator(S, T, M, a):
    """Run propagator ``a``; False when its constraint cannot hold."""
    return T[a](S, T, M, a)


def remove_fixed_values(S, T, M):
    """Remove every newly fixed value from the rivals of its variable, and from its groups."""
    while M[M_FIXED_TOP] > 0:
        M[M_FIXED_TOP] -= 1
        x = M[T[T_FIXED_QUEUE] + M[M_FIXED_TOP]]
        row = S[x + RIVALS]
        if T[row] > 0 and not remove_from(S, T, M, row, x, S[x], 1):
            return False
        row = S[x + GROUPS]
        for k in range(row + 1, row + 1 + T[row], 2):
            if not remove_from(S, T, M, T[k], x, S[x] + T[k + 1], -1):
                return False
    return True


def remove_from(S, T, M, row, x, value, sign):
    """Remove ``value``, shifted with a sign, from the variables of a row but ``x``."""
    if T[row] > LARGE and must_stop(M, T[row]):
        return False
    for k in range(row + 1, row + 1 + T[row], 2):
        y = T[k]
        shifted = value + sign * T[k + 1]
        if S[y] <= shifted <= S[y + UPPER] and y != x and not remove(S, T, M, y, shifted):
            M[M_CONFLICT_X] = x
            M[M_CONFLICT_Y] = y
            return False
    return True


def propagate_to_fixpoint(S, T, M):
    """Propagate until nothing changes; False, with the conflict noted, on a contradiction."""
    M[M_CONFLICT] = 0
    while True:
        M[M_CURRENT] = 0
        if M[M_FIXED_TOP] > 0 and not remove_fixed_values(S, T, M):
            return False
        a = dequeue(T, M)
        if a == 0:
            return True
        M[M_PROPAGATIONS] += 1
        if must_stop_before(T, M, a):
            return False
        if T[a + IDEMPOTENT] != 0:
            M[M_CURRENT] = a
        if not run_propagator(S, T, M, a):
            M[M_CONFLICT] = a
            return False
