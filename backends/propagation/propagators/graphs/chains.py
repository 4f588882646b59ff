"""Circuit and SubCircuit: no tour that is too short.

Where successors are fixed, they make chains. The end of a chain may not lead back to its start
while nodes are left that must be in the tour (Caseau and Laburthe, *Solving small TSPs with
constraints*, ICLP 1997). In a circuit that is all nodes outside of the chain; in a subcircuit,
those that cannot be their own successors, and a tour that is closed leaves out all others.

Complete when all variables are fixed; with one that is open, its values are exact. O(n), at each
fixed successor. That successors differ is left to their rivals.

Scope: the successor of each node, which is a node. Arguments: scratch of n cells.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, contains, remove
from backends.propagation.kernel.facts import WITHOUT, is_fixed_at, lower_at, write_exactly
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments


def no_subtour(S, T, M, a):
    """One tour through all nodes."""
    n = T[a + COUNT]
    scope = a + SCOPE
    followed = T[arguments(T, a)]
    chains = mark_followed(S, T, M, scope, n, followed)
    if chains == 0:
        return tour_length(S, T, scope, n, 0) == n
    seen = 0
    for i in range(n):
        if M[followed + i] == 0:
            end, length = i, 1
            x = T[scope + end]
            while S[x] == S[x + UPPER]:
                end = S[x]
                length += 1
                if length > n:
                    return False
                x = T[scope + end]
            seen += length
            if length == n:
                return assign(S, T, M, x, i)
            if not remove(S, T, M, x, i):
                return False
    return seen >= n


def no_second_tour(S, T, M, a):
    """One tour; a node outside of it is its own successor."""
    n = T[a + COUNT]
    scope = a + SCOPE
    followed = T[arguments(T, a)]
    mark_followed(S, T, M, scope, n, followed)
    required = count_required(S, T, scope, n)
    for i in range(n):
        x = T[scope + i]
        starts = S[x] == S[x + UPPER] and S[x] != i and M[followed + i] == 0
        if starts and not keep_open(S, T, M, scope, n, i, required, followed):
            return False
    for i in range(n):
        x = T[scope + i]
        if M[followed + i] == 1 and S[x] == S[x + UPPER] and S[x] != i:
            return leave_out(S, T, M, scope, n, i)
    return True


def mark_followed(S, T, M, scope, n, followed):
    """Mark the nodes that are the fixed successor of another; how many are not."""
    for i in range(n):
        M[followed + i] = 0
    count = n
    for i in range(n):
        x = T[scope + i]
        if S[x] == S[x + UPPER] and M[followed + S[x]] == 0:
            M[followed + S[x]] = 1
            count -= 1
    return count


def tour_length(S, T, scope, n, start):
    """How many fixed successors lead from a node back to it; 0 if they do not."""
    node = start
    for length in range(1, n + 1):
        x = T[scope + node]
        if S[x] != S[x + UPPER]:
            return 0
        node = S[x]
        if node == start:
            return length
    return 0


def count_required(S, T, scope, n):
    """How many nodes must be in the tour: those that cannot be their own successors."""
    count = 0
    for i in range(n):
        if not contains(S, T[scope + i], i):
            count += 1
    return count


def keep_open(S, T, M, scope, n, start, required, followed):
    """Do not close the chain from ``start`` on while nodes outside of it must be in the tour.

    Its nodes are marked with 2.
    """
    node = start
    inside, length = 0, 1
    M[followed + node] = 2
    x = T[scope + node]
    while S[x] == S[x + UPPER]:
        inside += 1
        node = S[x]
        length += 1
        if length > n:
            return False
        M[followed + node] = 2
        x = T[scope + node]
    if not contains(S, x, node):
        inside += 1
    return inside == required or remove(S, T, M, x, start)


def leave_out(S, T, M, scope, n, start):
    """All nodes outside of the tour through ``start`` are their own successors."""
    outside = n - tour_length(S, T, scope, n, start)
    for i in range(n):
        x = T[scope + i]
        if S[x] != S[x + UPPER] and not assign(S, T, M, x, i):
            return False
        if S[x] == i:
            outside -= 1
    return outside == 0


# --- explanation ---


def explain_no_subtour(S, T, M, a, slot, value, place, out):
    """The chain that a removed successor would close, all others where one is left, or a tour."""
    n = T[a + COUNT]
    scope = a + SCOPE
    if slot & 3 == WITHOUT:
        length = chain_length(S, T, M, scope, n, value, slot >> 2, place)
        return write_chain(S, T, M, scope, value, length, place, out)
    if slot != 0:
        written = 0
        for k in range(scope, scope + n):
            if T[k] != slot >> 2:
                node = lower_at(S, M, T[k], place)
                written += write_exactly(M, out + 2 * written, T[k], node)
        return written
    for start in range(n):
        length = chain_length(S, T, M, scope, n, start, T[scope + start], place)
        if 0 < length < n:
            return write_chain(S, T, M, scope, start, length, place, out)
    return 0


def chain_length(S, T, M, scope, n, start, last, place):
    """How many fixed successors lead from a node to that of variable ``last``, at least one where
    it begins there; 0 if they do not."""
    node = start
    for length in range(n + 1):
        x = T[scope + node]
        if x == last and (length > 0 or not is_fixed_at(S, M, x, place)):
            return length
        if not is_fixed_at(S, M, x, place):
            return 0
        node = lower_at(S, M, x, place)
    return 0


def write_chain(S, T, M, scope, start, length, place, out):
    """Write the fixed successors of a chain."""
    node = start
    written = 0
    for _ in range(length):
        x = T[scope + node]
        node = lower_at(S, M, x, place)
        written += write_exactly(M, out + 2 * written, x, node)
    return written
