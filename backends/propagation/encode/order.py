"""Which variables come first: those with the largest terms of sums, and functions of others last.

Ties of branching are broken by influence. Where the factors of a sum differ widely, as in a
knapsack or a number partition, the largest terms decide most: once these have values, the small
ones have few values left. If the smallest came first, the search would go through every sum of
small terms.

A declared variable that is a sum of others, and whose domain holds whatever these add up to, is a
function of them, as an auxiliary one is: its values exclude little, so it is branched on later.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.propagation.encode.draft import Draft, Posted
from backends.propagation.propagators.linear import equal

WIDE = 10
"""Factors differ widely where the greatest is as many times the least."""


def order_by_influence(draft: Draft) -> Sequence[int]:
    """All variables, those of most influence first; none where no factors differ widely.

    The influence of a term is what its variable may change of the sum, as a part of the mean of the
    sum's terms; that of a variable is the mean over such sums.
    """
    found: dict[int, list[float]] = {}
    for one in draft.sums:
        sizes = [abs(factor) for factor in one.constants[1:-1]]
        if max(sizes) < WIDE * min(sizes):
            continue
        reaches = reaches_of(draft, one)
        mean = sum(reaches) / len(reaches)
        for variable, reach in zip(one.scope, reaches, strict=True) if mean else ():
            found.setdefault(variable, []).append(reach / mean)
    if not found:
        return ()
    influence = {variable: sum(parts) / len(parts) for variable, parts in found.items()}
    return sorted(range(len(draft.domains)), key=lambda v: -influence.get(v, 0.0))


def reaches_of(draft: Draft, one: Posted) -> list[int]:
    """How much each variable of a sum may change it."""
    ends = [draft.domains[variable] for variable in one.scope]
    factors = one.constants[1:-1]
    return [abs(k) * (end[-1] - end[0]) for k, end in zip(factors, ends, strict=True)]


def functions_of_sums(draft: Draft, declared: int) -> set[int]:
    """The declared variables that are sums of others, and exclude none of these sums."""
    found: set[int] = set()
    for one in draft.sums:
        if one.propagate is not equal or len(one.scope) < 3:
            continue
        reaches = reaches_of(draft, one)
        k = reaches.index(max(reaches))
        is_free = 2 * reaches[k] >= sum(reaches) and abs(one.constants[1 + k]) == 1
        if is_free and one.scope[k] < declared:
            found.add(one.scope[k])
    return found if len(found) < declared else set()
