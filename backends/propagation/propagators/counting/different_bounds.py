"""AllDifferent: bounds(Z) consistency, O(n log n) at first and then nearly O(n).

A *Hall interval* is an interval of values that has exactly as many variables within it as values.
These variables take all of its values, so that the bounds of every other variable lie outside. The
pass for lower bounds visits the variables by ascending upper bound and gives each a place in the
interval; what is left over between two bounds is counted in ``room``, and ``next_room`` links each
bound to the next one before which there is room. Where no room is left up to the upper bound, a
Hall interval has been found, and ``hall`` links its bounds to its end. The pass for upper bounds
is its mirror. Where all domains are intervals, one of each reaches the fixed point; a bound that
jumps over a hole asks for a further round.

Source: López-Ortiz, Quimper, Tromp and van Beek, *A fast and simple algorithm for bounds
consistency of the alldifferent constraint*, IJCAI 2003. The variables are kept sorted by either
bound between two calls, as few of them move.

A change is explained by a Hall interval: its variables lie within it, and the variable that is
bounded begins, or ends, there.

The terms are ``x + c``. Arguments: the place of the scratch, the n constants c. Scratch, from
``scratch_of``: the two orders, the n lower bounds and upper bounds (these plus 1), the ranks of
both among all bounds, the distinct bounds ascending, and the three arrays named above.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.facts import LEAST, MOST, lower_at, upper_at, write
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments


def scratch_of(n: int) -> list[int]:
    """The scratch for ``n`` terms."""
    return [*range(n), *range(n), *[0] * (4 * n + 4 * (2 * n + 2))]


def all_different_bounds(S, T, M, a):
    """``x + c`` differ pairwise."""
    n = T[a + COUNT]
    again = True
    while again:
        ranks = rank_bounds(S, T, M, a, n)
        lower = raise_lower_bounds(S, T, M, a, n, ranks)
        if lower < 0:
            return False
        upper = reduce_upper_bounds(S, T, M, a, n, ranks)
        if upper < 0:
            return False
        again = lower + upper > 0
    return True


def rank_bounds(S, T, M, a, n):
    """Sort the bounds of all terms and number the distinct ones from 1; how many there are.

    Bound 0 lies before all others and the one after the last beyond them.
    """
    c = arguments(T, a)
    by_lower = T[c]
    by_upper, lower, upper = by_lower + n, by_lower + 2 * n, by_lower + 3 * n
    lower_rank, upper_rank, bounds = by_lower + 4 * n, by_lower + 5 * n, by_lower + 6 * n
    for i in range(n):
        x = T[a + SCOPE + i]
        M[lower + i] = S[x] + T[c + 1 + i]
        M[upper + i] = S[x + UPPER] + T[c + 1 + i] + 1
    sort_by(M, by_lower, lower, n)
    sort_by(M, by_upper, upper, n)
    rank = 0
    M[bounds] = bound = M[lower + M[by_lower]] - 2
    i, j = 0, 0
    while j < n:  # merge the lower and the upper bounds; the last of all is an upper one
        ending = M[upper + M[by_upper + j]]
        beginning = ending + 1
        if i < n:
            beginning = M[lower + M[by_lower + i]]
        least = beginning if beginning <= ending else ending
        if least != bound:
            bound = least
            rank += 1
            M[bounds + rank] = bound
        if beginning <= ending:
            M[lower_rank + M[by_lower + i]] = rank
            i += 1
        else:
            M[upper_rank + M[by_upper + j]] = rank
            j += 1
    M[bounds + rank + 1] = bound + 2
    return rank


def sort_by(M, order, key, n):
    """Sort the n numbers at ``order`` by their keys: by insertion, for few are out of place."""
    before = M[key + M[order]]
    for i in range(1, n):
        number = M[order + i]
        own = M[key + number]
        if own >= before:
            before = own
            continue
        j = order + i - 1
        while j >= order and M[key + M[j]] > own:
            M[j + 1] = M[j]
            j -= 1
        M[j + 1] = number
    return 0


def raise_lower_bounds(S, T, M, a, n, ranks):
    """Raise lower bounds out of Hall intervals; -1 on failure, 1 if a bound jumped over a hole."""
    c = arguments(T, a)
    by_upper = T[c] + n
    lower_rank, upper_rank, bounds = by_upper + 3 * n, by_upper + 4 * n, by_upper + 5 * n
    next_room = bounds + 2 * n + 2
    room, hall = next_room + 2 * n + 2, next_room + 4 * n + 4
    jumped = 0
    for r in range(1, ranks + 2):
        M[next_room + r] = M[hall + r] = r - 1
        M[room + r] = M[bounds + r] - M[bounds + r - 1]
    for k in range(by_upper, by_upper + n):
        i = M[k]
        low, high = M[lower_rank + i], M[upper_rank + i]
        place = top_of(M, next_room, low + 1)
        before = M[next_room + place]
        M[room + place] -= 1
        if M[room + place] == 0:
            M[next_room + place] = place + 1
            place = top_of(M, next_room, place + 1)
            M[next_room + place] = before
        redirect(M, next_room, low + 1, place, place)
        needed = M[bounds + place] - M[bounds + high]
        if M[room + place] < needed:
            return -1
        if M[hall + low] > low:
            end = top_of(M, hall, M[hall + low])
            x, value = T[a + SCOPE + i], M[bounds + end] - T[c + 1 + i]
            if not set_lower(S, T, M, x, value):
                return -1
            if S[x] != value:
                jumped = 1
            redirect(M, hall, low, end, end)
        if M[room + place] == needed:
            redirect(M, hall, M[hall + high], before - 1, high)
            M[hall + high] = before - 1
    return jumped


def reduce_upper_bounds(S, T, M, a, n, ranks):
    """Reduce upper bounds below Hall intervals: the mirror of ``raise_lower_bounds``."""
    c = arguments(T, a)
    by_lower = T[c]
    lower_rank, upper_rank = by_lower + 4 * n, by_lower + 5 * n
    bounds = by_lower + 6 * n
    next_room = bounds + 2 * n + 2
    room, hall = next_room + 2 * n + 2, next_room + 4 * n + 4
    jumped = 0
    for r in range(ranks + 1):
        M[next_room + r] = M[hall + r] = r + 1
        M[room + r] = M[bounds + r + 1] - M[bounds + r]
    for k in range(by_lower + n - 1, by_lower - 1, -1):
        i = M[k]
        low, high = M[lower_rank + i], M[upper_rank + i]
        place = bottom_of(M, next_room, high - 1)
        before = M[next_room + place]
        M[room + place] -= 1
        if M[room + place] == 0:
            M[next_room + place] = place - 1
            place = bottom_of(M, next_room, place - 1)
            M[next_room + place] = before
        redirect(M, next_room, high - 1, place, place)
        needed = M[bounds + low] - M[bounds + place]
        if M[room + place] < needed:
            return -1
        if M[hall + high] < high:
            end = bottom_of(M, hall, M[hall + high])
            x, value = T[a + SCOPE + i], M[bounds + end] - 1 - T[c + 1 + i]
            if not set_upper(S, T, M, x, value):
                return -1
            if S[x + UPPER] != value:
                jumped = 1
            redirect(M, hall, high, end, end)
        if M[room + place] == needed:
            redirect(M, hall, M[hall + low], before + 1, low)
            M[hall + low] = before + 1
    return jumped


def top_of(M, links, r):
    """Follow links that point upwards, to the first that does not."""
    while M[links + r] > r:
        r = M[links + r]
    return r


def bottom_of(M, links, r):
    """Follow links that point downwards, to the first that does not."""
    while M[links + r] < r:
        r = M[links + r]
    return r


def redirect(M, links, begin, end, to):
    """Let each link on the path from ``begin`` to ``end``, but for the last, point to ``to``."""
    r = begin
    while r != end:
        following = M[links + r]
        M[links + r] = to
        r = following
    return 0


# --- explanation ---


def explain_all_different_bounds(S, T, M, a, slot, value, place, out):
    """A Hall interval that a variable is bounded by, or one with too many variables."""
    n = T[a + COUNT]
    c = arguments(T, a)
    by_lower = T[c]
    lower, upper = by_lower + 2 * n, by_lower + 3 * n
    for i in range(n):
        M[lower + i] = lower_at(S, M, T[a + SCOPE + i], place) + T[c + 1 + i]
        M[upper + i] = upper_at(S, M, T[a + SCOPE + i], place) + T[c + 1 + i]
    sort_by(M, by_lower, lower, n)
    for i in range(n):
        if slot == 0 or T[a + SCOPE + i] == slot >> 2:
            own, begin, end = -1, NEVER, NEVER
            if slot != 0:
                own, shift = i, T[c + 1 + i]
                if slot & 1 == LEAST:
                    begin, end = M[lower + i], value - 1 + shift
                else:
                    begin, end = 1 - value + shift, M[upper + i]
            written = write_hall_interval(T, M, a, n, own, slot & 1, begin, end, out)
            if written >= 0:
                return written
    return 0


NEVER = 1 << 60
"""A bound that there is not: any Hall interval with too many variables is looked for."""


def write_hall_interval(T, M, a, n, own, side, begin, end, out):
    """Write that variables take all values of an interval that includes that from ``begin`` to
    ``end``, and that the variable numbered ``own`` begins, or ends, there; or that there are too
    many, if ``own`` is -1. How many literals; -1 where none is found."""
    by_lower = T[arguments(T, a)]
    lower, upper = by_lower + 2 * n, by_lower + 3 * n
    for j in range(n):
        last = M[upper + j]
        if j == own or (own >= 0 and last < end):
            continue
        count = 0
        for k in range(by_lower + n - 1, by_lower - 1, -1):
            first = M[lower + M[k]]
            if M[k] == own or M[upper + M[k]] > last or first > last:
                continue
            count += 1
            needed = last - first + 1 if own >= 0 else last - first + 2
            if count >= needed and (own < 0 or first <= begin):
                return write_within(T, M, a, n, own, side, first, last, out)
    return -1


def write_within(T, M, a, n, own, side, first, last, out):
    """Write that the variables of a Hall interval lie within it, and the bound of another."""
    c = arguments(T, a)
    lower, upper = T[c] + 2 * n, T[c] + 3 * n
    written = 0
    if own >= 0 and side == LEAST:
        written = write(M, out, 4 * T[a + SCOPE + own], first - T[c + 1 + own])
    elif own >= 0:
        written = write(M, out, 4 * T[a + SCOPE + own] + MOST, T[c + 1 + own] - last)
    for i in range(n):
        if i != own and M[lower + i] >= first and M[upper + i] <= last:
            x, shift = T[a + SCOPE + i], T[c + 1 + i]
            written += write(M, out + 2 * written, 4 * x, first - shift)
            written += write(M, out + 2 * written, 4 * x + MOST, shift - last)
    return written
