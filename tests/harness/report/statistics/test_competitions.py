"""Scores of competitions: rules by hand, and a published table."""

import numpy as np
import pytest
from grid_samples import grid_of

from harness.report.statistics import competitions
from results.studies.statistics import challenge


def test_equal_answers_share_a_point_by_time():
    grid = grid_of({"a": [1], "b": [2], "c": [None]})
    assert competitions.score_borda(grid) == pytest.approx([2 / 3 + 1, 1 / 3 + 1, 0])
    assert competitions.score_borda(grid_of({"a": [0], "b": [0]})) == pytest.approx([0.5, 0.5])


def test_a_proof_beats_an_answer_and_a_better_answer_a_worse_one():
    # a proves -5 in 9 s; b and c are stopped with -5 and -7; d finds nothing
    grid = grid_of(
        {"a": [9], "b": [None], "c": [None], "d": [None]}, quality=[[-5, -5, -7, np.nan]]
    )
    assert competitions.score_borda(grid) == pytest.approx([3, 2, 1, 0])
    assert list(competitions.count_best_known(grid)) == [1, 1, 0, 0]


def test_the_points_of_xcsp3():
    # one row each: a proves what b finds, and c is worse; nobody proves what b and c find; d fails
    grid = grid_of(
        {"a": [9, None], "b": [None, None], "c": [None, None], "d": [None, None]},
        quality=[[-5, -5, -7, np.nan], [-9, -8, -8, np.nan]],
    )
    assert list(competitions.score_xcsp3(grid)) == [1, 0.5 + 1, 1, 0]


def test_the_points_of_xcsp3_without_an_objective_are_the_solved_instances():
    grid = grid_of({"a": [1, 2, None], "b": [None, 2, None]})
    assert list(competitions.score_xcsp3(grid)) == [2, 1]


def test_two_that_are_stopped_with_equal_answers_share_a_point():
    grid = grid_of({"a": [None], "b": [None]}, quality=[[0, 0]])
    assert competitions.score_borda(grid) == pytest.approx([0.5, 0.5])


def test_the_minizinc_challenge_of_2013_comes_out_as_published():
    rows = list(challenge.measure(challenge.Options(), frozenset()))
    assert len(rows) == 62
    assert challenge.find_faults(rows) == []
    points = {(row.group, row.solver): row.computed for row in rows}
    assert points["fixed", "chuffed-fd"] == pytest.approx(546.165, abs=0.002)
    worse = [challenge.Row("fixed", "chuffed-fd", 546.165, 546.2)]
    assert challenge.find_faults(worse) == ["fixed, chuffed-fd: 546.165 published, 546.2 computed"]
