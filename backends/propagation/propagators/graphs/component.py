"""SubCircuit: the tour lies in one strongly connected component of the possible successors.

Where a node must be in the tour, all nodes outside of its component are their own successors; one
of them that cannot be is a contradiction. A depth-first search from the node finds its component
(Tarjan, *Depth-first search and linear graph algorithms*, SIAM Journal on Computing 1, 1972) in
O(nodes + edges). It only prunes: ``chains`` checks.

Scope: the successor of each node, which is a node. Arguments: scratch (``scratch_of``).
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, contains, next_value
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments

# The scratch: how many nodes are found, and how many of these may be in the component of the first.
# Then lists of n cells: the order in which each node was found, UNSEEN, or OUTSIDE of it; the first
# that can be reached from below it; the node above it; the successor to look at next; those that
# may be in the component, as they are found.
FOUND, WAITING = range(2)
LISTS = 2
UNSEEN, OUTSIDE = -1, -2


def scratch_of(n: int) -> list[int]:
    """The scratch for ``n`` nodes."""
    return [0] * (LISTS + 5 * n)


def one_component(S, T, M, a):
    """Leave out what is not connected with the first node that must be in the tour."""
    n = T[a + COUNT]
    scope = a + SCOPE
    scratch = T[arguments(T, a)]
    top = 0
    while top < n and contains(S, T[scope + top], top):
        top += 1
    if top == n:
        return True
    order = scratch + LISTS
    for i in range(n):
        M[order + i] = UNSEEN
    M[scratch + FOUND] = M[scratch + WAITING] = 0
    search_from(S, T, M, scope, n, scratch, top)
    for i in range(n):
        if M[order + i] < 0 and not assign(S, T, M, T[scope + i], i):
            return False
    return True


def search_from(S, T, M, scope, n, scratch, top):
    """Number the nodes of the component of ``top``."""
    order = scratch + LISTS
    low, above, nexts = order + n, order + 2 * n, order + 3 * n
    find(S, T, M, scope, n, scratch, top)
    node = top
    while True:
        x = T[scope + node]
        if M[nexts + node] <= S[x + UPPER]:
            to = next_value(S, x, M[nexts + node])
            M[nexts + node] = to + 1
            if M[order + to] == UNSEEN:
                find(S, T, M, scope, n, scratch, to)
                M[above + to] = node
                node = to
            elif M[order + to] >= 0 and M[order + to] < M[low + node]:
                M[low + node] = M[order + to]
        elif node != top:
            if M[low + node] == M[order + node]:
                cut_off(M, n, scratch, node)
            to = M[above + node]
            if M[low + node] < M[low + to]:
                M[low + to] = M[low + node]
            node = to
        else:
            return


def find(S, T, M, scope, n, scratch, node):
    """Note that a node is found."""
    place = scratch + LISTS + node
    M[place] = M[place + n] = M[scratch + FOUND]
    M[place + 3 * n] = S[T[scope + node]]
    M[scratch + LISTS + 4 * n + M[scratch + WAITING]] = node
    M[scratch + FOUND] += 1
    M[scratch + WAITING] += 1


def cut_off(M, n, scratch, node):
    """The nodes that were found from ``node`` on are a component of their own."""
    other = -1
    while other != node:
        M[scratch + WAITING] -= 1
        other = M[scratch + LISTS + 4 * n + M[scratch + WAITING]]
        M[scratch + LISTS + other] = OUTSIDE
