"""Times within which parts of the instances are solved, where some are not solved in time.

An instance that is not solved is censored: all that is known is that its time is over the limit.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from harness.report.statistics.grid import Floats, Grid
from harness.report.statistics.libraries import load_stats

PERCENTS = (10, 25, 50, 75, 90)
CONFIDENCE = 0.95


def fit_times(seconds: Floats, limits: Floats) -> Any:
    """The distribution of times, ``seconds`` of the solved and ``limits`` of the others.

    The estimate of Kaplan and Meier, "Nonparametric Estimation from Incomplete Observations",
    Journal of the American Statistical Association 53, 1958, by ``scipy.stats.ecdf``.
    """
    stats = load_stats()
    finite = np.minimum(limits, np.finfo(float).max)  # a censored time must be a number
    return stats.ecdf(stats.CensoredData(uncensored=seconds, right=finite))


def find_quantile(times: Floats, parts: Floats, part: float) -> float:
    """The first of ``times`` at which ``parts`` reaches ``part``; inf if it never does."""
    reached = np.flatnonzero(parts >= part - 1e-12)
    return float(times[reached[0]]) if len(reached) else np.inf


def measure_quantiles(grid: Grid, backend: int) -> dict[str, float]:
    """Seconds within which 10, 25, 50, 75 and 90% of the instances are solved, and the interval
    of the median, where the pointwise one of the distribution reaches a half.

    The interval is that of the logarithm of the negative logarithm (Kalbfleisch and Prentice,
    "The Statistical Analysis of Failure Time Data", 1980), which stays within 0 and 1.
    """
    solved = grid.solved[:, backend]
    seconds, limits = grid.seconds[solved, backend], grid.limits[~solved, backend]
    names = [f"p{percent}_s" for percent in PERCENTS]
    if not len(seconds):
        return {**dict.fromkeys(names, np.inf), "median_low": np.nan, "median_high": np.inf}
    fit = fit_times(seconds, limits)
    times, parts = fit.cdf.quantiles, fit.cdf.probabilities
    found = {
        name: find_quantile(times, parts, percent / 100)
        for name, percent in zip(names, PERCENTS, strict=True)
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # it has no interval at 0 and 1
        ends = fit.cdf.confidence_interval(CONFIDENCE, method="log-log")
    low, high = (np.nan_to_num(end.probabilities, nan=0.0) for end in (ends.low, ends.high))
    low[parts == 1] = 1.0
    return {
        **found,
        "median_low": find_quantile(times, np.maximum(high, parts), 0.5),
        "median_high": find_quantile(times, low, 0.5),
    }
