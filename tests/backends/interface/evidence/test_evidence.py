"""What falls short where ask and result meet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import concord
from backends.brute_force import make as brute_force
from backends.conformance import examine, liars
from backends.counting import counter
from backends.interface.api import AllOptima, Ask, Optimum, Result, Solutions
from backends.interface.driver import Driver
from backends.interface.evidence.answer import TOLERANCE, TOLERANCE_S, digest_of, shortfall
from backends.interface.evidence.batch import check_counts, check_form
from backends.interface.registry import get
from modelling.constraints import AllDifferent
from modelling.errors import ContradictoryResult
from modelling.problem import Objective, build_problem

PROBLEM = build_problem({"a": range(3), "b": range(3)}, [AllDifferent(("a", "b"))])
SIX = ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
BEST = build_problem(
    {"a": range(3), "b": range(3)},
    [AllDifferent(("a", "b"))],
    objective=Objective("maximize", ("a", "b"), (1, 2)),  # type: ignore[arg-type]
)


def found(number: int, keep: int = 10, **more: Any) -> Result:
    """The first ``number`` solutions, of which ``keep`` are shown."""
    all_of_them = SIX[:number]
    given: dict[str, Any] = {"count": number, "stopped_by": "exhausted"}
    given |= {"solutions": all_of_them[:keep], "digest": digest_of(all_of_them)}
    return Result(**(given | more))


@pytest.mark.parametrize(
    ("result", "ask", "says"),
    [
        (found(6), Solutions(None, 10), ""),
        (found(6, 2), Solutions(None, 2), ""),
        (found(6, 1), Solutions(None, 2), "2 solutions must be shown of the 6"),
        (found(6, 5), Solutions(None, None), "6 solutions must be shown of the 6"),
        (found(6, 0), Solutions(None, 0), ""),
        (found(0), Solutions(None, 10), ""),
        (found(0, digest="0" * 31 + "1"), Solutions(None, 10), "its digest is not that"),
        (found(2, stopped_by="enough"), Solutions(2, 2), ""),
        (found(1, stopped_by="enough"), Solutions(2, 2), "after 1 of 2 solutions"),
        (found(3, stopped_by="enough"), Solutions(2, 3), "at most 2"),
        (found(6, stopped_by="enough"), Solutions(None, 10), "called it enough"),
        (found(1, stopped_by="time"), Solutions(2, 2), ""),
        (found(1, stopped_by="sink"), Solutions(2, 2), "nothing from outside stopped it"),
        (found(2, repeats=1), Solutions(None, 10), "1 solution reported more than once"),
        (
            found(2, solutions=SIX[:1] * 2, digest=digest_of(SIX[:1] * 2)),
            Solutions(2, 2),
            "shown more than once",
        ),
        (found(2, digest="f" * 32), Solutions(None, 2), "its digest is not that"),
        (found(2, 1, digest="f" * 32), Solutions(None, 1), ""),
        (found(2, 1, digest="0" * 32), Solutions(None, 1), "digest of 2 solutions is missing"),
        (found(2, digest=""), Solutions(None, 2), "not 32 hexadecimal digits"),
        (found(2, digest="F" * 32), Solutions(None, 2), "not 32 hexadecimal digits"),
        (
            found(1, solutions=((0, 0),), digest=digest_of([(0, 0)])),
            Solutions(1),
            "AllDifferent(a, b), is violated",
        ),
        (found(1, solutions=((0,),), digest=digest_of([(0,)])), Solutions(1), "1 values for 2"),
        (
            found(2, solutions=(SIX[0], (0, 5)), digest=digest_of([SIX[0], (0, 5)])),
            Solutions(2, 2),
            "solution 2 does not hold",
        ),
        (found(1, count=True), Solutions(1), "count must be a plain int, not True"),
        (found(1, repeats=-1), Solutions(1), "fewer than none"),
        (found(1, solutions=[(0, 1)]), Solutions(1), "must be a tuple, not list"),
        (found(1, solutions=([0, 1],)), Solutions(1), "solution 1 must be a tuple, not list"),
        (found(1, solutions=((0, np.int64(1)),)), Solutions(1), "which is not a plain int"),
        (found(1, solutions=((0, True),)), Solutions(1), "solution 1 has the value True, which"),
        (found(1, stopped_by="done"), Solutions(1), "stopped_by is 'done'"),
        (found(1), Optimum(), "an optimum was asked for"),
        (found(1), AllOptima(), "an optimum was asked for"),
        (found(1, objective=1, optimising=True), Solutions(1), "an optimum came back"),
        (found(0), Optimum(), ""),
        ({"count": 1}, Solutions(1), "solve() returned dict, not a Result"),
        (None, Solutions(1), "solve() returned NoneType, not a Result"),
    ],
)
def test_a_result_shows_what_it_claims(result: Any, ask: Ask, says: str) -> None:
    said = shortfall(result, ask, PROBLEM)
    assert says in said
    assert bool(says) == bool(said)


def test_what_is_claimed_and_what_is_shown_is_said() -> None:
    said = shortfall(Result(count=1, stopped_by="enough"), Solutions(1), PROBLEM)
    assert said.endswith(
        "; it claims SATISFIABLE, count 1, stopped by 'enough', and shows 0 solutions"
    )


def test_a_result_that_was_changed_is_looked_at_again() -> None:
    result = found(2)
    object.__setattr__(result, "objective", 5)  # a frozen value is not safe from this
    assert "a result cannot say" in shortfall(result, Solutions(2, 2), PROBLEM)


def test_with_a_sink_it_may_be_stopped_by_it() -> None:
    assert shortfall(found(1, stopped_by="sink"), Solutions(2, 2), PROBLEM, sink=True) == ""


def test_only_the_first_solutions_are_checked_where_there_are_many() -> None:
    solutions = (*SIX[:2], (1, 1))
    result = found(3, solutions=solutions, digest=digest_of(solutions))
    assert "solution 3" in shortfall(result, Solutions(None, 9), PROBLEM)
    assert "solution 3" in shortfall(result, Solutions(None, 9), PROBLEM, most=3)
    assert shortfall(result, Solutions(None, 9), PROBLEM, most=2) == ""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, ""),
        ({"objective": 6}, "its objective is 6, that of solution 1 is 5"),
        ({"bound": 4}, "beyond its own bound 4"),
        ({"bound": 7}, ""),
        ({"bound": None}, ""),
        ({"solutions": ()}, "1 solution must be shown"),
        ({"digest": "f" * 32}, "its digest is not that"),
        ({"digest": digest_of([(1, 2)])}, ""),
        ({"bound": 5.0}, "bound must be a plain int or None"),
    ],
)
def test_an_optimum_shows_its_solution(change: dict[str, Any], says: str) -> None:
    best = Result(1, "exhausted", ((1, 2),), objective=5, bound=5, optimising=True)
    said = shortfall(replace(best, **change), Optimum(), BEST)
    assert says in said
    assert bool(says) == bool(said)


def test_an_optimum_of_nothing() -> None:
    result = Result(1, "exhausted", ((1, 2),), objective=5, optimising=True)
    assert "no objective" in shortfall(result, Optimum(), PROBLEM)


@pytest.mark.parametrize(
    ("phases", "says"),
    [
        ({"encode": 0.4, "solve": 0.6}, ""),
        ({"solve": 1 + TOLERANCE + TOLERANCE_S - 1e-9}, ""),
        ({"solve": 1 + TOLERANCE + TOLERANCE_S + 1e-6}, "its phases add up to"),
        ({"encode": 0.6, "solve": 0.6}, "its phases add up to 1.2"),
        ({"solve": 0.9, "first_solution": 0.9}, ""),
        ({"first_solution": 1 + TOLERANCE + TOLERANCE_S}, ""),
        ({"solve": 0.9, "first_solution": 1.1}, "the first solution came after 1.1"),
        ({"encode": -1.0, "solve": 2.0}, "the phase encode took -1.0 s"),
        ({"solve": float("nan")}, "the phase solve took nan s"),
        ({"solve": "long"}, "the phase solve took 'long' s"),
    ],
)
def test_phases_fit_into_the_time_of_the_call(phases: dict[str, Any], says: str) -> None:
    said = shortfall(found(1, phases=phases), Solutions(1), PROBLEM, seconds=1.0)
    assert says in said
    assert bool(says) == bool(said)
    assert shortfall(found(1, phases={"solve": 9.0}), Solutions(1), PROBLEM) == ""


@pytest.mark.parametrize(
    "name", ["propagation", "cpsat", "sat", "python_constraint", "brute_force"]
)
@pytest.mark.parametrize(
    "ask", [Solutions(1), Solutions(2, 2), Solutions(None, 3), Optimum(), AllOptima(None, 3)]
)
def test_honest_backends_show_what_they_claim(name: str, ask: Ask) -> None:
    assert shortfall(get(name).solve(BEST, ask), ask, BEST) == ""


# --- who asks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("liar", "ask"),
    [
        (liars.NeverReads, Solutions(1)),
        (liars.ShowsOneOfTwo, Solutions(2, 2)),
        (liars.WrongValue, Solutions(1)),
        (liars.FloatForInteger, Solutions(1)),
        (liars.HiddenDuplicate, Solutions(2, 2)),
        (liars.OwnResult, Solutions(1)),
    ],
)
def test_solve_checks_what_comes_back(liar: type[liars.Liar], ask: Ask) -> None:
    with pytest.raises(ContradictoryResult, match=f"{liar.__name__} answered wrongly"):
        concord.solve(PROBLEM, ask, backend=liar())


def test_solve_takes_what_a_sink_has_stopped() -> None:
    result = concord.solve(PROBLEM, Solutions(None, 9), sink=lambda values: False)
    assert (result.count, result.stopped_by) == (1, "sink")


def test_conformance_finds_what_falls_short() -> None:
    report = examine(liars.NeverReads(), problems=5)
    assert any("must be shown" in fault for fault in report.faults)
    report = examine(liars.LongPhases(), problems=5)
    assert any("phases add up to 60" in fault for fault in report.faults)


# --- many instances at once ----------------------------------------------------------------------


def counts(*numbers: int) -> Any:
    return np.array(numbers, np.int64)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (counts(0, 1, 2), ""),
        (counts(0, 1, 3), "its count of instance 3 is 3"),
        (counts(0, -1, 2), "its count of instance 2 is -1"),
        (counts(0, 1), "shape"),
        (counts(0, 1, 2).reshape(3, 1), "shape"),
        (np.array([0.0, 1.0, 2.0]), "not float64"),
        (np.array([True, False, True]), "not bool"),
        ([0, 1, 2], "not list"),
    ],
)
def test_counts_of_many_instances_fit(given: Any, says: str) -> None:
    if not says:
        assert check_counts(brute_force(), given, 3, 2, gives_up=False) is given
        return
    with pytest.raises(ContradictoryResult, match=says) as caught:
        check_counts(brute_force(), given, 3, 2, gives_up=False)
    assert str(caught.value).startswith("brute_force answered many instances wrongly: ")


def test_only_within_a_limit_may_it_give_up() -> None:
    check_counts(brute_force(), counts(-1, 2), 2, 2, gives_up=True)
    with pytest.raises(ContradictoryResult, match="-2"):
        check_counts(brute_force(), counts(-2, 2), 2, 2, gives_up=True)


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (np.zeros((2, 3, 4), np.uint8), ""),
        (np.zeros((2, 3, 4), np.int64), "not int64"),
        (np.zeros((1, 3, 4), np.uint8), "shape"),
        (np.zeros((2, 2, 4), np.uint8), "shape"),
        (np.zeros((2, 4), np.uint8), "shape"),
        (None, "not NoneType"),
    ],
)
def test_solutions_of_many_instances_fit(first: Any, says: str) -> None:
    grids = np.zeros((2, 4), np.uint8)
    if not says:
        assert check_form(brute_force(), grids, first, 3) is first
        return
    with pytest.raises(ContradictoryResult, match=says):
        check_form(brute_force(), grids, first, 3)


class _Batch(Driver):
    """Counts three solutions of everything, in arrays."""

    def __init__(self) -> None:
        super().__init__("batch", brute_force().solver)

    def takes(self, structure: Any) -> bool:
        return True

    def count_batch(self, structure: Any, grids: Any, limit: int = 2, nodes: Any = None) -> Any:
        return np.full(len(grids), 3)

    def solve_batch(self, structure: Any, grids: Any, *asked: Any) -> Any:
        raise NotImplementedError


def test_counting_checks_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    grids = np.zeros((2, PROBLEM.structure.size), np.uint8)
    for liar, says in ((_Batch(), "is 3"), (liars.NeverReads(), "stopped after 1 of 2")):
        monkeypatch.setattr("backends.interface.registry.get", lambda name, liar=liar: liar)
        count = counter(PROBLEM.structure, "liar")
        with pytest.raises(ContradictoryResult, match=says):
            count(grids, 2)


def test_a_digest_is_that_of_a_set() -> None:
    assert digest_of(SIX) == digest_of(SIX[::-1]) != digest_of(SIX[1:])
    assert digest_of(()) == "0" * 32
    assert digest_of(SIX) == get("brute_force").solve(PROBLEM, Solutions(None)).digest
