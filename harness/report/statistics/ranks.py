"""Mean ranks of backends, which of them differ, and how stable a ranking is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from harness.report.statistics.grid import Floats, Grid
from harness.report.statistics.resampling import draw_means
from harness.report.statistics.scores import measure_par
from harness.report.statistics.significance import (
    compare_all_ranks,
    find_critical_difference,
    join_alike,
    rank_rows,
)

RANKS = [
    *("backend", "mean_rank", "critical_difference", "p", "alike", "groups"),
    *("rank", "rank_low", "rank_high", "first_percent"),
    *("rank_par1", "rank_par10", "rank_half_limit", "rank_tenth_limit"),
]
K = 2


def make_ranks(grid: Grid) -> pd.DataFrame:
    """One row a backend, by mean rank: those of the seconds on each instance, where all that are
    not solved share the last ones; and the ranks by PAR-k under other limits, k and samples.

    ``alike`` counts the other backends whose mean rank is nearer than the critical difference,
    where Friedman's test finds any difference at all, or else all. ``groups`` has a letter for each
    group of which all are alike: two backends without a common letter differ.
    """
    backends = len(grid.backends)
    if not backends or not len(grid.solved):
        return pd.DataFrame(columns=RANKS)
    seconds = np.where(grid.solved, grid.seconds, np.inf)
    means = rank_rows(seconds).mean(axis=0)
    p = compare_all_ranks(seconds)
    critical = find_critical_difference(backends, len(seconds))
    near = np.abs(means[:, None] - means[None, :]) < critical
    alike = near.sum(axis=1) - 1 if p < 0.05 or np.isnan(p) else np.full(backends, backends - 1)
    drawn = resample_ranks(grid)
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0, method="inverted_cdf")
    columns: dict[str, Any] = {
        "backend": grid.backends,
        "mean_rank": means,
        "critical_difference": critical,
        "p": p,
        "alike": alike,
        "rank": rank_by_par(grid, K).astype(int),
        "rank_low": low.astype(int),
        "rank_high": high.astype(int),
        "first_percent": 100 * (drawn == 1).mean(axis=0),
        "rank_par1": rank_by_par(grid, 1).astype(int),
        "rank_par10": rank_by_par(grid, 10).astype(int),
        "rank_half_limit": rank_by_par(grid.shorten(0.5), K).astype(int),
        "rank_tenth_limit": rank_by_par(grid.shorten(0.1), K).astype(int),
    }
    found = pd.DataFrame(columns).sort_values("mean_rank", kind="stable").reset_index(drop=True)
    found["groups"] = _name_groups(join_alike(np.sort(means), critical, p), backends)
    return found[RANKS]


def _name_groups(groups: list[tuple[int, int]], backends: int) -> list[str]:
    """The letters of the groups of each place; one that is in none has a letter of its own."""
    ranges = [(first, last) for first, last in groups]
    joined = {place for first, last in groups for place in range(first, last + 1)}
    ranges += [(place, place) for place in range(backends) if place not in joined]
    letters = [""] * backends
    for number, (first, last) in enumerate(sorted(ranges)):
        for place in range(first, last + 1):
            letters[place] += _letter(number)
    return letters


def _letter(number: int) -> str:
    """a, b, ..., z, a1, b1, ..."""
    turn, place = divmod(number, 26)
    return f"{chr(ord('a') + place)}{turn or ''}"


def rank_by_par(grid: Grid, k: float) -> Floats:
    """The rank of each backend by PAR-k; those with an infinite one by their solved instances."""
    return _rank(measure_par(grid, k), grid.solved.mean(axis=0))


def _rank(par: Floats, solved: Floats) -> Floats:
    """1 and the number of those that are better; equal ones share their rank."""
    keys = list(zip(par, -np.where(np.isinf(par), solved, 0.0), strict=True))
    return np.array([1.0 + sum(other < own for other in keys) for own in keys])


def resample_ranks(grid: Grid) -> Floats:
    """The ranks by PAR-k in each sample of instances; shape (samples, backends)."""
    penalised = np.where(grid.solved, grid.seconds, K * grid.limits) * grid.weights[:, None]
    endless = np.isinf(penalised)
    columns = np.hstack([np.where(endless, 0.0, penalised), endless, grid.solved])
    means = draw_means(columns, grid.families)
    par, over, solved = np.split(means, 3, axis=1)
    par = np.where(over > 0, np.inf, par)
    return np.array([_rank(*one) for one in zip(par, solved, strict=True)])
