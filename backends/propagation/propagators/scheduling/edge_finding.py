"""Edge finding, and its like: which tasks of a NoOverlap come before or after sets of others.

Four rules, each in O(n log n) by a tree of tasks (Vilím, *O(n log n) filtering algorithms for unary
resource constraint*, CPAIOR 2004, and thesis, Prague 2007):

overload                a set of tasks has no room between its earliest start and its latest end
detectable precedences  a task begins after all those that it cannot come before
not last                a task that cannot come after a set ends before one of the set begins
edge finding            a task with which a set would end too late begins after the set

A run looks at the tasks forward and then backward in time, where latest ends are negated earliest
starts; so *not first* and the others' mirror images are the same code. It is woken by its own
changes. Only tasks whose length is positive take part. The propagator of ``no_overlap`` checks.

Scope: the n starts, then the n lengths. Arguments: scratch (``scratch_of``).
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments
from backends.propagation.propagators.scheduling.sorting import sort_tasks
from backends.propagation.propagators.scheduling.theta_tree import (
    EARLIEST_END,
    GRAY_END,
    NEVER,
    NODE,
    clear_tree,
    combine,
    find_gray,
    put_coloured,
    put_task,
)

# The scratch is lists of n cells. Facts of each task, in the direction that is looked at:
EST, LCT, LENGTH, ECT, LST = range(
    5
)  # earliest start, latest end, length, earliest end, latest start
NEW_EST, NEW_LCT = 5, 6  # what is found
LEAF = 7  # its leaf in the tree
# The tasks by the first four of these, forward and backward:
ORDERS = 8
BY_EST, BY_LCT, BY_ECT, BY_LST = range(4)
TREE = 16  # where the tree begins
NOT_A_TASK = 1 << 60
"""Facts of a task that may be empty: it is sorted behind all others."""


def scratch_of(n: int) -> list[int]:
    """The scratch for ``n`` tasks."""
    leaves = 1 << max(n - 1, 0).bit_length()
    return [0] * (ORDERS * n) + list(range(n)) * 8 + [0] * (2 * NODE * leaves)


def edge_finding(S, T, M, a):
    """Bound the starts forward in time, then backward."""
    return look(S, T, M, a, 1) and look(S, T, M, a, -1)


def look(S, T, M, a, way):
    """Apply all rules in one direction: 1 is forward in time, -1 backward."""
    n = T[a + COUNT] // 2
    facts = T[arguments(T, a)]
    count = collect_facts(S, T, M, a, n, facts, way)
    if count < 2:
        return True
    orders = facts + (ORDERS if way == 1 else ORDERS + 4) * n
    sort_tasks(M, orders + BY_EST * n, n, facts + EST * n)
    sort_tasks(M, orders + BY_LCT * n, n, facts + LCT * n)
    sort_tasks(M, orders + BY_ECT * n, n, facts + ECT * n)
    sort_tasks(M, orders + BY_LST * n, n, facts + LST * n)
    leaves = 1
    while leaves < count:
        leaves *= 2
    for k in range(count):
        M[facts + LEAF * n + M[orders + BY_EST * n + k]] = leaves + k
    if not find_edges(M, n, facts, orders, count, leaves):
        return False
    find_precedences(M, n, facts, orders, count, leaves)
    find_not_last(M, n, facts, orders, count, leaves)
    return narrow_starts(S, T, M, a, n, facts, way)


def collect_facts(S, T, M, a, n, facts, way):
    """Write the facts of each task; how many tasks cannot be empty."""
    count = 0
    for i in range(n):
        s, length = T[a + SCOPE + i], S[T[a + SCOPE + n + i]]
        est = lct = ect = lst = NOT_A_TASK
        if length > 0:
            count += 1
            if way == 1:
                est, lst = S[s], S[s + UPPER]
            else:
                est, lst = -S[s + UPPER] - length, -S[s] - length
            ect, lct = est + length, lst + length
        M[facts + EST * n + i] = est
        M[facts + LCT * n + i] = lct
        M[facts + LENGTH * n + i] = length
        M[facts + ECT * n + i] = ect
        M[facts + LST * n + i] = lst
        M[facts + NEW_EST * n + i] = est
        M[facts + NEW_LCT * n + i] = lct
    return count


def narrow_starts(S, T, M, a, n, facts, way):
    """Bound the starts by what is found."""
    for i in range(n):
        length = M[facts + LENGTH * n + i]
        if length > 0:
            s = T[a + SCOPE + i]
            first, last = M[facts + NEW_EST * n + i], M[facts + NEW_LCT * n + i] - length
            if way == -1:
                first, last = -last - length, -first - length
            if not (set_lower(S, T, M, s, first) and set_upper(S, T, M, s, last)):
                return False
    return True


def find_edges(M, n, facts, orders, count, leaves):
    """Overload and edge finding; False for an overload."""
    tree = facts + TREE * n
    fill_tree(M, n, facts, orders, count, leaves)
    by_lct, lct = orders + BY_LCT * n, facts + LCT * n
    for k in range(count - 1, -1, -1):
        j = M[by_lct + k]
        limit = M[lct + j]
        if M[tree + NODE + EARLIEST_END] > limit:
            return False
        while M[tree + NODE + GRAY_END] > limit:
            leaf = find_gray(M, tree, leaves)
            i = facts + NEW_EST * n + M[orders + BY_EST * n + leaf - leaves]
            if M[tree + NODE + EARLIEST_END] > M[i]:
                M[i] = M[tree + NODE + EARLIEST_END]
            put_coloured(M, tree, leaf, 0, NEVER, 0, NEVER)
        length, end = M[facts + LENGTH * n + j], M[facts + ECT * n + j]
        put_coloured(M, tree, M[facts + LEAF * n + j], 0, NEVER, length, end)
    return True


def fill_tree(M, n, facts, orders, count, leaves):
    """A tree of all tasks, none of them gray."""
    tree = facts + TREE * n
    for k in range(leaves):
        v = tree + NODE * (leaves + k)
        length, end = 0, NEVER
        if k < count:
            i = M[orders + BY_EST * n + k]
            length, end = M[facts + LENGTH * n + i], M[facts + ECT * n + i]
        M[v] = M[v + 2] = length
        M[v + 1] = M[v + 3] = end
    for node in range(leaves - 1, 0, -1):
        combine(M, tree, node)


def find_precedences(M, n, facts, orders, count, leaves):
    """Detectable precedences: a task begins after the tasks that cannot begin after it ends."""
    tree = facts + TREE * n
    clear_tree(M, tree, leaves)
    waiting = orders + BY_LST * n
    stop = waiting + count
    for k in range(count):
        i = M[orders + BY_ECT * n + k]
        end, length = M[facts + ECT * n + i], M[facts + LENGTH * n + i]
        while waiting < stop and M[facts + LST * n + M[waiting]] < end:
            j = M[waiting]
            leaf = M[facts + LEAF * n + j]
            put_task(M, tree, leaf, M[facts + LENGTH * n + j], M[facts + ECT * n + j])
            waiting += 1
        leaf = M[facts + LEAF * n + i]
        within = M[facts + LST * n + i] < end
        if within:
            put_task(M, tree, leaf, 0, NEVER)
        others = M[tree + NODE + EARLIEST_END]
        if others > M[facts + NEW_EST * n + i]:
            M[facts + NEW_EST * n + i] = others
        if within:
            put_task(M, tree, leaf, length, end)


def find_not_last(M, n, facts, orders, count, leaves):
    """Not last: a task that cannot follow the tasks that begin before it ends, does not end last.

    So it ends before the latest start of one of these.
    """
    tree = facts + TREE * n
    clear_tree(M, tree, leaves)
    waiting = orders + BY_LST * n
    stop = waiting + count
    last = before = -1
    for k in range(count):
        i = M[orders + BY_LCT * n + k]
        end, length = M[facts + ECT * n + i], M[facts + LENGTH * n + i]
        while waiting < stop and M[facts + LST * n + M[waiting]] < M[facts + LCT * n + i]:
            j = M[waiting]
            leaf = M[facts + LEAF * n + j]
            put_task(M, tree, leaf, M[facts + LENGTH * n + j], M[facts + ECT * n + j])
            before = last
            last = j
            waiting += 1
        leaf = M[facts + LEAF * n + i]
        put_task(M, tree, leaf, 0, NEVER)
        if M[tree + NODE + EARLIEST_END] > M[facts + LST * n + i]:
            j = before if last == i else last
            if M[facts + LST * n + j] < M[facts + NEW_LCT * n + i]:
                M[facts + NEW_LCT * n + i] = M[facts + LST * n + j]
        put_task(M, tree, leaf, length, end)
