"""Propagation to a fixed point where each change has a reason: clauses, rivals, propagators.

A propagator without an explanation runs only where no decision is taken: there nothing needs one.
One that others make up for is passed over for a while when it has found nothing. As in
``kernel.fixpoint`` Python is asked after some work whether to stop; what the search does then, as
where it fails without a reason, no longer matters.
"""

from __future__ import annotations

from backends.propagation.kernel.facts import (
    EXPLAIN,
    LEFT,
    M_FACT_TOP,
    M_FAILED_SLOT,
    M_FULL,
    M_REASON,
    NUMBER_SHIFT,
    PAUSE,
    PROPAGATOR,
    RESTS,
    RIVAL,
)
from backends.propagation.kernel.fixpoint import must_stop_before, remove_from, run_propagator
from backends.propagation.kernel.layout import (
    GROUPS,
    IDEMPOTENT,
    M_CURRENT,
    M_DEPTH,
    M_FIXED_TOP,
    M_PROPAGATIONS,
    QUEUED,
    RIVALS,
    T_FIXED_QUEUE,
)
from backends.propagation.kernel.queue import dequeue
from backends.propagation.learning.clauses import propagate_clauses

LONGEST_PAUSE = 7
"""How often a propagator is passed over at most."""


def propagate_to_fixpoint(S, T, M):
    """Propagate until nothing changes; False, with the reason noted, on a contradiction."""
    while True:
        M[M_CURRENT] = 0
        if not propagate_clauses(S, T, M):
            return False
        if M[M_FIXED_TOP] > 0:
            if not remove_from_rivals(S, T, M):
                return False
            continue
        a = dequeue(T, M)
        if a == 0:
            return True
        if M[M_DEPTH] > 0 and (T[a + EXPLAIN] == 0 or (T[a + RESTS] != 0 and is_resting(T, M, a))):
            continue
        M[M_PROPAGATIONS] += 1
        if must_stop_before(T, M, a):
            return False
        if T[a + IDEMPOTENT] != 0:
            M[M_CURRENT] = a
        M[M_REASON] = (a << NUMBER_SHIFT) | PROPAGATOR
        M[M_FAILED_SLOT] = 0
        known = M[M_FACT_TOP]
        if not run_propagator(S, T, M, a) or M[M_FULL] != 0:
            M[T[a + QUEUED] + PAUSE] = 0
            return False
        if T[a + RESTS] != 0:
            rest(T, M, a, M[M_FACT_TOP] > known)


def is_resting(T, M, a):
    """Whether a propagator is passed over this time."""
    left = T[a + QUEUED] + LEFT
    M[left] -= 1
    return M[left] >= 0


def rest(T, M, a, is_useful):
    """Pass over a propagator more often the longer it has found nothing."""
    pause = T[a + QUEUED] + PAUSE
    M[pause] = 0 if is_useful else min(2 * M[pause] + 1, LONGEST_PAUSE)
    M[T[a + QUEUED] + LEFT] = M[pause]


def remove_from_rivals(S, T, M):
    """Remove every newly fixed value from the rivals of its variable, and from its groups."""
    while M[M_FIXED_TOP] > 0:
        M[M_FIXED_TOP] -= 1
        x = M[T[T_FIXED_QUEUE] + M[M_FIXED_TOP]]
        M[M_REASON] = (x << NUMBER_SHIFT) | RIVAL
        row = S[x + RIVALS]
        if T[row] > 0 and not remove_from(S, T, M, row, x, S[x], 1):
            return False
        row = S[x + GROUPS]
        for k in range(row + 1, row + 1 + T[row], 2):
            if not remove_from(S, T, M, T[k], x, S[x] + T[k + 1], -1):
                return False
    return True
