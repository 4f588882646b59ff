"""The two forms in which the kernel runs: interpreted, and compiled by numba."""

from __future__ import annotations

from functools import lru_cache

from backends.propagation.encode.arena import Form
from backends.propagation.kernel.facts import LEARNING_HEAD, LEARNING_HEADER
from backends.propagation.kernel.search import search
from backends.propagation.kernel.words import WORD_BITS
from backends.propagation.learning.domains import SUBSTITUTES
from backends.propagation.learning.explanations import EXPLANATIONS
from backends.propagation.learning.search import search as learning_search
from backends.propagation.rebinding import Binding


def zeros(size: int) -> list[int]:
    """A list of zeros."""
    return [0] * size


def pure_form() -> Form:
    """The kernel as it is written, over lists."""
    return Form("pure", WORD_BITS, list, lambda propagate: propagate, search, zeros)


def compiled_form() -> Form:
    """The kernel compiled; raises ``BackendUnavailable`` without numba."""
    from backends.propagation.machine import compiled_form

    return compiled_form()


INTERPRETED = Binding({}, {}, {}, lambda function, made: function)
LEARNING = Binding({}, SUBSTITUTES, {}, lambda function, made: made, INTERPRETED)


@lru_cache(maxsize=None)
def pure_learning_form() -> Form:
    """The search that learns, as it is written, over lists."""
    return Form(
        "pure",
        WORD_BITS,
        list,
        LEARNING.bound,
        LEARNING.bound(learning_search),
        zeros,
        lambda propagate: LEARNING.bound(EXPLANATIONS[propagate]),
        LEARNING_HEADER,
        LEARNING_HEAD,
    )


def compiled_learning_form() -> Form:
    """The search that learns, compiled; raises ``BackendUnavailable`` without numba."""
    from backends.propagation.machine import compiled_learning_form

    return compiled_learning_form()
