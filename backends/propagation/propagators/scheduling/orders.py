"""Tasks on one machine in an order: a truth value for each two of them says which comes first.

Where the first of two tasks is known, it ends before the other begins; where their bounds exclude
one order, the truth value says the other. (Manne, *On the job-shop scheduling problem*, Operations
Research 8, 1960.) Bounds consistency of each pair. As one propagator, not one for each pair, it is
woken once for all that changes between two runs, and passes over pairs that have not changed.
O(pairs) a pass.

Scope: the n starts, then the truth value of each pair, which lie in S one after the other.
Arguments: the scratch (``scratch_of``) and what ``arguments_of`` lists: n, the n lengths, for each
pair the numbers of its tasks, of which the first comes before the second where the truth value is
1; then the pairs of each task, by where they begin in a list of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.facts import (
    LEAST,
    MOST,
    bound_at,
    lower_at,
    write,
    write_all_bounds,
)
from backends.propagation.kernel.layout import COUNT, SCOPE, SIZE, UPPER, arguments


def scratch_of(n: int, pairs: int) -> list[int]:
    """The scratch: bounds at the last fixed point, and now; what has changed; the sum of the bounds
    of each truth value, for an order may have turned since."""
    return [*[1, 0] * n, *[0] * (3 * n), *[-1] * pairs]


def arguments_of(lengths: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The constants for the lengths of tasks and pairs of their numbers."""
    of = [[k for k, pair in enumerate(pairs) if i in pair] for i in range(len(lengths))]
    firsts = accumulate(map(len, of), initial=0)
    return [len(lengths), *lengths, *chain(*pairs), *firsts, *chain(*of)]


def in_order(S, T, M, a):
    """Each two tasks are apart, in the order that their truth value says."""
    c = arguments(T, a)
    known, n = T[c], T[c + 1]
    starts, lengths = a + SCOPE, c + 2
    truths, rows = starts + n, lengths + n
    pairs = T[a + COUNT] - n
    firsts = rows + 2 * pairs
    now, changed, orders = known + 2 * n, known + 4 * n, known + 5 * n
    count = note_changes(S, T, M, starts, n, known, now, changed)
    is_decided = False
    for k in range(pairs):
        b = T[truths + k]
        if S[b] + S[b + UPPER] != M[orders + k]:
            is_decided = True
            if not put_in_order(S, T, M, starts, lengths, rows, truths, k):
                return False
    while count > 0:
        for m in range(changed, changed + count):
            for e in range(T[firsts + M[m]], T[firsts + M[m] + 1]):
                k = T[firsts + n + 1 + e]
                is_open = S[T[truths + k] + SIZE] != 1
                if not put_in_order(S, T, M, starts, lengths, rows, truths, k):
                    return False
                if is_open and S[T[truths + k] + SIZE] == 1:
                    is_decided = True
        count = note_changes(S, T, M, starts, n, now, now, changed)
    for k in range(2 * n):
        M[known + k] = M[now + k]
    if is_decided:
        for k in range(pairs):
            b = T[truths + k]
            M[orders + k] = S[b] + S[b + UPPER]
    return True


def note_changes(S, T, M, starts, n, known, now, changed):
    """List the tasks whose bounds are not the ``known`` ones, and note all bounds in ``now``; how
    many these are."""
    count = 0
    for i in range(n):
        s = T[starts + i]
        lower, upper = S[s], S[s + UPPER]
        if M[known + 2 * i] != lower or M[known + 2 * i + 1] != upper:
            M[changed + count] = i
            count += 1
        M[now + 2 * i] = lower
        M[now + 2 * i + 1] = upper
    return count


def put_in_order(S, T, M, starts, lengths, rows, truths, k):
    """Bound the tasks of a pair by their order, or their order by what they allow."""
    i, j, b = T[rows + 2 * k], T[rows + 2 * k + 1], T[truths + k]
    s, t = T[starts + i], T[starts + j]
    length, other = T[lengths + i], T[lengths + j]
    if S[b] != S[b + UPPER]:
        if S[s] + length > S[t + UPPER]:
            if not set_upper(S, T, M, b, 0):
                return False
        elif S[t] + other > S[s + UPPER]:
            if not set_lower(S, T, M, b, 1):
                return False
        else:
            return True
    if S[b] == 0:
        s, t, length = t, s, other
    first, last = S[s] + length, S[t + UPPER] - length
    if S[t] < first and not set_lower(S, T, M, t, first):
        return False
    return S[s + UPPER] <= last or set_upper(S, T, M, s, last)


# --- explanation ---


def explain_in_order(S, T, M, a, slot, value, place, out):
    """The order of two tasks and the bound of one; or bounds that exclude an order."""
    c = arguments(T, a)
    n = T[c + 1]
    starts, lengths = a + SCOPE, c + 2
    truths, rows = starts + n, lengths + n
    pairs = T[a + COUNT] - n
    x, kind = slot >> 2, slot & 1
    if T[truths] <= x <= T[truths + pairs - 1]:
        k = 0 if pairs == 1 else (x - T[truths]) // (T[truths + 1] - T[truths])
        i, j = T[rows + 2 * k], T[rows + 2 * k + 1]
        s, t = T[starts + i], T[starts + j]
        if kind == MOST:
            return write_excluded(S, M, s, t, T[lengths + i], place, out)
        return write_excluded(S, M, t, s, T[lengths + j], place, out)
    firsts = rows + 2 * pairs
    for m in range(n):
        if T[starts + m] == x:
            for e in range(T[firsts + m], T[firsts + m + 1]):
                k = T[firsts + n + 1 + e]
                i, j = T[rows + 2 * k], T[rows + 2 * k + 1]
                other = T[starts + i] if j == m else T[starts + j]
                # The truth value with which the other task bounds this one so:
                is_one = (kind == LEAST) == (j == m)
                length = T[lengths + i] if is_one else T[lengths + j]
                known = 4 * T[truths + k] if is_one else 4 * T[truths + k] + MOST
                needed = 1 if is_one else 0
                if (
                    bound_at(S, M, known, place) >= needed
                    and bound_at(S, M, 4 * other + kind, place) + length >= value
                ):
                    written = write(M, out, known, needed)
                    return written + write(M, out + 2, 4 * other + kind, value - length)
    return write_all_bounds(S, T, M, a, place, out)


def write_excluded(S, M, s, t, length, place, out):
    """Write that a task that begins at s cannot end before t."""
    least = lower_at(S, M, s, place)
    return write(M, out, 4 * s, least) + write(M, out + 2, 4 * t + MOST, 1 - least - length)
