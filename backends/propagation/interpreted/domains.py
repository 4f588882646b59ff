"""Narrowing domains, interpreted: the steps of ``kernel.domains``, faster for domains of one word.

A domain nearly always has one word where that has 4096 bits; the others are left to the kernel.
"""

from __future__ import annotations

from backends.propagation.interpreted.queue import notify
from backends.propagation.kernel import domains
from backends.propagation.kernel.layout import (
    BASE,
    DOMAIN,
    FIXED,
    LENGTH,
    LOWER_BOUND,
    M_STAMP,
    M_TRAIL_TOP,
    SIZE,
    STAMP,
    UPPER,
    UPPER_BOUND,
    WATCHERS,
    WORDS,
)

ONE_WORD = WORDS + 1
"""The length of the record of a variable with one word."""


def take_out(S, T, M, x, value, mask):
    """Remove a value that is open from a domain of one word."""
    size = S[x + SIZE]
    if size == 1:
        return False
    stamp = M[M_STAMP]
    if S[x + STAMP] != stamp:
        S[x + STAMP] = stamp
        top = M[M_TRAIL_TOP]
        M[top] = S[x : x + ONE_WORD]
        M[top + 1] = x
        M[M_TRAIL_TOP] = top + 2
    S[x + WORDS] = word = S[x + WORDS] ^ mask
    S[x + SIZE] = size - 1
    events = DOMAIN if size > 2 else DOMAIN | FIXED
    if value == S[x]:
        S[x] = S[x + BASE] + (word & -word).bit_length() - 1
        events |= LOWER_BOUND
    elif value == S[x + UPPER]:
        S[x + UPPER] = S[x + BASE] + word.bit_length() - 1
        events |= UPPER_BOUND
    if size == 2 or T[S[x + WATCHERS]]:
        notify(S, T, M, x, events)
    return True


def remove(S, T, M, x, value):
    """``domains.remove``."""
    if value < S[x] or value > S[x + UPPER]:
        return True
    if S[x + LENGTH] != ONE_WORD:
        return domains.remove(S, T, M, x, value)
    mask = 1 << (value - S[x + BASE])
    return not S[x + WORDS] & mask or take_out(S, T, M, x, value, mask)


def set_lower(S, T, M, x, value):
    """``domains.set_lower``."""
    if value <= S[x]:
        return True
    upper = S[x + UPPER]
    if value > upper:
        return False
    if S[x + LENGTH] != ONE_WORD:
        return domains.set_lower(S, T, M, x, value)
    stamp = M[M_STAMP]
    if S[x + STAMP] != stamp:
        S[x + STAMP] = stamp
        top = M[M_TRAIL_TOP]
        M[top] = S[x : x + ONE_WORD]
        M[top + 1] = x
        M[M_TRAIL_TOP] = top + 2
    first = value - S[x + BASE]
    kept = S[x + WORDS] >> first
    if not kept & 1:
        value += (kept & -kept).bit_length() - 1
    S[x : x + ONE_WORD] = value, upper, kept.bit_count(), kept << first
    notify(S, T, M, x, DOMAIN | LOWER_BOUND if value != upper else DOMAIN | LOWER_BOUND | FIXED)
    return True


def set_upper(S, T, M, x, value):
    """``domains.set_upper``."""
    if value >= S[x + UPPER]:
        return True
    lower = S[x]
    if value < lower:
        return False
    if S[x + LENGTH] != ONE_WORD:
        return domains.set_upper(S, T, M, x, value)
    stamp = M[M_STAMP]
    if S[x + STAMP] != stamp:
        S[x + STAMP] = stamp
        top = M[M_TRAIL_TOP]
        M[top] = S[x : x + ONE_WORD]
        M[top + 1] = x
        M[M_TRAIL_TOP] = top + 2
    base = S[x + BASE]
    kept = S[x + WORDS] & ((2 << (value - base)) - 1)
    value = base + kept.bit_length() - 1
    S[x : x + ONE_WORD] = lower, value, kept.bit_count(), kept
    notify(S, T, M, x, DOMAIN | UPPER_BOUND if value != lower else DOMAIN | UPPER_BOUND | FIXED)
    return True


def assign(S, T, M, x, value):
    """``domains.assign``."""
    lower = S[x]
    if lower == S[x + UPPER]:
        return value == lower
    if S[x + LENGTH] != ONE_WORD:
        return domains.assign(S, T, M, x, value)
    base = S[x + BASE]
    if not lower <= value <= S[x + UPPER] or not S[x + WORDS] >> (value - base) & 1:
        return False
    return keep(S, T, M, x, 1 << (value - base), base)


def keep_words(S, T, M, x, place):
    """``domains.keep_words``."""
    if S[x + LENGTH] != ONE_WORD:
        return domains.keep_words(S, T, M, x, place)
    kept = S[x + WORDS] & M[place]
    if kept == S[x + WORDS]:
        return True
    return kept != 0 and keep(S, T, M, x, kept, S[x + BASE])


def keep(S, T, M, x, kept, base):
    """Narrow a domain of one word to a part of it, which is not empty."""
    stamp = M[M_STAMP]
    if S[x + STAMP] != stamp:
        S[x + STAMP] = stamp
        top = M[M_TRAIL_TOP]
        M[top] = S[x : x + ONE_WORD]
        M[top + 1] = x
        M[M_TRAIL_TOP] = top + 2
    size = kept.bit_count()
    lower = base + (kept & -kept).bit_length() - 1
    upper = base + kept.bit_length() - 1
    events = DOMAIN if size > 1 else DOMAIN | FIXED
    if lower != S[x]:
        events |= LOWER_BOUND
    if upper != S[x + UPPER]:
        events |= UPPER_BOUND
    S[x : x + ONE_WORD] = lower, upper, size, kept
    notify(S, T, M, x, events)
    return True
