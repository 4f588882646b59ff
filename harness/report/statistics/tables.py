"""The tables of statistics: one row a backend, with all its figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from harness.report.optima import merge_repeats
from harness.report.statistics import competitions, portfolio, scores
from harness.report.statistics.grid import Grid
from harness.report.statistics.quantiles import PERCENTS, measure_quantiles

SCORES = [
    *("backend", "instances", "solved", "par1_s", "par2_s", "par10_s", "shifted_mean_s"),
    *("alone", "shapley", "borda", "xcsp3", "best_known", "to_best_percent", "integral_s"),
    "single_best",
]
QUANTILES = [
    *("backend", "instances", "solved", *(f"p{percent}_s" for percent in PERCENTS)),
    *("median_low", "median_high"),
]


def make_scores(grid: Grid, optima: pd.DataFrame) -> pd.DataFrame:
    """One row a backend, by PAR-2, and first of all the virtual best solver."""
    if not grid.backends or not len(grid.solved):
        return pd.DataFrame(columns=SCORES)
    searches = _average_searches(optima)
    par2 = scores.measure_par(grid, 2)
    best = portfolio.find_single_best(par2)
    own = _measure(grid)
    own |= {
        "alone": portfolio.count_alone_solved(grid).astype(int),
        "shapley": portfolio.share_solved(grid),
        "borda": competitions.score_borda(grid),
        "xcsp3": competitions.score_xcsp3(grid),
        "best_known": competitions.count_best_known(grid).astype(int),
        "single_best": [place == best for place in range(len(grid.backends))],
    }
    for name in ("to_best_percent", "integral_s"):
        own[name] = [searches.get(backend, {}).get(name, np.nan) for backend in grid.backends]
    rows = pd.DataFrame(own).sort_values("par2_s", kind="stable")
    virtual = pd.DataFrame(_measure(portfolio.find_virtual_best(grid))).assign(single_best=False)
    found = pd.concat([virtual, rows], ignore_index=True).reindex(columns=SCORES)
    return found.astype({"alone": "Int64", "best_known": "Int64"})


def _measure(grid: Grid) -> dict[str, Any]:
    return {
        "backend": grid.backends,
        "instances": len(grid.solved),
        "solved": scores.count_solved(grid).astype(int),
        "par1_s": scores.measure_par(grid, 1),
        "par2_s": scores.measure_par(grid, 2),
        "par10_s": scores.measure_par(grid, 10),
        "shifted_mean_s": scores.measure_shifted_mean(grid),
    }


def _average_searches(optima: pd.DataFrame) -> dict[str, dict[str, float]]:
    """The means of gap and primal integral of each backend."""
    if not len(optima):
        return {}
    merged = merge_repeats(optima)
    columns = merged[["to_best_percent", "integral_s"]].astype(float)
    means = columns.groupby(merged["backend"].astype(str)).mean()
    return {str(name): dict(row) for name, row in means.iterrows()}


def make_quantiles(grid: Grid) -> pd.DataFrame:
    """One row a backend, by the number of solved instances and the median."""
    rows = [
        {
            "backend": name,
            "instances": len(grid.solved),
            "solved": int(grid.solved[:, place].sum()),
            **measure_quantiles(grid, place),
        }
        for place, name in enumerate(grid.backends)
    ]
    found = pd.DataFrame(rows, columns=QUANTILES)
    found = found.sort_values(["solved", "p50_s"], ascending=[False, True], kind="stable")
    return found.reset_index(drop=True)
