"""NoOverlap, with a truth value for each two tasks that says which comes first.

Where the order of two tasks is known, one ends before the other begins; where their bounds exclude
one order, the truth value says the other. So a search may branch on orders. (Manne, *On the
job-shop scheduling problem*, Operations Research 8, 1960.) Bounds consistency of each pair, as by
``no_overlap``; only the pairs of tasks and truth values that have changed since the last fixed
point are looked at.

A task of length 0 has no effect; where one of a pair has no length, the truth value is 0. One that
may have length 0 bounds no other, but its length is bounded.

Scope: the n starts, the n lengths, which are not negative, and the truth value of each pair.
Arguments: the scratch (``scratch_of``) and what ``arguments_of`` lists: n, for each pair the
numbers of its tasks, of which the first comes before the second where the truth value is 1; then
the pairs of each task, by where they begin in a list of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments


def scratch_of(n: int, pairs: int) -> list[int]:
    """The scratch: bounds of starts and lengths at the last fixed point, and now; what has changed;
    the sum of the bounds of each truth value, for an order may have turned since."""
    return [*[1, 0, 0, 0] * n, *[0] * (5 * n), *[-1] * pairs]


def arguments_of(n: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The constants for pairs of the numbers of ``n`` tasks."""
    of: list[list[int]] = [[] for _ in range(n)]
    for k, (i, j) in enumerate(pairs):
        of[i].append(k)
        of[j].append(k)
    firsts = accumulate(map(len, of), initial=0)
    return [n, *chain(*pairs), *firsts, *chain(*of)]


def pairs_apart(S, T, M, a):
    """Each two tasks are apart, in the order that their truth value says."""
    c = arguments(T, a)
    known, n = T[c], T[c + 1]
    starts, truths, rows = a + SCOPE, a + SCOPE + 2 * n, c + 2
    pairs = T[a + COUNT] - 2 * n
    firsts = rows + 2 * pairs
    now, changed, orders = known + 4 * n, known + 8 * n, known + 9 * n
    count = list_changed(S, T, M, starts, n, known, now, changed)
    is_decided = False
    for k in range(pairs):
        b = T[truths + k]
        if S[b] + S[b + UPPER] != M[orders + k]:
            is_decided = True
            if not put_in_order(S, T, M, starts, n, rows + 2 * k, b):
                return False
    if count == 0 and not is_decided:
        return True
    if is_decided:
        count = list_changed(S, T, M, starts, n, known, now, changed)
    while count > 0:
        for m in range(changed, changed + count):
            for e in range(T[firsts + M[m]], T[firsts + M[m] + 1]):
                k = T[firsts + n + 1 + e]
                if not put_in_order(S, T, M, starts, n, rows + 2 * k, T[truths + k]):
                    return False
        count = list_changed(S, T, M, starts, n, now, now, changed)
    for k in range(4 * n):
        M[known + k] = M[now + k]
    for k in range(pairs):
        b = T[truths + k]
        M[orders + k] = S[b] + S[b + UPPER]
    return True


def list_changed(S, T, M, starts, n, known, now, changed):
    """List the tasks whose bounds are not the ``known`` ones, and note all bounds in ``now``; how
    many these are."""
    count = 0
    for i in range(n):
        s, d = T[starts + i], T[starts + n + i]
        k = 4 * i
        if (
            M[known + k] != S[s]
            or M[known + k + 1] != S[s + UPPER]
            or M[known + k + 2] != S[d]
            or M[known + k + 3] != S[d + UPPER]
        ):
            M[changed + count] = i
            count += 1
        M[now + k] = S[s]
        M[now + k + 1] = S[s + UPPER]
        M[now + k + 2] = S[d]
        M[now + k + 3] = S[d + UPPER]
    return count


def put_in_order(S, T, M, starts, n, row, b):
    """Bound the tasks of a pair by their order, or their order by what they allow."""
    s, t = T[starts + T[row]], T[starts + T[row + 1]]
    d, e = T[starts + n + T[row]], T[starts + n + T[row + 1]]
    if S[d + UPPER] == 0 or S[e + UPPER] == 0:
        return set_upper(S, T, M, b, 0)
    if S[d] == 0 or S[e] == 0:
        if S[t] + S[e] > S[s + UPPER] and not put_before(S, T, M, s, d, t, e):
            return False
        if S[s] + S[d] > S[t + UPPER] and not put_before(S, T, M, t, e, s, d):
            return False
        if S[b] != S[b + UPPER]:
            return True
    elif S[b] != S[b + UPPER]:
        if S[s] + S[d] > S[t + UPPER]:
            if not set_upper(S, T, M, b, 0):
                return False
        elif S[t] + S[e] > S[s + UPPER]:
            if not set_lower(S, T, M, b, 1):
                return False
        else:
            return True
    if S[b] == 1:
        return put_before(S, T, M, s, d, t, e)
    return put_before(S, T, M, t, e, s, d)


def put_before(S, T, M, s, d, t, e):
    """The task at s ends before that at t begins, or one of them is empty."""
    if S[e] == 0:
        return True
    room = S[t + UPPER] - S[s]
    if S[d] == 0:
        return room >= S[d + UPPER] or set_upper(S, T, M, d, max(room, 0))
    first, last = S[s] + S[d], S[t + UPPER] - S[d]
    if S[t] < first and not set_lower(S, T, M, t, first):
        return False
    if S[s + UPPER] > last and not set_upper(S, T, M, s, last):
        return False
    return S[d + UPPER] <= S[t + UPPER] - S[s] or set_upper(S, T, M, d, S[t + UPPER] - S[s])
