"""Who is wrong where brute force says nothing: relations, wider limits, other families."""

from __future__ import annotations

import random

import pytest

from backends.conformance.oracle import make_oracle, narrow
from backends.interface.api import Limits, Result
from backends.interface.evidence.answer import digest_of
from backends.interface.registry import get
from harness.hunting.fuzzing.causes import Cause, group, read_cause
from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.drawing.mutations import give
from harness.hunting.fuzzing.drawing.problems import draw, is_small
from harness.hunting.fuzzing.drawing.questions import EVERY, OPTIMA, OPTIMUM
from harness.hunting.fuzzing.opinions import Opinions
from harness.hunting.fuzzing.playing.lane import Said
from harness.hunting.judging.answers import find_wrong
from harness.hunting.judging.asked import Asked
from harness.hunting.judging.relations import Related, find_broken_relation, find_worse
from harness.judge.claims import Claim
from modelling.constraints import Linear, Sum
from modelling.problem import Objective, Structure

PROBLEM = Structure(("x", "y"), ((0, 1), (0, 1)), (Linear((0, 1), (1, 1), "<=", 1),)).problem()
BEST = Structure(
    ("x", "y"), ((0, 1), (0, 1)), (), Objective("maximize", Sum((0, 1), (1, 1)))
).problem()


def ask(problem=PROBLEM, question=EVERY, limits=Limits()):
    return Asked(problem, "drawn", "sat", question, limits)


def counted(number: int) -> Result:
    return Result(count=number, stopped_by="exhausted")


def best(value: int) -> Result:
    return Result(count=1, stopped_by="exhausted", objective=value, optimising=True)


def show(*solutions, digest="", stopped_by="exhausted") -> Result:
    digest = digest or digest_of(solutions)
    return Result(count=len(solutions), stopped_by=stopped_by, solutions=solutions, digest=digest)


def test_counts_of_halves_add_up():
    halves = Related("a domain split", (PROBLEM, PROBLEM))
    assert find_broken_relation(ask(), counted(3), halves, [counted(2), counted(1)]) is None
    wrong = find_broken_relation(ask(), counted(3), halves, [counted(2), counted(2)])
    assert wrong.fault == "missing solution"
    assert wrong.right.count == 4
    assert "2 + 2" in wrong.note


@pytest.mark.parametrize("number", range(4))
def test_what_is_known_of_fewer_values_is_what_brute_force_finds(number):
    problem = draw(5, number).problem
    given = give(random.Random(number), problem)
    found, made = narrow(make_oracle(problem), given), make_oracle(given)
    assert given.masks != problem.masks
    assert (found.every, found.best) == (made.every, made.best)
    assert sorted(found.expected) == sorted(made.expected)
    assert sorted(found.reached) == sorted(made.reached)


def test_one_excluded_solution_lowers_the_count_by_one():
    without = Related("one solution excluded", (PROBLEM,), lost=1)
    assert find_broken_relation(ask(), counted(3), without, [counted(2)]) is None
    assert find_broken_relation(ask(), counted(3), without, [counted(3)]).right.count == 4


def test_a_search_that_was_stopped_contradicts_nothing():
    same = Related("constraints permuted", (PROBLEM,))
    stopped = Result(count=1, stopped_by="time")
    assert find_broken_relation(ask(), counted(3), same, [stopped]) is None
    assert find_broken_relation(ask(), stopped, same, [counted(3)]) is None


def test_a_shifted_and_negated_objective_has_the_shifted_and_negated_optimum():
    moved = Related("the objective negated and shifted", (BEST,), factor=-1, shift=5)
    asked = ask(BEST, OPTIMUM)
    assert find_broken_relation(asked, best(2), moved, [best(3)]) is None
    wrong = find_broken_relation(asked, best(2), moved, [best(2)])
    assert (wrong.fault, wrong.right.objective) == ("false optimum", 3)


def test_wider_limits_never_answer_worse():
    asked = ask(BEST, OPTIMUM, Limits(nodes=1))
    stopped = Result(count=1, stopped_by="gave_up", objective=1, optimising=True)
    assert find_worse(stopped, best(2), asked) is None
    assert find_worse(best(2), stopped, asked).fault == "wrong count"
    two = Result(count=1, stopped_by="gave_up", objective=2, optimising=True)
    assert find_worse(two, stopped, asked).fault == "false optimum"


def test_what_is_shown_is_checked_without_an_oracle():
    shown = Result(count=1, stopped_by="enough", solutions=((1, 1),))
    assert find_wrong(ask(), None, shown, None).fault == "wrong solution"


