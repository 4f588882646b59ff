"""``b == p`` exactly where ``x == k * y + c``: domain consistency; of intervals by their bounds.

Where b is decided, the equation or its opposite is in force. Before, b is decided once x and the
image of y have no value in common, or one only. The last common value is remembered and looked at
first. A run takes O(values) at most. The scope is x, y, b; scratch: a value of y; the arguments are
k, which is not 0, c and p.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, contains, next_value, remove
from backends.propagation.kernel.layout import LENGTH, SCOPE, UPPER, WORDS, arguments
from backends.propagation.propagators.arithmetic.affine import narrow_affine


def equation_literal(S, T, M, a):
    """``b == p`` exactly where ``x == k * y + c``."""
    x, y, b = T[a + SCOPE], T[a + SCOPE + 1], T[a + SCOPE + 2]
    place = arguments(T, a)
    k, c, p = T[place + 1], T[place + 2], T[place + 3]
    if S[b] == S[b + UPPER]:
        if S[b] == p:
            return narrow_affine(S, T, M, x, y, k, c)
        return narrow_difference(S, T, M, x, y, k, c)
    if not has_common_image(S, M, x, y, k, c, T[place]):
        return assign(S, T, M, b, 1 - p)
    if S[x] == S[x + UPPER] and S[y] == S[y + UPPER]:
        return assign(S, T, M, b, p)
    return True


def narrow_difference(S, T, M, x, y, k, c):
    """``x != k * y + c``."""
    if S[y] == S[y + UPPER]:
        return remove(S, T, M, x, k * S[y] + c)
    if S[x] == S[x + UPPER]:
        return (S[x] - c) % k != 0 or remove(S, T, M, y, (S[x] - c) // k)
    return True


def has_common_image(S, M, x, y, k, c, residue):
    """Whether a value of y has its image among those of x; of an interval, whether it may."""
    value = M[residue]
    if contains(S, y, value) and contains(S, x, k * value + c):
        return True
    value, last = S[y], S[y + UPPER]
    if S[y + LENGTH] == WORDS and value != last:
        first, end = k * value + c, k * last + c
        if k < 0:
            first, end = end, first
        return first <= S[x + UPPER] and S[x] <= end
    while not contains(S, x, k * value + c):
        if value == last:
            return False
        value = next_value(S, y, value + 1)
    M[residue] = value
    return True
