"""A guided hunt asks what is rare and small first, and draws the same for the same seed."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from harness.hunting.fuzzing.drawing.edges import draw_edge
from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.drawing.problems import Drawn, draw, is_small
from harness.hunting.fuzzing.drawing.questions import OPTIMA, OPTIMUM, draw_one_question
from harness.hunting.fuzzing.guidance import (
    SLOTS,
    choose_drawn,
    count_features,
    draw_candidates,
    find_next_shared,
    find_slots,
    guess_cost,
    measure_worth,
)
from harness.hunting.fuzzing.shapes import list_shaped
from modelling.constraints import AllDifferent, Element, Linear
from modelling.problem import Structure
from modelling.terms import Affine, constant


def make(constraint, size=2, domain=(0, 1, 2)):
    names = tuple(f"x{place}" for place in range(size))
    return Drawn(Structure(names, (domain,) * size, (constraint,)).problem(), "made")


def find_features(problem):
    """Each class with a shape, and with two."""
    shaped = list(list_shaped(problem))
    single = {f"{name} {shape}" for name, shapes in shaped for shape in shapes}
    pairs = ((name, pair) for name, shapes in shaped for pair in combinations(shapes, 2))
    return single | {f"{name} {one} {other}" for name, (one, other) in pairs}


def test_what_was_asked_often_is_worth_less():
    counts = bytearray(SLOTS)
    slots = find_slots(make(AllDifferent((0, 1))).problem, ())
    before = measure_worth(slots, counts)
    assert before == len(slots) == len(find_features(make(AllDifferent((0, 1))).problem))
    count_features(slots, counts)
    assert measure_worth(slots, counts) == before / 2
    for _ in range(300):
        count_features(slots, counts)
    assert measure_worth(slots, counts) == pytest.approx(before / 256)


def test_the_rarest_candidate_is_chosen_and_options_count():
    counts = bytearray(SLOTS)
    often, rare = make(AllDifferent((0, 1))), make(Linear((0, 1), (1, -1), "<", 2))
    for _ in range(5):
        count_features(choose_drawn([often], ["engine=a"], counts)[1], counts)
    assert choose_drawn([often, rare], ["engine=a"], counts)[0] is rare
    same, other = (find_slots(often.problem, [f"engine={name}"]) for name in "ab")
    assert measure_worth(other, counts) > measure_worth(same, counts)


def test_of_two_that_are_as_rare_the_smaller_one_is_chosen():
    wide, narrow = (make(AllDifferent((0, 1)), size, tuple(range(7))) for size in (4, 2))
    assert guess_cost(wide.problem) > guess_cost(narrow.problem)
    assert choose_drawn([wide, narrow], (), bytearray(SLOTS))[0] is narrow


def test_shapes_name_what_a_translation_has_cases_for():
    structure = Structure(
        ("x", "y", "b"),
        ((-1, 0, 3), (2,), (0, 1)),
        (
            Linear((0, 0, 2), (1, -1, 1), "<=", 0),
            AllDifferent((constant(3), Affine(1, -1, 0), 2)),
            AllDifferent(()),
            Linear((Element((1, 2), 0),), (1,), "==", 1),
        ),
    )
    found = find_features(structure.problem())
    assert {
        *("Linear relation=<=", "Linear constant 0", "Linear coefficients -", "Linear terms twice"),
        *("Linear terms negative gap", "Linear terms binary", "Linear terms function"),
        *("AllDifferent terms constant", "AllDifferent terms view -", "AllDifferent terms of 0"),
        *("Linear in root", "Element in Linear", "Linear constant 0 relation=<="),
    } <= found
    assert "Problem givens" not in found
    assert "Problem givens" in find_features(structure.problem({0: 0}))


def test_candidates_depend_on_the_random_stream_alone():
    def draw_some():
        rng = random.Random(4)
        return [one for _ in range(30) for one in draw_candidates(rng, Draws(1), 0)]

    assert draw_some() == draw_some()


def test_large_problems_come_in_the_order_of_every_lane():
    passed, numbers = 0, []
    for _ in range(3):
        passed = find_next_shared(Draws(1), passed)
        numbers.append(passed)
    assert numbers == sorted(set(numbers))
    assert not any(is_small(draw(1, number).problem) for number in numbers)
    streams = map(random.Random, range(300))
    drawn = [one for rng in streams for one in draw_candidates(rng, Draws(1), 0)]
    assert {one.key for one in drawn if not is_small(one.problem)} == {f"1/{numbers[0]}"}


@pytest.mark.parametrize("seed", range(3))
def test_edges_are_small_and_have_what_is_rare_elsewhere(seed):
    rng = random.Random(seed)
    problems = [draw_edge(rng)[1] for _ in range(150)]
    assert all(is_small(problem) for problem in problems)
    shapes = {feature.split(" ", 1)[1] for one in problems for feature in find_features(one)}
    assert {"terms twice", "terms constant", "terms view -", "terms fixed"} <= shapes
    assert any(len(domain) >= 50 for one in problems for domain in one.structure.domains)
    assert {"terms of 5", "coefficients --", "coefficients ++"} <= shapes
    assert any(problem.structure.objective for problem in problems)


def test_optima_are_asked_for_where_there_is_an_objective():
    rng = random.Random(1)
    best = {OPTIMUM, OPTIMA}
    with_one = {draw_one_question(rng, True, True)[0] for _ in range(100)}
    without = {draw_one_question(rng, False, True)[0] for _ in range(100)}
    unable = {draw_one_question(rng, True, False)[0] for _ in range(100)}
    assert best <= with_one
    assert not best & (without | unable)
