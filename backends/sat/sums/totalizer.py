"""The totalizer: a balanced tree of partial sums (Bailleux and Boufkhad, CP 2003).

The sums of two halves are merged, and so on. Over n Booleans it takes n**2 clauses, a sum of many
terms has short ways from a term to the root, and a cap keeps every node as small as the bound.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.sat.cnf import Cnf
from backends.sat.integers.order import Order
from backends.sat.sums.merging import Weighted, as_integer, leaf, merge_sizes, merged, sizes


def total(cnf: Cnf, terms: Sequence[Weighted], cap: int | None) -> Order:
    """The sum; above its least value by ``cap`` and more counts as one."""
    leaves = [leaf(term, cap) for term in terms]
    level = [partial for _, partial in leaves]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        level = [*(merged(cnf, *pair, cap) for pair in pairs), *level[len(level) & ~1 :]]
    return as_integer(cnf, sum(least for least, _ in leaves), level[0])


def clauses(terms: Sequence[Weighted], cap: int | None) -> int:
    """At least as many clauses as it writes, without writing them."""
    level, found = sizes(terms, cap), 0
    while len(level) > 1:
        pairs = list(zip(level[::2], level[1::2], strict=False))
        rest = level[len(level) & ~1 :]
        level = [merge_sizes(one, other, cap) for one, other in pairs]
        found += sum(2 * one[0] * other[0] for one, other in pairs) + sum(n for n, _ in level)
        level += rest
    return found
