"""The two forms in which the kernel runs: interpreted, and compiled by numba."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from backends.interface.libraries.making import import_library
from backends.propagation.encode.arena import Form
from backends.propagation.encode.draft import Propagate
from backends.propagation.interpreted import (
    INTERPRETER,
    NODES,
    neighbours_of,
    watchers_of,
)
from backends.propagation.kernel.facts import LEARNING_HEAD, LEARNING_HEADER
from backends.propagation.kernel.search import search
from backends.propagation.kernel.words import WORD_BITS
from backends.propagation.learning.domains import SUBSTITUTES
from backends.propagation.learning.explanations import explanation_of
from backends.propagation.learning.search import search as learning_search
from backends.propagation.rebinding import Binding
from modelling.errors import BackendUnavailable
from modelling.stopping import is_over


def extend(cells: list[Any], number: int) -> list[Any]:
    """A copy with ``number`` zeros at its end."""
    return cells + [0] * number


def pure_form() -> Form:
    """The kernel over lists, as it is written, but for what ``interpreted`` has."""
    bound = INTERPRETED.bound
    return Form(
        "pure",
        WORD_BITS,
        list,
        extend,
        bound,
        bound(search),
        lambda: None,
        zeros,
        neighbours=neighbours_of,
        watchers=watchers_of,
        ask=lambda: is_over,
    )


def compiled_form() -> Form:
    """The kernel compiled; raises ``BackendUnavailable`` without numba."""
    form: Form = machine().compiled_form()
    return form


def compiled_learning_form() -> Form:
    """The search that learns, compiled; raises ``BackendUnavailable`` without numba."""
    form: Form = machine().compiled_learning_form()
    return form


def machine() -> Any:
    """The module ``machine``; raises ``BackendUnavailable`` without numba."""
    numba = import_library("compiled")
    if numba.config.DISABLE_JIT:
        raise BackendUnavailable(
            "propagation:compiled needs numba's compiler, which NUMBA_DISABLE_JIT has switched "
            "off: unset it"
        )
    return import_module("backends.propagation.machine")


INTERPRETED = Binding(INTERPRETER, NODES, {}, lambda function, made: made)
LEARNING = Binding({}, SUBSTITUTES, {}, lambda function, made: made, INTERPRETED)


@cache
def pure_learning_form() -> Form:
    """The search that learns, as it is written, over lists."""
    return Form(
        "pure",
        WORD_BITS,
        list,
        extend,
        LEARNING.bound,
        LEARNING.bound(learning_search),
        lambda: None,
        zeros,
        explanation,
        LEARNING_HEADER,
        LEARNING_HEAD,
        watchers=watchers_of,
        ask=lambda: is_over,
    )


def explanation(propagate: Propagate) -> Any:
    """What is called to explain a propagator; 0 if nothing is."""
    found = explanation_of(propagate)
    return 0 if found is None else LEARNING.bound(found)


def zeros(size: int) -> list[int]:
    """A list of zeros."""
    return [0] * size
