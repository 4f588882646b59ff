"""What a call for many instances at once must show: arrays that fit, and counts that can be.

A BatchBackend answers with arrays, so what ``answer`` checks of one result is checked here of all
of them together. Whether the solutions are right, the caller knows by the rules
(``harness.streams.plain_solving``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backends.interface.api import Backend
from modelling.errors import ContradictoryResult


def check_counts(backend: Any, counts: Any, number: int, limit: int, gives_up: bool) -> Any:
    """``counts`` as they are, if there is one from 0 to ``limit`` for each of ``number`` instances.

    -1 is a count where the backend ``gives_up``, as it may within a limit of nodes. Raises
    ContradictoryResult.
    """
    least = -1 if gives_up else 0
    if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu":
        _deny(backend, f"counts are an array of integers, not {_kind(counts)}")
    if counts.shape != (number,):
        _deny(backend, f"{number} instances have counts of shape ({number},), not {counts.shape}")
    odd = np.flatnonzero((counts < least) | (counts > limit))
    if len(odd):
        place = int(odd[0])
        said = f"its count of instance {place + 1} is {counts[place]}"
        _deny(backend, f"{said}, which is not between {least} and {limit}")
    return counts


def check_form(backend: Any, grids: Any, kept: Any, keep: int) -> Any:
    """``kept`` as it is, if it is an array of ``keep`` solutions for each of ``grids``.

    Raises ContradictoryResult.
    """
    if not isinstance(kept, np.ndarray) or kept.dtype != np.uint8:
        _deny(backend, f"solutions are an array of uint8, not {_kind(kept)}")
    wanted = (len(grids), keep, *grids.shape[1:])
    if kept.shape != wanted:
        _deny(backend, f"instances of shape {grids.shape} have solutions of shape {kept.shape}")
    return kept


def _kind(found: Any) -> str:
    return str(found.dtype) if isinstance(found, np.ndarray) else type(found).__name__


def _deny(backend: Any, what: str) -> None:
    name = backend.name if isinstance(backend, Backend) else type(backend).__name__
    raise ContradictoryResult(f"{name} answered many instances wrongly: {what}")
