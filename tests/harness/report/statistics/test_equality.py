"""The sign-flip test, beside cases counted by hand and scipy; and what is decided by it."""

from itertools import product

import numpy as np
import pytest

from harness.report.statistics import equality
from harness.report.statistics.equality import find_chance, name_difference
from harness.statistics import interval

ONE_SET = ["s"] * 100_000


def chance(logs, strata=ONE_SET):
    return find_chance(np.asarray(logs, dtype=float), strata[: len(logs)])


def test_all_on_one_side_is_two_of_all_changes():
    assert chance([1, 2, 3, 4, 5, 6]) == 2 / 64
    assert chance([1.0] * 8) == 2 / 256


def test_changes_that_are_as_far_count():
    """Of 1 to 6 with the signs of 1 and 2 changed the sum is 15; sums of subsets up to 3 leave as
    much: none, 1, 2, 3 and 1 + 2 changed, on either side."""
    assert chance([-1, -2, 3, 4, 5, 6]) == 10 / 64


def test_it_is_the_permutation_test_of_pairs():
    stats = pytest.importorskip("scipy.stats")
    own, other = np.random.default_rng(1).normal(0, 1, (2, 10))
    found = stats.permutation_test(
        (own + 0.8, other),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
    )
    assert chance(own + 0.8 - other) == pytest.approx(found.pvalue)


def test_drawn_changes_are_near_all_changes(monkeypatch):
    logs = np.random.default_rng(2).normal(0.5, 1, 13)
    exact = chance(logs)
    monkeypatch.setattr(equality, "DRAWS", 4_000)
    drawn = chance(logs)
    assert drawn != exact
    assert drawn == pytest.approx(exact, abs=4 * (exact / 4_000) ** 0.5)
    assert drawn == chance(logs)  # the seed is fixed


def test_a_drawn_chance_is_never_0():
    assert chance(np.full(50, 3.0)) == 1 / 10_000


def test_many_ratios_of_a_set_are_drawn_as_normal_sums(monkeypatch):
    logs = np.random.default_rng(3).normal(0.05, 1, 1_500)
    drawn = chance(logs)
    monkeypatch.setattr(equality, "MANY", 10_000)
    monkeypatch.setattr(equality, "WORK", 10**9)
    assert drawn == pytest.approx(chance(logs), abs=0.02)


def test_blocks_make_as_many_draws(monkeypatch):
    logs = np.random.default_rng(4).normal(0.3, 1, 40)
    whole = chance(logs)
    monkeypatch.setattr(equality, "BLOCK", 40_000)
    assert chance(logs) == pytest.approx(whole, abs=0.02)


def test_sets_that_differ_cost_no_power():
    """Within sets the ratios are nearly equal, so that the mean is certain, though one set is
    slower and the other faster."""
    logs = [2.0, 2.01, 2.02, 1.99, 1.98, -1.0, -1.01, -0.99, -1.02, -0.98]
    assert chance(logs, [*"sssss", *"ttttt"]) < 0.05
    assert chance(logs) > 0.2


@pytest.mark.parametrize("strata", [["s"] * 6, [*"ssst", "t", "u"]])
def test_equal_backends_are_called_different_in_at_most_5_percent(strata):
    """All changes of signs are as likely: the level is exact, whatever the logarithms are."""
    sizes = np.array([0.1, 0.1, 0.2, 1.0, 5.0, 0.7])
    chances = [find_chance(sizes * signs, strata) for signs in product([1, -1], repeat=6)]
    assert np.mean(np.array(chances) <= 0.05) <= 0.05
    assert min(chances) == 2 / 64


def test_nothing_differs():
    assert chance(np.zeros(6)) == 1
    assert chance(np.zeros(60)) == 1


def test_too_few_have_no_chance():
    assert np.isnan(chance([1, 1, 1, 1, 1]))
    assert np.isnan(chance([]))


@pytest.mark.parametrize(
    ("low", "high", "p", "word"),
    [
        (1.01, 1.5, 0.01, "slower"),
        (0.5, 0.9, 0.049, "faster"),
        (1.01, 1.5, 0.05, "unclear"),
        (0.9, 1.5, 0.01, "unclear"),
        (0.81, 1.24, 0.01, "alike"),
        (1.01, 1.2, 0.06, "alike"),
        (float("nan"), float("nan"), float("nan"), "too few"),
    ],
)
def test_interval_and_test_must_agree(low, high, p, word):
    assert name_difference(low, high, p) == word


def test_a_skewed_sample_whose_interval_excludes_1_may_be_chance():
    logs = np.array([0.3, 0.35, 0.4, 0.5, 0.6, -0.05])
    low, high = interval(np.exp(logs), ["s"] * 6)
    assert low > 1
    assert chance(logs) == 4 / 64
    assert name_difference(low, high, chance(logs)) == "unclear"
