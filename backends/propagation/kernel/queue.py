"""Events and queues: which propagators must run because a domain has changed.

Three rings of propagators, by priority, and a stack of variables whose fixed value has not yet
left their rivals (Schulte and Stuckey, *Efficient constraint propagation engines*, TOPLAS 2008).
"""

from __future__ import annotations

from backends.propagation.kernel.layout import (
    FIXED,
    M_CURRENT,
    M_FIXED_TOP,
    M_HEADS,
    PRIORITY,
    QUEUED,
    T_FIXED_QUEUE,
    T_QUEUE_MASK,
    T_QUEUES,
    WATCHERS,
)


def enqueue(T, M, a):
    """Queue propagator ``a`` unless it is queued."""
    queued = T[a + QUEUED]
    if M[queued] == 0:
        M[queued] = 1
        priority = T[a + PRIORITY]
        head = M_HEADS + 2 * priority
        mask = T[T_QUEUE_MASK]
        M[T[T_QUEUES] + priority * (mask + 1) + ((M[head] + M[head + 1]) & mask)] = a
        M[head + 1] += 1


def notify(S, T, M, x, events):
    """Queue what watches one of ``events`` of variable ``x``, but for the one that runs."""
    row = S[x + WATCHERS]
    current = M[M_CURRENT]
    for k in range(row + 1, row + 1 + T[row], 2):
        if T[k + 1] & events:
            a = T[k]
            if a != current:
                enqueue(T, M, a)
    if events & FIXED:
        M[T[T_FIXED_QUEUE] + M[M_FIXED_TOP]] = x
        M[M_FIXED_TOP] += 1


def dequeue(T, M):
    """Take the next propagator from the queues; 0 if all are empty."""
    mask = T[T_QUEUE_MASK]
    for priority in range(3):
        head = M_HEADS + 2 * priority
        if M[head + 1] > 0:
            a = M[T[T_QUEUES] + priority * (mask + 1) + M[head]]
            M[head] = (M[head] + 1) & mask
            M[head + 1] -= 1
            M[T[a + QUEUED]] = 0
            return a
    return 0


def empty_queues(T, M):
    """Forget all that is queued."""
    M[M_FIXED_TOP] = 0
    while dequeue(T, M) != 0:
        pass
