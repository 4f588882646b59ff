"""AllDifferent, weaker than domain consistency: pigeonhole and hidden values; O(n) word operations.

Fewer open values than variables are a contradiction. Where there are just as many, each of them
must be taken, so that a value that is open for one variable only is the value of that variable
(the *hidden single* of Sudoku).

No variable is an interval. Arguments: the place of the scratch, a word for each that the values
span; the least and the greatest value. Pairs of rivals remove the values that are taken.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign
from backends.propagation.kernel.layout import BASE, COUNT, SCOPE, SIZE, WORDS, arguments
from backends.propagation.kernel.words import (
    SHORTEST_WORD,
    WORD_BITS,
    WORD_SHIFT,
    count_bits,
    lowest_bit,
)
from backends.propagation.propagators.counting.aligned import word_at


def scratch_of(least: int, greatest: int) -> list[int]:
    """The scratch for a range of values."""
    return [0] * ((greatest - least) // SHORTEST_WORD + 2)  # wherever words begin


def take_every_value(S, T, M, a):
    """The variables of ``a`` take different values; where there are just as many, each of them."""
    n = T[a + COUNT]
    c = arguments(T, a)
    base = S[T[a + SCOPE] + BASE]
    first, last = (T[c + 1] - base) >> WORD_SHIFT, (T[c + 2] - base) >> WORD_SHIFT
    found, hidden = 0, 0
    for w in range(first, last + 1):
        once, twice = 0, 0
        if first == last:
            for k in range(a + SCOPE, a + SCOPE + n):
                word = S[T[k] + WORDS]
                twice |= once & word
                once |= word
        else:
            for k in range(a + SCOPE, a + SCOPE + n):
                word = word_at(S, T[k], base, w)
                twice |= once & word
                once |= word
        found += count_bits(once)
        M[T[c] + w - first] = once & ~twice
        hidden |= once & ~twice
    if found != n or hidden == 0:
        return found >= n
    for k in range(a + SCOPE, a + SCOPE + n):
        x = T[k]
        if S[x + SIZE] == 1 or (first == last and S[x + WORDS] & hidden == 0):
            continue
        if not assign_hidden(S, T, M, x, base, first, last, T[c]):
            return False
    return True


def assign_hidden(S, T, M, x, base, first, last, hidden):
    """Assign the value of ``x`` that is hidden, if there is one; False if there are more."""
    value, found = 0, 0
    for w in range(first, last + 1):
        word = word_at(S, x, base, w) & M[hidden + w - first]
        if word != 0:
            found += count_bits(word)
            value = base + w * WORD_BITS + lowest_bit(word)
    return found == 0 or (found == 1 and assign(S, T, M, x, value))
