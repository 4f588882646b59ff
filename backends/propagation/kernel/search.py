"""Depth-first search: branch into *this value* and *any other*, propagate, backtrack.

It runs in slices: ``search`` returns after a number of nodes, when its memory must grow, or when
solutions are to be fetched, and continues where it was when it is called again. So Python looks at
the clock, at Ctrl-C and at limits between two slices, and the order of nodes does not depend on
where they end. Nothing recurs: a decision is four numbers in M.
"""

from __future__ import annotations

from backends.propagation.kernel.branching import (
    ACTIVITY,
    choose_value,
    choose_variable,
    note_changes,
    note_failure,
)
from backends.propagation.kernel.domains import assign, remove, set_lower, set_upper
from backends.propagation.kernel.fixpoint import propagate_to_fixpoint
from backends.propagation.kernel.layout import (
    DECISION,
    LEAST_ALWAYS,
    M_BRANCHING,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CONFLICT_Y,
    M_CURRENT,
    M_DECISIONS,
    M_DECISIONS_END,
    M_DEPTH,
    M_FAILURES_LEFT,
    M_FIXED_TOP,
    M_LAST_CONFLICT,
    M_NODE,
    M_NODES,
    M_ORDERS,
    M_PEAK_DEPTH,
    M_REFUTED,
    M_SOLUTION_COUNT,
    M_SOLUTION_ROOM,
    M_SOLUTIONS,
    M_STAMP,
    M_STATUS,
    M_STOPPED,
    M_TRAIL_END,
    M_TRAIL_TOP,
    M_TREE,
    M_TREE_ROOM,
    NODE,
    NODE_FAILED,
    NODE_REFUTES,
    NODE_SOLUTION,
    NUMBER,
    PHASE,
    SIZE,
    T_FIXED_QUEUE,
    T_GOAL,
    T_LEVEL_CELLS,
    T_OBJECTIVE,
    T_REPORTED,
    T_SIZE,
    T_VARIABLES,
    UPPER,
)
from backends.propagation.kernel.nogoods import (
    keep_nogoods,
    lacks_nogoods,
    note_refuted,
    propagate_with_nogoods,
)
from backends.propagation.kernel.queue import empty_queues, enqueue
from backends.propagation.kernel.restarts import AFTER_SOLUTION, return_to_root
from backends.propagation.kernel.trail import undo

# Why a slice ended.
EXHAUSTED, FULL, PAUSED, GROW = range(4)
# What the next slice begins with: M[M_STATUS].
ROOT, BRANCH, BACKTRACK, OVER = range(4)


def search(S, T, M, nodes):
    """Search for ``nodes`` nodes more; why it ended. M[M_SOLUTION_COUNT] solutions wait in M.

    EXHAUSTED   all has been searched
    FULL        a further solution would not fit
    PAUSED      that many nodes have been visited, or the search is over, which M[M_STOPPED] says
    GROW        the trail, the decisions or the nogoods need more room
    """
    if M[M_STATUS] == OVER:
        return EXHAUSTED
    stop = M[M_NODES] + nodes
    consistent = M[M_STATUS] == BRANCH
    if M[M_STATUS] == ROOT:
        M[M_NODES] += 1
        queue_fixed(S, T, M)
        consistent = propagate_to_fixpoint(S, T, M)
        if consistent and M[M_ORDERS] != 0 and T[T_GOAL] != 0:
            consistent = raise_goal(S, T, M)
        if not consistent:
            note_failure(S, T, M)
            mark_node(M, NODE_FAILED)
    while True:
        M[M_STATUS] = BRANCH if consistent else BACKTRACK
        if M[M_STOPPED] != 0 or (M[M_NODES] >= stop and not consistent and M[M_DEPTH] > 0):
            return PAUSED
        if consistent:
            if (
                M[M_TRAIL_TOP] + T[T_LEVEL_CELLS] > M[M_TRAIL_END]
                or M[M_DECISIONS] + DECISION * (M[M_DEPTH] + 1) > M[M_DECISIONS_END]
            ):
                return GROW
            if M[M_FAILURES_LEFT] <= 0 and M[M_DEPTH] > 0:
                if lacks_nogoods(M):
                    return GROW
                return_to_root(S, T, M)
                M[M_NODE] = 0
                consistent = propagate_root(S, T, M)
                if not consistent:
                    note_failure(S, T, M)
                continue
            x = choose_variable(S, T, M)
            if x == 0:
                keep_solution(S, T, M)
                if M[M_ORDERS] != 0 and T[T_OBJECTIVE] != 0 and M[M_DEPTH] > 0:
                    M[M_FAILURES_LEFT] = AFTER_SOLUTION
                    M[M_STATUS] = BRANCH
                else:
                    consistent = False
                    M[M_STATUS] = BACKTRACK
                if M[M_SOLUTION_COUNT] == M[M_SOLUTION_ROOM]:
                    return FULL
                continue
            if M[M_NODES] >= stop:
                return PAUSED
            mark = M[M_TRAIL_TOP]
            consistent = branch(S, T, M, x, choose_value(S, T, M, x))
            if M[M_BRANCHING] == ACTIVITY:
                note_changes(S, T, M, mark)
        else:
            if M[M_DEPTH] == 0:
                M[M_STATUS] = OVER
                return EXHAUSTED
            consistent = refute(S, T, M)
        if not consistent:
            note_failure(S, T, M)
            mark_node(M, NODE_FAILED)


