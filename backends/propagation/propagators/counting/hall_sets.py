"""Why ``different_domain`` removes a value, or fails: by a Hall set.

A *Hall set* is a set of variables that have just as many values together as they are, so that no
other variable has one of these. From the owner of a removed value, the owners of its other values
are visited, and so on: these variables and their values are a Hall set. From a variable that finds
no value of its own on, they are too few values. (Régin 1994; Rochart, Jussien and Laburthe,
*Challenging explanations for global constraints*, UICS 2003.)

The matching is that of the propagator's last run. It fits the domains of an earlier time as well,
which are larger, once the variables that the run left without a value have one. O(n * values).
"""

from __future__ import annotations

from backends.propagation.kernel.facts import (
    FOR_GOOD,
    MOST,
    REMOVALS,
    WITHOUT,
    lower_at,
    removal_before,
    upper_at,
    write,
)
from backends.propagation.kernel.layout import COUNT, SCOPE, arguments
from backends.propagation.propagators.counting.different_domain import (
    PATH,
    VALUE,
    exchange,
    owners,
    region,
    sources,
)

UNVISITED = -1


def explain_all_different_domain(S, T, M, a, slot, value, place, out):
    """The Hall set that has a removed value; or variables that have too few values."""
    own = region(T, a, VALUE)
    for i in range(T[a + COUNT]):
        if M[own + i] < 0:
            count = spread(S, T, M, a, i, place)
            if count > 0 and slot == 0:
                return write_hall_set(T, M, a, count, out)
    if slot == 0:
        return 0
    owner = M[owners(T, a) + value - T[arguments(T, a) + 2]]
    count = spread(S, T, M, a, owner, place)
    return write_hall_set(T, M, a, count, out)


def spread(S, T, M, a, root, place):
    """Visit the owners of a variable's values, and so on; how many were visited, 0 where a value
    without an owner was found, which then goes round to ``root`` if that has none."""
    least, greatest = T[arguments(T, a) + 2], T[arguments(T, a) + 3]
    queue, value = region(T, a, PATH), region(T, a, VALUE)
    owner, source = owners(T, a), sources(T, a)
    for v in range(greatest - least + 1):
        M[source + v] = UNVISITED
    if M[value + root] >= 0:
        M[source + M[value + root]] = root
    M[queue] = root
    head, tail = queue, queue + 1
    while head < tail:
        i = M[head]
        head += 1
        x = T[a + SCOPE + i]
        for v in range(lower_at(S, M, x, place) - least, upper_at(S, M, x, place) - least + 1):
            if M[source + v] == UNVISITED and not is_removed(S, M, x, v + least, place):
                M[source + v] = i
                if M[owner + v] < 0:
                    if M[value + root] < 0:
                        exchange(T, M, a, root, v)
                    return 0
                M[tail] = M[owner + v]
                tail += 1
    return tail - queue


def is_removed(S, M, x, value, place):
    """Whether a value between the bounds had been removed before ``place``."""
    return M[S[x + REMOVALS] + value] == FOR_GOOD or removal_before(S, M, x, value, place) != 0


def write_hall_set(T, M, a, count, out):
    """Write that the visited variables have no values but those that were visited."""
    least, greatest = T[arguments(T, a) + 2], T[arguments(T, a) + 3]
    queue, source = region(T, a, PATH), sources(T, a)
    first, last = 0, greatest - least
    while M[source + first] == UNVISITED:
        first += 1
    while M[source + last] == UNVISITED:
        last -= 1
    written = 0
    for k in range(queue, queue + count):
        x = T[a + SCOPE + M[k]]
        written += write(M, out + 2 * written, 4 * x, first + least)
        written += write(M, out + 2 * written, 4 * x + MOST, -last - least)
        for v in range(first + 1, last):
            if M[source + v] == UNVISITED:
                written += write(M, out + 2 * written, 4 * x + WITHOUT, v + least)
    return written
