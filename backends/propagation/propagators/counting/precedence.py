"""Values first occur in a given order: domain consistency, O(n * values).

After each place some number of the values has occurred: 0 to m, and these are the first ones. From
k of them, a place may take one of these k or a value that is not listed, and the number stays; or
the next one, and it becomes k + 1. A forward pass finds the numbers that are reached before each
place, a backward pass those from which the rest can be completed; a value may stay where some
number on either side agrees with it (the automaton of Walsh, *Symmetry breaking using value
precedence*, ECAI 2006; Law and Lee, *Global constraints for integer and set value precedence*, CP
2004, introduced the constraint).

Arguments: the place of the scratch, (n + 1) * (m + 1) cells, 1 where a number is reached before a
place and 3 where the rest can be completed too; m; the m values, which are distinct. If a variable
occurs twice, less is removed.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, contains, remove
from backends.propagation.kernel.layout import COUNT, SCOPE, SIZE, arguments


def first_in_order(S, T, M, a):
    """The values occur first in their order."""
    n = T[a + COUNT]
    m = T[arguments(T, a) + 1]
    if not reach(S, T, M, a, n, m):
        return False
    for i in range(n - 1, -1, -1):
        if not filter_place(S, T, M, a, i, m):
            return False
    return True


def listed_open(S, T, x, values, m):
    """How many of the listed values are open for ``x``."""
    found = 0
    for k in range(values, values + m):
        if contains(S, x, T[k]):
            found += 1
    return found


def reach(S, T, M, a, n, m):
    """Mark the numbers that are reached before each place, and after the last; whether there is
    one."""
    c = arguments(T, a)
    values = c + 2
    before = T[c]
    for k in range(before, before + (n + 1) * (m + 1)):
        M[k] = 0
    M[before] = 1
    for i in range(n):
        x = T[a + SCOPE + i]
        after = before + m + 1
        stays = listed_open(S, T, x, values, m) < S[x + SIZE]
        for k in range(m + 1):
            stays = stays or (k > 0 and contains(S, x, T[values + k - 1]))
            if M[before + k] != 0:
                if stays:
                    M[after + k] = 1
                if k < m and contains(S, x, T[values + k]):
                    M[after + k + 1] = 1
        before = after
    found = False
    for k in range(before, before + m + 1):
        if M[k] != 0:
            M[k] = 3
            found = True
    return found


def filter_place(S, T, M, a, i, m):
    """Remove what the i-th variable cannot have, and mark the numbers before it from which the rest
    can be completed."""
    c = arguments(T, a)
    values = c + 2
    x = T[a + SCOPE + i]
    before = T[c] + i * (m + 1)
    after = before + m + 1
    stays = listed_open(S, T, x, values, m) < S[x + SIZE]
    greatest = -1  # the greatest number that may be the same before and after
    for k in range(m + 1):
        stays = stays or (k > 0 and contains(S, x, T[values + k - 1]))
        if M[before + k] != 0:
            if M[after + k] == 3:
                greatest = k
                if stays:
                    M[before + k] = 3
            if k < m and M[after + k + 1] == 3 and contains(S, x, T[values + k]):
                M[before + k] = 3
    step = -1  # the last value that may be the next one
    for k in range(m):
        # The value itself is kept where it may be repeated, or be the next one.
        if M[before + k] != 0 and M[after + k + 1] == 3:
            step = k
        elif k >= greatest and not remove(S, T, M, x, T[values + k]):
            return False
    # A greater number can be completed wherever a smaller one can. So where none stays the same,
    # all but the greatest fail, and one value is left.
    return greatest >= 0 or (step >= 0 and assign(S, T, M, x, T[values + step]))
