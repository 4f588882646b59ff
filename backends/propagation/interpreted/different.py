"""AllDifferent by hidden values, interpreted: the steps of ``different_tight``, faster.

The scratch has what is known below the root: the variables that it leaves open, and the values of
the others.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from backends.propagation.interpreted.domains import assign
from backends.propagation.interpreted.neighbours import ROOT_STAMP
from backends.propagation.kernel.layout import BASE, COUNT, M_STAMP, SCOPE, SIZE, STAMP, WORDS
from backends.propagation.kernel.words import WORD_BITS
from backends.propagation.propagators.counting import different_tight


def take_every_value(S, T, M, a):
    """``different_tight.take_every_value``."""
    known = M[T[a + SCOPE + T[a + COUNT]]]
    if type(known) is not tuple:
        known = list_open(S, T, M, a)
        if known is None:
            return different_tight.take_every_value(S, T, M, a)
    n, base, variables, words_of, once, twice = known
    words = words_of(S)
    taken = 0
    for word in words:
        twice |= once & word
        once |= word
        if not word & (word - 1):
            taken |= word
    found = once.bit_count()
    hidden = once & ~(twice | taken)
    if found != n or not hidden:
        return found >= n
    for x, word in zip(variables, words, strict=True):
        single = word & hidden
        if single:
            if single & (single - 1):
                return False
            if single != word and not assign(S, T, M, x, base + single.bit_length() - 1):
                return False
    return True


def list_open(S, T, M, a) -> Any:
    """How many variables there are; their base; those that are open, and what gets their words;
    the values that one of the others has, and those that several have. None if one word is too
    short, or one variable is too few."""
    scope = a + SCOPE
    n = T[a + COUNT]
    variables = T[scope : scope + n]
    base = S[variables[0] + BASE]
    if n < 2 or not 0 <= T[scope + n + 1] - base <= T[scope + n + 2] - base < WORD_BITS:
        return None
    left = variables
    if M[M_STAMP] > ROOT_STAMP:
        left = [x for x in left if S[x + SIZE] > 1 or S[x + STAMP] > ROOT_STAMP]
    once = twice = 0
    if len(left) < 2:  # itemgetter of less than two gets no tuple
        left = variables
    for x in variables if len(left) < n else ():
        if x not in left:
            twice |= once & S[x + WORDS]
            once |= S[x + WORDS]
    known = n, base, left, itemgetter(*[x + WORDS for x in left]), once, twice
    if M[M_STAMP] > ROOT_STAMP:
        M[T[scope + n]] = known
    return known
