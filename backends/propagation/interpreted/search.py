"""A node of the search, interpreted: the steps of ``kernel.search``, in fewer calls.

These functions call others of the kernel, which are bound in their turn.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, remove
from backends.propagation.kernel.fixpoint import propagate_to_fixpoint
from backends.propagation.kernel.layout import (
    DECISION,
    LEAST_ALWAYS,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CURRENT,
    M_DECISIONS,
    M_DEPTH,
    M_FIXED_TOP,
    M_HEADS,
    M_LAST_CONFLICT,
    M_NODE,
    M_NODES,
    M_NOGOOD_TOP,
    M_NOGOODS,
    M_PEAK_DEPTH,
    M_REFUTED,
    M_STAMP,
    M_TRAIL_TOP,
    M_TREE_ROOM,
    NODE_REFUTES,
    PHASE,
    T_OBJECTIVE,
)
from backends.propagation.kernel.nogoods import note_refuted, propagate_with_nogoods
from backends.propagation.kernel.queue import empty_queues, enqueue
from backends.propagation.kernel.search import record_node
from backends.propagation.kernel.trail import undo


def branch(S, T, M, x, value):
    """``search.branch``."""
    depth = M[M_DEPTH]
    mark = M[M_TRAIL_TOP]
    decision = M[M_DECISIONS] + DECISION * depth
    M[decision : decision + DECISION] = mark, x, value, M[M_NODE]
    M[M_DEPTH] = depth = depth + 1
    if depth > M[M_PEAK_DEPTH]:
        M[M_PEAK_DEPTH] = depth
    if M[M_TREE_ROOM]:
        record_node(S, M, x, value, 0)
    else:
        M[M_NODE] = number = M[M_NODES]
        M[M_NODES] = number + 1
    M[M_STAMP] += 1
    M[M_CURRENT] = 0
    if S[x + PHASE] != LEAST_ALWAYS:
        S[x + PHASE] = value
    if assign(S, T, M, x, value) and (
        propagate_to_fixpoint(S, T, M)
        if M[M_NOGOOD_TOP] == M[M_NOGOODS]
        else propagate_with_nogoods(S, T, M, mark)
    ):
        if x == M[M_LAST_CONFLICT]:
            M[M_LAST_CONFLICT] = 0
        return True
    if M[M_LAST_CONFLICT] >= 0:
        M[M_LAST_CONFLICT] = x
    return False


def refute(S, T, M):
    """``search.refute``."""
    if M[M_HEADS + 1] or M[M_HEADS + 3] or M[M_HEADS + 5]:
        empty_queues(T, M)
    M[M_FIXED_TOP] = 0
    M[M_DEPTH] = depth = M[M_DEPTH] - 1
    decision = M[M_DECISIONS] + DECISION * depth
    mark, x, value, M[M_NODE] = M[decision : decision + DECISION]
    undo(S, M, mark)
    if M[M_REFUTED]:
        note_refuted(M, depth, x, value)
    if M[M_TREE_ROOM]:
        record_node(S, M, x, value, NODE_REFUTES)
    else:
        M[M_NODE] = number = M[M_NODES]
        M[M_NODES] = number + 1
    M[M_CURRENT] = M[M_CONFLICT] = 0
    M[M_CONFLICT_X : M_CONFLICT_X + 2] = x, x
    if T[T_OBJECTIVE]:
        enqueue(T, M, T[T_OBJECTIVE])
    if not remove(S, T, M, x, value):
        return False
    if M[M_NOGOOD_TOP] == M[M_NOGOODS]:
        return propagate_to_fixpoint(S, T, M)
    return propagate_with_nogoods(S, T, M, mark)
