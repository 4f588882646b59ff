"""Which two tasks to put in order next, and which of them comes first.

Where the tasks of a machine have truth values for the order of each two (``propagators.scheduling.
pairs``), a search that looks for one schedule branches on these, and on starts last: once all tasks
are in order, each begins as early as it can. The pair with the least ratio of open starts to weight
comes next (Grimes, Hebrard and Malapert, *Closing the open shop: contradicting conventional
wisdom*, CP 2009); the order first that leaves the two more room (Smith and Cheng, *Slack-based
heuristics for constraint satisfaction scheduling*, AAAI 1993), later the one that it had last.

A row of T is the truth value, the start and the length of one task, and those of the other.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import (
    M_STAMP,
    PHASE,
    SIZE,
    STAMP,
    T_OPEN_COUNTS,
    T_ORDERS,
    UPPER,
    WEIGHT,
)
from backends.propagation.kernel.trail import save

NO_PHASE = -1
"""An order that has not been tried yet."""


def choose_order(S, T, M):
    """The truth value of the pair to put in order next; 0 if all are in order."""
    listed, counts = T[T_ORDERS], T[T_OPEN_COUNTS]
    n = S[counts + 2]
    best, best_cost, best_weight = 0, 0, 1
    i = 0
    while i < n:
        row = M[listed + i]
        b = T[row]
        if S[b + SIZE] == 1:
            n -= 1
            M[listed + i] = M[listed + n]
            M[listed + n] = row
            continue
        i += 1
        s, t = T[row + 1], T[row + 3]
        if S[s] >= S[t] + S[T[row + 4]] or S[t] >= S[s] + S[T[row + 2]]:
            continue
        cost = S[s + SIZE] + S[t + SIZE]
        weight = S[s + WEIGHT] + S[t + WEIGHT]
        if best == 0 or cost * best_weight < best_cost * weight:
            best, best_cost, best_weight = row, cost, weight
    if n != S[counts + 2]:
        if S[counts + STAMP] != M[M_STAMP]:
            save(S, M, counts)
        S[counts + 2] = n
    if best == 0:
        return 0
    b = T[best]
    if S[b + PHASE] == NO_PHASE:
        s, d, t, e = T[best + 1], T[best + 2], T[best + 3], T[best + 4]
        room = S[t + UPPER] - S[s] - S[d]
        S[b + PHASE] = 1 if room >= S[s + UPPER] - S[t] - S[e] else 0
    return b
