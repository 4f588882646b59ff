"""Families of ``size`` sets whose union has exactly ``size`` members.

The common core of naked and hidden subsets and of fish.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def hall_sets(sets: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The index tuples of such families, in lexicographic order, each with its union."""
    if len(sets) < size:
        return
    if size == 2:
        for first, one in enumerate(sets):
            for second in range(first + 1, len(sets)):
                union = one | sets[second]
                if union.bit_count() == 2:
                    yield (first, second), union
        return
    yield from _extend(sets, size, (), 0)


def _extend(
    sets: Sequence[int], size: int, chosen: tuple[int, ...], union: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    missing = size - len(chosen)
    for index in range(chosen[-1] + 1 if chosen else 0, len(sets) - missing + 1):
        wider = union | sets[index]
        count = wider.bit_count()
        if count > size:
            continue
        if missing > 1:
            yield from _extend(sets, size, (*chosen, index), wider)
        elif count == size:
            yield (*chosen, index), wider
