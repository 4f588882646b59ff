"""The rows of a table that are possible, as a bitset: what ``allowed`` and ``forbidden`` share.

A row is a bit. Each value of each column has the bitset of the rows with that value; so has *every
value*, where the table has short rows. When a variable has lost values, the rows with them are
removed, or, where fewer are left than lost, those with none that is left. Words that are 0 are
skipped: their numbers come last in a list of which only the length is restored (Demeulenaere et
al., *Compact-Table: efficiently filtering table constraints with reversible sparse bit-sets*,
CP 2016; Verhaeghe, Lecoutre and Schaus, *Extending Compact-Table to negative and short tables*,
AAAI 2017).

Arguments
---------
States: ``[how many words are not 0, how many words there are, whether it has run]``; for each
variable what it was when the rows were narrowed by it last, its size and words (an interval: its
size and bounds); each word of the rows, one record after the other.

Scratch: the numbers of the words, those that are not 0 first; as many cells to compute in; for each
slot a word in which it had a row.

Constants, whose places count from the first: where the bitsets are; for each variable its first
slot, the end of its slots, where the slot of value 0 would be found, and the slot of *every value*
or -1; the value of each slot; for each variable the slot of each value that it may have, -1 for
one without rows; the words of each slot.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import (
    BASE,
    COUNT,
    LENGTH,
    M_STAMP,
    RECORD_HEADER,
    SCOPE,
    SIZE,
    STAMP,
    UPPER,
    WORDS,
    arguments,
)
from backends.propagation.kernel.trail import save
from backends.propagation.kernel.words import WORD_SHIFT, lowest_bit

WORD = RECORD_HEADER + 1
"""How far two words of the rows lie apart."""
HAS_RUN = 2
"""Place in the first state."""
ALL, NONE = -1, -2
"""Instead of the number of a variable."""


def scratch_place(S, T, a):
    """Where in T the place of the scratch is; the constants follow."""
    c = arguments(T, a)
    return c + 1 + T[a + COUNT] + S[T[c] + 1]


def narrow_rows(S, T, M, a):
    """Remove the rows that the domains exclude; the number of the variable that has changed.

    NONE if none has, ALL if several have or the propagator runs for the first time.
    """
    n = T[a + COUNT]
    c = arguments(T, a)
    state = T[c]
    changed = NONE
    for i in range(n):
        if S[T[a + SCOPE + i] + SIZE] != S[T[c + 1 + i]]:
            _narrow_by_column(S, T, M, a, i)
            if S[state] == 0:
                return ALL
            changed = i if changed == NONE else ALL
    if S[state + HAS_RUN] == 0:
        save(S, M, state)
        S[state + HAS_RUN] = 1
        changed = ALL
    return changed


def _narrow_by_column(S, T, M, a, i):
    c = arguments(T, a)
    x, last = T[a + SCOPE + i], T[c + 1 + i]
    state = T[c]
    place = scratch_place(S, T, a)
    order = T[place]
    before = S[last]
    keeps = before == 0 or before > 2 * S[x + SIZE]
    if S[state + 1] == 1 and S[x + LENGTH] != WORDS:
        _narrow_one_word(S, T, M, a, i, place, keeps)
        return
    mask = order + S[state + 1]
    for j in range(S[state]):
        M[mask + j] = 0
    if S[x + LENGTH] == WORDS:
        _mark_interval(S, T, M, a, i, keeps)
    else:
        _mark_values(S, T, M, a, i, keeps)
    star = T[place + 5 + 4 * i]
    if keeps and star >= 0:
        _mark_slot(S, T, M, a, star)
    remember(S, M, x, last)
    _apply_mask(S, T, M, a, keeps)


def _narrow_one_word(S, T, M, a, i, place, keeps):
    """What follows for a table whose rows are one word: the same without a list of words."""
    c = arguments(T, a)
    x, last = T[a + SCOPE + i], T[c + 1 + i]
    first = place + 1 + T[place + 4 + 4 * i] + S[x + BASE]
    bits = place + 1 + T[place + 1]
    star = T[place + 5 + 4 * i]
    mask = T[bits + star] if keeps and star >= 0 else 0
    for w in range(S[x + LENGTH] - WORDS):
        marked = S[x + WORDS + w]
        if not keeps:
            marked = S[last + 1 + w] & ~marked
        while marked != 0:
            slot = T[first + (w << WORD_SHIFT) + lowest_bit(marked)]
            marked &= marked - 1
            if slot >= 0:
                mask |= T[bits + slot]
    remember(S, M, x, last)
    if not keeps:
        mask = ~mask
    state, rows = T[c], T[c + 1 + T[a + COUNT]]
    kept = S[rows] & mask
    if kept == S[rows]:
        return
    if S[rows + STAMP] != M[M_STAMP]:
        save(S, M, rows)
    S[rows] = kept
    if kept == 0:
        if S[state + STAMP] != M[M_STAMP]:
            save(S, M, state)
        S[state] = 0


def _mark_values(S, T, M, a, i, keeps):
    """Mark the rows with a value that is left, or with one that is lost."""
    c = arguments(T, a)
    x, last = T[a + SCOPE + i], T[c + 1 + i]
    place = scratch_place(S, T, a)
    first = place + 1 + T[place + 4 + 4 * i] + S[x + BASE]
    for w in range(S[x + LENGTH] - WORDS):
        marked = S[x + WORDS + w]
        if not keeps:
            marked = S[last + 1 + w] & ~marked
        while marked != 0:
            slot = T[first + (w << WORD_SHIFT) + lowest_bit(marked)]
            marked &= marked - 1
            if slot >= 0:
                _mark_slot(S, T, M, a, slot)


def _mark_interval(S, T, M, a, i, keeps):
    """The same for a variable without words."""
    c = arguments(T, a)
    x, last = T[a + SCOPE + i], T[c + 1 + i]
    place = scratch_place(S, T, a)
    values = place + 2 + 4 * T[a + COUNT]
    lower, upper = S[x], S[x + UPPER]
    for slot in range(T[place + 2 + 4 * i], T[place + 3 + 4 * i]):
        value = T[values + slot]
        if keeps:
            if lower <= value <= upper:
                _mark_slot(S, T, M, a, slot)
        elif S[last + 1] <= value < lower or upper < value <= S[last + 2]:
            _mark_slot(S, T, M, a, slot)


def _mark_slot(S, T, M, a, slot):
    state = T[arguments(T, a)]
    place = scratch_place(S, T, a)
    order = T[place]
    words = S[state + 1]
    bits = place + 1 + T[place + 1] + slot * words
    mask = order + words
    for j in range(S[state]):
        M[mask + j] |= T[bits + M[order + j]]


def _apply_mask(S, T, M, a, keeps):
    """Keep the marked rows, or the others."""
    c = arguments(T, a)
    state = T[c]
    rows = T[c + 1 + T[a + COUNT]]
    order = T[scratch_place(S, T, a)]
    mask = order + S[state + 1]
    active = S[state]
    left = active
    for j in range(active - 1, -1, -1):
        w = M[order + j]
        word = S[rows + WORD * w]
        kept = word & M[mask + j] if keeps else word & ~M[mask + j]
        if kept == word:
            continue
        if S[rows + WORD * w + STAMP] != M[M_STAMP]:
            save(S, M, rows + WORD * w)
        S[rows + WORD * w] = kept
        if kept == 0:
            left -= 1
            M[order + j] = M[order + left]
            M[order + left] = w
    if left != active:
        if S[state + STAMP] != M[M_STAMP]:
            save(S, M, state)
        S[state] = left


def remember(S, M, x, last):
    """Note the domain of ``x``, by which the rows are narrowed."""
    if S[last + STAMP] != M[M_STAMP]:
        save(S, M, last)
    S[last] = S[x + SIZE]
    if S[x + LENGTH] == WORDS:
        S[last + 1] = S[x]
        S[last + 2] = S[x + UPPER]
    for w in range(S[x + LENGTH] - WORDS):
        S[last + 1 + w] = S[x + WORDS + w]
