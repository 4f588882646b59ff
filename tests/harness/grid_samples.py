"""Grids for the tests of statistics, written by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd

from harness.report.statistics.grid import Grid


def grid_of(times: dict[str, list[float | None]], limit: float = 10.0, **more: object) -> Grid:
    """The seconds of each backend on each instance; None: not solved within the limit."""
    seconds = np.array(list(times.values()), dtype=float).T
    names = [("set", "1", f"i-{place}") for place in range(len(seconds))]
    quality = np.array(more.get("quality", np.full(seconds.shape, np.nan)), dtype=float)
    return Grid(
        list(times),
        pd.MultiIndex.from_tuples(names, names=["set", "ask", "instance"]),
        np.array(more.get("families", np.zeros(len(seconds))), dtype=int),
        seconds,
        np.full(seconds.shape, limit),
        ~np.isnan(seconds),
        np.array(more.get("refused", np.zeros(seconds.shape)), dtype=bool),
        quality,
        np.array(more.get("weights", np.ones(len(seconds))), dtype=float),
    )
