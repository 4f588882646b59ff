"""NoOverlap2D: of each two boxes, one lies left of, right of, below or above the other.

Where three of these four are impossible by the bounds, the fourth bounds both boxes. So a place
reaches bounds(Z) consistency when all else is fixed. Only the pairs of a box whose bounds differ
from those of the last fixed point are looked at: O(n) for each (Beldiceanu and Carlsson, *Sweep as
a generic pruning technique applied to the non-overlapping rectangles constraint*, CP 2001, have a
stronger rule).

A box without width or height has no effect, unless the constraint is strict. So one that may be
empty bounds no other, but its width and height are bounded.

Scope: the n places from left to right, the n widths, the n places from below, the n heights; sizes
are not negative. Arguments: scratch of 14n cells, whether it is strict.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments
from backends.propagation.propagators.scheduling.no_overlap import list_changed, put_before


def no_overlap_2d(S, T, M, a):
    """No two boxes cover a common place."""
    n = T[a + COUNT] // 4
    scope = a + SCOPE
    c = arguments(T, a)
    known = T[c]
    strict = T[c + 1] != 0
    now, listed = known + 6 * n, known + 12 * n
    count = list_boxes(S, T, M, scope, n, known, now, listed)
    while count > 0:
        for k in range(count):
            if not separate_from_all(S, T, M, scope, n, M[listed + k], strict):
                return False
        count = list_boxes(S, T, M, scope, n, now, now, listed)
    for k in range(6 * n):
        M[known + k] = M[now + k]
    return True


def list_boxes(S, T, M, scope, n, known, now, listed):
    """List the boxes whose bounds have changed from left to right, then those from below."""
    count = list_changed(S, T, M, scope, n, known, now, listed)
    up = 3 * n
    return count + list_changed(S, T, M, scope + 2 * n, n, known + up, now + up, listed + count)


def separate_from_all(S, T, M, scope, n, i, strict):
    """Bound box ``i`` and the others by the pairs that it is in."""
    x, w, y, h = T[scope + i], T[scope + n + i], T[scope + 2 * n + i], T[scope + 3 * n + i]
    for j in range(n):
        x2, w2 = T[scope + j], T[scope + n + j]
        y2, h2 = T[scope + 2 * n + j], T[scope + 3 * n + j]
        ways = 0
        if S[x] + S[w] <= S[x2 + UPPER]:
            ways += 1
        if S[x2] + S[w2] <= S[x + UPPER]:
            ways += 1
        if S[y] + S[h] <= S[y2 + UPPER]:
            ways += 1
        if S[y2] + S[h2] <= S[y + UPPER]:
            ways += 1
        if ways < 2 and i != j and not separate(S, T, M, x, w, y, h, x2, w2, y2, h2, strict):
            return False
    return True


def separate(S, T, M, x, w, y, h, x2, w2, y2, h2, strict):
    """Bound two boxes that can be apart in one way at most."""
    one_is_full = strict or (S[w] > 0 and S[h] > 0)
    other_is_full = strict or (S[w2] > 0 and S[h2] > 0)
    if not one_is_full and not other_is_full:
        return True
    if not one_is_full:
        return narrow_empty(S, T, M, x, w, y, h, x2, w2, y2, h2)
    if not other_is_full:
        return narrow_empty(S, T, M, x2, w2, y2, h2, x, w, y, h)
    if S[x] + S[w] <= S[x2 + UPPER]:
        return put_before(S, T, M, x, w, x2, w2, True)
    if S[x2] + S[w2] <= S[x + UPPER]:
        return put_before(S, T, M, x2, w2, x, w, True)
    if S[y] + S[h] <= S[y2 + UPPER]:
        return put_before(S, T, M, y, h, y2, h2, True)
    if S[y2] + S[h2] <= S[y + UPPER]:
        return put_before(S, T, M, y2, h2, y, h, True)
    return False


def narrow_empty(S, T, M, x, w, y, h, x2, w2, y2, h2):
    """Bound the size of a box that may be empty, beside one that is not.

    Where it can be apart only to the left or below, its width or height is limited by that, unless
    it is empty through the other one.
    """
    if S[x2] + S[w2] <= S[x + UPPER] or S[y2] + S[h2] <= S[y + UPPER]:
        return True
    is_left = S[x] + S[w] <= S[x2 + UPPER]
    is_below = S[y] + S[h] <= S[y2 + UPPER]
    if S[h] > 0 and not is_below:
        return put_before(S, T, M, x, w, x2, w2, False)
    if S[w] > 0 and not is_left:
        return put_before(S, T, M, y, h, y2, h2, False)
    return True
