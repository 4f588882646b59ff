"""Domains: what is open for a variable, and how it is narrowed.

Each function that narrows returns False when nothing would be left, and then has changed nothing
that ``undo`` does not restore. ``layout`` describes the record of a variable.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import (
    BASE,
    DOMAIN,
    FIXED,
    LENGTH,
    LOWER_BOUND,
    M_STAMP,
    SIZE,
    STAMP,
    UPPER,
    UPPER_BOUND,
    WATCHERS,
    WORDS,
)
from backends.propagation.kernel.queue import notify
from backends.propagation.kernel.trail import save
from backends.propagation.kernel.words import (
    WORD_MASK,
    WORD_SHIFT,
    bits_from,
    bits_up_to,
    count_bits,
    highest_bit,
    lowest_bit,
)


def contains(S, x, value):
    """Whether ``value`` is open for ``x``."""
    if value < S[x] or value > S[x + UPPER]:
        return False
    if S[x + LENGTH] == WORDS:
        return True
    bit = value - S[x + BASE]
    return (S[x + WORDS + (bit >> WORD_SHIFT)] >> (bit & WORD_MASK)) & 1 != 0


def next_value(S, x, value):
    """The least open value that is at least ``value``, which must be at most the greatest."""
    if value <= S[x]:
        return S[x]
    if S[x + LENGTH] == WORDS:
        return value
    return _least_from(S, x, value)


def previous_value(S, x, value):
    """The greatest open value that is at most ``value``, which must be at least the least."""
    if value >= S[x + UPPER]:
        return S[x + UPPER]
    if S[x + LENGTH] == WORDS:
        return value
    return _greatest_to(S, x, value)


def remove(S, T, M, x, value):
    """Remove one value; an interval keeps it unless it is a bound."""
    lower, upper = S[x], S[x + UPPER]
    if value < lower or value > upper:
        return True
    if lower == upper:
        return False
    if S[x + LENGTH] == WORDS:
        if value == lower:
            return set_lower(S, T, M, x, value + 1)
        if value == upper:
            return set_upper(S, T, M, x, value - 1)
        return True
    bit = value - S[x + BASE]
    w = x + WORDS + (bit >> WORD_SHIFT)
    mask = 1 << (bit & WORD_MASK)
    if S[w] & mask == 0:
        return True
    if S[x + STAMP] != M[M_STAMP]:
        save(S, M, x)
    S[w] ^= mask
    size = S[x + SIZE] - 1
    S[x + SIZE] = size
    events = DOMAIN
    if value == lower:
        S[x] = _least_from(S, x, value + 1)
        events |= LOWER_BOUND
    elif value == upper:
        S[x + UPPER] = _greatest_to(S, x, value - 1)
        events |= UPPER_BOUND
    if size == 1:
        events |= FIXED
    if size == 1 or T[S[x + WATCHERS]] != 0:
        notify(S, T, M, x, events)
    return True


def set_lower(S, T, M, x, value):
    """Remove all values below ``value``."""
    lower, upper = S[x], S[x + UPPER]
    if value <= lower:
        return True
    if value > upper:
        return False
    if S[x + STAMP] != M[M_STAMP]:
        save(S, M, x)
    if S[x + LENGTH] == WORDS:
        S[x + SIZE] -= value - lower
        S[x] = value
    else:
        base = S[x + BASE]
        bit = value - base
        last = bit >> WORD_SHIFT
        gone = 0
        for w in range((lower - base) >> WORD_SHIFT, last):
            gone += count_bits(S[x + WORDS + w])
            S[x + WORDS + w] = 0
        word = S[x + WORDS + last]
        kept = word & bits_from(bit & WORD_MASK)
        if kept != word:
            gone += count_bits(word ^ kept)
            S[x + WORDS + last] = kept
        S[x + SIZE] -= gone
        S[x] = _least_from(S, x, value)
    events = DOMAIN | LOWER_BOUND
    if S[x + SIZE] == 1:
        events |= FIXED
    notify(S, T, M, x, events)
    return True


def set_upper(S, T, M, x, value):
    """Remove all values above ``value``."""
    lower, upper = S[x], S[x + UPPER]
    if value >= upper:
        return True
    if value < lower:
        return False
    if S[x + STAMP] != M[M_STAMP]:
        save(S, M, x)
    if S[x + LENGTH] == WORDS:
        S[x + SIZE] -= upper - value
        S[x + UPPER] = value
    else:
        base = S[x + BASE]
        bit = value - base
        first = bit >> WORD_SHIFT
        gone = 0
        for w in range(first + 1, ((upper - base) >> WORD_SHIFT) + 1):
            gone += count_bits(S[x + WORDS + w])
            S[x + WORDS + w] = 0
        word = S[x + WORDS + first]
        kept = word & bits_up_to(bit & WORD_MASK)
        if kept != word:
            gone += count_bits(word ^ kept)
            S[x + WORDS + first] = kept
        S[x + SIZE] -= gone
        S[x + UPPER] = _greatest_to(S, x, value)
    events = DOMAIN | UPPER_BOUND
    if S[x + SIZE] == 1:
        events |= FIXED
    notify(S, T, M, x, events)
    return True


def assign(S, T, M, x, value):
    """Remove all values but ``value``."""
    lower, upper = S[x], S[x + UPPER]
    if lower == upper:
        return value == lower
    if not contains(S, x, value):
        return False
    if S[x + STAMP] != M[M_STAMP]:
        save(S, M, x)
    if S[x + LENGTH] != WORDS:
        base = S[x + BASE]
        for w in range((lower - base) >> WORD_SHIFT, ((upper - base) >> WORD_SHIFT) + 1):
            S[x + WORDS + w] = 0
        bit = value - base
        S[x + WORDS + (bit >> WORD_SHIFT)] = 1 << (bit & WORD_MASK)
    S[x + SIZE] = 1
    events = DOMAIN | FIXED
    if value != lower:
        S[x] = value
        events |= LOWER_BOUND
    if value != upper:
        S[x + UPPER] = value
        events |= UPPER_BOUND
    notify(S, T, M, x, events)
    return True


def keep_words(S, T, M, x, place):
    """Narrow ``x`` to its words at M[place], which may have further bits; in one step, so that
    forms with longer and shorter words wake propagators in one order."""
    lower, upper, base = S[x], S[x + UPPER], S[x + BASE]
    first, last = (lower - base) >> WORD_SHIFT, (upper - base) >> WORD_SHIFT
    gone = 0
    for w in range(first, last + 1):
        gone += count_bits(S[x + WORDS + w] & ~M[place + w])
    if gone == 0:
        return True
    size = S[x + SIZE] - gone
    if size == 0:
        return False
    if S[x + STAMP] != M[M_STAMP]:
        save(S, M, x)
    for w in range(first, last + 1):
        S[x + WORDS + w] &= M[place + w]
    S[x + SIZE] = size
    events = DOMAIN
    S[x] = _least_from(S, x, lower)
    if S[x] != lower:
        events |= LOWER_BOUND
    S[x + UPPER] = _greatest_to(S, x, upper)
    if S[x + UPPER] != upper:
        events |= UPPER_BOUND
    if size == 1:
        events |= FIXED
    notify(S, T, M, x, events)
    return True


def _least_from(S, x, value):
    bit = value - S[x + BASE]
    w = bit >> WORD_SHIFT
    word = S[x + WORDS + w] & bits_from(bit & WORD_MASK)
    while word == 0:
        w += 1
        word = S[x + WORDS + w]
    return S[x + BASE] + (w << WORD_SHIFT) + lowest_bit(word)


def _greatest_to(S, x, value):
    bit = value - S[x + BASE]
    w = bit >> WORD_SHIFT
    word = S[x + WORDS + w] & bits_up_to(bit & WORD_MASK)
    while word == 0:
        w -= 1
        word = S[x + WORDS + w]
    return S[x + BASE] + (w << WORD_SHIFT) + highest_bit(word)