def raise_goal(S, T, M):
    """Raise the objective's lower bound to the least one that propagation does not refute, which
    halving finds: whether that is consistent."""
    x = T[T_GOAL]
    mark = M[M_TRAIL_TOP]
    low, high = S[x], S[x + UPPER]
    while low < high:
        middle = (low + high) // 2
        M[M_STAMP] += 1
        M[M_CURRENT] = 0
        if set_upper(S, T, M, x, middle) and propagate_to_fixpoint(S, T, M):
            high = middle
        else:
            if M[M_STOPPED] != 0:
                return False
            empty_queues(T, M)
            low = middle + 1
        undo(S, M, mark)
    M[M_CURRENT] = 0
    return set_lower(S, T, M, x, low) and propagate_to_fixpoint(S, T, M)


def queue_fixed(S, T, M):
    """Queue every variable that has one value to begin with."""
    variables = T[T_VARIABLES]
    for k in range(variables, variables + T[T_SIZE]):
        x = T[k]
        if S[x + SIZE] == 1:
            M[T[T_FIXED_QUEUE] + M[M_FIXED_TOP]] = x
            M[M_FIXED_TOP] += 1


def propagate_root(S, T, M):
    """Propagate what a restart has found out; whether that is consistent."""
    mark = M[M_TRAIL_TOP]
    if M[M_REFUTED] != 0 and not keep_nogoods(S, T, M):
        return False
    return propagate_with_nogoods(S, T, M, mark)


def branch(S, T, M, x, value):
    """A level deeper, where ``x`` has ``value``; whether it is consistent."""
    depth = M[M_DEPTH]
    decision = M[M_DECISIONS] + DECISION * depth
    M[decision] = M[M_TRAIL_TOP]
    M[decision + 1] = x
    M[decision + 2] = value
    M[decision + 3] = M[M_NODE]
    M[M_DEPTH] = depth + 1
    if depth + 1 > M[M_PEAK_DEPTH]:
        M[M_PEAK_DEPTH] = depth + 1
    record_node(S, M, x, value, 0)
    M[M_STAMP] += 1
    M[M_CURRENT] = 0
    if S[x + PHASE] != LEAST_ALWAYS:
        S[x + PHASE] = value
    if assign(S, T, M, x, value) and propagate_with_nogoods(S, T, M, M[decision]):
        if x == M[M_LAST_CONFLICT]:
            M[M_LAST_CONFLICT] = 0
        return True
    if M[M_LAST_CONFLICT] >= 0:
        M[M_LAST_CONFLICT] = x
    return False


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
    if M[M_REFUTED] != 0:
        note_refuted(M, depth, x, M[decision + 2])
    M[M_NODE] = M[decision + 3]
    record_node(S, M, x, M[decision + 2], NODE_REFUTES)
    M[M_CURRENT] = 0
    M[M_CONFLICT] = 0
    M[M_CONFLICT_X] = M[M_CONFLICT_Y] = x
    if T[T_OBJECTIVE] != 0:
        enqueue(T, M, T[T_OBJECTIVE])
    return remove(S, T, M, x, M[decision + 2]) and propagate_with_nogoods(S, T, M, M[decision])


def keep_solution(S, T, M):
    """Copy the values of the reported variables, which are all fixed."""
    n = T[T_REPORTED]
    place = M[M_SOLUTIONS] + n * M[M_SOLUTION_COUNT]
    variables = T[T_VARIABLES]
    for k in range(n):
        M[place + k] = S[T[variables + k]]
    M[M_SOLUTION_COUNT] += 1
    mark_node(M, NODE_SOLUTION)


def record_node(S, M, x, value, flags):
    """Count a node, which becomes the current one; record it while there is room."""
    number = M[M_NODES]
    M[M_NODES] += 1
    if number < M[M_TREE_ROOM]:
        place = M[M_TREE] + NODE * number
        M[place] = M[M_NODE]
        M[place + 1] = S[x + NUMBER]
        M[place + 2] = value
        M[place + 3] = flags
    M[M_NODE] = number


def mark_node(M, flag):
    """Record what became of the current node."""
    if M[M_NODE] < M[M_TREE_ROOM]:
        M[M[M_TREE] + NODE * M[M_NODE] + 3] += flag
