"""Nearest neighbours on examples made by hand: who is named, and what validation counts."""

from __future__ import annotations

import pytest

from harness.advise.neighbours import (
    Example,
    count_good,
    guess,
    join_guesses,
    measure_factor,
    validate,
)

NAMES = ("a", "b", "c")


def example(family: str, features: tuple[float, ...], *seconds: float) -> Example:
    return Example(family, "one", features, dict(zip(NAMES, seconds, strict=True)))


LEFT = [example(f"left{n}", (n / 10, 0.0), 1.0, 2.0, 4.0) for n in range(6)]
RIGHT = [example(f"right{n}", (9 + n / 10, 0.0), 4.0, 2.0, 1.0) for n in range(6)]


def test_the_nearest_examples_decide() -> None:
    left = guess((0.0, 0.0), LEFT + RIGHT, NAMES)
    assert [one.name for one in left.ranking] == ["a", "b", "c"]
    assert [one.factor for one in left.ranking] == pytest.approx([1.0, 2.0, 4.0])
    assert {one.family[:4] for one, _ in left.nearest} == {"left"}
    assert guess((9.0, 0.0), LEFT + RIGHT, NAMES).ranking[0].name == "c"


def test_only_candidates_are_named() -> None:
    found = guess((0.0, 0.0), LEFT, ("c", "b", "unmeasured"))
    assert [one.name for one in found.ranking] == ["b", "c"]
    assert found.ranking[0].factor == pytest.approx(1.0)


def test_features_count_by_their_spread() -> None:
    wide = [example("w", (1000.0, 0.0), 1, 9, 9), example("v", (0.0, 1.0), 9, 1, 9)]
    _, (second, far) = guess((0.0, 1.0), wide, NAMES).nearest
    assert second.family == "w"
    assert far == pytest.approx((((1000 / 500) ** 2 + (1 / 0.5) ** 2) / 2) ** 0.5)


def test_guesses_about_several_instances_are_joined() -> None:
    both = [guess(at, LEFT + RIGHT, NAMES) for at in ((0.0, 0.0), (9.0, 0.0))]
    assert {one.name: one.factor for one in join_guesses(both)} == pytest.approx(
        {"a": 2.0, "b": 2.0, "c": 2.0}
    )


def test_validation_holds_the_whole_family_back() -> None:
    own = [example("odd", (0.0, 0.0), 8.0, 1.0, 1.0) for _ in range(5)]
    found = validate([*own, *LEFT], NAMES)
    assert found.factors["odd"] == pytest.approx(8.0)  # without its own, all speaks for a
    assert found.factors["left0"] == pytest.approx(2.0)  # and here the odd ones speak for b
    assert found.good == count_good(found.factors)
    assert set(found.single) == set(found.factors)


def test_factors_are_sums_beside_the_virtual_best() -> None:
    examples = [example("f", (0.0,), 1.0, 3.0, 9.0), example("f", (0.0,), 8.0, 1.0, 9.0)]
    assert measure_factor(examples, "a", NAMES) == pytest.approx(9 / 2)
    assert measure_factor(examples, "b", NAMES) == pytest.approx(4 / 2)
    assert measure_factor(examples, "b", ("b", "c")) == pytest.approx(1.0)
    assert count_good({"x": 1.5, "y": 1.51}) == 1
