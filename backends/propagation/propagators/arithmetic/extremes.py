"""``result == max(terms)`` and ``result == min(terms)``: bounds consistency, O(terms) a pass.

The maximum is at least each term, and at most the greatest; where one term only can be as great as
the result, it is at least that. The minimum is the mirror image. (Beldiceanu, *Pruning for the
minimum constraint family and for the number of distinct values constraint family*, CP 2001, goes
further, to domain consistency.) The scope is the result, then the terms, without arguments.

What is explained of the maximum holds of the minimum with all signs turned.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import set_lower, set_upper
from backends.propagation.kernel.facts import LEAST, MOST, bound_at, write
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


# --- explanations ---


def explain_maximum(S, T, M, a, slot, value, place, out):
    """One term, or all of them, or the result."""
    return explain_extreme(S, T, M, a, slot, value, place, out, LEAST)


def explain_minimum(S, T, M, a, slot, value, place, out):
    """One term, or all of them, or the result."""
    return explain_extreme(S, T, M, a, slot, value, place, out, MOST)


def explain_extreme(S, T, M, a, slot, value, place, out, least):
    """Why a literal is true of the maximum, or of the minimum for ``least`` = MOST."""
    result, first, end = T[a + SCOPE], a + SCOPE + 1, a + SCOPE + T[a + COUNT]
    most = least ^ 1
    if slot == 4 * result + least:
        for k in range(first, end):
            if bound_at(S, M, 4 * T[k] + least, place) >= value:
                return write(M, out, 4 * T[k] + least, value)
    if slot & 3 == most and slot != 0:
        if slot >> 2 != result and bound_at(S, M, 4 * result + most, place) >= value:
            return write(M, out, 4 * result + most, value)
        return write_terms_below(T, M, first, end, 0, 1 - value, most, out)
    # Other terms are less than the result.
    target = slot >> 2
    reach = bound_at(S, M, 4 * result + least, place) if slot == 0 else value
    for k in range(first, end):
        upper = -bound_at(S, M, 4 * T[k] + most, place)
        if T[k] != target and upper >= reach:
            reach = upper + 1
    written = write(M, out, 4 * result + least, reach)
    out += 2 * written
    return written + write_terms_below(T, M, first, end, target, reach, most, out)


def write_terms_below(T, M, first, end, target, reach, most, out):
    """Write that all terms but ``target`` are less than ``reach``."""
    written = 0
    for k in range(first, end):
        if T[k] != target:
            written += write(M, out + 2 * written, 4 * T[k] + most, 1 - reach)
    return written
