"""A table of allowed rows: domain consistency by Compact-Table; short rows as they are.

A value is kept if one of the possible rows has it, or has *every value* there. Each slot remembers
a word in which it had a row, which is looked at first (Demeulenaere et al., CP 2016). A run takes
O(values * words of the rows). ``rows`` describes the arguments.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import next_value, previous_value, set_lower, set_upper
from backends.propagation.kernel.domains import remove as remove_value
from backends.propagation.kernel.facts import MOST, WITHOUT, is_out_at, write
from backends.propagation.kernel.layout import COUNT, LENGTH, SCOPE, SIZE, UPPER, WORDS, arguments
from backends.propagation.propagators.extension.rows import (
    NONE,
    WORD,
    narrow_rows,
    remember,
    scratch_place,
)


def allowed(S, T, M, a):
    """The values are a row of the table."""
    changed = narrow_rows(S, T, M, a)
    c = arguments(T, a)
    if S[T[c]] == 0:
        return False
    if changed == NONE:
        return True
    place = scratch_place(S, T, a)
    for i in range(T[a + COUNT]):
        x = T[a + SCOPE + i]
        if i == changed or S[x] == S[x + UPPER]:
            continue
        star = T[place + 5 + 4 * i]
        if star >= 0 and has_row(S, T, M, a, star):
            continue
        size = S[x + SIZE]
        if S[x + LENGTH] == WORDS:
            if not narrow_interval(S, T, M, a, i):
                return False
        elif not narrow_values(S, T, M, a, i):
            return False
        if S[x + SIZE] != size:
            remember(S, M, x, T[c + 1 + i])
    return True


def has_row(S, T, M, a, slot):
    """Whether one of the possible rows has a slot."""
    c = arguments(T, a)
    rows = T[c + 1 + T[a + COUNT]]
    state = T[c]
    words = S[state + 1]
    place = c + 1 + T[a + COUNT] + words
    order = T[place]
    bits = place + 1 + T[place + 1] + slot * words
    residue = order + 2 * words + slot
    w = M[residue]
    if S[rows + WORD * w] & T[bits + w] != 0:
        return True
    for j in range(S[state]):
        w = M[order + j]
        if S[rows + WORD * w] & T[bits + w] != 0:
            M[residue] = w
            return True
    return False


def has_value(S, T, M, a, slots, value):
    """Whether one of the possible rows has a value; ``slots`` is where that of 0 would be."""
    slot = T[slots + value]
    return slot >= 0 and has_row(S, T, M, a, slot)


def narrow_values(S, T, M, a, i):
    """Keep the values of the i-th variable that a row has; one at least has a row."""
    x = T[a + SCOPE + i]
    place = scratch_place(S, T, a)
    slots = place + 1 + T[place + 4 + 4 * i]
    value = S[x]
    while not has_value(S, T, M, a, slots, value):
        value = next_value(S, x, value + 1)
    set_lower(S, T, M, x, value)
    value = S[x + UPPER]
    while not has_value(S, T, M, a, slots, value):
        value = previous_value(S, x, value - 1)
    set_upper(S, T, M, x, value)
    upper = value
    value = S[x]
    while value < upper:
        value = next_value(S, x, value + 1)
        if value < upper and not has_value(S, T, M, a, slots, value):
            remove_value(S, T, M, x, value)
    return True


def narrow_interval(S, T, M, a, i):
    """Keep the interval between the least and the greatest value that a row has."""
    x = T[a + SCOPE + i]
    place = scratch_place(S, T, a)
    values = place + 2 + 4 * T[a + COUNT]
    slot = T[place + 2 + 4 * i]
    while T[values + slot] < S[x] or not has_row(S, T, M, a, slot):
        slot += 1
    set_lower(S, T, M, x, T[values + slot])
    slot = T[place + 3 + 4 * i] - 1
    while T[values + slot] > S[x + UPPER] or not has_row(S, T, M, a, slot):
        slot -= 1
    return set_upper(S, T, M, x, T[values + slot])


# --- explanation ---


def explain_allowed(S, T, M, a, slot, value, place, out):
    """For each row that would make the literal false, a value that a variable has lost.

    Values are taken in turn if they exclude a row that none before did. What the variable of the
    literal had lost before comes last: a bound moves past such values, which rows may still have.
    """
    n = T[a + COUNT]
    c = arguments(T, a)
    words = S[T[c] + 1]
    start = scratch_place(S, T, a)
    left = T[start] + words  # the rows that are still to be excluded
    values = start + 2 + 4 * n
    bits = start + 1 + T[start + 1]
    column = mark_against(S, T, M, a, slot, value, left)
    written = 0
    for step in range(1, n + 1):
        i = (column + step) % n
        x = T[a + SCOPE + i]
        for k in range(T[start + 2 + 4 * i], T[start + 3 + 4 * i]):
            row_bits = bits + k * words
            if has_common(T, M, left, row_bits, words) and is_out_at(S, M, x, T[values + k], place):
                for w in range(words):
                    M[left + w] &= ~T[row_bits + w]
                written += write(M, out + 2 * written, 4 * x + WITHOUT, T[values + k])
    return written


def has_common(T, M, left, bits, words):
    """Whether one of the rows that are left has these bits."""
    for w in range(words):
        if M[left + w] & T[bits + w] != 0:
            return True
    return False


def mark_against(S, T, M, a, slot, value, left):
    """Mark the rows that make a literal false, all for slot 0; the literal's column or -1."""
    n = T[a + COUNT]
    words = S[T[arguments(T, a)] + 1]
    start = scratch_place(S, T, a)
    values = start + 2 + 4 * n
    bits = start + 1 + T[start + 1]
    column = -1
    for i in range(n):
        if slot != 0 and T[a + SCOPE + i] == slot >> 2:
            column = i
    for w in range(words):
        M[left + w] = 0
    i = column if column >= 0 else 0
    for k in range(T[start + 2 + 4 * i], T[start + 3 + 4 * i]):
        v = T[values + k]
        is_against = column < 0 or v < value
        if column >= 0 and slot & 3 == MOST:
            is_against = -v < value
        elif column >= 0 and slot & 3 == WITHOUT:
            is_against = v == value
        if is_against:
            mark_rows(T, M, left, bits + k * words, words)
    star = T[start + 5 + 4 * i]
    if star >= 0:
        mark_rows(T, M, left, bits + star * words, words)
    return column


def mark_rows(T, M, left, bits, words):
    """Mark the rows with these bits."""
    for w in range(words):
        M[left + w] |= T[bits + w]
