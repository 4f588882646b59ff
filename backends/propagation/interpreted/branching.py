"""The choice of a variable, interpreted: the steps of ``kernel.branching``, faster."""

from __future__ import annotations

from backends.propagation.kernel import branching
from backends.propagation.kernel.branching import FIRST, SMALLEST, WINDOW
from backends.propagation.kernel.layout import (
    M_BRANCHING,
    M_STAMP,
    SIZE,
    STAMP,
    T_OPEN_COUNTS,
    TIE,
    WEIGHT,
)
from backends.propagation.kernel.trail import save


def best_open(S, T, M, listed, count):
    """``branching.best_open``."""
    n = S[count]
    rule = M[M_BRANCHING]
    if n > WINDOW or rule == FIRST or rule == SMALLEST:
        return branching.best_open(S, T, M, listed, count)
    places = M[listed : listed + n]
    sizes = [S[x + SIZE] for x in places]
    if 1 in sizes:
        drop_fixed(places, sizes)
        M[listed : listed + n] = places
        n = len(sizes)
        counts = T[T_OPEN_COUNTS]
        if S[counts + STAMP] != M[M_STAMP]:
            save(S, M, counts)
        S[count] = n
    best, best_size, best_weight = 0, 1 << 61, 1
    for x, size in zip(places, sizes, strict=False):
        weighed, least = size * best_weight, best_size * S[x + WEIGHT]
        if weighed <= least and (weighed < least or S[x + TIE] < S[best + TIE]):
            best, best_size, best_weight = x, size, S[x + WEIGHT]
    return best


def drop_fixed(places, sizes):
    """Let each variable of one value change places with the last that is open; keep the sizes of
    the others."""
    i = 0
    for _ in range(sizes.count(1)):
        i = sizes.index(1, i)
        size = sizes.pop()
        if i < len(sizes):
            sizes[i] = size
            last = len(sizes)
            places[i], places[last] = places[last], places[i]
