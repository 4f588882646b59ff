"""How times grow with the size of instances, and at which size two backends cross.

A set has a curve for each backend: log t = a + b log n (a power of the size) or log t = a + c n
(exponential), whichever leaves less. Only sizes below the first one at which the backend left an
instance unsolved count: above, the slow instances would be missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from harness.report.statistics.grid import Floats, Grid
from harness.statistics import RESOLUTION, find_t_quantile
from modelling.errors import InputError

SCALING = [
    *("set", "ask", "backend", "instances", "unit", "sizes", "smallest", "largest", "curve"),
    *("growth", "low", "high", "explained", "crosses", "crossing", "crossing_low", "crossing_high"),
]
LEAST_SIZES = 3
LEAST_INSTANCES = 4


@dataclass(frozen=True)
class Fit:
    """A curve: ``curve`` is power or exponential; the logarithm of the seconds is ``start`` +
    ``slope`` x, where x is the logarithm of the size, or the size; ``middle`` of its sample and
    ``spread``, the sum of squares of x; ``error``, the variance of what is left; ``freedom``."""

    curve: str
    start: float
    slope: float
    middle: float
    spread: float
    error: float
    freedom: int
    explained: float

    def predict(self, sizes: Floats) -> Floats:
        """The logarithms of the seconds at sizes."""
        x = np.log(sizes) if self.curve == "power" else sizes
        return self.start + self.slope * x

    def doubt(self, sizes: Floats) -> Floats:
        """The variance of these predictions."""
        x = np.log(sizes) if self.curve == "power" else sizes
        return self.error * (1 / (self.freedom + 2) + (x - self.middle) ** 2 / self.spread)

    @property
    def interval(self) -> tuple[float, float]:
        """The slope within which 95% of samples have the true one, by Student's t."""
        half = find_t_quantile(0.975, self.freedom) * np.sqrt(self.error / self.spread)
        return float(self.slope - half), float(self.slope + half)


def fit_curve(sizes: Floats, seconds: Floats) -> Fit:
    """The better of the two curves, by ordinary least squares on logarithms of seconds.

    Draper and Smith, "Applied Regression Analysis", 1998, chapter 1.
    """
    y = np.log(np.maximum(seconds, RESOLUTION))
    fits = [_fit("power", np.log(sizes), y), _fit("exponential", sizes, y)]
    return min(fits, key=lambda fit: fit.error)


def _fit(curve: str, x: Floats, y: Floats) -> Fit:
    middle, spread = float(x.mean()), float(((x - x.mean()) ** 2).sum())
    slope = float(((x - middle) * (y - y.mean())).sum() / spread)
    start = float(y.mean() - slope * middle)
    left = float(((y - start - slope * x) ** 2).sum())
    total = float(((y - y.mean()) ** 2).sum())
    freedom = len(x) - 2
    explained = 1 - left / total if total else 1.0
    return Fit(curve, start, slope, middle, spread, left / freedom, freedom, explained)


def find_crossing(one: Fit, other: Fit, smallest: float, largest: float) -> tuple[float, ...]:
    """The size at which two curves cross, the first within the sizes given, with its interval.

    The interval has all sizes around it at which the difference of the curves is not significant
    (Fieller's method); an end that lies outside the sizes is nan. nan thrice where they do not
    cross.
    """
    grid = np.geomspace(smallest, largest, 2000)
    apart = one.predict(grid) - other.predict(grid)
    places = np.flatnonzero(np.sign(apart[:-1]) * np.sign(apart[1:]) <= 0)
    if not len(places) or not apart.any():
        return np.nan, np.nan, np.nan
    place = int(places[0])
    freedom = float(min(one.freedom, other.freedom))
    half = find_t_quantile(0.975, freedom) * np.sqrt(one.doubt(grid) + other.doubt(grid))
    clear = np.abs(apart) > half
    below, above = np.flatnonzero(clear[: place + 1]), np.flatnonzero(clear[place:])
    low = float(grid[below[-1]]) if len(below) else np.nan
    high = float(grid[place + above[0]]) if len(above) else np.nan
    return float(grid[place]), low, high


def make_scaling(grid: Grid, sized: pd.DataFrame) -> pd.DataFrame:
    """One row a set, question and backend with at least three sizes.

    ``sized`` has ``set``, ``instance``, ``size`` and its ``unit`` (``sizes.find_sizes``); other
    instances are left out. Raises InputError where no backend has a curve. ``growth`` is the power,
    or the factor for each further unit of size, with its 95% interval. ``crosses`` is the backend,
    among those after it in the summary, whose curve its own crosses first.
    """
    names = sized["set"].astype(str)
    sizes = dict(
        zip(zip(names, sized["instance"].astype(str), strict=True), sized["size"], strict=True)
    )
    units = dict(zip(names, sized["unit"], strict=True))
    keys = [(str(name), str(instance)) for name, _, instance in grid.instances]
    known = np.array([sizes.get(key, np.nan) for key in keys], dtype=float)
    rows: list[dict[str, Any]] = []
    for family in np.unique(grid.families):
        places = np.flatnonzero((grid.families == family) & (known > 0))
        if len(places):
            name, ask, _ = grid.instances[places[0]]
            rows += [
                {"set": name, "ask": ask, "unit": units[str(name)], **row}
                for row in _fit_set(grid, places, known[places])
            ]
    if not rows:
        raise InputError(
            f"no backend has solved {LEAST_INSTANCES} instances of {LEAST_SIZES} sizes of a set: "
            "compare on more sizes, or name another size with --size"
        )
    return pd.DataFrame(rows, columns=SCALING)


def _fit_set(grid: Grid, places: Any, sizes: Floats) -> list[dict[str, Any]]:
    fits: dict[str, tuple[Fit, Floats]] = {}
    for column, name in enumerate(grid.backends):
        solved = grid.solved[places, column]
        whole = sizes < (sizes[~solved].min() if not solved.all() else np.inf)
        own = sizes[whole]
        if len(np.unique(own)) >= LEAST_SIZES and len(own) >= LEAST_INSTANCES:
            fits[name] = fit_curve(own, grid.seconds[places[whole], column]), own
    crossings: dict[str, tuple[str, tuple[float, ...]]] = {}
    for one, other in combinations(fits, 2):
        both = fits[one][1], fits[other][1]
        smallest, largest = max(own.min() for own in both), min(own.max() for own in both)
        found = find_crossing(fits[one][0], fits[other][0], smallest, largest)
        if found[0] < crossings.get(one, ("", (np.inf,)))[1][0]:
            crossings[one] = other, found
    return [_describe(name, *fits[name], crossings.get(name)) for name in fits]


def _describe(name: str, fit: Fit, sizes: Floats, crossing: Any) -> dict[str, Any]:
    low, high = fit.interval
    turn = float if fit.curve == "power" else lambda slope: float(np.exp(slope))
    other, at = crossing or ("", (np.nan,) * 3)
    return {
        "backend": name,
        "instances": len(sizes),
        "sizes": len(np.unique(sizes)),
        "smallest": sizes.min(),
        "largest": sizes.max(),
        "curve": fit.curve,
        "growth": turn(fit.slope),
        "low": turn(low),
        "high": turn(high),
        "explained": fit.explained,
        "crosses": other,
        **dict(zip(("crossing", "crossing_low", "crossing_high"), at, strict=True)),
    }
