"""A solver that contradicts itself is asked again about less."""

import random
from dataclasses import replace

import hunted
import pytest

from harness.hunting.fuzzing.causes import find_cause, reduce
from harness.hunting.fuzzing.drawing.questions import EVERY
from harness.hunting.fuzzing.playing.contradictions import Contradiction, draw_related
from harness.hunting.judging.asked import Asked
from harness.hunting.judging.relations import find_broken_relation
from modelling.constraints import Linear, Table
from modelling.laws.drawing import structure_over

TABLE = Table((0, 1), ((0, 0), (0, 1), (1, 1), (1, 2)))
CONSTRAINTS = (Linear((1, 2), (1, 1), "<=", 4), TABLE, Linear((0,), (1,), ">=", 0))
PROBLEM = structure_over([(0, 1), (0, 1, 2), (0, 1)], CONSTRAINTS).problem()
ASKED = Asked(PROBLEM, "here", "py:hunted:LosesOne", EVERY)


def ask(solver, problem):
    return solver.solve(problem, EVERY.ask())


@pytest.fixture
def found():
    """A relation that the solver breaks: split, or excluded, it loses one more."""
    solver = hunted.LosesOne()
    for seed in range(200):
        rng = random.Random(seed)
        state, result = rng.getstate(), ask(solver, PROBLEM)
        related = draw_related(rng, PROBLEM, result)
        if related is not None:
            answers = [ask(solver, one) for one in related.problems]
            if find_broken_relation(ASKED, result, related, answers) is not None:
                return Contradiction(related.name, state, solver)
    raise AssertionError("no relation is broken")


def test_the_contradiction_is_there_again(found):
    wrong, claimed = found.ask(ASKED)
    assert wrong.authority == "relation"
    assert found.name in wrong.note
    assert claimed.count == ask(found.backend, PROBLEM).count


def test_it_is_gone_where_nothing_is_wrong(found):
    assert replace(found, backend=hunted.Right()).ask(ASKED) is None
    structure = replace(PROBLEM.structure, constraints=CONSTRAINTS[:1])
    assert found.ask(replace(ASKED, problem=structure.problem())) is None


def test_a_problem_that_is_refused_contradicts_nothing(found):
    large = structure_over([range(100)] * 3, ()).problem()
    assert found.ask(replace(ASKED, problem=large)) is None


def test_what_is_not_needed_is_taken_away_and_the_rest_is_the_cause(found):
    small = reduce(ASKED, ASKED.backend, lambda asked: found.ask(asked) is not None)
    assert small.problem.structure.constraints == (TABLE,)
    wrong, _ = found.ask(small)
    cause = str(find_cause(small, wrong, ASKED.backend))
    assert cause.endswith("with Table")
