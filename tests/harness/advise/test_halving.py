"""Who runs how long, and who is out: from values alone, without a process."""

from __future__ import annotations

from math import inf, nan

import pytest

from harness.advise import halving
from harness.advise.halving import (
    Known,
    Round,
    Standing,
    asks_more,
    choose_places,
    exclude,
    find_limit,
    is_decided,
    plan_round,
    says_nothing,
)

UNKNOWN = Known(0.0, {})


def stand(name: str, solved: int = 4, par2: float = 1.0, **more: object) -> Standing:
    return Standing(name, solved, 4, par2, **more)  # type: ignore[arg-type]


def plan(field: int, instances: int, left: float, known: Known = UNKNOWN, slots: int = 1) -> Round:
    names = [f"s{number}" for number in range(field)]
    found = plan_round(names, list(range(instances)), left, known, slots)
    assert found is not None
    return found


def test_rounds_that_may_follow_get_equal_parts() -> None:
    asked = plan(8, 2, 64.0)  # rounds of 8, 4 and 2: 21 s each, of which 16 s are used
    assert asked.limit == pytest.approx(1.0)
    assert len(asked.field) == 8
    assert not asked.is_final


def test_limits_grow_while_candidates_leave() -> None:
    limits, left = [], 64.0
    for field in (8, 4, 2):
        asked = plan(field, 2, left)
        limits.append(asked.limit)
        left -= asked.limit * field * 2
    assert limits[0] == pytest.approx(1.0)
    assert limits[1] > 2.0 * limits[0]
    assert limits[2] > 2.0 * limits[1]
    assert left > 0.0


def test_jobs_at_a_time_share_the_time() -> None:
    assert plan(8, 2, 64.0, slots=2).limit == pytest.approx(2.0)


def test_starts_are_taken_from_the_time() -> None:
    asked = plan(4, 1, 30.0, Known(1.0, {}))  # six starts; two rounds share 24 s
    assert asked.limit == pytest.approx(halving.USED * 3.0)


def test_few_starts_are_spent_where_they_take_long() -> None:
    assert plan(16, 2, 100.0, Known(0.1, {})).keep == 8  # 16, 8, 4 and 2 starts
    assert plan(16, 2, 100.0, Known(1.5, {})).keep == 6  # 16, 6 and 2
    assert plan(16, 2, 100.0, Known(4.0, {})).keep == 2  # as few as can be


def test_milliseconds_are_not_behind() -> None:
    ranked = [stand("a", par2=0.001), stand("b", par2=0.002), stand("c", par2=0.05)]
    assert exclude([*ranked, stand("d", par2=0.07)], 4)[0] == ["a", "b", "c"]


def test_little_time_asks_fewer_instances() -> None:
    asked = plan(8, 10, 32.0)  # 8 s of a round are used, 1 s a candidate: for 2.5 instances
    assert len(asked.places) == 7  # since most jobs end early
    assert asked.limit == pytest.approx(halving.SHORTEST)
    assert len(plan(8, 10, 4.0).places) == 1


def test_where_nobody_solves_anything_jobs_are_expected_to_take_all_their_time() -> None:
    asked = plan_round([f"s{n}" for n in range(8)], list(range(10)), 32.0, UNKNOWN, is_hard=True)
    assert asked is not None
    assert len(asked.places) == 2
    assert asked.limit == pytest.approx(0.5)


def test_a_final_is_asked_again_if_there_is_more_to_ask() -> None:
    before = Round(("a", "b"), (0, 1), 1.0)
    assert asks_more(before._replace(places=(0, 1, 2)), before)
    assert asks_more(before._replace(repeats=2), before)
    assert not asks_more(before._replace(limit=9.0), before)
    assert not asks_more(before._replace(places=(0,), repeats=3), before)


def test_no_round_without_time() -> None:
    assert plan_round(["a", "b"], [1], 1.0, Known(1.0, {})) is None
    assert plan_round(["a", "b"], [1], -1.0, UNKNOWN) is None


def test_many_instances_are_not_all_asked() -> None:
    assert len(plan(2, 1000, 3600.0).places) == halving.MOST_INSTANCES


