"""The two forms in which the kernel runs: interpreted, and compiled by numba."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from backends.interface.libraries.making import import_library
from backends.propagation.encode.arena import Form
from backends.propagation.kernel.search import search
from backends.propagation.kernel.words import WORD_BITS
from modelling.errors import BackendUnavailable


def extend(cells: list[Any], number: int) -> list[Any]:
    """A copy with so many zeros more."""
    return cells + [0] * number


def pure_form() -> Form:
    """The kernel as it is written, over lists."""
    return Form("pure", WORD_BITS, list, extend, lambda propagate: propagate, search, lambda: None)


def compiled_form() -> Form:
    """The kernel compiled; raises ``BackendUnavailable`` without numba."""
    numba = import_library("compiled")
    if numba.config.DISABLE_JIT:
        raise BackendUnavailable(
            "propagation:compiled needs numba's compiler, which NUMBA_DISABLE_JIT has switched "
            "off: unset it"
        )
    form: Form = import_module("backends.propagation.machine").compiled_form()
    return form