@pytest.mark.parametrize(
    ("question", "result", "fault"),
    [
        (EVERY, Result(count=0, stopped_by="exhausted"), "false unsatisfiable"),
        (EVERY, show((0, 0), (1, 0)), "missing solution"),
        (EVERY, show((0, 0), (1, 0), (0, 1), (1, 1)), "wrong solution"),
        (EVERY, show((0, 0), (0, 0), (1, 0), (0, 1)), "duplicate solution"),
        (EVERY, show((0, 0), (1, 0), (0, 1), digest="1" * 32), "wrong count"),
        (EVERY, show((0, 0), (1, 0), stopped_by="enough"), "wrong count"),
    ],
)
def test_an_answer_beside_brute_force_has_the_class_of_its_fault(question, result, fault):
    wrong = find_wrong(ask(question=question), make_oracle(PROBLEM), result, get("sat"))
    assert (wrong.fault, wrong.authority, wrong.right.count) == (fault, "oracle", 3)


def test_the_right_answer_to_a_question_for_all_optima_is_that_of_the_best():
    shown = Result(
        count=1, stopped_by="exhausted", objective=1, solutions=((0, 1),), optimising=True
    )
    wrong = find_wrong(ask(BEST, OPTIMA), make_oracle(BEST), shown, get("sat"))
    assert wrong.fault == "false optimum"
    assert (wrong.right.objective, wrong.right.count, wrong.right.solutions) == (2, 1, ((1, 1),))


def test_a_bound_beyond_the_optimum_is_a_false_optimum():
    stopped = Result(
        count=1, stopped_by="time", objective=0, bound=1, solutions=((0, 0),), optimising=True
    )
    wrong = find_wrong(ask(BEST, OPTIMUM), make_oracle(BEST), stopped, get("sat"))
    assert wrong.fault == "false optimum"


# --- other families --------------------------------------------------------------------------


def find_key() -> str:
    number = next(n for n in range(1, 200) if not is_small(draw(4, n).problem))
    return f"4/{number}"


def say(backend: str, most: int, least: int | None = None) -> Said:
    return Said(find_key(), backend, EVERY, Claim(most if least is None else least, most))


def test_the_backend_that_fewer_families_support_is_at_fault():
    opinions = Opinions(Draws(4))
    opinions.add([say("sat", 5), say("choco", 5), say("propagation", 4)])
    ((asked, wrong, claimed),) = opinions.find_all()
    assert (asked.backend, wrong.authority, claimed.count) == ("propagation", "agreement", 4)
    assert wrong.right.count == 5


def test_of_two_families_both_are_named():
    opinions = Opinions(Draws(4))
    opinions.add([say("sat", 5), say("choco", 4)])
    assert {asked.backend for asked, _, _ in opinions.find_all()} == {"sat", "choco"}


def test_one_family_contradicts_itself_without_evidence():
    opinions = Opinions(Draws(4))
    opinions.add([say("sat:direct", 5), say("sat", 4)])
    assert not list(opinions.find_all())


def test_claims_that_all_lanes_have_passed_are_forgotten_but_for_disputes(tmp_path):
    opinions = Opinions(Draws(4))
    assert opinions.add([say("sat", 5), say("choco", 5)]) == 1
    assert opinions.add([say("sat", 5)]) == 0
    number = int(find_key().partition("/")[2])
    opinions.forget(number - 1)
    assert opinions.claims
    opinions.forget(number)
    assert not opinions.claims
    opinions.add([say("sat", 5), say("choco", 4)])
    opinions.forget(number)
    opinions.write(tmp_path)
    assert Opinions.read(tmp_path, Draws(4)).claims == opinions.claims


# --- causes ----------------------------------------------------------------------------------


def test_a_cause_is_read_from_its_text():
    for cause in (
        Cause("cpsat@9.12", "duplicate solution", ("Implies", "Linear in Implies", "presolve=on")),
        Cause("sat", "crash", ("SIGSEGV",)),
        Cause("py:mine:Solver", "wrong count", ()),
    ):
        assert read_cause(str(cause)) == cause


def test_a_cause_explains_those_with_more_parts_of_the_same_solver():
    small = Cause("sat", "missing solution", ("Table",))
    larger = Cause("sat", "false unsatisfiable", ("Count", "Table"))
    other = Cause("choco", "missing solution", ("Count", "Table"))
    ended = Cause("sat", "crash", ("Table",))
    grouped = group({str(one): 1 for one in (larger, small, other, ended)})
    assert grouped == {str(small): [str(larger)], str(other): [], str(ended): []}
