"""Quantiles with censoring, beside a published table and those without censoring."""

import numpy as np
import pytest
from grid_samples import grid_of

from harness.report.statistics.quantiles import find_quantile, fit_times, measure_quantiles

# Weeks of remission under 6-MP, Freireich and others, "The effect of 6-mercaptopurine on the
# duration of steroid-induced remissions in acute leukemia", Blood 21, 1963; the estimates are those
# of Kalbfleisch and Prentice, 1980, section 1.
ENDED = [6, 6, 6, 7, 10, 13, 16, 22, 23]
CENSORED = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
SURVIVAL = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}


def test_the_estimate_is_the_published_one():
    fit = fit_times(np.array(ENDED, dtype=float), np.array(CENSORED, dtype=float))
    for week, part in SURVIVAL.items():
        assert fit.sf.evaluate(week) == pytest.approx(part, abs=5e-4)
    assert find_quantile(fit.cdf.quantiles, fit.cdf.probabilities, 0.5) == 23


def test_without_censoring_quantiles_are_order_statistics():
    grid = grid_of({"a": [float(n) for n in range(1, 11)]}, limit=99)
    found = measure_quantiles(grid, 0)
    assert [found[f"p{part}_s"] for part in (10, 50, 90)] == [1, 5, 9]
    assert found["median_low"] < 5 < found["median_high"]


def test_a_part_that_is_not_solved_is_over_every_limit():
    found = measure_quantiles(grid_of({"a": [1, 2, 3, None, None]}), 0)
    assert [found[f"p{part}_s"] for part in (10, 25, 50, 75)] == [1, 2, 3, np.inf]
    assert found["median_high"] == np.inf
    nothing = measure_quantiles(grid_of({"a": [None, None]}), 0)
    assert nothing["p10_s"] == np.inf
    assert np.isnan(nothing["median_low"])
