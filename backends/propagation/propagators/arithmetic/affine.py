"""``x == k * y + c``: domain consistency, O(values) a run; of intervals the bounds.

First the bounds of each follow those of the other, until nothing changes; then each inner value
needs its counterpart. Arguments: k, which is not 0, and c. The scope is x, y.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import (
    contains,
    next_value,
    remove,
    set_lower,
    set_upper,
)
from backends.propagation.kernel.layout import LENGTH, SCOPE, SIZE, UPPER, WORDS, arguments


def affine(S, T, M, a):
    """``x == k * y + c``."""
    c = arguments(T, a)
    return narrow_affine(S, T, M, T[a + SCOPE], T[a + SCOPE + 1], T[c], T[c + 1])


def narrow_affine(S, T, M, x, y, k, c):
    """Keep the values of two variables that have a counterpart."""
    if not narrow_bounds(S, T, M, x, y, k, c):
        return False
    return S[x + SIZE] == 1 or narrow_inner(S, T, M, x, y, k, c)


def narrow_bounds(S, T, M, x, y, k, c):
    """Let the bounds of x be the images of those of y."""
    while True:
        first, last = k * S[y] + c, k * S[y + UPPER] + c
        if k < 0:
            first, last = last, first
        if not set_lower(S, T, M, x, first) or not set_upper(S, T, M, x, last):
            return False
        if S[x] == first and S[x + UPPER] == last:
            return True
        # Rounded to the inner side.
        if k > 0:
            least, most = -((c - S[x]) // k), (S[x + UPPER] - c) // k
        else:
            least, most = -((S[x + UPPER] - c) // -k), (c - S[x]) // -k
        if not set_lower(S, T, M, y, least) or not set_upper(S, T, M, y, most):
            return False


def narrow_inner(S, T, M, x, y, k, c):
    """Remove the values between the bounds that have no counterpart."""
    if S[y + LENGTH] != WORDS:
        upper = S[y + UPPER]
        value = next_value(S, y, S[y] + 1)
        while value < upper:
            if not contains(S, x, k * value + c) and not remove(S, T, M, y, value):
                return False
            value = next_value(S, y, value + 1)
    if S[x + LENGTH] != WORDS and S[x + SIZE] != S[y + SIZE]:
        upper = S[x + UPPER]
        value = next_value(S, x, S[x] + 1)
        while value < upper:
            kept = (value - c) % k == 0 and contains(S, y, (value - c) // k)
            if not kept and not remove(S, T, M, x, value):
                return False
            value = next_value(S, x, value + 1)
    return True
