"""Narrowing domains where the solver learns: as in ``kernel.domains``, and each change is a fact.

These functions take the place of those of ``kernel.domains`` wherever a propagator calls them; so
propagators are written once. The reason of a change is M[M_REASON], what runs at the moment. A
change that is impossible is noted as the literal that cannot become true.
"""

from __future__ import annotations

from backends.propagation.kernel import domains
from backends.propagation.kernel.domains import (
    assign as assign_silently,
)
from backends.propagation.kernel.domains import (
    contains,
)
from backends.propagation.kernel.domains import (
    remove as remove_silently,
)
from backends.propagation.kernel.domains import (
    set_lower as set_lower_silently,
)
from backends.propagation.kernel.domains import (
    set_upper as set_upper_silently,
)
from backends.propagation.kernel.facts import (
    BEFORE,
    EXACTLY,
    FACT,
    FOR_GOOD,
    FORMER,
    LAST,
    LEAST,
    LEVEL,
    M_FACT_ROOM,
    M_FACT_TOP,
    M_FACTS,
    M_FAILED_SLOT,
    M_FAILED_VALUE,
    M_FULL,
    M_REASON,
    M_ROOT_CHANGED,
    MOST,
    NO_ROOM_FOR_FACTS,
    REASON,
    REMOVALS,
    REMOVED,
    ROOT,
    SKIPPED,
    SLOT,
    VALUE,
    WITHOUT,
)
from backends.propagation.kernel.layout import BASE, LENGTH, M_DEPTH, UPPER, WORDS
from backends.propagation.kernel.words import WORD_SHIFT, lowest_bit


def fail(M, slot, value):
    """Note the literal that cannot become true; False."""
    M[M_FAILED_SLOT] = slot
    M[M_FAILED_VALUE] = value
    return False


def log_bound(S, M, slot, value, former, reason):
    """Note that a bound has changed; False if it does not fit."""
    x = slot >> 2
    side = slot & 1
    if M[M_DEPTH] == 0:
        M[M_ROOT_CHANGED] = 1
        S[x + ROOT + side] = value
        return True
    i = M[M_FACT_TOP]
    if i >= M[M_FACT_ROOM]:
        M[M_FULL] = NO_ROOM_FOR_FACTS
        return False
    f = M[M_FACTS] + FACT * i
    M[f + SLOT] = slot
    M[f + VALUE] = value
    M[f + FORMER] = former
    M[f + BEFORE] = S[x + LAST + side]
    M[f + REASON] = reason
    M[f + LEVEL] = M[M_DEPTH]
    S[x + LAST + side] = i
    M[M_FACT_TOP] = i + 1
    return True


def log_removal(S, M, x, value, reason):
    """Note that a value within the bounds has been removed; False if it does not fit."""
    if M[M_DEPTH] == 0:
        M[M_ROOT_CHANGED] = 1
        M[S[x + REMOVALS] + value] = FOR_GOOD
        return True
    i = M[M_FACT_TOP]
    if i >= M[M_FACT_ROOM]:
        M[M_FULL] = NO_ROOM_FOR_FACTS
        return False
    f = M[M_FACTS] + FACT * i
    M[f + SLOT] = 4 * x + WITHOUT
    M[f + VALUE] = value
    M[f + REASON] = reason
    M[f + LEVEL] = M[M_DEPTH]
    M[S[x + REMOVALS] + value] = i
    M[M_FACT_TOP] = i + 1
    return True


def log_lower(S, M, x, value, former, reason):
    """Note that ``x >= value``, and that further values above were removed before."""
    found = log_bound(S, M, 4 * x + LEAST, value, former, reason)
    if S[x] != value and found:
        return log_bound(S, M, 4 * x + LEAST, S[x], value, SKIPPED)
    return found


def log_upper(S, M, x, value, former, reason):
    """Note that ``x <= value``, and that further values below were removed before."""
    found = log_bound(S, M, 4 * x + MOST, -value, -former, reason)
    if S[x + UPPER] != value and found:
        return log_bound(S, M, 4 * x + MOST, -S[x + UPPER], -value, SKIPPED)
    return found


def set_lower(S, T, M, x, value):
    """Remove all values below ``value``."""
    lower = S[x]
    if value <= lower:
        return True
    if value > S[x + UPPER]:
        return fail(M, 4 * x + LEAST, value)
    set_lower_silently(S, T, M, x, value)
    return log_lower(S, M, x, value, lower, M[M_REASON])


def set_upper(S, T, M, x, value):
    """Remove all values above ``value``."""
    upper = S[x + UPPER]
    if value >= upper:
        return True
    if value < S[x]:
        return fail(M, 4 * x + MOST, -value)
    set_upper_silently(S, T, M, x, value)
    return log_upper(S, M, x, value, upper, M[M_REASON])


def remove(S, T, M, x, value):
    """Remove one value; an interval keeps it unless it is a bound."""
    lower, upper = S[x], S[x + UPPER]
    if value < lower or value > upper:
        return True
    if lower == upper:
        return fail(M, 4 * x + WITHOUT, value)
    if value == lower:
        remove_silently(S, T, M, x, value)
        return log_lower(S, M, x, value + 1, lower, M[M_REASON] | REMOVED)
    if value == upper:
        remove_silently(S, T, M, x, value)
        return log_upper(S, M, x, value - 1, upper, M[M_REASON] | REMOVED)
    if S[x + LENGTH] == WORDS or not contains(S, x, value):
        return True
    remove_silently(S, T, M, x, value)
    return log_removal(S, M, x, value, M[M_REASON])


def assign(S, T, M, x, value):
    """Remove all values but ``value``."""
    lower, upper = S[x], S[x + UPPER]
    if lower == upper and value == lower:
        return True
    if not contains(S, x, value):
        return fail(M, 4 * x + EXACTLY, value)
    assign_silently(S, T, M, x, value)
    if value != lower and not log_bound(S, M, 4 * x + LEAST, value, lower, M[M_REASON]):
        return False
    return value == upper or log_bound(S, M, 4 * x + MOST, -value, -upper, M[M_REASON])


def keep_words(S, T, M, x, place):
    """Narrow ``x`` to its words at M[place], which may have further bits; value by value."""
    lower, upper, base = S[x], S[x + UPPER], S[x + BASE]
    for w in range((lower - base) >> WORD_SHIFT, ((upper - base) >> WORD_SHIFT) + 1):
        gone = S[x + WORDS + w] & ~M[place + w]
        while gone != 0:
            bit = lowest_bit(gone)
            gone ^= 1 << bit
            if not remove(S, T, M, x, base + (w << WORD_SHIFT) + bit):
                return False
    return True


SUBSTITUTES = {
    domains.set_lower: set_lower,
    domains.set_upper: set_upper,
    domains.remove: remove,
    domains.assign: assign,
    domains.keep_words: keep_words,
}
