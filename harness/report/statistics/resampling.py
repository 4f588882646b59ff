"""Instances drawn anew, within their families."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from harness.report.statistics.grid import Floats

SEED = 20
DRAWS = 1000

MANY = 1000
"""From this many instances of a family on, the means of its draws are normally distributed for all
that one can see, and are drawn as such, lest many instances be drawn a thousand times."""


def draw_means(values: Floats, families: npt.NDArray[Any], draws: int = DRAWS) -> Floats:
    """The means of the columns of ``values``, of shape (instances, columns), in seeded samples:
    from each family as many instances as it has, with replacement. Shape (draws, columns).

    The bootstrap of a stratified sample: Efron and Tibshirani, "An Introduction to the Bootstrap",
    1993, chapter 8. It gives how often a ranking is the same, not intervals of ratios, which
    it makes too narrow (``harness.statistics.interval``). Families of one instance are one family,
    since drawn from itself it would be certain.
    """
    numbers = np.bincount(families)
    codes = np.where(numbers[families] > 1, families, len(numbers))
    generator = np.random.default_rng(SEED)
    sums = np.zeros((draws, values.shape[1]))
    for code in np.unique(codes):
        own = values[codes == code]
        if len(own) >= MANY:
            spread = np.atleast_2d(np.cov(own.T)) / len(own)
            middle = own.mean(axis=0)
            means = generator.multivariate_normal(middle, spread, draws, method="eigh")
        else:
            drawn = generator.integers(0, len(own), (draws, len(own)))
            means = np.stack([own[places].mean(axis=0) for places in drawn])
        sums += len(own) * means
    return sums / len(values)
