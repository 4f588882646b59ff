"""A table of forbidden rows: domain consistency by counting, O(values * words of the rows) a pass.

A value is removed when as many of the possible rows have it as the other variables have
combinations. Rows are distinct and have no *every value* (Verhaeghe, Lecoutre and Schaus,
*Extending Compact-Table to negative and short tables*, AAAI 2017). ``rows`` describes the
arguments.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains, remove
from backends.propagation.kernel.facts import write_domain
from backends.propagation.kernel.layout import COUNT, SCOPE, SIZE, arguments
from backends.propagation.kernel.words import count_bits
from backends.propagation.propagators.extension.rows import (
    NONE,
    WORD,
    narrow_rows,
    scratch_place,
)


def forbidden(S, T, M, a):
    """The values are not a row of the table."""
    while narrow_rows(S, T, M, a) != NONE:
        rows = count_rows(S, T, M, a)
        if rows == 0:
            return True
        for i in range(T[a + COUNT]):
            others = count_others(S, T, a, i, rows)
            if others <= rows:
                x = T[a + SCOPE + i]
                size = S[x + SIZE]
                if not narrow_column(S, T, M, a, i, others):
                    return False
                if S[x + SIZE] != size:
                    break  # the rows must be narrowed before they are counted again
    return True


def count_rows(S, T, M, a):
    """How many rows are possible."""
    c = arguments(T, a)
    rows = T[c + 1 + T[a + COUNT]]
    order = T[scratch_place(S, T, a)]
    count = 0
    for j in range(S[T[c]]):
        count += count_bits(S[rows + WORD * M[order + j]])
    return count


def count_others(S, T, a, i, most):
    """How many combinations the variables but the i-th have; if over ``most``, any such number."""
    count = 1
    for j in range(T[a + COUNT]):
        if j != i:
            count *= S[T[a + SCOPE + j] + SIZE]
            if count > most:
                return count
    return count


def narrow_column(S, T, M, a, i, others):
    """Remove the values of the i-th variable that ``others`` rows have."""
    x = T[a + SCOPE + i]
    place = scratch_place(S, T, a)
    values = place + 2 + 4 * T[a + COUNT]
    for slot in range(T[place + 2 + 4 * i], T[place + 3 + 4 * i]):
        value = T[values + slot]
        excluded = contains(S, x, value) and count_slot(S, T, M, a, slot) == others
        if excluded and not remove(S, T, M, x, value):
            return False
    return True


def count_slot(S, T, M, a, slot):
    """How many of the possible rows have a slot."""
    c = arguments(T, a)
    rows = T[c + 1 + T[a + COUNT]]
    place = scratch_place(S, T, a)
    order = T[place]
    bits = place + 1 + T[place + 1] + slot * S[T[c] + 1]
    count = 0
    for j in range(S[T[c]]):
        w = M[order + j]
        count += count_bits(S[rows + WORD * w] & T[bits + w])
    return count


def explain_forbidden(S, T, M, a, slot, value, place, out):
    """All that was known of the other variables: their combinations are all rows."""
    written = 0
    for i in range(T[a + COUNT]):
        x = T[a + SCOPE + i]
        if x != slot >> 2:
            written += write_domain(S, M, out + 2 * written, x, place)
    return written
