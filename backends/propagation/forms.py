"""The two forms in which the kernel runs: interpreted, and compiled by numba."""

from __future__ import annotations

from backends.propagation.encode.arena import Form
from backends.propagation.kernel.search import search
from backends.propagation.kernel.words import WORD_BITS


def pure_form() -> Form:
    """The kernel as it is written, over lists."""
    return Form("pure", WORD_BITS, list, lambda propagate: propagate, search)


def compiled_form() -> Form:
    """The kernel compiled; raises ``BackendUnavailable`` without numba."""
    from backends.propagation.machine import compiled_form

    return compiled_form()
