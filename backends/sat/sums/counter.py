"""The sequential counter: partial sums of the first term, the first two, and so on.

Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005, for numbers of
literals; Hölldobler, Manthey and Steinke, "A compact encoding of pseudo-Boolean constraints into
SAT", KI 2012, for weights. Over n Booleans with the cap k it takes 4 n k clauses.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.sat.cnf import Cnf
from backends.sat.integers.order import Order
from backends.sat.sums.merging import Weighted, as_integer, leaf, merge_sizes, merged, sizes


def total(cnf: Cnf, terms: Sequence[Weighted], cap: int | None) -> Order:
    """The sum; above its least value by ``cap`` and more counts as one."""
    least, so_far = leaf(terms[0], cap)
    for term in terms[1:]:
        own, partial = leaf(term, cap)
        least, so_far = least + own, merged(cnf, so_far, partial, cap)
    return as_integer(cnf, least, so_far)


def clauses(terms: Sequence[Weighted], cap: int | None) -> int:
    """At least as many clauses as it writes, without writing them."""
    first, *rest = sizes(terms, cap)
    found = 0
    for size in rest:
        after = merge_sizes(first, size, cap)
        found += 2 * first[0] * size[0] + after[0]
        first = after
    return found
