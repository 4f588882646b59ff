"""Effect size, Friedman's test and the critical difference, beside published values."""

import numpy as np
import pytest
from grid_samples import grid_of

from harness.report.statistics.ranks import make_ranks
from harness.report.statistics.significance import (
    compare_all_ranks,
    find_critical_difference,
    join_alike,
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


DEMSAR = {
    "C4.5": [4, 1, 4, 4, 4, 1, 3, 2.5, 4, 2.5, 4, 3, 4, 3],
    "C4.5+m": [3, 2, 1, 1, 2, 2.5, 2, 2.5, 3, 2.5, 2.5, 2, 1, 1],
    "C4.5+cf": [2, 3, 2, 3, 3, 4, 4, 4, 2, 2.5, 1, 4, 2, 4],
    "C4.5+m+cf": [1, 4, 3, 2, 1, 2.5, 1, 1, 1, 2.5, 2.5, 1, 3, 2],
}
"""The ranks of four classifiers on 14 sets of data: Demšar 2006, table 6."""


def test_the_mean_ranks_and_critical_differences_of_demsar():
    found = make_ranks(grid_of(DEMSAR)).set_index("backend")
    assert found["mean_rank"].round(3).to_dict() == {
        "C4.5+m+cf": 1.964, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5": 3.143
    }  # fmt: skip
    assert found["critical_difference"].round(2).unique().tolist() == [1.25]
    assert found["p"].iloc[0] < 0.05
    assert set(found["groups"]) == {"a"}, "the test finds no two that differ at 5%"
    # at 10% "pure C4.5 is significantly worse than C4.5+m and C4.5+m+cf", and C4.5+cf is in between
    critical = find_critical_difference(4, 14, 0.10)
    assert round(critical, 2) == 1.12
    assert join_alike(found["mean_rank"].to_numpy(), critical) == [(0, 2), (2, 3)]


def test_groups_are_as_large_as_can_be():
    means = np.array([1.0, 1.5, 2.6, 2.7, 5.0])
    assert join_alike(means, 1.25) == [(0, 1), (1, 3)]
    assert join_alike(means, 0.01) == []
    assert join_alike(means, 1.2, 0.3) == [(0, 4)]
    assert join_alike(means[:1], 1.2, 0.3) == []


def test_backends_in_no_group_have_a_letter_of_their_own():
    times = {"slow": [9] * 30, "a": [1, 2] * 15, "b": [2, 1] * 15}
    groups = make_ranks(grid_of(times)).set_index("backend")["groups"]
    assert groups.to_dict() == {"a": "a", "b": "a", "slow": "b"}
