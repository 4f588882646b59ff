"""When a search starts again from the root, with the weights and nogoods that it has learned.

geometric   after ``base`` failures, then half as many more each time (Walsh, *Search in a small
            world*, IJCAI 1999)
Luby        after ``base`` times 1, 1, 2, 1, 1, 2, 4, ... failures (Luby, Sinclair and Zuckerman,
            *Optimal speedup of Las Vegas algorithms*, 1993)

Where rules of branching take turns (``turns``), each of them has one run of such a length.

The intervals grow without end, so that a search remains complete.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import (
    LUBY,
    M_DECISIONS,
    M_DEPTH,
    M_FAILURES_LEFT,
    M_LAST_CONFLICT,
    M_RESTART_BASE,
    M_RESTART_RULE,
    M_RESTARTS,
    M_TURNS,
    NEVER,
    T_OBJECTIVE,
)
from backends.propagation.kernel.queue import enqueue
from backends.propagation.kernel.trail import undo
from backends.propagation.kernel.turns import take_turn

AFTER_SOLUTION = -1 << 61
"""In place of the failures that are left: a schedule is found, and a better one is sought."""
NO_LIMIT = 1 << 61
"""More failures than any search has."""


def luby(i):
    """The i-th number of Luby's sequence, from 1 on."""
    power = 1
    while 2 * power - 1 < i:
        power *= 2
    while i != 2 * power - 1:
        i -= power - 1
        power = 1
        while 2 * power - 1 < i:
            power *= 2
    return power


def plan_restart(S, T, M):
    """Count a restart, and say how many failures come before the next."""
    M[M_RESTARTS] += 1
    turns = M[M_TURNS]
    if turns > 1:
        take_turn(S, T, M)
    if M[M_RESTART_RULE] == LUBY:
        M[M_FAILURES_LEFT] = M[M_RESTART_BASE] * luby(M[M_RESTARTS] // turns + 1)
    else:
        if M[M_RESTARTS] % turns == 0:
            M[M_RESTART_BASE] += M[M_RESTART_BASE] // 2 + 1
        M[M_FAILURES_LEFT] = M[M_RESTART_BASE]


def return_to_root(S, T, M):
    """Take all decisions back, and plan the next restart."""
    undo(S, M, M[M[M_DECISIONS]])
    M[M_DEPTH] = 0
    if M[M_LAST_CONFLICT] > 0:
        M[M_LAST_CONFLICT] = 0
    if M[M_FAILURES_LEFT] == AFTER_SOLUTION:
        M[M_FAILURES_LEFT] = NO_LIMIT if M[M_RESTART_RULE] == NEVER else M[M_RESTART_BASE]
    else:
        plan_restart(S, T, M)
    if T[T_OBJECTIVE] != 0:
        enqueue(T, M, T[T_OBJECTIVE])
