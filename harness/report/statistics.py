"""The numbers of a comparison, from sequences or arrays of seconds; large ones are not copied much.

PAR-2 (penalised average runtime): the mean over *all* instances, where one that was not solved
counts as twice its limit. Relative speed: the geometric mean of per-instance ratios, which is the
only mean for which it does not matter whose times stand in the denominator. Its interval is a
bootstrap over instances: sets are given, instances are drawn from each of them anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import exp, fsum, log, nan, sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Numbers = Sequence[float] | Floats

PENALTY = 2.0
"""The factor of PAR-2."""

RESOLUTION = 1e-6
"""Seconds below which a time is a matter of the clock; ratios take no smaller ones."""


DRAWS = 2000
"""Of the bootstrap; the ends of a 95% interval then vary by some 3% of its width."""

MANY = 1000
"""From so many instances on, the mean of a draw is normally distributed for all that one can see,
and is drawn as such, lest a million instances be drawn two thousand times."""

SEED = 20


def percentile(values: Numbers, percent: float) -> float:
    """The value below which ``percent`` of ``values`` lie, interpolated linearly; nan of none."""
    if not len(values):
        return nan
    ordered = np.sort(values)
    place = (len(ordered) - 1) * percent / 100
    below = int(place)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return low + (high - low) * (place - below)


def median(values: Numbers) -> float:
    """The middle value, or the mean of the two middle ones; nan of none."""
    return percentile(values, 50)


def mean(values: Numbers) -> float:
    """The arithmetic mean; nan of none."""
    return fsum(values) / len(values) if len(values) else nan


def geometric_mean(values: Numbers) -> float:
    """The geometric mean of positive numbers; nan of none."""
    return exp(fsum(map(log, values)) / len(values)) if len(values) else nan


def spread(repeats: Iterable[Numbers]) -> float:
    """How far the repeats of one thing lie apart: 1.05 is typically 5% from their middle.

    For each thing the median of how many times its values are above or below their own median,
    whichever it is; and the median of that over the things. nan where nothing is repeated.
    """
    return median([_apart(values) for values in repeats if len(values) > 1])


def _apart(values: Numbers) -> float:
    middle = max(median(values), RESOLUTION)
    factors = [max(value, RESOLUTION) / middle for value in values]
    return median([max(factor, 1 / factor) for factor in factors])


def par(solved: Numbers, limits: Numbers, factor: float = PENALTY) -> float:
    """Penalised average runtime: seconds of the solved, ``factor`` x ``limits`` of the unsolved."""
    number = len(solved) + len(limits)
    penalties = (factor * limit for limit in limits)
    return fsum(chain(solved, penalties)) / number if number else nan


def ratios(seconds: Floats, reference: Floats) -> Floats:
    """How many times as long as ``reference``, each by each."""
    return np.maximum(seconds, RESOLUTION) / np.maximum(reference, RESOLUTION)


def interval(ratios: Numbers, strata: Sequence[object], percent: float = 95) -> tuple[float, float]:
    """Between which geometric means of ``ratios`` lie when instances are drawn anew.

    ``strata`` names the set of each ratio: so many are drawn from each as are there. The draws are
    seeded: equal ratios, equal interval. nan of fewer than two ratios.
    """
    if len(ratios) < 2:
        return nan, nan
    logs: dict[object, list[float]] = {}
    for ratio, stratum in zip(ratios, strata, strict=True):
        logs.setdefault(stratum, []).append(log(ratio))
    generator = np.random.default_rng(SEED)
    sums = np.zeros(DRAWS)
    for values in map(np.array, logs.values()):
        sums += len(values) * _drawn_means(values, generator)
    means = sums / len(ratios)
    tail = (100 - percent) / 2
    return exp(percentile(means, tail)), exp(percentile(means, 100 - tail))


def _drawn_means(values: Floats, generator: np.random.Generator) -> Floats:
    """The means of ``DRAWS`` samples with replacement, each as large as ``values``."""
    if len(values) >= MANY:
        spread = float(values.std()) / sqrt(len(values))
        return generator.normal(float(values.mean()), spread, DRAWS)
    drawn = generator.integers(0, len(values), size=(DRAWS, len(values)))
    return np.asarray(values[drawn].mean(axis=1))
