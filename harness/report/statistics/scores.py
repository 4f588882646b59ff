"""How well each backend does by itself: solved, PAR-k, shifted geometric mean.

Arrays have the shape (instances, backends); each figure is one a backend.
"""

from __future__ import annotations

import numpy as np

from harness.report.statistics.grid import Floats, Grid

SHIFT = 1.0
"""Seconds that are added to each time before the geometric mean, and taken off after it."""


def count_solved(grid: Grid) -> Floats:
    """How many instances each backend solved."""
    return np.asarray(grid.solved.sum(axis=0), dtype=float)


def measure_par(grid: Grid, k: float) -> Floats:
    """PAR-k in seconds: the mean of t over solved instances and of k times the limit over others.

    Kinds weigh alike, as in the summary. Hutter, Hoos, Leyton-Brown, Stützle, "ParamILS", Journal
    of Artificial Intelligence Research 36, 2009. Infinite where an instance without a limit is not
    solved; nan without instances.
    """
    if not len(grid.solved):
        return np.full(len(grid.backends), np.nan)
    penalised = np.where(grid.solved, grid.seconds, k * grid.limits)
    return np.asarray((grid.weights[:, None] * penalised).mean(axis=0))


def measure_shifted_mean(grid: Grid, shift: float = SHIFT) -> Floats:
    """The shifted geometric mean of the seconds used: exp(mean(log(t + s))) - s.

    Achterberg, "Constraint Integer Programming", thesis, TU Berlin, 2007, A.3. With a shift short
    times have little weight, and no time is zero. What is not solved counts as its limit;
    kinds weigh alike.
    """
    if not len(grid.solved):
        return np.full(len(grid.backends), np.nan)
    return np.asarray(
        np.exp((grid.weights[:, None] * np.log(grid.used + shift)).mean(axis=0)) - shift
    )
