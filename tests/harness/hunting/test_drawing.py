"""What is drawn depends on the seed and the number alone, and relations hold by brute force."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from backends.conformance.oracle import make_oracle
from backends.interface import registry
from harness.hunting.fuzzing.drawing.configurations import draw_name, list_items, list_settings
from harness.hunting.fuzzing.drawing.mutations import MUTATIONS, mutate
from harness.hunting.fuzzing.drawing.problems import SOURCES, draw, is_small
from harness.hunting.fuzzing.drawing.questions import draw_questions, loosen
from harness.hunting.fuzzing.drawing.relations import RELATIONS, exclude
from modelling.errors import ModelError
from modelling.problem import Problem
from modelling.text import from_text, to_text


def draw_small(seed: int):
    numbers = iter(range(10_000))
    return (drawn.problem for n in numbers if is_small((drawn := draw(seed, n)).problem))


def test_a_number_always_gives_the_same_problem():
    for number in range(3 * len(SOURCES)):
        first, again = draw(5, number), draw(5, number)
        assert first == again
        assert first.key == f"5/{number}"
    assert draw(5, 1).problem != draw(6, 1).problem


def test_one_problem_in_eight_is_too_large_for_brute_force():
    large = [not is_small(draw(1, number).problem) for number in range(80)]
    assert large.count(True) == 10


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.__name__)
def test_a_relation_holds_by_brute_force(relation):
    rng, held = random.Random(relation.__name__), 0
    for problem in islice(draw_small(7), 150):
        try:
            related = relation(rng, problem)
        except ModelError:
            continue
        if related is None or not all(map(is_small, related.problems)):
            continue
        oracle, others = make_oracle(problem), [make_oracle(one) for one in related.problems]
        assert len(oracle.expected) == sum(len(one.expected) for one in others) + related.lost
        objective = problem.structure.objective
        if objective is not None and oracle.every:
            choose = min if objective.sense == "minimize" else max
            values = [related.factor * one.best + related.shift for one in others if one.every]
            assert oracle.best == choose(values)
        held += 1
    assert held > 10


def test_without_one_solution_there_is_one_less():
    held = 0
    for problem in islice(draw_small(8), 60):
        oracle = make_oracle(problem)
        if oracle.every:
            related = exclude(problem, min(oracle.every))
            (other,) = related.problems
            assert len(make_oracle(other).expected) == len(oracle.expected) - related.lost
            held += 1
    assert held > 20


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_mutation_gives_another_problem_that_can_be_written(mutation):
    rng, changed = random.Random(mutation.__name__), 0
    problems = list(islice(draw_small(9), 80))
    for problem in problems:
        try:
            made = mutation(rng, problem, rng.choice(problems))
        except (ModelError, ValueError, TypeError, IndexError):
            continue
        if made is not None and made != problem:
            changed += 1
            assert from_text(to_text(made)) == made
    assert changed > 5


def test_mutations_depend_on_the_random_stream_alone():
    problems = list(islice(draw_small(10), 20))

    def mutated() -> list[Problem]:
        rng = random.Random(3)
        return [mutate(rng, one, rng.choice(problems)) for one in problems]

    assert mutated() == mutated()


@pytest.mark.parametrize("name", ["propagation", "sat", "cpsat", "python_constraint"])
def test_drawn_options_are_those_of_the_backend(name):
    rng, known = random.Random(name), set()
    for _ in range(60):
        drawn = draw_name(rng, name)
        registry.spec(drawn)
        known |= {item.partition("=")[0] for item in list_items(drawn, name)}
    options, parameters = list_settings(name)
    assert known <= {one.name for one in options} | {one.name for one in parameters}
    assert {one.name for one in options} <= known


def test_options_that_a_name_sets_are_kept():
    rng = random.Random(1)
    for _ in range(50):
        drawn = draw_name(rng, "sat:engine=cadical195")
        assert drawn.startswith("sat:engine=cadical195")
        assert drawn.count("engine=") == 1


def test_a_program_and_an_object_of_a_user_have_no_options_to_draw():
    rng = random.Random(1)
    for name in ("py:hunted:Right", "command:dimacs:./mine"):
        assert {draw_name(rng, name) for _ in range(20)} == {name}


def test_limits_that_are_loosened_are_wider():
    rng = random.Random(2)
    for _ in range(100):
        for _, limits in draw_questions(rng, True, True, True):
            wider = loosen(limits)
            for name in ("seconds", "nodes", "conflicts"):
                before, after = getattr(limits, name), getattr(wider, name)
                assert (before is None) == (after is None)
                assert before is None or after >= before