def test_a_final_of_fast_candidates_is_repeated() -> None:
    fast = Known(0.0, {(name, place): 0.1 for name in ("s0", "s1") for place in range(4)})
    assert plan(2, 4, 10.0, fast).repeats == halving.MOST_REPEATS
    assert plan(2, 4, 10.0).repeats == 1
    assert plan(3, 4, 10.0, fast).repeats == 1


def test_what_needs_little_leaves_its_time_to_others() -> None:
    assert find_limit([inf, inf], 4.0) == pytest.approx(2.0)
    assert find_limit([1.0, inf], 4.0) == pytest.approx(3.0)
    assert find_limit([1.0, 1.0, inf, inf], 4.0) == pytest.approx(1.0)
    assert find_limit([0.5, 0.5], 4.0) == pytest.approx(4.0)


def test_places_are_spread_by_size() -> None:
    sizes = [50, 10, 30, 20, 40]
    assert choose_places(sizes, 1) == [4]
    assert choose_places(sizes, 2) == [0, 1]
    assert choose_places(sizes, 3) == [0, 2, 1]
    assert sorted(choose_places(sizes, 5)) == [0, 1, 2, 3, 4]
    assert choose_places([7], 1) == [0]


def test_the_better_half_is_left() -> None:
    ranked = [stand(name, par2=1 + place / 10) for place, name in enumerate("abcdefg")]
    left, out = exclude(ranked, 4)
    assert left == ["a", "b", "c", "d"]
    assert [one.name for one in out] == ["e", "f", "g"]
    assert out[0].why == "1.4x as long"


def test_who_is_clearly_behind_is_out_before_the_half_is_full() -> None:
    ranked = [stand("a"), stand("b", par2=9.0), stand("c", par2=9.5), stand("d", par2=9.9)]
    left, out = exclude([*ranked, stand("e", solved=1, par2=99.0), stand("f", solved=0)], 3)
    assert left == ["a", "b"]
    assert [one.why for one in out][-2:] == ["solved 1 of 4", "solved 0 of 4"]


def test_a_fault_ends_even_the_first_one() -> None:
    ranked = [stand("b", 3), stand("c", 2), stand("a", fault="wrong answer (1 of 4)")]
    left, out = exclude(ranked, 2)
    assert left == ["b", "c"]
    assert out == [("a", "wrong answer (1 of 4)")]
    assert exclude([stand("a", fault="not for it")], 2)[0] == []


def test_worse_solutions_are_behind() -> None:
    ranked = [stand("a", 0, 8.0, to_best=0.0), stand("b", 0, 8.0, to_best=0.5)]
    ranked += [stand("c", 0, 8.0, to_best=5.25), stand("d", 0, 8.0, to_best=80.0)]
    left, out = exclude([*ranked, stand("e", 0, 8.0, to_best=90.0)], 3)
    assert left == ["a", "b"]
    assert out[0].why == "solutions 5.25% from the best"


def test_equals_are_halved_in_their_order() -> None:
    ranked = [stand(name, 2, 8.0, to_best=nan) for name in "abcde"]
    left, out = exclude(ranked, 3)
    assert left == ["a", "b", "c"]
    assert {one.why for one in out} == {"not better"}


def test_a_round_in_which_nobody_solves_anything_ends_nobody() -> None:
    ranked = [stand(name, 0, 8.0) for name in "abcde"]
    assert says_nothing(ranked)
    assert exclude([*ranked, stand("f", fault="not for it")], 3)[0] == list("abcde")
    assert says_nothing([stand("a", 0, 8.0, to_best=100.0), stand("b", fault="wrong answer")])
    assert not says_nothing([stand("a", 0, 8.0, to_best=50.0)])
    assert choose_places([50, 10, 30, 20, 40], 2, is_hard=True) == [1, 3]


def test_who_cannot_be_started_in_time_is_not_tried() -> None:
    asked = plan(10, 2, 30.0, Known(3.0, {}))
    assert len(asked.field) == 6
    assert asked.keep == 2


def test_when_no_further_round_is_needed() -> None:
    assert is_decided([stand("a", par2=1.0), stand("b", par2=1.6)])
    assert is_decided([stand("a"), stand("b", solved=3)])
    assert is_decided([stand("a"), stand("b", fault="wrong answer")])
    assert not is_decided([stand("a", par2=1.0), stand("b", par2=1.4)])
    assert not is_decided([stand("a", solved=3), stand("b", solved=1)])
    assert not is_decided([])
