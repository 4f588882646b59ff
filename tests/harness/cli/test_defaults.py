"""Whom a comparison asks unless it is named: the candidates of each kind, and groups by kind."""

from __future__ import annotations

import re
import sys

import pytest

from backends.interface import registry
from backends.interface.shipped import CANDIDATES, KINDS, SHIPPED
from harness.plan.candidates import (
    BUDGET,
    GROUPS,
    Offer,
    choose_candidates,
    expand_groups,
    list_group,
    look_at_sets,
    make_offer,
    settle,
    share_budget,
)
from harness.plan.reading import plan_comparison
from modelling.errors import BackendUnavailable, UnknownBackend

FIRST, SECOND = Offer("first", "cp"), Offer("second", "cp")
OTHER = Offer("other", "sat")


def test_each_backend_declares_a_kind_that_is_explained() -> None:
    declared = {kind for one in SHIPPED for kind in (one.kind, *one.kinds.values())}
    assert declared == KINDS.keys()


def test_a_solver_behind_a_way_may_be_of_another_kind() -> None:
    (way,) = (one for one in SHIPPED if one.name == "minizinc")
    assert (way.find_kind("gecode"), way.find_kind("chuffed")) == ("cp", "lcg")


def test_the_kind_of_a_name_is_that_of_its_solver() -> None:
    names = ("cpsat@9.12:workers=1", "minizinc:chuffed,free", "sat:direct", "py:mine:Solver")
    assert [registry.find_kind(name) for name in names] == ["lcg", "lcg", "sat", ""]


def test_candidates_ship_and_none_keeps_its_solver_from_puzzle_to_puzzle() -> None:
    heads = {name.partition(":")[0] for name in CANDIDATES}
    assert heads <= {one.name for one in SHIPPED}
    assert [name for name in CANDIDATES if registry.keeps_state(name)] == []


# --- the choice -----------------------------------------------------------------------------


def test_the_first_of_each_kind_is_asked_in_the_order_of_preference() -> None:
    choice = choose_candidates([FIRST, SECOND, OTHER])
    assert choice.names == ["first", "other"]
    assert choice.left_out == ()
    assert choice.text == "asked: first (cp), other (sat)"


def test_who_refuses_makes_room_for_the_next_of_its_kind() -> None:
    choice = choose_candidates([Offer("first", "cp", refused=0.2), SECOND, OTHER])
    assert choice.names == ["second", "other"]
    assert choice.text.endswith("; left out: first (refuses some)")


def test_of_several_problems_a_kind_may_refuse_a_few() -> None:
    some, fewer = Offer("first", "cp", refused=0.4), Offer("second", "cp", refused=0.2)
    assert choose_candidates([some, fewer, OTHER]).names == ["second", "other"]
    assert choose_candidates([Offer("first", "cp", refused=0.6), OTHER]).names == ["other"]
    assert choose_candidates([Offer("first", "sudoku", refused=0.2), OTHER]).names == ["other"]


def test_who_rewrites_most_makes_room_and_is_asked_only_where_no_two_others_are() -> None:
    rewriter = Offer("first", "cp", native=0.4)
    assert choose_candidates([rewriter, SECOND, OTHER]).names == ["second", "other"]
    alone = choose_candidates([rewriter, OTHER, Offer("poor", "mip", native=0.1)])
    assert alone.names == ["first", "other"]
    assert alone.left_out == (("poor", "rewrites most"),)


def test_what_is_missing_is_mentioned_where_nobody_of_its_kind_is_asked() -> None:
    missing = Offer("first", "cp", missing="pip install first")
    assert choose_candidates([missing, SECOND, OTHER]).left_out == ()
    choice = choose_candidates([missing, OTHER])
    assert choice.left_out == (("first", "not installed"),)


