"""Events and queues, interpreted: the steps of ``kernel.queue``, faster.

For each variable a list in T, before the length of its row of watchers, has what wakes on each set
of events: tuples of where a propagator is queued, the propagator, the head of its queue, and where
that begins. They are chosen when the events first occur, by the row, which is the list's last item.
T[a + HOT] has the tuple of propagator ``a``, since nothing is hot where nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backends.propagation.kernel.layout import (
    DOMAIN,
    FIXED,
    HOT,
    M_CURRENT,
    M_FIXED_TOP,
    M_HEADS,
    PRIORITY,
    QUEUED,
    T_FIXED_QUEUE,
    T_QUEUE_MASK,
    T_QUEUES,
    TABLE_HEAD,
    WATCHERS,
)
from modelling.stopping import watched

T_WAKING = TABLE_HEAD - 2
"""The cell of T that says what wakes propagators."""
NOTHING, ANY_CHANGE, SOME_EVENTS = range(3)
"""There are none; each change of a variable wakes all that watch it; neither."""


def watchers_of(T: list[Any], rows: Sequence[Sequence[int]]) -> list[list[Any]]:
    """For each variable the list, still empty, of rows of propagators and events."""
    capacity = T[T_QUEUE_MASK] + 1
    for a in dict.fromkeys([a for row in watched(rows) for a in row[::2]]):
        priority = T[a + PRIORITY]
        ring = T[T_QUEUES] + priority * capacity
        T[a + HOT] = T[a + QUEUED], a, M_HEADS + 2 * priority, ring
    found = [woken_of(T, row) for row in rows]
    T[T_WAKING] = ANY_CHANGE if any(rows) else NOTHING
    if None in [woken[0] for woken in found]:
        T[T_WAKING] = SOME_EVENTS
    return found


NONE_WOKEN: list[Any] = [()] * (2 * DOMAIN + 1)
"""What a variable without watchers wakes."""


def woken_of(T: list[Any], row: Sequence[int]) -> list[Any]:
    """What wakes on each set of events, which all have ``DOMAIN``; the first item has what wakes
    whatever happens, where that is all of the row."""
    if not row:
        return NONE_WOKEN
    if min(row[1::2]) < DOMAIN:
        return [None] * (2 * DOMAIN) + [row]
    return [tuple([T[a + HOT] for a in row[::2]])] * (2 * DOMAIN) + [row]


def list_woken(T: list[Any], woken: list[Any], events: int) -> Any:
    """What wakes on ``events``."""
    row = woken[-1]
    found = tuple([T[row[k] + HOT] for k in range(0, len(row), 2) if row[k + 1] & events])
    woken[events] = found
    return found


def notify(S, T, M, x, events):
    """``queue.notify``."""
    woken = T[S[x + WATCHERS] - 1]
    wake = woken[events]
    if wake is None:
        wake = list_woken(T, woken, events)
    current = M[M_CURRENT]
    for queued, a, head, ring in wake:
        if not M[queued] and a != current:
            M[queued] = 1
            length = M[head + 1]
            M[ring + ((M[head] + length) & T[T_QUEUE_MASK])] = a
            M[head + 1] = length + 1
    if events & FIXED:
        top = M[M_FIXED_TOP]
        M[T[T_FIXED_QUEUE] + top] = x
        M[M_FIXED_TOP] = top + 1


def empty_queues(T, M):
    """``queue.empty_queues``."""
    M[M_FIXED_TOP] = 0
    mask = T[T_QUEUE_MASK]
    ring = T[T_QUEUES]
    for head in (M_HEADS, M_HEADS + 2, M_HEADS + 4):
        first, length = M[head], M[head + 1]
        for k in range(first, first + length):
            M[T[M[ring + (k & mask)] + QUEUED]] = 0
        M[head + 1] = 0
        ring += mask + 1
