"""Instances drawn anew, within their families."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

SEED = 20
DRAWS = 1000


def draw_instances(
    families: npt.NDArray[Any], draws: int = DRAWS
) -> Iterator[npt.NDArray[np.int64]]:
    """The places of instances: from each family as many as it has, with replacement; seeded.

    The bootstrap of a stratified sample: Efron and Tibshirani, "An Introduction to the Bootstrap",
    1993, chapter 8. It gives how often a ranking is the same, not intervals of ratios, which
    it makes too narrow (``harness.statistics.interval``). Families of one instance are one family,
    since drawn from itself it would be certain.
    """
    numbers = np.bincount(families)
    single = len(numbers)
    codes = np.where(numbers[families] > 1, families, single) if len(families) else families
    groups = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    generator = np.random.default_rng(SEED)
    for _ in range(draws):
        drawn = [group[generator.integers(0, len(group), len(group))] for group in groups]
        yield np.concatenate(drawn) if drawn else np.empty(0, dtype=np.int64)
