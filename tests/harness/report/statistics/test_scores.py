"""Solved, PAR-k, shifted mean and contributions, beside figures worked out by hand."""

from itertools import permutations
from math import factorial

import numpy as np
import pytest
from grid_samples import grid_of

from harness.report.statistics import portfolio, scores

GRID = grid_of({"a": [1, 2, None, 4], "b": [2, 1, 3, None], "c": [None, None, 6, 8]})


def test_par_counts_the_unsolved_as_k_limits():
    assert list(scores.count_solved(GRID)) == [3, 3, 2]
    assert scores.measure_par(GRID, 2) == pytest.approx([27 / 4, 26 / 4, 54 / 4])
    assert scores.measure_par(GRID, 10) == pytest.approx([107 / 4, 106 / 4, 214 / 4])


def test_the_shifted_mean_counts_the_unsolved_as_their_limits():
    found = scores.measure_shifted_mean(GRID)
    assert found[0] == pytest.approx((2 * 3 * 11 * 5) ** 0.25 - 1)
    assert scores.measure_shifted_mean(GRID, 0.0)[0] == pytest.approx(80**0.25)


def test_without_instances_there_is_no_score():
    none = GRID.choose(np.empty(0, dtype=int))
    assert np.isnan(scores.measure_par(none, 2)).all()
    assert np.isnan(scores.measure_shifted_mean(none)).all()


def test_the_virtual_best_is_the_fastest_on_each_instance():
    best = portfolio.find_virtual_best(GRID)
    assert list(best.seconds[:, 0]) == [1, 1, 3, 4]
    assert scores.measure_par(best, 2) == pytest.approx([9 / 4])
    assert portfolio.find_single_best(scores.measure_par(GRID, 2)) == 1


def test_what_nobody_solved_the_virtual_best_did_not_solve_either():
    best = portfolio.find_virtual_best(grid_of({"a": [None, 1], "b": [None, 2]}))
    assert list(best.solved[:, 0]) == [False, True]
    assert scores.measure_par(best, 2) == pytest.approx([21 / 2])


def test_alone_solved():
    grid = grid_of({"a": [1, 2, None], "b": [None, 2, None], "c": [None, None, 1]})
    assert list(portfolio.count_alone_solved(grid)) == [1, 0, 1]


def test_the_shapley_value_is_the_mean_over_all_orders():
    rng = np.random.default_rng(3)
    times = {name: list(np.where(rng.random(30) < 0.4, np.nan, 1.0)) for name in "abcd"}
    grid = grid_of(times)
    value = np.zeros(4)
    for order in permutations(range(4)):
        known = np.zeros(30, dtype=bool)
        for one in order:
            value[one] += (grid.solved[:, one] & ~known).sum() / factorial(4)
            known |= grid.solved[:, one]
    assert portfolio.share_solved(grid) == pytest.approx(value)
    assert value.sum() == pytest.approx(grid.solved.any(axis=1).sum())


def test_kinds_weigh_alike_in_means_of_times():
    """Three instances of one kind weigh as much as one of another."""
    weights = [2 / 3, 2 / 3, 2 / 3, 2]
    grid = grid_of({"a": [1.0, 1.0, 1.0, 5.0]}, weights=weights)
    assert scores.measure_par(grid, 2) == pytest.approx([3.0])
    assert scores.measure_shifted_mean(grid, 1.0) == pytest.approx([12**0.5 - 1])
