"""A limit of time ends a call before its search begins, wherever it passes."""

import gc
import traceback
from itertools import pairwise

import pytest

import concord
from backends.interface import registry
from backends.interface.api import Deadline, Limits, Optimum, Solutions
from modelling.rewriting import keep_rewrites
from modelling.stopping import EVERY, Stopped, stop_when, watched

PURE = "propagation:form=pure"
LIMITS = Limits(seconds=3600)


class Questions:
    """A deadline that passes with the question of number ``last``, and who asked."""

    def __init__(self, monkeypatch, last=None):
        self.last = last
        self.number = 0
        self.askers = set()
        monkeypatch.setattr(Deadline, "has_passed", lambda deadline: self.ask())

    def ask(self):
        self.number += 1
        self.askers.update(frame.name for frame in traceback.extract_stack())
        return self.last is not None and self.number >= self.last


def chain(number):
    """Variables in a row of which two neighbours are apart, and their greatest."""
    model = concord.Model()
    x = model.ints(number, 0, 2, "x")
    for one, other in pairwise(x):
        model.add(concord.distance(one, other) >= 1)
        model.add(one != other)
    model.add(concord.all_different([x[0] + 5, x[1]]))
    model.minimize(concord.sum_(x))
    return model.problem()


def solve(problem, ask):
    keep_rewrites(64)
    return registry.get(PURE).solve(problem, ask, LIMITS)


@pytest.mark.parametrize("ask", [Solutions(1), Optimum()])
def test_a_call_ends_with_the_first_question_after_its_limit(monkeypatch, ask):
    problem = chain(2 * EVERY)
    with monkeypatch.context() as patch:
        endless = Questions(patch)
        patch.setattr("backends.propagation.solver.PropagationSession._run", lambda one: "time")
        solve(problem, ask)
    assert {"_rewrite", "post", "build", "variables"} <= endless.askers
    for last in range(1, endless.number + 1, 7):
        with monkeypatch.context() as patch:
            questions = Questions(patch, last)
            result = solve(problem, ask)
        assert (result.status, result.stopped_by, result.count) == ("UNKNOWN", "time", 0)
        assert questions.number in (last, last + 1)  # why the kernel has stopped is asked once more


def test_a_call_after_one_that_was_stopped_answers(monkeypatch):
    problem = chain(2 * EVERY)
    backend = registry.get(PURE)
    with monkeypatch.context() as patch:
        Questions(patch, 20)
        assert backend.solve(problem, Solutions(1), LIMITS).stopped_by == "time"
    result = backend.solve(problem, Solutions(1), LIMITS)
    assert result.count == 1
    assert not result.encoding_reused


@pytest.mark.parametrize("is_enabled", [True, False])
def test_no_garbage_is_looked_for_until_the_search_begins(monkeypatch, is_enabled):
    seen = []
    (gc.enable if is_enabled else gc.disable)()
    with monkeypatch.context() as patch:
        patch.setattr(Deadline, "has_passed", lambda deadline: seen.append(gc.isenabled()))
        solve(chain(2 * EVERY), Solutions(1))
        patch.setattr(Deadline, "has_passed", lambda deadline: True)
        solve(chain(2 * EVERY), Solutions(1))
    was_enabled = gc.isenabled()
    gc.enable()
    assert was_enabled == is_enabled
    assert not seen[0]
    assert seen[-1] == is_enabled


def test_items_are_all_given_and_the_last_question_comes_before_the_last_items():
    asked = []
    with stop_when(lambda: asked.append(True)):
        assert list(watched(range(2 * EVERY + 1))) == list(range(2 * EVERY + 1))
    assert len(asked) == 3
    with stop_when(lambda: True), pytest.raises(Stopped):
        list(watched(range(EVERY + 1)))
    assert watched([1]) == [1]


def test_a_limit_within_the_compiled_repetition_gives_no_solution_twice(monkeypatch):
    over = []

    def repeat(session):
        session.search = session._begin()
        over.append(True)

    session = "backends.propagation.solver.PropagationSession"
    monkeypatch.setattr(f"{session}._pays_to_compile", lambda one: one.is_patient and one.given > 4)
    monkeypatch.setattr(f"{session}._can_compile", True)
    monkeypatch.setattr(f"{session}._compile", repeat)
    monkeypatch.setattr(Deadline, "has_passed", lambda deadline: bool(over))
    problem = concord.problem({name: range(9) for name in "abc"}, [])
    result = registry.get("propagation:form=auto").solve(problem, Solutions(None, 800), LIMITS)
    assert over
    assert result.stopped_by == "time"
    assert 4 < len(result.solutions) == len(set(result.solutions))
