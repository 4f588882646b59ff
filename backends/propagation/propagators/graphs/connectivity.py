"""Circuit: all nodes lie in one strongly connected component of the possible successors.

A depth-first search from node 0 divides the other nodes into subtrees, one after the other. No edge
leads from a subtree to a later one, so that the tour passes through the last one first, then
through the one before, and so on, and leaves none of them before all its nodes are visited. So

*   all nodes must be found;
*   an edge from a subtree leads to the one before, or to node 0 from the first; others are removed;
*   a node and those below it must have an edge that leaves them; if there is one only, it is in the
    tour;
*   node 0 is followed by a node of the last subtree

(Tarjan, *Depth-first search and linear graph algorithms*, 1972; Francis and Stuckey, *Explaining
circuit propagation*, Constraints 19, 2014). O(nodes + edges). It only prunes: ``chains`` checks.

Scope: the successor of each node, which is a node. Arguments: scratch (``scratch_of``).
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, next_value, remove
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments

# The scratch: how many nodes are found. Then lists of n cells: the order in which each node was
# found, or UNSEEN; the first two nodes, by this order, to which edges lead from it and from below
# it; the first of these edges, as variable and node; the node above it; the successor to look at
# next.
ORDER, FIRST, SECOND, TAIL, HEAD, ABOVE, NEXT = range(7)
UNSEEN = -1


def scratch_of(n: int) -> list[int]:
    """The scratch for ``n`` nodes."""
    return [0] * (1 + 7 * n)


def connected(S, T, M, a):
    """Search from node 0; prune edges that no tour has."""
    n = T[a + COUNT]
    scope = a + SCOPE
    found = T[arguments(T, a)]
    order = found + 1
    for i in range(n):
        M[order + i] = UNSEEN
    M[order] = 0
    M[found] = 1
    root = T[scope]
    before, first = 0, 0  # the orders of the first nodes of the last two subtrees
    node = S[root]
    while True:
        if M[order + node] == UNSEEN:
            before = first
            first = M[found]
            if not search_subtree(S, T, M, scope, n, found, node, before):
                return False
        if node >= S[root + UPPER]:
            break
        node = next_value(S, root, node + 1)
    return M[found] == n and leave_to_last(S, T, M, root, order, first)


def leave_to_last(S, T, M, root, order, first):
    """Node 0 is followed by a node of the last subtree."""
    node = S[root]
    while True:
        if M[order + node] < first and not remove(S, T, M, root, node):
            return False
        if node >= S[root + UPPER]:
            return True
        node = next_value(S, root, node + 1)


def search_subtree(S, T, M, scope, n, found, top, before):
    """Search from ``top``; whether all that is found can be left."""
    order = found + 1
    above, nexts = order + ABOVE * n, order + NEXT * n
    find(S, T, M, scope, n, found, top)
    node = top
    while True:
        x = T[scope + node]
        if M[nexts + node] <= S[x + UPPER]:
            to = next_value(S, x, M[nexts + node])
            M[nexts + node] = to + 1
            if M[order + to] == UNSEEN:
                find(S, T, M, scope, n, found, to)
                M[above + to] = node
                node = to
            elif M[order + to] >= before:
                note_edge(M, n, order + node, M[order + to], x, to)
            elif not remove(S, T, M, x, to):
                return False
        else:
            if not leave(S, T, M, n, order + node):
                return False
            if node == top:
                return True
            to = M[above + node]
            merge_edges(M, n, order + node, order + to)
            node = to


def find(S, T, M, scope, n, found, node):
    """Note that a node is found."""
    place = found + 1 + node
    M[place] = M[place + FIRST * n] = M[place + SECOND * n] = M[found]
    M[place + NEXT * n] = S[T[scope + node]]
    M[found] += 1


def note_edge(M, n, place, order, tail, head):
    """Note an edge from a node, or from below it, to the node found as number ``order``."""
    if order < M[place + FIRST * n]:
        M[place + SECOND * n] = M[place + FIRST * n]
        M[place + FIRST * n] = order
        M[place + TAIL * n] = tail
        M[place + HEAD * n] = head
    elif order < M[place + SECOND * n]:
        M[place + SECOND * n] = order


def merge_edges(M, n, place, above):
    """Note the edges from a node for the node above it."""
    note_edge(M, n, above, M[place + FIRST * n], M[place + TAIL * n], M[place + HEAD * n])
    if M[place + SECOND * n] < M[above + SECOND * n]:
        M[above + SECOND * n] = M[place + SECOND * n]


def leave(S, T, M, n, place):
    """An edge leaves a node and those below it; if there is one only, the tour has it."""
    if M[place + FIRST * n] >= M[place]:
        return False
    if M[place + SECOND * n] < M[place]:
        return True
    return assign(S, T, M, M[place + TAIL * n], M[place + HEAD * n])
