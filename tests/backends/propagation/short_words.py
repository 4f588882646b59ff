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
from backends.propagation.kernel.search import search
from backends.propagation.learning.domains import SUBSTITUTES
from backends.propagation.learning.explanations import explanation_of
from backends.propagation.learning.search import search as learning_search
from backends.propagation.rebinding import Binding

CONSTANTS = {"WORD_BITS": 32, "WORD_SHIFT": 5, "WORD_MASK": 31}
SHORT = Binding({}, {}, CONSTANTS, lambda function, made: made)
LEARNING = Binding({}, SUBSTITUTES, CONSTANTS, lambda function, made: made, SHORT)


@cache
def short_form() -> Form:
    """The kernel over lists, with short words."""
    return pure_form()._replace(
        name="short", word_bits=32, call=SHORT.bound, search=SHORT.bound(search)
    )


@cache
def short_learning_form() -> Form:
    """The search that learns over lists, with short words."""
    return pure_learning_form()._replace(
        name="short",
        word_bits=32,
        call=LEARNING.bound,
        search=LEARNING.bound(learning_search),
        explain=explain,
    )


def explain(propagate: Propagate) -> Any:
    """What is called to explain a propagator; 0 if nothing is."""
    found = explanation_of(propagate)
    return 0 if found is None else LEARNING.bound(found)
