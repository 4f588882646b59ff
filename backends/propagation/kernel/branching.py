"""Which variable to branch on, and which value to try first.

dom/wdeg    the least ratio of open values to the failures of the variable's constraints so far
            (Boussemart et al., *Boosting systematic search by weighting constraints*, ECAI 2004;
            here the weights of constraints with no other open variable count too)
smallest    the fewest open values (Haralick and Elliott's fail-first, 1980)
first       the first open variable: the textbook's static order, for comparison

Ties go to the variable that was declared first. Auxiliary variables come after the declared ones.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import (
    M_BRANCHING,
    M_STAMP,
    NUMBER,
    SIZE,
    STAMP,
    T_AUXILIARY,
    T_OPEN,
    T_OPEN_COUNTS,
    WEIGHT,
)
from backends.propagation.kernel.trail import save

DOM_WDEG, SMALLEST, FIRST = range(3)


def choose_variable(S, T, M):
    """The open variable to branch on; 0 if all are fixed."""
    x = _best_open(S, T, M, T[T_OPEN], T[T_OPEN_COUNTS])
    if x == 0:
        x = _best_open(S, T, M, T[T_AUXILIARY], T[T_OPEN_COUNTS] + 1)
    return x


def _best_open(S, T, M, listed, count):
    """The best of the variables at ``listed``, of which S[count] may be open.

    A variable that is found to be fixed changes places with the last of these, so that undoing
    restores one number (sparse sets: Briggs and Torczon, 1993).
    """
    rule = M[M_BRANCHING]
    n = S[count]
    best, best_size, best_weight = 0, 0, 1
    i = 0
    while i < n:
        x = M[listed + i]
        size = S[x + SIZE]
        if size == 1:
            n -= 1
            M[listed + i] = M[listed + n]
            M[listed + n] = x
            continue
        i += 1
        if best == 0:
            best, best_size, best_weight = x, size, S[x + WEIGHT]
            continue
        difference = 0
        if rule == DOM_WDEG:
            difference = size * best_weight - best_size * S[x + WEIGHT]
        elif rule == SMALLEST:
            difference = size - best_size
        if difference < 0 or (difference == 0 and S[x + NUMBER] < S[best + NUMBER]):
            best, best_size, best_weight = x, size, S[x + WEIGHT]
    if n != S[count]:
        counts = T[T_OPEN_COUNTS]
        if S[counts + STAMP] != M[M_STAMP]:
            save(S, M, counts)
        S[count] = n
    return best
