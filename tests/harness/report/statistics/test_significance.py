"""Effect size, Friedman's test and the critical difference, beside published values."""

import numpy as np
import pytest

from harness.report.statistics.significance import (
    compare_all_ranks,
    find_critical_difference,
    measure_effect,
    rank_rows,
)


def test_the_effect_is_the_difference_of_ranks():
    assert measure_effect(np.array([1.0, 2.0, -3.0, 4.0])) == pytest.approx((1 + 2 - 3 + 4) / 10)
    assert measure_effect(np.array([1.0, 2.0, 0.0])) == 1
    assert measure_effect(np.zeros(3)) == 0


@pytest.mark.parametrize(("backends", "q"), [(2, 1.960), (4, 2.569), (10, 3.164)])
def test_the_critical_difference_has_the_quantiles_of_demsar(backends, q):
    found = find_critical_difference(backends, 14)
    assert found == pytest.approx(q * (backends * (backends + 1) / (6 * 14)) ** 0.5, rel=1e-3)
    assert np.isnan(find_critical_difference(1, 14))


def test_equal_values_share_their_mean_rank():
    inf = np.inf
    ranks = rank_rows(np.array([[1.0, inf, inf], [2.0, 2.0, 1.0]]))
    assert ranks.tolist() == [[1, 2.5, 2.5], [2.5, 2.5, 1]]


def test_friedman():
    order = np.array([[1.0, 2.0, 3.0]] * 5)
    # all five alike: chi-squared = 12 / (5 * 3 * 4) * (5^2 + 10^2 + 15^2) - 3 * 5 * 4 = 10
    assert compare_all_ranks(order) == pytest.approx(np.exp(-5))
    assert compare_all_ranks(np.ones((5, 3))) == 1
    assert np.isnan(compare_all_ranks(order[:, :2]))