def test_a_problem_of_other_constraints_than_all_different_is_not_for_the_compiled_one() -> None:
    pytest.importorskip("numba", reason="the compiled solver needs the extra 'compiled'")
    sums = look_at_sets(plan_comparison(["cryptarithm"], [])).problems
    sudoku = look_at_sets(plan_comparison(["sudoku"], [])).problems
    assert make_offer("compiled", sums).refused == 1
    assert make_offer("compiled", sudoku).refused == 0
    assert make_offer("compiled", [*sums, *sudoku]).refused == 0.5


def test_a_backend_whose_library_is_missing_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    assert "pip install ortools" in make_offer("cpsat", []).missing


def test_one_problem_of_each_set_is_looked_at() -> None:
    survey = look_at_sets(plan_comparison(["latin", "queens"], []))
    assert (len(survey.problems), survey.instances) == (2, 22)


# --- the time -------------------------------------------------------------------------------


def test_a_comparison_without_names_or_times_has_a_budget() -> None:
    unnamed = plan_comparison(["queens"], [])
    settle(unnamed, None)
    assert unnamed.budget == BUDGET
    named = plan_comparison(["queens"], [])
    settle(named, ["sat"])
    assert (named.budget, named.seconds) == (None, 30)


def test_seconds_that_are_given_hold() -> None:
    experiment = plan_comparison(["queens"], [])
    settle(experiment, None, seconds=3)
    assert (experiment.seconds, experiment.budget) == (3, None)
    settle(experiment, ["sat"], 7, 60)
    assert (experiment.seconds, experiment.budget) == (7, 60)


def test_all_jobs_of_one_problem_may_use_up_their_part_of_the_budget() -> None:
    assert share_budget(60, 6) == 8
    assert share_budget(60, 600) == 6
    assert share_budget(600, 2) == 30
    assert share_budget(1, 10**6) == 0.1


# --- groups ---------------------------------------------------------------------------------


def test_a_group_lists_what_is_installed_of_its_kind() -> None:
    assert {"propagation", "python_constraint"} <= set(list_group("cp"))
    assert "cpsat" in list_group("lcg")
    assert list_group("sat") == ["sat"]
    assert list_group("oracle") == ["brute_force"]
    kinds = [name for word in KINDS if _has_any(word) for name in list_group(word)]
    assert sorted(kinds) == sorted(list_group("installed"))


def _has_any(word: str) -> bool:
    try:
        return bool(list_group(word))
    except BackendUnavailable:
        return False


def test_all_lists_what_is_missing_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "missing", lambda entry: "pip install it")
    monkeypatch.setattr(registry, "list_solvers", lambda entry: ())
    same = {"mathopt"}  # another way to SCIP
    assert list_group("all") == [one.name for one in SHIPPED if one.name not in same]
    with pytest.raises(BackendUnavailable, match="no solver of the group mip is installed: pip"):
        list_group("mip")


def test_a_solver_is_reached_by_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"xcsp3": ("choco 4.10", "ace 2.6")}
    monkeypatch.setattr(registry, "missing", lambda entry: "")
    monkeypatch.setattr(registry, "list_solvers", lambda entry: found.get(entry.name, ()))
    assert "choco" in list_group("cp")
    assert "xcsp3:ace" in list_group("cp")
    assert "xcsp3:choco" not in list_group("cp")


def test_groups_are_replaced_and_doubles_left_out() -> None:
    assert expand_groups(["sat", "oracle", "brute_force", {"name": "cpsat"}, "nobody"]) == [
        *("sat", "brute_force", {"name": "cpsat"}, "nobody")
    ]
    assert set(KINDS) < set(GROUPS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cp:fast", "'cp:fast': cp is a group, which has no options"),
        ("instaled", "no backend or group is called 'instaled'; did you mean 'installed'?"),
    ],
)
def test_a_mistaken_group_is_an_error(name: str, text: str) -> None:
    with pytest.raises(UnknownBackend, match=re.escape(text)):
        expand_groups([name])


def test_options_of_the_backend_that_a_group_is_called_like_are_its_own() -> None:
    assert expand_groups(["sat:direct", "nobody"]) == ["sat:direct", "nobody"]
