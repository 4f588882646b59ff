"""Lists of tasks in an order that changes little from one run of a propagator to the next."""

from __future__ import annotations


def sort_tasks(M, order, n, key):
    """Sort ``n`` numbers of tasks by a number each, by insertion: O(n) where little has changed."""
    for k in range(1, n):
        i = M[order + k]
        value = M[key + i]
        at = order + k - 1
        while at >= order and M[key + M[at]] > value:
            M[at + 1] = M[at]
            at -= 1
        M[at + 1] = i
