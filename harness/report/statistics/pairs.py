"""Every two backends beside each other: wins, ratios, and whether they differ."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from harness.report.statistics.grid import Grid
from harness.report.statistics.significance import (
    compare_signed_ranks,
    correct_by_holm,
    measure_effect,
)
from harness.statistics import RESOLUTION, geometric_mean, interval, ratios

PAIRS = [
    *("backend", "other", "instances", "both", "only", "only_other", "wins", "losses"),
    *("ratio", "low", "high", "used_ratio", "used_low", "used_high", "effect", "p"),
]


def make_pairs(grid: Grid) -> pd.DataFrame:
    """One row a pair of backends, in the order of the summary; ratios above 1: the other one is
    slower. The probabilities are corrected for the number of rows."""
    rows = [_compare(grid, *pair) for pair in combinations(range(len(grid.backends)), 2)]
    for row, p in zip(rows, correct_by_holm([row["p"] for row in rows]), strict=True):
        row["p"] = p
    return pd.DataFrame(rows, columns=PAIRS)


def _compare(grid: Grid, own: int, other: int) -> dict[str, Any]:
    """The other one over the own one: where both solved, and of the seconds used by all."""
    solved, against = grid.solved[:, own], grid.solved[:, other]
    both = solved & against
    taken = ratios(grid.seconds[both, other], grid.seconds[both, own])
    low, high = interval(taken, grid.families[both].tolist())
    pair = [own, other]
    known = np.isfinite(grid.used[:, pair]).all(axis=1) & ~grid.refused[:, pair].any(axis=1)
    used = ratios(grid.used[known, other], grid.used[known, own])
    used = np.where((solved | against)[known], used, 1.0)
    used_low, used_high = interval(used, grid.families[known].tolist())
    logs = np.log(used)
    faster = np.where(both, grid.seconds[:, other] - grid.seconds[:, own], 0.0)
    wins = (solved & ~against) | (both & (faster > RESOLUTION))
    losses = (against & ~solved) | (both & (faster < -RESOLUTION))
    return {
        "backend": grid.backends[own],
        "other": grid.backends[other],
        "instances": len(solved),
        "both": int(both.sum()),
        "only": int((solved & ~against).sum()),
        "only_other": int((against & ~solved).sum()),
        "wins": int(wins.sum()),
        "losses": int(losses.sum()),
        "ratio": geometric_mean(taken),
        "low": low,
        "high": high,
        "used_ratio": geometric_mean(used),
        "used_low": used_low,
        "used_high": used_high,
        "effect": measure_effect(logs),
        "p": compare_signed_ranks(logs) if len(logs) else np.nan,
    }
