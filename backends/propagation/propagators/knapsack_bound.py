"""An objective under one inequality: the bound of the fractional knapsack; O(variables).

A variable that an objective and ``sum(w * x) <= c`` draw to different ends is an *item*: a unit
more saves some cost and takes some room. If parts of units could be taken, taking those first that
save most for their room would be best (Dantzig, *Discrete-variable extremum problems*, 1957). So
the objective is bounded by that; and what an item before the last one may leave, or one behind it
take, until the bound is too much, bounds the item (reduced costs). Consistency: none; it prunes
where an objective is bounded, and other propagators check.

The scope has the items, those that save most for their room first, then the other variables of
either. Arguments: how many items there are; c; the factors of all in the objective; those in the
inequality.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, M_BOUND, SCOPE, UPPER, arguments


def knapsack_at_most(S, T, M, a):
    """``sum(f * x) <= M[M_BOUND]`` where ``sum(w * x) <= c``."""
    n = T[a + COUNT]
    c = arguments(T, a)
    items = T[c]
    costs, weights = c + 2, c + 2 + n
    room, slack = T[c + 1], M[M_BOUND]
    for i in range(n):
        x = T[a + SCOPE + i]
        w, f = T[weights + i], T[costs + i]
        room -= w * (S[x] if w > 0 else S[x + UPPER])
        is_low = w > 0 if i < items else f > 0
        slack -= f * (S[x] if is_low else S[x + UPPER])
    if room < 0:
        return False
    for i in range(items):
        x = T[a + SCOPE + i]
        w, saved = abs(T[weights + i]), abs(T[costs + i])
        units = S[x + UPPER] - S[x]
        if w * units > room:
            slack = slack * w + saved * room
            return slack >= 0 and narrow_items(S, T, M, a, i, slack)
        room -= w * units
        slack += saved * units
    return slack >= 0


def narrow_items(S, T, M, a, last, slack):
    """Bound what the items before the last one leave, and what those behind it take; ``slack`` is
    how much worse than the bound the objective may be, times the weight of the last item."""
    n = T[a + COUNT]
    c = arguments(T, a)
    costs, weights = c + 2, c + 2 + n
    w, saved = abs(T[weights + last]), abs(T[costs + last])
    for i in range(T[c]):
        x = T[a + SCOPE + i]
        loss = abs(T[costs + i]) * w - abs(T[weights + i]) * saved
        takes = loss > 0
        loss = loss if takes else -loss
        if i == last or loss * (S[x + UPPER] - S[x]) <= slack:
            continue
        units = slack // loss
        if takes == (T[weights + i] > 0):
            if not set_lower(S, T, M, x, S[x + UPPER] - units):
                return False
        elif not set_upper(S, T, M, x, S[x] + units):
            return False
    return True
