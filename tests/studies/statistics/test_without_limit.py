"""The study of the ratio without a limit: its estimators."""

import numpy as np
import pytest
from scipy import stats

from results.studies.statistics import without_limit

pytestmark = pytest.mark.once

PAIRS = np.random.default_rng(2).multivariate_normal([1.0, 0.6], [[1.0, 0.7], [0.7, 1.0]], 400)


def test_without_anything_cut_off_the_normal_estimate_is_the_mean():
    low, high = without_limit.fit_normal([PAIRS], np.inf)
    ratios = PAIRS[:, 0] - PAIRS[:, 1]
    assert (low + high) / 2 == pytest.approx(ratios.mean(), abs=1e-3)
    half = 1.966 * ratios.std() / np.sqrt(len(ratios))
    assert (high - low) / 2 == pytest.approx(half, rel=0.02)


def test_what_is_cut_off_is_made_up_for_where_times_are_normal():
    low, high = without_limit.fit_normal([PAIRS], 1.4)
    assert low < 0.4 < high
    seen = np.minimum(PAIRS, 1.4)
    assert (seen[:, 0] - seen[:, 1]).mean() < low


def test_bounds_of_the_median_hold_whatever_was_cut_off():
    pairs = np.array([[1.0, 0.0], [2.0, 0.5], [9.0, 1.0], [9.0, 9.0], [0.1, 0.2], [0.3, 9.0]])
    low, high = without_limit.bound_median([pairs], 5.0)
    # bounds: [1, 1], [1.5, 1.5], [4, inf], [-inf, inf], [-0.1, -0.1], [-inf, -4.7]; the first ones
    assert (low, high) == (-np.inf, np.inf)
    low, high = without_limit.bound_median([PAIRS], np.inf)
    assert low < np.median(PAIRS[:, 0] - PAIRS[:, 1]) < high


def test_truths_weigh_families_by_their_samples():
    population = [np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[5.0, 0.0], [5.0, 0.0]])]
    assert without_limit.find_mean(population, [3, 1]) == 2
    assert without_limit.find_median(population, [3, 1]) == 1


@pytest.mark.parametrize(
    ("edge", "slope"), [((0.0, 0.0), 0.5), ((1.0, -0.5), 0.9), ((-9.0, 2.0), 0)]
)
def test_both_exceed_as_scipy_says(edge, slope):
    found = without_limit._exceed_both(np.array(edge), slope, np.sqrt(1 - slope**2))
    cov = [[1.0, slope], [slope, 1.0]]
    assert found == pytest.approx(stats.multivariate_normal.cdf(-np.array(edge), cov=cov), abs=1e-6)
