"""One row of variables is lexicographically less than another, or equal: domain consistency.

``first`` is the first place where the rows need not be equal. There x <= y must hold; where the
rests of the rows, with the least values of x and the greatest of y, are out of order, x < y. That
is all, as any later value is possible where they may differ at ``first`` (Frisch, Hnich, Kiziltan,
Miguel and Walsh, *Propagation algorithms for lexicographic ordering constraints*, Artificial
Intelligence 170, 2006). O(n) in all while ``first`` moves down one branch, and O(n) for the rests.

The scope is the n variables of the one row and the n of the other, as far as both reach.
Arguments: the place of the state, ``first``; 1 if equal rows are in order, else 0. Where a
variable occurs twice, less is removed.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments
from backends.propagation.kernel.trail import save


def ordered(S, T, M, a):
    """The first half of the scope is less than the second, or equal where that is allowed."""
    n = T[a + COUNT] // 2
    c = arguments(T, a)
    first = S[T[c]]
    while first < n:
        x, y = T[a + SCOPE + first], T[a + SCOPE + n + first]
        less = 0 if S[x] == S[y + UPPER] or rests_are_ordered(S, T, a, n, first) else 1
        if not set_upper(S, T, M, x, S[y + UPPER] - less):
            return False
        if not set_lower(S, T, M, y, S[x] + less):
            return False
        if S[x] != S[y + UPPER]:
            break
        first += 1
    if first == n and T[c + 1] == 0:
        return False
    if first != S[T[c]]:
        save(S, M, T[c])
        S[T[c]] = first
    return True


def rests_are_ordered(S, T, a, n, first):
    """Whether the rows may be in order after the place ``first``."""
    for k in range(a + SCOPE + first + 1, a + SCOPE + n):
        least, greatest = S[T[k]], S[T[k + n] + UPPER]
        if least != greatest:
            return least < greatest
    return T[arguments(T, a) + 1] != 0
