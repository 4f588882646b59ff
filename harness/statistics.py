"""The numbers of a comparison, from sequences or arrays of seconds.

PAR-2 (penalised average runtime): the mean over *all* instances, where one that was not solved
counts as twice its limit. Relative speed: the geometric mean of per-instance ratios, which is the
only mean for which it does not matter whose times are in the denominator. Its interval is a
bootstrap over instances: sets are given, instances are drawn from each of them anew; from sets of
one instance together.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from math import ceil, exp, floor, fsum, inf, isinf, lgamma, log, log1p, nan, sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Numbers = Sequence[float] | Floats

RESOLUTION = 1e-6
"""Seconds below which a time is a matter of the clock; ratios take no smaller ones."""

DRAWS = 2000
"""Samples of the bootstrap; the ends of a 95% interval then vary by some 3% of its width."""

MANY = 1000
"""From this many instances on, the mean of a draw is normally distributed for all that one can see,
and is drawn as such, lest a million instances be drawn two thousand times."""

SEED = 20

LEAST_FOR_INTERVAL = 6
"""Ratios; of five all lie on one side of the median once in 16 times by chance, more than 5%."""

EQUAL = 1.25
"""Backends are equally fast where the interval of their ratio lies within this factor."""


def percentiles(values: Numbers, *percents: float) -> list[float]:
    """The values below which each of ``percents`` of ``values`` lie, interpolated; nan of none."""
    if not len(values):
        return [nan] * len(percents)
    return [float(value) for value in np.percentile(values, percents)]


def percentiles_of_all(solved: Numbers, unsolved: int, *percents: float) -> list[float]:
    """The same over all instances: those that are not solved are over every limit, inf; nan where
    none is solved."""
    if not len(solved):
        return [nan] * len(percents)
    every = np.concatenate([np.sort(solved), np.full(unsolved, inf)])
    found = []
    for percent in percents:
        place = (len(every) - 1) * percent / 100
        low, high = float(every[floor(place)]), float(every[ceil(place)])
        found.append(high if isinf(high) else low + (high - low) * (place % 1))
    return found


def mean(values: Numbers) -> float:
    """The arithmetic mean; nan of none."""
    return fsum(values) / len(values) if len(values) else nan


def geometric_mean(values: Numbers) -> float:
    """The geometric mean of positive numbers; nan of none."""
    return exp(mean(np.log(values))) if len(values) else nan


def par(solved: Numbers, limits: Numbers) -> float:
    """PAR-2, of the seconds of what was solved, and of the limits of what was not."""
    return mean(np.concatenate([solved, 2 * np.asarray(limits, dtype=float)]))


def ratios(seconds: Floats, reference: Floats) -> Floats:
    """How many times as long as ``reference``, each by each."""
    return np.maximum(seconds, RESOLUTION) / np.maximum(reference, RESOLUTION)


def binomial_tail(successes: int, tries: int, p: float) -> float:
    """The probability of ``successes`` or more in ``tries`` that each succeed with ``p``."""
    if not successes:
        return 1.0
    terms = (
        lgamma(tries + 1)
        - lgamma(k + 1)
        - lgamma(tries - k + 1)
        + k * log(p)
        + (tries - k) * log1p(-p)
        for k in range(successes, tries + 1)
    )
    return min(1.0, fsum(map(exp, terms)))


def interval(ratios: Numbers, strata: Sequence[object]) -> tuple[float, float]:
    """Between which 95% of the geometric means of ``ratios`` lie when instances are drawn anew.

    ``strata`` names the set of each ratio. From each set as many are drawn as it has. Those that
    are alone in their sets are drawn as one set. A single one is drawn with the smallest other set
    (collapsed strata; Cochran, Sampling Techniques, 5A.12): drawn from its own it would be itself
    in every draw, as if what nothing repeats were certain. Where sets differ that makes an interval
    wider, never narrower. The draws are seeded: equal ratios, equal interval. nan of fewer than
    ``LEAST_FOR_INTERVAL`` ratios, of which a bootstrap covers far less than 95%.
    """
    if len(ratios) < LEAST_FOR_INTERVAL:
        return nan, nan
    sizes = Counter(strata)
    larger = [name for name, size in sizes.most_common() if size > 1]
    alone = larger[-1] if larger and len(sizes) == len(larger) + 1 else object()
    logs: dict[object, array[float]] = {}
    for ratio, stratum in zip(ratios, strata, strict=True):
        key = stratum if sizes[stratum] > 1 else alone
        logs.setdefault(key, array("d")).append(log(ratio))
    generator = np.random.default_rng(SEED)
    sums = np.zeros(DRAWS)
    for values in map(np.array, logs.values()):
        sums += len(values) * _draw_means(values, generator)
    low, high = percentiles(sums / len(ratios), 2.5, 97.5)
    return exp(low), exp(high)


def _draw_means(values: Floats, generator: np.random.Generator) -> Floats:
    if len(values) >= MANY:
        spread = float(values.std()) / sqrt(len(values))
        return generator.normal(float(values.mean()), spread, DRAWS)
    drawn = generator.integers(0, len(values), size=(DRAWS, len(values)))
    return np.asarray(values[drawn].mean(axis=1))
