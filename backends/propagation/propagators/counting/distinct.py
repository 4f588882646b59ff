"""How many distinct values some variables have: O(variables * words).

The values of the fixed variables are counted. An open variable without any of these adds one more,
and so does each further one that has none in common with those before it. These are the
*witnesses*. If the result cannot be more, all values are among theirs, and other values are
removed. At most the result is the number of open values, or that of the fixed ones and one for
each open variable; where it cannot be less than the latter, open variables take new values.
Consistency: *fixed*. (Beldiceanu, *Pruning for the minimum constraint family and for the number of
distinct values constraint family*, CP 2001, sorts the variables to find more witnesses.)

No variable is an interval. The scope is the variables, then the result. Arguments: the place of the
scratch, for three sets of all values; the least and the greatest value.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import keep_words, remove, set_lower, set_upper
from backends.propagation.kernel.layout import BASE, COUNT, SCOPE, UPPER, arguments
from backends.propagation.kernel.words import WORD_BITS, WORD_SHIFT, count_bits, lowest_bit
from backends.propagation.propagators.counting.aligned import own_words, word_at


def count_distinct(S, T, M, a):
    """``result == number of distinct values``."""
    n = T[a + COUNT] - 1
    c = arguments(T, a)
    result = T[a + SCOPE + n]
    base = S[T[a + SCOPE] + BASE]
    first, last = (T[c + 1] - base) >> WORD_SHIFT, (T[c + 2] - base) >> WORD_SHIFT
    words = last - first + 1
    fixed, witnessed = T[c], T[c] + words
    opened = collect(S, T, M, a, n, base, first, words)
    number, every = 0, 0
    for w in range(words):
        number += count_bits(M[fixed + w])
        every += count_bits(M[witnessed + words + w])
        M[witnessed + w] = M[fixed + w]
    least = number + find_witnesses(S, T, M, a, n, base, first, words)
    most = number + opened
    if not set_lower(S, T, M, result, least):
        return False
    if not set_upper(S, T, M, result, every if every < most else most):
        return False
    if S[result + UPPER] == least and not keep_all(S, T, M, a, n, base, witnessed - first):
        return False
    return S[result] < most or remove_all(S, T, M, a, n, base + first * WORD_BITS, words)


def collect(S, T, M, a, n, base, first, words):
    """Note which values fixed variables have, and which any have; the number of open variables."""
    fixed = T[arguments(T, a)]
    every = fixed + 2 * words
    opened = 0
    for w in range(words):
        M[fixed + w] = M[every + w] = 0
    for k in range(a + SCOPE, a + SCOPE + n):
        x = T[k]
        if S[x] != S[x + UPPER]:
            opened += 1
        for w in range(words):
            word = word_at(S, x, base, first + w)
            M[every + w] |= word
            if S[x] == S[x + UPPER]:
                M[fixed + w] |= word
    return opened


def find_witnesses(S, T, M, a, n, base, first, words):
    """Add the values of each variable that has none of those so far; how many have none."""
    witnessed = T[arguments(T, a)] + words
    found = 0
    for k in range(a + SCOPE, a + SCOPE + n):
        x = T[k]
        common = 0
        for w in range(words):
            common |= M[witnessed + w] & word_at(S, x, base, first + w)
        if common == 0:
            found += 1
            for w in range(words):
                M[witnessed + w] |= word_at(S, x, base, first + w)
    return found


def keep_all(S, T, M, a, n, base, kept):
    """Keep the values of a set; its words begin at ``kept`` with that of ``base``."""
    for k in range(a + SCOPE, a + SCOPE + n):
        x = T[k]
        if not keep_words(S, T, M, x, own_words(S, x, base, kept)):
            return False
    return True


def remove_all(S, T, M, a, n, begin, words):
    """Remove what fixed variables had from the others; their values count from ``begin``."""
    fixed = T[arguments(T, a)]
    for w in range(words):
        left = M[fixed + w]
        while left != 0:
            value = begin + w * WORD_BITS + lowest_bit(left)
            left &= left - 1
            for k in range(a + SCOPE, a + SCOPE + n):
                x = T[k]
                if S[x] != S[x + UPPER] and not remove(S, T, M, x, value):
                    return False
    return True
