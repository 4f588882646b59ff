"""``x`` lies in one of several runs of values: bounds consistency, O(log runs).

For variables that are kept as intervals although their domain has holes. The arguments are the
number of runs, then the least and the greatest value of each, ascending.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.facts import MOST, write
from backends.propagation.kernel.layout import SCOPE, UPPER, arguments


def runs_of(values: Sequence[int]) -> list[int]:
    """The arguments for an ascending list of values."""
    ends = [values[0]]
    for before, after in pairwise(values):
        if after != before + 1:
            ends += [before, after]
    ends.append(values[-1])
    return [len(ends) // 2, *ends]


def first_run_to(T, runs, count, value):
    """The number of the first run whose greatest value is at least ``value``; maybe ``count``."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if T[runs + 2 * middle + 1] < value:
            low = middle + 1
        else:
            high = middle
    return low


def within_runs(S, T, M, a):
    """Round the lower bound up and the upper bound down to values of a run."""
    x = T[a + SCOPE]
    c = arguments(T, a)
    count = T[c]
    runs = c + 1
    k = first_run_to(T, runs, count, S[x])
    if k == count or not set_lower(S, T, M, x, T[runs + 2 * k]):
        return False
    upper = S[x + UPPER]
    k = first_run_to(T, runs, count, upper)
    if k < count and T[runs + 2 * k] <= upper:
        return True
    return k > 0 and set_upper(S, T, M, x, T[runs + 2 * k - 1])


def explain_within_runs(S, T, M, a, slot, value, place, out):
    """A bound beyond the run before that of the new bound; or none of any run fits."""
    x = T[a + SCOPE]
    c = arguments(T, a)
    count, runs = T[c], c + 1
    if slot == 4 * x + MOST:
        k = first_run_to(T, runs, count, 1 - value)  # x <= -value, since x is below this run
        if k == count:
            return 0
        return write(M, out, slot, 1 - T[runs + 2 * k])
    k = first_run_to(T, runs, count, value)
    if slot != 0:
        if k == 0:
            return 0
        return write(M, out, slot, T[runs + 2 * k - 1] + 1)
    return 0
