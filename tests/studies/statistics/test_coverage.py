"""The study of intervals: what it draws, and what it counts."""

import numpy as np
import pytest

from results.studies.statistics import coverage
from results.studies.statistics.populations import KINDS

pytestmark = pytest.mark.once


def test_families_share_the_instances_and_none_has_less_than_two():
    assert coverage.share_instances(8, 1) == [8]
    assert coverage.share_instances(8, 4) == [2, 2, 2, 2]
    assert coverage.share_instances(40, 4) == [25, 5, 5, 5]


def test_a_limit_cuts_the_part_off_that_is_asked():
    population = [np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([[4.0, 5.0]])]
    limit = coverage.find_limit(population, 0.3)
    assert sum((part > limit).sum() for part in population) == 2
    assert coverage.find_limit(population, 0.0) == np.inf


def test_what_is_seen_within_a_limit():
    times = np.array([[1.0, 0.5], [5.0, 1.0], [6.0, 7.0]])
    assert coverage.see(times, 3.0, "both solved") == pytest.approx([0.5])
    assert coverage.see(times, 3.0, "until the limit") == pytest.approx([0.5, 2.0, 0.0])


def test_most_intervals_hold_the_truth_and_the_others_are_faults():
    row = coverage.simulate(next(iter(KINDS)), 8, 0.0, "both solved", 200)
    assert 0.88 <= row.covered / row.trials <= 0.99
    assert row.covered == row.without_limit
    bad = coverage.Row("p", 8, 0.0, "both solved", 100, 83, 83, 0, 2.0)
    assert coverage.find_faults([row, bad])[-1].endswith("both solved: 83.0%")
