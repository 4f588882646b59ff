"""``result == terms[index]``: domain consistency; of intervals the bounds.

An index is kept while its term and the result have a common value, a value of the result while an
open index has a term with it; where the index is fixed, its term equals the result. What showed
that is remembered and looked at first, so that a run mostly takes O(indices + values) (residues:
Likitvivatanavong et al., *Arc consistency in MAC: a new perspective*, CPAI 2004).

The scope is index, result, and the terms from the least index on. Scratch: for each term a value in
common with the result; for each value of the result, from its least on, an index. Arguments: the
least index, the least value of the result to begin with.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import (
    contains,
    next_value,
    remove,
    set_lower,
    set_upper,
)
from backends.propagation.kernel.facts import (
    LEAST,
    MOST,
    WITHOUT,
    is_fixed_at,
    is_out_at,
    is_true_at,
    lower_at,
    upper_at,
    write,
    write_exactly,
)
from backends.propagation.kernel.layout import COUNT, LENGTH, SCOPE, SIZE, UPPER, WORDS, arguments
from backends.propagation.propagators.arithmetic.affine import narrow_affine


def element(S, T, M, a):
    """``result == terms[index]``."""
    index, result = T[a + SCOPE], T[a + SCOPE + 1]
    first = T[arguments(T, a) + 1]
    last = first + T[a + COUNT] - 3
    if not set_lower(S, T, M, index, first) or not set_upper(S, T, M, index, last):
        return False
    size = 0
    while size != S[result + SIZE]:
        size = S[result + SIZE]
        if not narrow_index(S, T, M, a) or not narrow_result(S, T, M, a):
            return False
    if S[index] == S[index + UPPER]:
        x = T[a + SCOPE + 2 + S[index] - first]
        return narrow_affine(S, T, M, result, x, 1, 0)
    return True


def narrow_index(S, T, M, a):
    """Keep the indices whose term has a value in common with the result, and bound that."""
    index, result = T[a + SCOPE], T[a + SCOPE + 1]
    place = arguments(T, a)
    first, common = T[place + 1], T[place]
    least, greatest = S[result + UPPER], S[result]
    last = S[index + UPPER]
    i = S[index]
    while True:
        x = T[a + SCOPE + 2 + i - first]
        if has_common(S, M, x, result, common + i - first):
            least = S[x] if S[x] < least else least
            greatest = S[x + UPPER] if S[x + UPPER] > greatest else greatest
        elif not remove(S, T, M, index, i):
            return False
        if i == last:
            break
        i = next_value(S, index, i + 1)
    return set_lower(S, T, M, result, least) and set_upper(S, T, M, result, greatest)


def has_common(S, M, x, y, residue):
    """Whether two variables have a value in common; the cell ``residue`` has the last one."""
    value = M[residue]
    if contains(S, x, value) and contains(S, y, value):
        return True
    value = S[x] if S[x] > S[y] else S[y]
    last = S[x + UPPER] if S[x + UPPER] < S[y + UPPER] else S[y + UPPER]
    while value <= last:
        value = next_value(S, x, value)
        if value > last:
            return False
        if contains(S, y, value):
            M[residue] = value
            return True
        value = next_value(S, y, value)
    return False


def narrow_result(S, T, M, a):
    """Keep the values of the result that a term has whose index is open."""
    result = T[a + SCOPE + 1]
    if S[result + LENGTH] == WORDS:
        return True
    last = S[result + UPPER]
    value = S[result]
    while True:
        if not has_index(S, T, M, a, value) and not remove(S, T, M, result, value):
            return False
        if value == last:
            return True
        value = next_value(S, result, value + 1)


def has_index(S, T, M, a, value):
    """Whether an open index has a term with ``value``."""
    index = T[a + SCOPE]
    place = arguments(T, a)
    first = T[place + 1]
    terms = a + SCOPE + 2 - first
    residue = T[place] + T[a + COUNT] - 2 + value - T[place + 2]
    i = M[residue]
    if contains(S, index, i) and contains(S, T[terms + i], value):
        return True
    i, last = S[index], S[index + UPPER]
    while not contains(S, T[terms + i], value):
        if i == last:
            return False
        i = next_value(S, index, i + 1)
    M[residue] = i
    return True


# --- explanation ---


def explain_element(S, T, M, a, slot, value, place, out):
    """That an index has nothing in common with the result, or that of each open index."""
    index, result = T[a + SCOPE], T[a + SCOPE + 1]
    first = T[arguments(T, a) + 1]
    last = first + T[a + COUNT] - 3
    x, kind = slot >> 2, slot & 3
    if x == index and ((kind == LEAST and value <= first) or (kind == MOST and -value >= last)):
        return 0
    if x == index and kind == WITHOUT and first <= value <= last:
        term = T[a + SCOPE + 2 + value - first]
        written = write_apart(S, M, term, result, place, out)
        if written >= 0:
            return written
    if is_fixed_at(S, M, index, place):
        i = lower_at(S, M, index, place)
        term = T[a + SCOPE + 2 + i - first]
        other = term if x == result else result
        if is_true_at(S, M, 4 * other + kind, value, place):
            written = write_exactly(M, out, index, i)
            return written + write(M, out + 2 * written, 4 * other + kind, value)
    written = 0
    for i in range(first, last + 1):
        term = T[a + SCOPE + 2 + i - first]
        if is_true_at(S, M, 4 * term + kind, value, place):
            written += write(M, out + 2 * written, 4 * term + kind, value)
        else:
            written += write(M, out + 2 * written, 4 * index + WITHOUT, i)
    return written


def write_apart(S, M, x, y, place, out):
    """Write that two variables have no value in common; how many literals, -1 if they have one."""
    low, high = lower_at(S, M, x, place), upper_at(S, M, x, place)
    least, greatest = lower_at(S, M, y, place), upper_at(S, M, y, place)
    if high < least:
        return write(M, out, 4 * x + MOST, -high) + write(M, out + 2, 4 * y, high + 1)
    if greatest < low:
        return write(M, out, 4 * y + MOST, -greatest) + write(M, out + 2, 4 * x, greatest + 1)
    if low < least:
        written = write(M, out, 4 * y, least)
        low = least
    else:
        written = write(M, out, 4 * x, low)
    if high > greatest:
        written += write(M, out + 2 * written, 4 * y + MOST, -greatest)
        high = greatest
    else:
        written += write(M, out + 2 * written, 4 * x + MOST, -high)
    for value in range(low, high + 1):
        if is_out_at(S, M, x, value, place):
            written += write(M, out + 2 * written, 4 * x + WITHOUT, value)
        elif is_out_at(S, M, y, value, place):
            written += write(M, out + 2 * written, 4 * y + WITHOUT, value)
        else:
            return -1
    return written
