"""The course of a search: what is kept of its events, and what of them is taken on trust."""

from itertools import count, pairwise

import numpy as np
import pytest

from backends.interface.events import LAST, Bound, Found, SearchTrajectory
from modelling.problem import Objective


def course(sense="maximize", sign=1):
    """One that begins at 0 by a clock that continues by a second each time it is looked at."""
    passed = count()
    return SearchTrajectory(Objective(sense, (0,), (sign,)), lambda: float(next(passed)))


@pytest.mark.parametrize(("sense", "sign"), [("maximize", 1), ("minimize", -1)])
def test_what_is_no_better_than_before_is_passed_over(sense, sign):
    seen = course(sense, sign)
    news = [seen.take(Found((value,), None, 0.0)) for value in (5, 3, 5, 7)]
    assert news == [True, False, False, True]
    news = [seen.take(Bound(sign * bound, 0.0)) for bound in (20, 30, 20, np.int64(10))]
    assert news == [True, False, False, True]
    assert (seen.latest, seen.objective, seen.bound) == ((7,), 7 * sign, 10 * sign)
    assert [(step.seconds, sign * step.objective, step.kind) for step in seen.steps] == [
        *((1.0, 5, "found"), (4.0, 7, "found"), (5.0, 20, "bound"), (8.0, 10, "bound"))
    ]


def test_values_and_seconds_are_not_taken_on_trust():
    seen = course()
    assert seen.take(Found((5,), 1000, 1000.0))
    assert not seen.take(Found((4,), 2000, 2000.0))
    assert seen.steps == ((1.0, 5, "found"),)
    assert (seen.latest, seen.objective, seen.bound) == ((5,), 5, None)


def test_a_bound_is_an_integer():
    with pytest.raises(TypeError):
        course().take(Bound(0.5, 0.0))


@pytest.mark.parametrize("kind", ["found", "bound"])
def test_very_many_steps_are_thinned(kind):
    seen = course("minimize", -1) if kind == "found" else course("minimize", 1)
    for number in range(1, 10_001):
        seen.take(Found((number,), None, 0.0) if kind == "found" else Bound(number, 0.0))
        if number % 97 == 0 or number < 500 or number == 10_000:
            numbers = [abs(step.objective) for step in seen.steps]
            assert numbers[0] == 1
            assert numbers[-LAST:] == list(range(max(1, number - LAST + 1), number + 1))
            assert len(numbers) <= 2 * LAST
    early = numbers[:-LAST]
    assert len(early) > LAST / 2
    assert {b - a for a, b in pairwise(early)} == {128}
    assert {step.kind for step in seen.steps} == {kind}
