"""The measurement of how uniform full grids are, on few draws, and its calculations on 4x4."""

import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("scipy", reason="scipy is of the dev extra")

from modelling.errors import InputError
from puzzles.grid.layout import peers
from puzzles.random_stream import Stream
from puzzles.sudoku.filling.propagating import open_sets, propagate
from puzzles.sudoku.filling.retry import free_columns, retry
from results.studies.puzzles import uniformity

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def every():
    return uniformity.all_of_four()


@pytest.fixture(scope="module")
def filling(every):
    """The chances of random filling: as posted, and not."""
    return {posted: uniformity.random_fill_chances(every, posted) for posted in (False, True)}


def test_it_measures_calculates_and_writes(tmp_path, capsys, monkeypatch, filling):
    monkeypatch.setattr(
        uniformity, "random_fill_chances", lambda every, as_posted: filling[as_posted]
    )
    uniformity.main(
        ["--draws", "600", "--nine", "40", "--retries", "3", "--out", str(tmp_path / "out")]
    )
    figures = json.loads((tmp_path / "out" / "uniformity.json").read_text())
    assert [row["method"] for row in figures["four"]] == list(uniformity.METHODS)
    for row in figures["four"]:
        assert sum(row["counts"]) == sum(row["in_class"]) == 600
        assert row["equal"]["freedom"] == 287
        assert row["never"] == row["counts"].count(0)
    shuffled = figures["four"][3]
    assert min(shuffled["in_class"]) == 0
    assert shuffled["equal"]["p"] < 1e-9
    assert shuffled["exact"]["freedom"] == 191
    assert {row["method"]: row["draws"] for row in figures["nine"]} == {
        "random_fill": 40,
        "retry": 3,
        "retry with repair": 30,
        "shuffle": 40,
        "uniform": 40,
    }
    assert [len(row["restarts"]) for row in figures["retries"]] == [3, 3]
    assert figures["exact"]["random_fill"]["share"] == [0.258523, 0.741477]
    assert figures["exact"]["random_fill as posted"]["share"][0] != pytest.approx(1 / 3, abs=0.01)
    assert "retry with repair" in capsys.readouterr().out


def test_no_draws_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        uniformity.main(["--draws", "0"])


def test_there_are_288_grids_in_two_classes(every):
    assert every.grids.shape == (288, 16)
    assert sorted(np.bincount(every.classes).tolist()) == [96, 192]
    assert every.numbers(every.grids).tolist() == list(range(288))


def test_chances_of_random_filling_are_those_of_following_one_course_at_a_time(every, filling):
    """Against what many random courses, asked after each placement, come to."""
    chances = filling[False]
    assert sum(chances) == 1
    for number in (0, 1):
        assert len({c for c, of in zip(chances, every.classes, strict=True) if of == number}) == 1

    def course(stream):
        sets, left = open_sets(uniformity.FOUR, 1), every.grids
        while True:
            cells = [c for c in range(16) if int(sets[c, 0]).bit_count() > 1]
            cell = stream.choice(cells)
            value = stream.choice([v for v in range(4) if int(sets[cell, 0]) >> v & 1])
            then = left[left[:, cell] == value + 1]
            if len(then) == 1:
                return then
            if len(then):
                sets[cell, 0], left = 1 << value, then
            else:
                sets[cell, 0] = int(sets[cell, 0]) & ~(1 << value)
            assert propagate(uniformity.FOUR, sets)[0]

    ends = np.concatenate([course(Stream(3, item)) for item in range(800)])
    of = every.classes[every.numbers(ends)]
    expected = float(96 * min(chances))
    spread = (expected * (1 - expected) / len(ends)) ** 0.5
    assert abs(np.mean(of == every.classes[int(np.argmin(chances))]) - expected) < 3 * spread


def test_naked_singles_alone_leave_hidden_ones():
    sets = open_sets(uniformity.FOUR, 2)
    for cell, value in ((0, 1), (6, 1), (13, 1)):
        sets[cell, 0] = value
    both = sets.copy()
    assert uniformity.naked_only(uniformity.FOUR, sets).all()
    propagate(uniformity.FOUR, both)
    assert int(both[11, 0]) == 1  # the 1 of the last box has one place left
    assert int(sets[11, 0]) == 0b1111
    for cell in peers(uniformity.FOUR, 0):
        assert not int(sets[cell, 0]) & 1
    sets[1, 1] = sets[0, 1] = 2
    assert uniformity.naked_only(uniformity.FOUR, sets).tolist() == [True, False]


def test_chances_of_retrying_are_those_of_its_draws(every):
    chances = uniformity.retry_chances(every)
    assert sum(chances) == 1
    through = sum(retry(uniformity.FOUR, Stream(1, item)).restarts == 0 for item in range(2000))
    # a grid with least choice is drawn with chance 1 over the product of its choices
    grid = every.grids[0].tolist()
    product, taken = 1, [0] * 4
    for value in range(1, 5):
        columns = [grid[4 * row : 4 * row + 4].index(value) for row in range(4)]
        for row in range(4):
            product *= len(free_columns(uniformity.FOUR, columns[:row], taken[row]))
        taken = [t | 1 << c for t, c in zip(taken, columns, strict=True)]
    assert abs(through / 2000 - float(Fraction(1, product) / chances[0])) < 0.04


def test_a_test_of_counts():
    even = np.full(4, 0.25)
    assert uniformity.tested(np.array([5, 5, 5, 5]), even) == {
        "chi_square": 0.0,
        "freedom": 3,
        "p": 1.0,
    }
    assert uniformity.tested(np.array([20, 0, 0, 0]), even)["chi_square"] == 60
    half = np.array([0.5, 0.5, 0, 0])
    assert uniformity.tested(np.array([6, 4, 0, 0]), half)["freedom"] == 1
    assert uniformity.tested(np.array([6, 4, 0, 1]), half)["p"] == 0


def test_rows_of_counts_are_compared():
    same = uniformity.compared([100, 200, 300, 1], [100, 200, 300, 1])
    assert (same["chi_square"], same["freedom"], same["p"]) == (0, 2, 1)
    assert uniformity.compared([100, 200, 300, 1], [300, 200, 100, 1])["p"] < 1e-20
    assert uniformity.compared([1, 2], [2, 1]) == {"chi_square": 0.0, "freedom": 0, "p": 1.0}


def test_rectangles_are_counted_as_defined():
    grids = np.array([retry(uniformity.NINE, Stream(4, k), repair=True).grid for k in range(8)])
    box = [3 * (c // 27) + c % 9 // 3 for c in range(81)]
    expected = []
    for grid in grids.tolist():
        found = 0
        for top, low in combinations(range(9), 2):
            for left, right in combinations(range(9), 2):
                cells = [9 * top + left, 9 * top + right, 9 * low + left, 9 * low + right]
                values = [grid[c] for c in cells]
                two_boxes = len({box[c] for c in cells}) == 2
                found += two_boxes and values[0] == values[3] and values[1] == values[2]
        expected.append(found)
    assert uniformity.rectangles(grids.astype(np.uint8)).tolist() == expected
    assert len(set(expected)) > 2
