"""scipy, which is loaded when a statistic needs it."""

from __future__ import annotations

from typing import Any

from modelling.errors import InputError


def load_stats() -> Any:
    """The module ``scipy.stats``. Raises InputError where scipy is not installed."""
    try:
        import scipy.stats
    except ImportError as error:
        raise InputError(
            "these statistics need scipy, which is not installed: "
            "pip install 'solver-concord[statistics]'"
        ) from error
    return scipy.stats
