"""Grades, scores and paths: sound, determined, frozen; and what puzzles without a grade get."""

import json
from hashlib import sha256

import pytest

from modelling.errors import InputError, InstanceError
from puzzles.grid.checking import faults
from puzzles.sets import instances
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.grading import path
from puzzles.sudoku.grading.path import grade, grade_grid
from puzzles.sudoku.grading.scale import COSTS, GRADES, VERSION, rank
from puzzles.sudoku.grading.techniques import TECHNIQUES
from tests.data import samples

MIX = {
    "minimal.txt": 90,
    "few-clues.txt": 20,
    "easy.txt": 20,
    "hardest.txt": 3,
    "random_minimal.txt.gz": 60,
    "anchor_magictour_200.txt": 30,
    "anchor_17clue_200.txt": 30,
    "random_easy.txt": 20,
    "anchor_hardest_11plus_100.txt": 3,
}


def texts_of(name):
    return [entry.text for entry in instances(name)]


@pytest.fixture(scope="module")
def sample():
    """Graded puzzles of varied difficulty, each with exactly one solution."""
    found = []
    for name in samples.only(*MIX):
        found += [grade(text) for text in samples.lines(name)[: MIX[name]]]
    return found


def sound(graded):
    """No step contradicts the solution, which is the end of the path; every one is explained."""
    layout, solution = graded.start.layout, graded.end.values
    assert faults(layout, graded.start.values, solution) == []
    for position, step in graded.positions():
        assert step == next(TECHNIQUES[step.technique](position))
        assert all(solution[cell] == value for cell, value in step.placements)
        assert all(solution[cell] != value for cell, value in step.eliminations)
        changes = step.placements + step.eliminations
        assert changes == tuple(sorted(changes))
        assert step.explanation.isprintable()
        for cell, _ in changes:
            assert f"r{cell // layout.order + 1}c{cell % layout.order + 1}" in step.explanation


def test_no_step_contradicts_the_solution(sample):
    for graded in sample:
        assert graded.outcome == "solved"
        sound(graded)


def test_cheaper_techniques_come_first(sample):
    for graded in sample[::12]:
        for position, step in graded.positions():
            for name in GRADES[: GRADES.index(step.technique)]:
                assert next(TECHNIQUES[name](position), None) is None


def test_all_techniques_are_needed(sample):
    """A mix of puzzles uses them all but quads, which hardly ever are the cheapest."""
    used = {step.technique for graded in sample for step in graded.steps}
    assert set(TECHNIQUES) - used <= {"naked-quad", "hidden-quad", "hidden-triple", "swordfish"}
    assert {"trial", "nested-trial"} <= {graded.grade for graded in sample}


def test_the_set_that_ships():
    for text in texts_of("sudoku"):
        graded = grade(text)
        assert graded.outcome == "solved"
        sound(graded)
        assert graded.score == sum(COSTS[step.technique] for step in graded.steps)
        assert graded.grade == max(graded.counts, key=rank, default="")
        assert sum(graded.counts.values()) == len(graded.steps)
        assert graded == grade(text)


def test_other_sizes():
    for text in texts_of("sudoku-sizes"):
        graded = grade(text)
        assert graded.outcome == "solved"
        sound(graded)


def test_a_puzzle_in_any_form():
    rows = ["12|34", "34|1.", "--+--", "21|43", "43|2."]
    assert grade("\n".join(rows)).score == grade("1234341.2143432.").score == 2


def test_unsatisfiable_puzzles_end_in_a_contradiction():
    for text in texts_of("sudoku-unsatisfiable"):
        graded = grade(text)
        assert graded.outcome == "unsatisfiable"
        assert graded.end.contradiction()
        assert graded.grade is graded.score is None


@pytest.mark.parametrize("name", samples.only("none.txt", "zero_solutions.txt"))
def test_unsatisfiable_puzzles_that_need_guesses(name):
    every = samples.lines(name)
    found = [grade(text) for text in every[:: max(1, len(every) // 40)]]
    assert {graded.outcome for graded in found} == {"unsatisfiable"}
    assert any("trial" in graded.counts for graded in found)


def test_puzzles_of_several_solutions_get_no_grade_but_two_of_them():
    for text in texts_of("sudoku-several"):
        layout, givens = SUDOKU.parse(text)
        graded = grade_grid(layout, givens)
        assert graded.outcome == "several"
        assert graded.grade is graded.score is None
        one, other = graded.examples
        assert one != other
        assert faults(layout, givens, one) == faults(layout, givens, other) == []
        for value, here, there in zip(graded.end.values, one, other, strict=True):
            assert value in (0, here)
            assert value in (0, there)


def test_a_full_grid_needs_no_technique():
    graded = grade("1234341221434321")
    assert (graded.outcome, graded.grade, graded.score, graded.steps) == ("solved", "", 0, ())


def test_an_empty_grid_has_several_solutions():
    assert grade("." * 81).outcome == "several"
    assert grade("." * 256).outcome == "several"


def test_clashing_givens_and_nonsense_are_refused():
    with pytest.raises(InstanceError, match="1 occurs twice in row 1"):
        grade("11" + "." * 79)
    with pytest.raises(InstanceError):
        grade("nonsense")


def test_the_search_for_a_second_solution_is_bounded(monkeypatch):
    text = next(text for text in texts_of("sudoku") if grade(text).grade == "trial")
    monkeypatch.setattr(path, "GUESSES", 1)
    graded = grade(text)
    assert graded.outcome == "gave_up"
    assert graded.grade is graded.score is None


def test_the_scale_is_frozen():
    """A cost or an order that changes needs a new version; grades in sets and records name it."""
    frozen = {1: "bae15cb27ce6ce0c"}
    digest = sha256(json.dumps(list(COSTS.items())).encode()).hexdigest()
    assert frozen[VERSION] == digest[:16]
    assert list(COSTS.values()) == sorted(COSTS.values())


FROZEN = {
    "728............5.....4.9....4.97..2.........6...645..92.1...87..9438..1........4.": (
        "naked-single",
        56,
    ),
    "......8.1.64...9.......3..6.39.4.2..5....2....1..3..7....36...2.9.....5.651.....7": (
        "naked-pair",
        77,
    ),
    ".......12.5.4............3.7..6..4....1..........8....92....8.....51.7.......3...": (
        "locked-candidates",
        116,
    ),
    "....6.27.9..3.1....8.......3..2....7.....5....2...9543.5....8...9..17...4..9.....": (
        "trial",
        966,
    ),
}
"""Grades and scores of version 1. They change when the order of steps does: then it is another."""


@pytest.mark.parametrize("text", FROZEN)
def test_grades_and_scores_are_frozen(text):
    assert VERSION == 1
    graded = grade(text)
    assert (graded.grade, graded.score) == FROZEN[text]


def test_ranks():
    assert [rank(name) for name in GRADES] == list(range(1, len(GRADES) + 1))
    with pytest.raises(InputError, match="no grade is called 'x-wings'"):
        rank("x-wings")
