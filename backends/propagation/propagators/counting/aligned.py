"""Words of several variables, so aligned that equal bits are equal values.

The w-th word of a set of variables begins WORD_BITS * w after the base of the first of them. Each
variable has words of its own for the part that its domain spans.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import BASE, LENGTH, WORDS
from backends.propagation.kernel.words import WORD_SHIFT


def word_at(S, x, base, w):
    """The w-th word from ``base`` of the domain of ``x``."""
    own = w - ((S[x + BASE] - base) >> WORD_SHIFT)
    if own < 0 or own >= S[x + LENGTH] - WORDS:
        return 0
    return S[x + WORDS + own]


def own_words(S, x, base, words):
    """Where the words of ``x`` begin among words that begin at ``words`` with that of ``base``."""
    return words + ((S[x + BASE] - base) >> WORD_SHIFT)
