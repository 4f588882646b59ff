"""How the kernels here are compiled: at the first call, and kept on disk (``machine_code``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit

from backends.machine_code import SourcesCache, sources_digest

DIGEST = sources_digest(Path(__file__).parent)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile at the first call, without Python's lock while it runs, and keep it on disk."""
    compiled = njit(nogil=True, error_model="numpy")(function)
    try:
        compiled._cache = SourcesCache(function, DIGEST)
    except RuntimeError:  # numba: no folder in which it could keep anything
        return compiled
    return compiled


inline = njit(forceinline=True, error_model="numpy")
"""For functions that become part of the kernel that calls them."""
