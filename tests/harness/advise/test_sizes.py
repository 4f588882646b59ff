"""The sizes of instances: those of their problems, and of their texts where time is short."""

from __future__ import annotations

from time import perf_counter

from harness.advise.sizes import measure_problem, measure_sizes
from modelling.constraints import AllDifferent
from modelling.problem import build_problem
from puzzles.family import Instance

QUEENS = [Instance("queens", text, text) for text in ("8", "6", "9", "oops")]


def test_a_problem_is_as_large_as_its_variables_and_their_places() -> None:
    problem = build_problem({"a": range(3), "b": range(3)}, [AllDifferent(("a", "b"))])
    assert measure_problem(problem) == 4


def test_problems_are_compared_where_all_can_be_stated_in_time() -> None:
    eight, six, nine = (size for size, _ in measure_sizes(QUEENS[:3], perf_counter() + 3600))
    assert six < eight < nine
    assert measure_sizes(QUEENS[:3], perf_counter() - 1) == [(0, 1)] * 3


def test_texts_are_compared_where_one_states_no_problem() -> None:
    assert measure_sizes(QUEENS, perf_counter() + 3600) == [(0, 1), (0, 1), (0, 1), (0, 4)]
