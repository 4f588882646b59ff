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
