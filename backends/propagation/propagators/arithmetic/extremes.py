"""``result == max(terms)`` and ``result == min(terms)``: bounds consistency, O(terms) a pass.

The maximum is at least each term, and at most the greatest; where one term only can be as great as
the result, it is at least that. The minimum is the mirror image. (Beldiceanu, *Pruning for the
minimum constraint family and for the number of distinct values constraint family*, CP 2001, goes
further, to domain consistency.) The scope is the result, then the terms, without arguments.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER


def maximum(S, T, M, a):
    """``result == max(terms)``."""
    result = T[a + SCOPE]
    first, end = a + SCOPE + 1, a + SCOPE + T[a + COUNT]
    changed = True
    while changed:
        changed = False
        least, greatest = S[T[first]], S[T[first] + UPPER]
        for k in range(first + 1, end):
            x = T[k]
            least = S[x] if S[x] > least else least
            greatest = S[x + UPPER] if S[x + UPPER] > greatest else greatest
        if not set_lower(S, T, M, result, least) or not set_upper(S, T, M, result, greatest):
            return False
        least, greatest = S[result], S[result + UPPER]
        able, last = 0, 0
        for k in range(first, end):
            x = T[k]
            if S[x + UPPER] > greatest:
                if not set_upper(S, T, M, x, greatest):
                    return False
                changed = True
            if S[x + UPPER] >= least:
                able += 1
                last = x
        if able == 0:
            return False
        if able == 1 and S[last] < least:
            if not set_lower(S, T, M, last, least):
                return False
            changed = True
    return True


def minimum(S, T, M, a):
    """``result == min(terms)``."""
    result = T[a + SCOPE]
    first, end = a + SCOPE + 1, a + SCOPE + T[a + COUNT]
    changed = True
    while changed:
        changed = False
        least, greatest = S[T[first]], S[T[first] + UPPER]
        for k in range(first + 1, end):
            x = T[k]
            least = S[x] if S[x] < least else least
            greatest = S[x + UPPER] if S[x + UPPER] < greatest else greatest
        if not set_lower(S, T, M, result, least) or not set_upper(S, T, M, result, greatest):
            return False
        least, greatest = S[result], S[result + UPPER]
        able, last = 0, 0
        for k in range(first, end):
            x = T[k]
            if S[x] < least:
                if not set_lower(S, T, M, x, least):
                    return False
                changed = True
            if S[x] <= greatest:
                able += 1
                last = x
        if able == 0:
            return False
        if able == 1 and S[last + UPPER] > greatest:
            if not set_upper(S, T, M, last, greatest):
                return False
            changed = True
    return True
