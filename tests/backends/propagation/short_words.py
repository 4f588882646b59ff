"""The interpreted kernel with words of 32 bits; nothing is compiled.

Words of the pure form are so long that nearly every domain has one. This form takes the steps
between words that the compiled one takes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from backends.propagation.encode.arena import Form
from backends.propagation.encode.draft import Propagate
from backends.propagation.forms import pure_form, pure_learning_form
from backends.propagation.kernel.domains import keep_words
from backends.propagation.kernel.layout import BASE, LENGTH, WORDS
from backends.propagation.kernel.search import search
from backends.propagation.learning.domains import SUBSTITUTES
from backends.propagation.learning.explanations import explanation_of
from backends.propagation.learning.search import search as learning_search
from backends.propagation.propagators.counting import aligned
from backends.propagation.rebinding import Binding

WORD = 32
"""Bits of a word."""


def values_from(S, x, least):
    """``aligned.values_from`` of words that are shorter than what it returns."""
    bits = 0
    for w in range(S[x + LENGTH] - WORDS):
        bits |= S[x + WORDS + w] << w * WORD
    shift = least - S[x + BASE]
    return bits >> shift if shift > 0 else bits << -shift


def keep_from(S, T, M, x, least, word, place):
    """``aligned.keep_from`` likewise."""
    shift = least - S[x + BASE]
    bits = word << shift if shift > 0 else word >> -shift
    for w in range(S[x + LENGTH] - WORDS):
        M[place + w] = bits >> w * WORD & (1 << WORD) - 1
    return keep_words(S, T, M, x, place)


ALIGNED = {aligned.values_from: values_from, aligned.keep_from: keep_from}
CONSTANTS = {"WORD_BITS": WORD, "WORD_SHIFT": 5, "WORD_MASK": 31}
WORDWISE = Binding({}, {}, CONSTANTS, lambda function, made: made)
SHORT = Binding({}, ALIGNED, CONSTANTS, lambda function, made: made, WORDWISE)
LEARNING = Binding({}, SUBSTITUTES, CONSTANTS, lambda function, made: made, SHORT)


@cache
def short_form() -> Form:
    """The kernel over lists, with short words."""
    return pure_form()._replace(
        name="short",
        word_bits=WORD,
        call=SHORT.bound,
        search=SHORT.bound(search),
        neighbours=None,
    )


@cache
def short_learning_form() -> Form:
    """The search that learns over lists, with short words."""
    return pure_learning_form()._replace(
        name="short",
        word_bits=WORD,
        call=LEARNING.bound,
        search=LEARNING.bound(learning_search),
        explain=explain,
    )


def explain(propagate: Propagate) -> Any:
    """What is called to explain a propagator; 0 if nothing is."""
    found = explanation_of(propagate)
    return 0 if found is None else LEARNING.bound(found)
