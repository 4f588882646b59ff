"""Words of several variables, so aligned that equal bits are equal values.

The w-th word of a set of variables begins WORD_BITS * w after the base of the first of them. Each
variable has words of its own for the part that its domain spans. Where few values are open, one
word has those of each, whatever the base.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import keep_words
from backends.propagation.kernel.layout import BASE, LENGTH, WORDS
from backends.propagation.kernel.words import (
    SHORTEST_WORD,
    WORD_BITS,
    WORD_MASK,
    WORD_SHIFT,
    bits_up_to,
)


def word_at(S, x, base, w):
    """The w-th word from ``base`` of the domain of ``x``."""
    own = w - ((S[x + BASE] - base) >> WORD_SHIFT)
    if own < 0 or own >= S[x + LENGTH] - WORDS:
        return 0
    return S[x + WORDS + own]


def own_words(S, x, base, words):
    """Where the words of ``x`` begin among words that begin at ``words`` with that of ``base``."""
    return words + ((S[x + BASE] - base) >> WORD_SHIFT)


MOST_BITS = 62
"""Values that a word has in either form, and that may be shifted by as many."""
KEPT_WORDS = MOST_BITS // SHORTEST_WORD + 2
"""Cells of M that ``keep_from`` writes at most, with the shortest words."""


def values_from(S, x, least):
    """The open values of ``x`` as bits from ``least`` on; none is less, or more by MOST_BITS."""
    shift = least - S[x + BASE]
    word = S[x + WORDS]
    if shift <= 0:
        return word << -shift
    word = (word >> shift) & bits_up_to(WORD_MASK - shift)
    if S[x + LENGTH] > WORDS + 1:
        word |= S[x + WORDS + 1] << (WORD_BITS - shift)
    return word


def keep_from(S, T, M, x, least, word, place):
    """Keep the values of ``x`` that are bits of ``word``, from ``least`` on; M has KEPT_WORDS."""
    shift = least - S[x + BASE]
    if shift <= 0:
        M[place] = word >> -shift
    else:
        M[place] = word << shift
        M[place + 1] = word >> (WORD_BITS - shift)
    return keep_words(S, T, M, x, place)
