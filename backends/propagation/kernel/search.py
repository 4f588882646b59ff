"""Depth-first search: branch into *this value* and *any other*, propagate, backtrack.

It runs in slices: ``search`` returns after a number of nodes, when its memory must grow, or when
solutions are to be fetched, and continues where it was when it is called again. So Python looks at
the clock, at Ctrl-C and at limits between two slices, and the order of nodes does not depend on
where they end. There is no recursion: a decision is three numbers in M.
"""

from __future__ import annotations

from backends.propagation.kernel.branching import choose_variable
from backends.propagation.kernel.domains import assign, remove
from backends.propagation.kernel.fixpoint import propagate_to_fixpoint
from backends.propagation.kernel.layout import (
    COUNT,
    DECISION,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CONFLICT_Y,
    M_CURRENT,
    M_DECISIONS,
    M_DECISIONS_END,
    M_DEPTH,
    M_FAILURES,
    M_FIXED_TOP,
    M_NODES,
    M_PEAK_DEPTH,
    M_SOLUTIONS,
    M_SOLUTION_COUNT,
    M_SOLUTION_ROOM,
    M_STAMP,
    M_STATUS,
    M_TRAIL_END,
    M_TRAIL_TOP,
    SCOPE,
    SIZE,
    T_FIXED_QUEUE,
    T_LEVEL_CELLS,
    T_OBJECTIVE,
    T_REPORTED,
    T_SIZE,
    T_VARIABLES,
    WEIGHT,
)
from backends.propagation.kernel.queue import empty_queues, enqueue
from backends.propagation.kernel.trail import undo

# Why a slice ended.
EXHAUSTED, FULL, PAUSED, GROW = range(4)
# What the next slice begins with: M[M_STATUS].
ROOT, BRANCH, BACKTRACK, OVER = range(4)


def search(S, T, M, nodes):
    """Search for ``nodes`` nodes more; why it ended. Solutions wait in M, M[M_SOLUTION_COUNT] of them.

    EXHAUSTED   all has been searched
    FULL        there is no room for a further solution
    PAUSED      that many nodes have been visited
    GROW        the trail or the decisions need more room
    """
    if M[M_STATUS] == OVER:
        return EXHAUSTED
    stop = M[M_NODES] + nodes
    consistent = M[M_STATUS] == BRANCH
    if M[M_STATUS] == ROOT:
        M[M_NODES] += 1
        queue_fixed(S, T, M)
        consistent = propagate_to_fixpoint(S, T, M)
        if not consistent:
            note_failure(S, T, M)
    while True:
        if consistent:
            M[M_STATUS] = BRANCH
            if M[M_NODES] >= stop:
                return PAUSED
            if (
                M[M_TRAIL_TOP] + T[T_LEVEL_CELLS] > M[M_TRAIL_END]
                or M[M_DECISIONS] + DECISION * (M[M_DEPTH] + 1) > M[M_DECISIONS_END]
            ):
                return GROW
            x = choose_variable(S, T, M)
            if x == 0:
                keep_solution(S, T, M)
                consistent = False
                if M[M_SOLUTION_COUNT] == M[M_SOLUTION_ROOM]:
                    M[M_STATUS] = BACKTRACK
                    return FULL
                continue
            consistent = branch(S, T, M, x, S[x])
        else:
            if M[M_DEPTH] == 0:
                M[M_STATUS] = OVER
                return EXHAUSTED
            consistent = refute(S, T, M)
        if not consistent:
            note_failure(S, T, M)


def queue_fixed(S, T, M):
    """Queue every variable that has one value to begin with."""
    variables = T[T_VARIABLES]
    for k in range(variables, variables + T[T_SIZE]):
        x = T[k]
        if S[x + SIZE] == 1:
            M[T[T_FIXED_QUEUE] + M[M_FIXED_TOP]] = x
            M[M_FIXED_TOP] += 1


def branch(S, T, M, x, value):
    """A level deeper, where ``x`` has ``value``; whether it is consistent."""
    depth = M[M_DEPTH]
    decision = M[M_DECISIONS] + DECISION * depth
    M[decision] = M[M_TRAIL_TOP]
    M[decision + 1] = x
    M[decision + 2] = value
    M[M_DEPTH] = depth + 1
    if depth + 1 > M[M_PEAK_DEPTH]:
        M[M_PEAK_DEPTH] = depth + 1
    M[M_NODES] += 1
    M[M_STAMP] += 1
    M[M_CURRENT] = 0
    return assign(S, T, M, x, value) and propagate_to_fixpoint(S, T, M)


def refute(S, T, M):
    """Take the last decision back and exclude its value; whether that is consistent.

    The objective's bound may be tighter than when the level above was propagated.
    """
    empty_queues(T, M)
    depth = M[M_DEPTH] - 1
    M[M_DEPTH] = depth
    decision = M[M_DECISIONS] + DECISION * depth
    undo(S, M, M[decision])
    x = M[decision + 1]
    M[M_NODES] += 1
    M[M_CURRENT] = 0
    M[M_CONFLICT] = 0
    M[M_CONFLICT_X] = M[M_CONFLICT_Y] = x
    if T[T_OBJECTIVE] != 0:
        enqueue(T, M, T[T_OBJECTIVE])
    return remove(S, T, M, x, M[decision + 2]) and propagate_to_fixpoint(S, T, M)


def note_failure(S, T, M):
    """Count a failure, and weigh the variables of what failed."""
    M[M_FAILURES] += 1
    a = M[M_CONFLICT]
    if a == 0:
        S[M[M_CONFLICT_X] + WEIGHT] += 1
        S[M[M_CONFLICT_Y] + WEIGHT] += 1
    else:
        for k in range(a + SCOPE, a + SCOPE + T[a + COUNT]):
            S[T[k] + WEIGHT] += 1


def keep_solution(S, T, M):
    """Copy the values of the reported variables, which are all fixed."""
    n = T[T_REPORTED]
    place = M[M_SOLUTIONS] + n * M[M_SOLUTION_COUNT]
    variables = T[T_VARIABLES]
    for k in range(n):
        M[place + k] = S[T[variables + k]]
    M[M_SOLUTION_COUNT] += 1
