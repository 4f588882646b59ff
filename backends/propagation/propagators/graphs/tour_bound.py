"""A tour that costs no more than the objective may: bounded by 1-trees; prunes, but checks nothing.

A *1-tree* is a spanning tree of all nodes but node 0, and two edges of that. A tour is one, so it
costs at least as much as the cheapest. An edge costs what the cheaper of its open directions does;
one that is fixed is taken before all others. Each node has a price for each of its edges, which a
tour pays exactly twice: prices rise where the cheapest 1-tree has more than two edges, and fall
where it has one, so that it comes to look like a tour (Held and Karp, *The traveling-salesman
problem and minimum spanning trees*, 1971; subgradient steps: Polyak 1967). An edge is removed if
the cheapest 1-tree with it costs too much: it takes the place of the dearest edge between its ends
(Benchimol, van Hoeve, Régin, Rousseau and Rueher, *Improved filtering for weighted circuit
constraints*, Constraints 17, 2012). A run takes O(steps * nodes²).

The prices remain from call to call, and backtracking does not restore them: any are right.

Scope: the successor of each node, then the variables of the objective besides the steps of the
tour, those with positive factors first. Arguments: the place of the scratch (``scratch_of``); the
number of nodes; what it costs to go from each node to each, row by row; how many factors are
positive, and the factors.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import next_value, remove
from backends.propagation.kernel.layout import COUNT, M_BOUND, SCOPE, UPPER, arguments

# The scratch: whether it has run; then n cells each for what is numbered here; then what the edge
# between each two nodes costs, and the dearest edge between them in the tree.
PRICES, DEGREES, NEAREST, ABOVE, ORDER, LISTS = range(6)
SCALE = 256
"""Prices are multiples of 1 / SCALE."""
FORCED = 1 << 52
"""A fixed edge is cheaper by this, while edges are compared."""
NEVER = 1 << 58
"""No edge costs as much."""
FIRST_STEPS, STEPS = 60, 4


def scratch_of(n: int) -> list[int]:
    """The scratch for ``n`` nodes."""
    return [0] * (1 + LISTS * n + 2 * n * n)


def tour_at_most(S, T, M, a):
    """The tour, and the other terms of the objective, cost at most M[M_BOUND]."""
    c = arguments(T, a)
    n = T[c + 1]
    scratch = T[c]
    most = SCALE * (M[M_BOUND] - least_rest(S, T, a, n))
    price_edges(S, T, M, a, n)
    steps = STEPS if M[scratch] != 0 else FIRST_STEPS
    M[scratch] = 1
    cost = 0
    for step in range(steps):
        cost = grow_tree(M, scratch + 1, n)
        if cost > most:
            return False
        if step < steps - 1 and not adapt_prices(M, scratch + 1, n, cost, most, step, steps):
            break
    return remove_edges(S, T, M, a, n, most - cost)


def least_rest(S, T, a, n):
    """The least that the other terms of the objective cost."""
    factors = arguments(T, a) + 2 + n * n
    least = 0
    for k in range(T[a + COUNT] - n):
        x = T[a + SCOPE + n + k]
        least += T[factors + 1 + k] * (S[x] if k < T[factors] else S[x + UPPER])
    return least


def price_edges(S, T, M, a, n):
    """Note what the edge between each two nodes costs, or NEVER."""
    c = arguments(T, a)
    edges = T[c] + 1 + LISTS * n
    costs = c + 2
    for k in range(n * n):
        M[edges + k] = NEVER
    for i in range(n):
        x = T[a + SCOPE + i]
        fixed = FORCED if S[x] == S[x + UPPER] else 0
        last = S[x + UPPER] if S[x + UPPER] < n else n - 1
        j = next_value(S, x, 0) if last >= 0 else n
        while j <= last:
            cost = SCALE * T[costs + n * i + j] - fixed
            if i != j and cost < M[edges + n * i + j]:
                M[edges + n * i + j] = M[edges + n * j + i] = cost
            j = next_value(S, x, j + 1) if j < last else n
    return 0


def grow_tree(M, lists, n):
    """Find the cheapest 1-tree by Prim's algorithm; its cost less what the prices add to a tour.

    NEVER if there is none.
    """
    prices, degrees, nearest = lists, lists + n, lists + NEAREST * n
    above, order, edges = lists + ABOVE * n, lists + ORDER * n, lists + LISTS * n
    cost = 0
    for i in range(n):
        M[degrees + i] = 0
        M[nearest + i] = NEVER
        M[order + i] = i
        cost -= 2 * M[prices + i]
    M[nearest + 1] = 0
    for k in range(1, n):  # the first k of the order are in the tree, or node 0
        at = k
        for m in range(k + 1, n):
            if M[nearest + M[order + m]] < M[nearest + M[order + at]]:
                at = m
        i = M[order + at]
        M[order + at] = M[order + k]
        M[order + k] = i
        if k > 1:
            edge = M[nearest + i]
            if edge >= NEVER // 2:
                return NEVER
            cost += edge if edge > -FORCED // 2 else edge + FORCED
            M[degrees + i] += 1
            M[degrees + M[above + i]] += 1
        for m in range(k + 1, n):
            j = M[order + m]
            edge = M[edges + n * i + j] + M[prices + i] + M[prices + j]
            if edge < M[nearest + j]:
                M[nearest + j] = edge
                M[above + j] = i
    return add_root(M, lists, n, cost)


def add_root(M, lists, n, cost):
    """Add the two cheapest edges of node 0; note their other ends in ABOVE and ORDER of node 0."""
    edges = lists + LISTS * n
    first, second = 0, 0
    least, next_least = NEVER, NEVER
    for j in range(1, n):
        edge = M[edges + j] + M[lists] + M[lists + j]
        if edge < least:
            second, next_least = first, least
            first, least = j, edge
        elif edge < next_least:
            second, next_least = j, edge
    if next_least >= NEVER // 2:
        return NEVER
    M[lists + n] = 2
    M[lists + n + first] += 1
    M[lists + n + second] += 1
    M[lists + NEAREST * n] = next_least
    M[lists + ABOVE * n], M[lists + ORDER * n] = first, second
    cost += least if least > -FORCED // 2 else least + FORCED
    return cost + (next_least if next_least > -FORCED // 2 else next_least + FORCED)


def adapt_prices(M, lists, n, cost, most, step, steps):
    """Raise the prices of nodes with many edges, lower those of ends; False if there are none."""
    square = 0
    for i in range(n):
        square += (M[lists + n + i] - 2) * (M[lists + n + i] - 2)
    if square == 0:
        return False
    gap = (cost if cost > 0 else 0) // 16 + SCALE
    gap = gap if gap < most - cost else most - cost
    size = gap * (steps - step) // (steps * square) + 1
    for i in range(n):
        M[lists + i] += size * (M[lists + n + i] - 2)
    return True


def remove_edges(S, T, M, a, n, slack):
    """Remove the edges with which the cheapest 1-tree costs ``slack`` more, or beyond."""
    c = arguments(T, a)
    lists, costs = T[c] + 1, c + 2
    note_dearest(M, lists, n)
    dearest = lists + LISTS * n + n * n
    for i in range(n):
        x = T[a + SCOPE + i]
        if S[x] == S[x + UPPER]:
            continue
        last = S[x + UPPER] if S[x + UPPER] < n else n - 1
        j = next_value(S, x, 0) if last >= 0 else n
        while j <= last:
            if i != j:
                edge = SCALE * T[costs + n * i + j] + M[lists + i] + M[lists + j]
                if edge - M[dearest + n * i + j] > slack and not remove(S, T, M, x, j):
                    return False
            j = next_value(S, x, j + 1) if j < last and j < S[x + UPPER] else n
    return True


def note_dearest(M, lists, n):
    """Note for each two nodes the dearest edge between them in the 1-tree."""
    nearest, above, order = lists + NEAREST * n, lists + ABOVE * n, lists + ORDER * n
    edges = lists + LISTS * n
    dearest = edges + n * n
    for k in range(2, n):
        i = M[order + k]
        up, edge = M[above + i], M[nearest + i]
        for m in range(1, k):
            j = M[order + m]
            most = edge
            if j != up and M[dearest + n * j + up] > most:
                most = M[dearest + n * j + up]
            M[dearest + n * i + j] = M[dearest + n * j + i] = most
    for j in range(1, n):
        edge = M[nearest]
        if j == M[above] or j == M[order]:
            edge = M[edges + j] + M[lists] + M[lists + j]
        M[dearest + j] = M[dearest + n * j] = edge
    return 0
