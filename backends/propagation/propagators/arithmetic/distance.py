"""``z == |x - y|``: domain consistency; of intervals the bounds.

A value of one variable is kept while two values of the others go with it. Where few values are
open, ``near_distance`` shifts one domain by each distance and looks what it has in common with the
other: O(distances). ``distance`` remembers for each value one of those that went with it, and looks
at that first, so that a run mostly takes O(values).

The scope is z, x, y. Scratch of ``distance``: for each value of each variable that has words, from
its least to begin with on, a value of x (for z and y) or of z (for x). Arguments: for each variable
where its part of the scratch would have value 0. ``near_distance`` has KEPT_WORDS of scratch, and
the least value of all.
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
from backends.propagation.kernel.words import lowest_bit
from backends.propagation.propagators.counting.aligned import MOST_BITS, keep_from, values_from


def distance(S, T, M, a):
    """``z == |x - y|``."""
    z, x, y = T[a + SCOPE], T[a + SCOPE + 1], T[a + SCOPE + 2]
    while True:
        size = S[z + SIZE] + S[x + SIZE] + S[y + SIZE]
        if not narrow_bounds(S, T, M, z, x, y):
            return False
        if has_words(S, z, x, y) and not narrow_values(S, T, M, a, z, x, y):
            return False
        if S[z + SIZE] + S[x + SIZE] + S[y + SIZE] == size:
            return True


def near_distance(S, T, M, a):
    """``z == |x - y|``, where the values of all are in one word (``counting.aligned``)."""
    z, x, y = T[a + SCOPE], T[a + SCOPE + 1], T[a + SCOPE + 2]
    c = arguments(T, a)
    least = T[c + 1]
    of_x, of_y = values_from(S, x, least), values_from(S, y, least)
    kept_x, kept_y, kept_z = 0, 0, 0
    left = values_from(S, z, least)
    while left != 0:
        bit = lowest_bit(left)
        left &= left - 1
        gap = least + bit
        if 0 <= gap <= MOST_BITS:
            found = (of_y << gap | of_y >> gap) & of_x
            if found != 0:
                kept_x |= found
                kept_y |= (of_x << gap | of_x >> gap) & of_y
                kept_z |= 1 << bit
    if kept_z == 0 or not keep_from(S, T, M, z, least, kept_z, T[c]):
        return False
    return keep_from(S, T, M, x, least, kept_x, T[c]) and keep_from(S, T, M, y, least, kept_y, T[c])


def narrow_bounds(S, T, M, z, x, y):
    """What the bounds of two say of the third; not to a fixed point."""
    low, high = S[x] - S[y + UPPER], S[x + UPPER] - S[y]
    least = low if low > 0 else (-high if high < 0 else 0)
    greatest = high if high > -low else -low
    if not set_lower(S, T, M, z, least) or not set_upper(S, T, M, z, greatest):
        return False
    far, near = S[z + UPPER], S[z]
    if not set_lower(S, T, M, x, S[y] - far) or not set_upper(S, T, M, x, S[y + UPPER] + far):
        return False
    if not set_lower(S, T, M, y, S[x] - far) or not set_upper(S, T, M, y, S[x + UPPER] + far):
        return False
    if S[y + UPPER] - S[x] < near:  # x is not below y
        if not set_lower(S, T, M, x, S[y] + near):
            return False
        return set_upper(S, T, M, y, S[x + UPPER] - near)
    if S[x + UPPER] - S[y] < near:  # x is not above y
        if not set_lower(S, T, M, y, S[x] + near):
            return False
        return set_upper(S, T, M, x, S[y + UPPER] - near)
    return True


def has_words(S, z, x, y):
    """Whether none of the three is an interval."""
    return S[z + LENGTH] != WORDS and S[x + LENGTH] != WORDS and S[y + LENGTH] != WORDS


def narrow_values(S, T, M, a, z, x, y):
    """Remove the values without support; not to a fixed point."""
    c = arguments(T, a)
    scratch = T[c]
    if not narrow_end(S, T, M, x, y, z, scratch + T[c + 2]):
        return False
    if not narrow_end(S, T, M, y, x, z, scratch + T[c + 3]):
        return False
    residues = scratch + T[c + 1]
    last = S[z + UPPER]
    value = S[z]
    while True:
        if not has_ends(S, M, value, x, y, residues + value) and not remove(S, T, M, z, value):
            return False
        if value == last:
            return True
        value = next_value(S, z, value + 1)


def narrow_end(S, T, M, x, y, z, residues):
    """Keep the values of x that are as far from a value of y as z may be."""
    last = S[x + UPPER]
    value = S[x]
    while True:
        if not has_end(S, M, value, y, z, residues + value) and not remove(S, T, M, x, value):
            return False
        if value == last:
            return True
        value = next_value(S, x, value + 1)


def has_end(S, M, value, y, z, residue):
    """Whether a value of y is as far from ``value`` as z may be."""
    end = M[residue]
    if contains(S, y, end) and contains(S, z, abs(value - end)):
        return True
    end, last = S[y], S[y + UPPER]
    while not contains(S, z, abs(value - end)):
        if end == last:
            return False
        end = next_value(S, y, end + 1)
    M[residue] = end
    return True


def has_ends(S, M, gap, x, y, residue):
    """Whether values of x and y are ``gap`` apart."""
    end = M[residue]
    if contains(S, x, end) and (contains(S, y, end - gap) or contains(S, y, end + gap)):
        return True
    end, last = S[x], S[x + UPPER]
    while not contains(S, y, end - gap) and not contains(S, y, end + gap):
        if end == last:
            return False
        end = next_value(S, x, end + 1)
    M[residue] = end
    return True
