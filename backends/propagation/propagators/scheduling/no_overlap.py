"""NoOverlap: of each two tasks, one ends before the other begins.

Where one order of two tasks is impossible by their bounds, the other order bounds them. So two
tasks reach bounds(Z) consistency, and three or more what each pair of them does. Only the pairs of
a task whose bounds differ from those of the last fixed point are looked at: O(n) for each of these.
Carlier and Pinson, *An algorithm for solving the job-shop problem*, Management Science 35, 1989.

A task of length 0 has no effect, unless the constraint is strict: then it still has a place in the
order. So one that may have length 0 bounds no other, but its length is bounded.

Scope: the n starts, then the n lengths, which are not negative.
Arguments: scratch of 7n cells, whether it is strict.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments


def no_overlap(S, T, M, a):
    """No two tasks run at the same time."""
    n = T[a + COUNT] // 2
    starts, lengths = a + SCOPE, a + SCOPE + n
    c = arguments(T, a)
    known = T[c]
    strict = T[c + 1] != 0
    now, listed = known + 3 * n, known + 6 * n
    count = list_changed(S, T, M, starts, n, known, now, listed)
    if count == 0:
        return True
    while count > 0:
        for k in range(count):
            i = M[listed + k]
            s, d = T[starts + i], T[lengths + i]
            for j in range(n):
                t, e = T[starts + j], T[lengths + j]
                if (
                    S[t] + S[e] > S[s + UPPER]
                    and i != j
                    and not put_before(S, T, M, s, d, t, e, strict)
                ):
                    return False
                if (
                    S[s] + S[d] > S[t + UPPER]
                    and i != j
                    and not put_before(S, T, M, t, e, s, d, strict)
                ):
                    return False
        count = list_changed(S, T, M, starts, n, now, now, listed)
    for k in range(3 * n):
        M[known + k] = M[now + k]
    return True


def list_changed(S, T, M, starts, n, known, now, listed):
    """List the tasks whose bounds are not the ``known`` ones, and note all bounds in ``now``."""
    count = 0
    for i in range(n):
        s = T[starts + i]
        k = 3 * i
        lower, upper, length = S[s], S[s + UPPER], S[T[starts + n + i]]
        if M[known + k] != lower or M[known + k + 1] != upper or M[known + k + 2] != length:
            M[listed + count] = i
            count += 1
        M[now + k] = lower
        M[now + k + 1] = upper
        M[now + k + 2] = length
    return count


def put_before(S, T, M, s, d, t, e, strict):
    """A task that cannot begin after another ends: it ends before that begins, or one is empty."""
    if not strict and S[e] == 0:
        return True
    room = S[t + UPPER] - S[s]
    if not strict and S[d] == 0:
        return set_upper(S, T, M, d, max(room, 0))
    return (
        set_lower(S, T, M, t, S[s] + S[d])
        and set_upper(S, T, M, s, S[t + UPPER] - S[d])
        and set_upper(S, T, M, d, S[t + UPPER] - S[s])
    )
