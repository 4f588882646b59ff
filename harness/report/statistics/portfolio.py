"""What backends are worth together: virtual best, single best, contributions.

Arrays have the shape (instances, backends).
"""

from __future__ import annotations

import numpy as np

from harness.report.statistics.grid import Floats, Grid


def find_virtual_best(grid: Grid) -> Grid:
    """A grid with one backend, which on each instance is as fast as the fastest that solved it."""
    solved = np.asarray(grid.solved.any(axis=1, keepdims=True))
    seconds = np.where(grid.solved, grid.seconds, np.inf).min(axis=1, keepdims=True, initial=np.inf)
    limits = grid.limits.max(axis=1, keepdims=True, initial=0.0)
    known = np.where(np.isnan(grid.quality), -np.inf, grid.quality)
    quality = known.max(axis=1, keepdims=True, initial=-np.inf)
    return Grid(
        ["virtual best"],
        grid.instances,
        grid.families,
        np.where(solved, seconds, np.nan),
        limits,
        solved,
        np.zeros_like(solved),
        np.where(np.isinf(quality), np.nan, quality),
        grid.weights,
    )


def find_single_best(par: Floats) -> int:
    """The place of the backend with the least PAR-k, the first of several."""
    return int(np.argmin(par))


def count_alone_solved(grid: Grid) -> Floats:
    """Marginal contribution: how many instances each backend solves that no other one does.

    Xu, Hutter, Hoos, Leyton-Brown, "Evaluating Component Solver Contributions to Portfolio-Based
    Algorithm Selectors", SAT 2012.
    """
    alone = grid.solved & (grid.solved.sum(axis=1, keepdims=True) == 1)
    return np.asarray(alone.sum(axis=0), dtype=float)


def share_solved(grid: Grid) -> Floats:
    """The Shapley value of each backend, where a set of backends is worth what any of it solves.

    An instance that m backends solve gives each of them 1 / m: the first in a random order of
    all backends gets it, and each of the m is that with the same chance. So the sum over all
    orders has a closed form, and the values add up to what the virtual best solver solves.
    Fréchette, Kotthoff, Michalak, Rahwan, Hoos, Leyton-Brown, "Using the Shapley Value to Analyze
    Algorithm Portfolios", AAAI 2016.
    """
    number = np.maximum(grid.solved.sum(axis=1, keepdims=True), 1)
    return np.asarray((grid.solved / number).sum(axis=0))
