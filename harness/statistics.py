"""The numbers of a comparison, from sequences or arrays of seconds.

PAR-2 (penalised average runtime): the mean over *all* instances, where one that was not solved
counts as twice its limit. Relative speed: the geometric mean of per-instance ratios, which is the
only mean for which it does not matter whose times are in the denominator. Its interval is Student's
on the logarithms, where sets are given and the instances of each are a sample
(docs/decisions/0043-intervals.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, floor, fsum, inf, isinf, lgamma, log, log1p, nan, pi, sqrt, tan

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Numbers = Sequence[float] | Floats

RESOLUTION = 1e-6
"""Seconds below which a time is a matter of the clock; ratios take no smaller ones."""

ROUNDING = 1e-12
"""An error of a logarithm below this is one of the arithmetic: all ratios of a set are equal."""

COVERAGE = 0.95
"""This part of the intervals holds the true ratio."""

SHRINKAGE = 1.0
"""How far the degrees of freedom are corrected for being estimated, from 0 (Satterthwaite, which
makes intervals too wide where sets have two instances) to 2 (without bias where variances are
equal, and too narrow where they are not); see docs/decisions/0043-intervals.md."""

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
    # The logarithms of the factorials from 0 to tries.
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, tries + 1)))])
    k = np.arange(successes, tries + 1)
    ways = factorials[tries] - factorials[k] - factorials[tries - k]
    return min(1.0, fsum(np.exp(ways + k * log(p) + (tries - k) * log1p(-p))))


def interval(ratios: Numbers, strata: Sequence[object]) -> tuple[float, float]:
    """Where the true geometric mean of ``ratios`` lies, with a confidence of 95%.

    ``strata`` names the set of each ratio. Sets are given, and the instances of each are a sample
    of those that it might have had: the mean of the logarithms is that of a stratified sample, the
    square of its standard error is the sum of n_h s_h^2 / n^2 over the sets of n_h ratios with
    variance s_h^2 (Cochran, Sampling Techniques, 5.4), and the degrees of freedom of Student's t
    are those of Satterthwaite, "An Approximate Distribution of Estimates of Variance Components",
    Biometrics Bulletin 2, 1946, corrected by ``SHRINKAGE``.

    A ratio that is alone in its set says nothing of the variance there, which is taken to be that
    of the other sets, pooled; so the part of such a set is what each other one has of that. Where
    too few sets are known for it (``_can_pool``), those alone are one set, and a single one is in
    the smallest other set (collapsed strata; Cochran, 5A.12). Where sets differ that makes an
    interval wider, never narrower. nan of fewer than ``LEAST_FOR_INTERVAL`` ratios.
    """
    if len(ratios) < LEAST_FOR_INTERVAL:
        return nan, nan
    logs = np.log(np.asarray(ratios, dtype=float))
    known: dict[object, int] = {}
    codes = np.array([known.setdefault(name, len(known)) for name in strata], dtype=np.int64)
    sizes, squares = _sum_squares(logs, codes)
    if not _can_pool(sizes, squares):
        sizes, squares = _sum_squares(logs, collapse_single(sizes)[codes])
    several = sizes > 1
    freedoms = sizes[several] - 1
    alone = int((~several).sum())
    weights = sizes[several] / freedoms + alone / freedoms.sum()
    parts = weights * squares[several] / len(logs) ** 2
    middle, square = mean(logs), float(parts.sum())
    if square < ROUNDING**2:
        return exp(middle), exp(middle)
    freedom = square**2 / float((parts**2 / (freedoms + SHRINKAGE)).sum()) - SHRINKAGE
    half = find_t_quantile((1 + COVERAGE) / 2, freedom) * sqrt(square)
    return exp(middle - half), exp(middle + half)


def _sum_squares(logs: Floats, codes: Codes) -> tuple[Codes, Floats]:
    """The number of each set's ratios, and the sum of squares of what they differ from its mean."""
    sizes = np.bincount(codes)
    apart = logs - (np.bincount(codes, logs) / sizes)[codes]
    return sizes, np.asarray(np.bincount(codes, apart**2), dtype=np.float64)


def _can_pool(sizes: Codes, squares: Floats) -> bool:
    """Whether sets of one ratio can have the variance of the others: two of these vary, and have
    as many degrees of freedom as there are such sets."""
    alone, varied = (sizes == 1).sum(), (squares > ROUNDING**2).sum()
    return bool(not alone or (varied > 1 and (sizes - 1).sum() >= alone))


def collapse_single(sizes: Codes) -> Codes:
    """A number for each set, with those of one ratio together, or in the smallest other one."""
    alone = sizes == 1
    codes = np.arange(len(sizes))
    if alone.sum() == 1 < len(sizes):
        codes[alone] = np.argmin(np.where(alone, sizes.max() + 1, sizes))
    else:
        codes[alone] = np.argmax(alone)
    return np.unique(codes, return_inverse=True)[1]


def find_t_quantile(p: float, freedom: float) -> float:
    """The ``p``-quantile, above the median, of Student's t with ``freedom`` >= 1, also a fraction.

    With t = sqrt(freedom) tan(u) the density is one of cos(u) ** (freedom - 1), smooth enough for
    Gauss and Legendre; halving finds the quantile to ten digits.
    """
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(pi)
    low, high = 0.0, pi / 2
    for _ in range(40):
        middle = (low + high) / 2
        area = middle / 2 * float(_WEIGHTS @ np.cos(middle / 2 * (1 + _NODES)) ** (freedom - 1))
        low, high = (middle, high) if 0.5 + scale * area < p else (low, middle)
    return sqrt(freedom) * tan((low + high) / 2)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(60)
