"""The numbers of a comparison, from plain sequences of seconds.

PAR-2 (penalised average runtime): the mean over *all* instances, where one that was not solved
counts as twice its limit. Relative speed: the geometric mean of per-instance ratios, which is the
only mean for which it does not matter whose times stand in the denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum, inf, log, nan

PENALTY = 2.0
"""The factor of PAR-2."""

RESOLUTION = 1e-6
"""Seconds below which a time is a matter of the clock; ratios take no smaller ones."""


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which ``percent`` of ``values`` lie, interpolated linearly; nan of none."""
    if not values:
        return nan
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones; nan of none."""
    return percentile(values, 50)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; nan of none."""
    return fsum(values) / len(values) if values else nan


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean of positive numbers; nan of none."""
    return exp(fsum(map(log, values)) / len(values)) if values else nan


def par(solved: Sequence[float], limits: Sequence[float], factor: float = PENALTY) -> float:
    """Penalised average runtime: seconds of the solved, ``factor`` x ``limits`` of the unsolved."""
    penalties = [factor * limit for limit in limits]
    return mean([*solved, *penalties])


def ratio(seconds: float, reference: float) -> float:
    """How many times as long as ``reference``."""
    return max(seconds, RESOLUTION) / max(reference, RESOLUTION)


def finite(limit: float | None) -> float:
    """A limit as a number; no limit is infinite, and so is then its penalty."""
    return inf if limit is None else limit
