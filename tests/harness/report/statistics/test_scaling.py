"""Growth with size and crossings, beside curves that are known, and scipy."""

import numpy as np
import pandas as pd
import pytest
from grid_samples import grid_of

from harness.report.statistics.scaling import find_crossing, fit_curve, make_scaling
from modelling.errors import InputError

SIZES = np.array([2.0, 3, 5, 8, 13, 21])


def sizes_of(sizes):
    names = [f"i-{place}" for place in range(len(sizes))]
    return pd.DataFrame({"set": "set", "instance": names, "size": sizes, "unit": "cities"})


def test_a_power_and_an_exponential_are_distinguished():
    power = fit_curve(SIZES, 2 * SIZES**3)
    assert (power.curve, power.slope) == ("power", pytest.approx(3))
    grows = fit_curve(SIZES, 0.5 * 1.5**SIZES)
    assert (grows.curve, np.exp(grows.slope)) == ("exponential", pytest.approx(1.5))
    assert grows.explained == pytest.approx(1)


def test_slope_and_interval_are_those_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    seconds = SIZES**2 * np.exp([0.1, -0.2, 0.3, 0.0, -0.1, 0.2])
    fit = fit_curve(SIZES, seconds)
    other = stats.linregress(np.log(SIZES), np.log(seconds))
    half = stats.t.ppf(0.975, 4) * other.stderr
    assert fit.slope == pytest.approx(other.slope)
    assert fit.interval == pytest.approx((other.slope - half, other.slope + half))
    assert fit.explained == pytest.approx(other.rvalue**2)


def test_curves_cross_where_they_are_equal():
    noise = np.exp([0.01, -0.02, 0.01, 0.01, -0.02, 0.01])
    square, straight = fit_curve(SIZES, SIZES**2 * noise), fit_curve(SIZES, 10 * SIZES / noise)
    at, low, high = find_crossing(square, straight, 2, 21)
    assert at == pytest.approx(10, rel=0.05)
    assert 8 < low < at < high < 13
    assert np.isnan(find_crossing(square, straight, 2, 5)).all()


def test_the_table_says_who_crosses_whom():
    grid = grid_of({"a": list(SIZES**2), "b": list(10 * SIZES)}, limit=1000)
    rows = make_scaling(grid, sizes_of(SIZES)).set_index("backend")
    assert rows.loc["a", "growth"] == pytest.approx(2)
    assert set(rows["unit"]) == {"cities"}
    assert rows.loc["a", "crosses"] == "b"
    assert rows.loc["a", "crossing"] == pytest.approx(10, rel=0.01)
    assert rows.loc["b", "crosses"] == ""


def test_sizes_from_the_first_unsolved_one_on_do_not_count():
    grid = grid_of({"a": [1, 2, 4, 8, None, 9]}, limit=1000)
    (row,) = make_scaling(grid, sizes_of([1, 2, 3, 4, 5, 6])).to_dict("records")
    assert (row["instances"], row["largest"]) == (4, 4)


def test_too_few_sizes_are_an_error():
    with pytest.raises(InputError, match="4 instances of 3 sizes"):
        make_scaling(grid_of({"a": [1, 2, 3]}), sizes_of([1, 2, 3]))
