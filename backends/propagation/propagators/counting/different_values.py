"""AllDifferent by fixed values: the value of a fixed variable leaves all others; O(n) for each.

It serves where excepted values may repeat, which pairs of rivals cannot say, and where there are so
many variables that their pairs would fill the memory. Consistency: *fixed*.

The terms are ``x + c``. Arguments: the place of the state, how many of the variables in ``order``
have been dealt with; the place of the scratch, that order; the n constants c; how many values are
excepted, and these, ascending.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import remove
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments
from backends.propagation.kernel.trail import save


def remove_fixed(S, T, M, a):
    """Remove each newly fixed value from all other variables."""
    n = T[a + COUNT]
    c = arguments(T, a)
    done, order = S[T[c]], T[c + 1]
    k = done
    while k < n:
        i = M[order + k]
        x = T[a + SCOPE + i]
        if S[x] == S[x + UPPER]:
            M[order + k] = M[order + done]
            M[order + done] = i
            done += 1
            if not remove_value(S, T, M, a, i, S[x] + T[c + 2 + i]):
                return False
            k = done  # others may have become fixed
        else:
            k += 1
    if done != S[T[c]]:
        save(S, M, T[c])
        S[T[c]] = done
    return True


def remove_value(S, T, M, a, i, value):
    """Remove ``value`` from all terms but the i-th, unless it is excepted."""
    n = T[a + COUNT]
    c = arguments(T, a)
    excepted = c + 2 + n
    for k in range(excepted + 1, excepted + 1 + T[excepted]):
        if T[k] == value:
            return True
    for k in range(n):
        if k != i and not remove(S, T, M, T[a + SCOPE + k], value - T[c + 2 + k]):
            return False
    return True
