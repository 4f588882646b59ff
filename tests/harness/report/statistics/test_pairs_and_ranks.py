"""Pairs of backends, mean ranks, and how stable a ranking is."""

import numpy as np
import pytest
from grid_samples import grid_of

from harness.report.statistics.pairs import make_pairs
from harness.report.statistics.ranks import make_ranks
from harness.report.statistics.resampling import MANY, draw_means


def test_a_pair_has_wins_ratios_and_who_solved_alone():
    grid = grid_of({"a": [1, 1, 2, 5, None, None], "b": [2, 4, 1, None, 5, None]})
    (row,) = make_pairs(grid).to_dict("records")
    counts = [row[name] for name in ("instances", "both", "only", "only_other", "wins", "losses")]
    assert counts == [6, 3, 1, 1, 3, 2]
    assert row["ratio"] == pytest.approx((2 * 4 * 0.5) ** (1 / 3))
    # a time-out counts as the limit of 10 s
    assert row["used_ratio"] == pytest.approx((2 * 4 * 0.5 * 2 * 0.5 * 1) ** (1 / 6))
    assert np.isnan(row["low"])  # three ratios have no interval
    assert row["used_low"] < row["used_ratio"] < row["used_high"]


def test_what_was_refused_used_no_time_and_has_no_ratio():
    refused = [[False, True], [False, False]]
    (row,) = make_pairs(grid_of({"a": [1, 2], "b": [None, 4]}, refused=refused)).to_dict("records")
    assert row["used_ratio"] == pytest.approx(2)
    assert (row["only"], row["wins"]) == (1, 2)


def test_without_limits_those_that_solve_more_rank_first():
    grid = grid_of({"a": [1, None, None], "b": [9, 9, None], "c": [1, None, None]}, limit=np.inf)
    found = make_ranks(grid).set_index("backend")["rank"]
    assert dict(found) == {"b": 1, "a": 2, "c": 2}


def test_probabilities_are_corrected_for_all_pairs():
    times = {"a": [1.0] * 8, "b": [2.0 + n / 9 for n in range(8)], "c": [1.0] * 8}
    found = make_pairs(grid_of(times)).set_index(["backend", "other"])["p"]
    assert found["a", "b"] == pytest.approx(3 * 2 / 2**8)
    assert found["a", "c"] == 1


def test_ranks_and_who_differs():
    rng = np.random.default_rng(1)
    base = rng.uniform(1, 2, 20)
    grid = grid_of({"slow": list(base * 4), "fast": list(base), "same": list(base * 1.0001)})
    found = make_ranks(grid).set_index("backend")
    assert list(found.index) == ["fast", "same", "slow"]
    assert list(found["mean_rank"]) == [1, 2, 3]
    assert found["p"].iloc[0] < 1e-6
    assert list(found["alike"]) == [0, 0, 0]
    assert list(found["rank"]) == [1, 2, 3]
    assert found.loc["fast", "first_percent"] == 100


def test_equal_backends_are_alike_and_share_their_rank():
    found = make_ranks(grid_of({name: [1.0, 2.0, 3.0] for name in "abc"}))
    assert list(found["alike"]) == [2, 2, 2]
    assert list(found["rank"]) == [1, 1, 1]


def test_a_shorter_limit_changes_the_ranks():
    grid = grid_of({"a": [0.1, 9.0, 9.0], "b": [3.0, 4.0, 4.0]})
    found = make_ranks(grid).set_index("backend")
    assert found.loc["b", "rank"] == 1
    assert found.loc["a", "rank_tenth_limit"] == 1
    assert found.loc["b", "rank_half_limit"] == 1


def test_of_no_instance_there_are_no_ranks():
    assert len(make_ranks(grid_of({"a": [], "b": []}))) == 0


def test_instances_are_drawn_within_their_families():
    families = np.array([0, 0, 0, 1, 1, 2, 3])
    values = np.column_stack([families == 0, families == 1, families == 2, [0, 1, 2, 0, 0, 0, 0]])
    found = draw_means(values.astype(float), families, 200)
    assert np.allclose(found[:, :2], [3 / 7, 2 / 7])
    # the families of one instance are one family, from which either comes twice at times
    assert set((7 * found[:, 2]).round(6)) == {0, 1, 2}
    assert set((7 * found[:, 3]).round(6)) == {0, 1, 2, 3, 4, 5, 6}
    assert (found == draw_means(values.astype(float), families, 200)).all()


def test_means_of_large_families_are_drawn_as_they_are_distributed():
    values = np.random.default_rng(2).exponential(1, (MANY, 2))
    families = np.zeros(MANY, dtype=int)
    found = draw_means(values, families)
    assert found.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.01)
    assert found.std(axis=0) == pytest.approx(values.std(axis=0) / MANY**0.5, rel=0.1)
