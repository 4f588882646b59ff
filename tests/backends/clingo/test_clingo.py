"""clingo: limits and statuses, what its weights hold, and the bounds of optima."""

from functools import partial

import pytest

pytest.importorskip("clingo", reason="clingo is optional: the extra 'clingo'")

from backends.clingo.backend import LARGEST
from backends.interface import registry
from backends.interface.api import Limits, Solutions
from modelling.constraints import AllDifferent, Linear, Table
from modelling.problem import state
from modelling.vocabulary import VOCABULARY
from tests.backends.small_problems import pigeons
from tests.backends.solver_checks import (
    check_constraints,
    check_incumbents,
    check_positions,
    check_refused,
    check_wide_objective,
    check_wide_variable,
    stop_by_time,
)

check = partial(check_constraints, name="clingo")

NAMES = ("clingo", "clingo:usc")


@pytest.mark.parametrize("of", VOCABULARY, ids=lambda of: of.__name__)
def test_drawn_ones_are_right_in_every_position(of):
    check_positions("clingo", of, 3)


def test_a_limit_on_time_is_kept():
    assert stop_by_time("clingo", pigeons(13)).status == "UNKNOWN"


def test_a_limit_on_conflicts_is_kept():
    result = registry.get("clingo").solve(pigeons(13), Solutions(1), Limits(conflicts=50))
    assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
    assert 40 <= result.statistics["failures"] <= 52


@pytest.mark.parametrize("threads", [None, 2])
def test_solutions_are_counted_once_whatever_the_threads(threads):
    problem = state({name: range(6) for name in "abcd"}, [AllDifferent(tuple("abcd"))])
    result = registry.get("clingo").solve(problem, Solutions(None), Limits(threads=threads, seed=5))
    assert (result.count, result.stopped_by) == (360, "exhausted")


@pytest.mark.parametrize("name", NAMES)
def test_incumbents_improve_and_the_last_is_the_optimum(name):
    check_incumbents(name)


def test_sums_that_would_wrap_are_refused_by_name():
    check_wide_variable("clingo", LARGEST)
    wide = {"x": (-LARGEST, LARGEST), "y": (0, 1)}
    sums = state(wide, [Linear(("x", "y"), (1, 1), "<=", 5)])
    check_refused("clingo", sums, "a sum of 2 terms")


def test_the_largest_sums_are_held():
    half = LARGEST // 2
    domains = [(-half, half), (-half, half)]
    for relation in ("==", "!=", "<", "<=", ">", ">="):
        check(Linear((0, 1), (1, 1), relation, -1), domains=domains)
        check(Linear((0, 1), (1, -1), relation, 1), domains=domains)
        check(Linear((0,), (1,), relation, half - 5), domains=[range(half - 9, half)])
    three = {"x": (-half, 0, half), "y": (-half, 0, half)}
    weights = state(three, [Linear(("x", "y"), (1, 1), "==", 0)])
    check_refused("clingo", weights, "the weights of a sum of 2 terms")


def test_an_objective_that_would_wrap_is_unsupported():
    check_wide_objective("clingo", LARGEST)


def test_a_coefficient_of_zero_says_nothing_of_its_variable():
    check(Linear((0, 1), (1, 0), "!=", 0), domains=[(0,), (1, 2, 3)])


@pytest.mark.parametrize("allowed", [True, False])
def test_tables_without_rows(allowed):
    check(Table((0, 1), (), allowed), domains=[range(2)] * 2)
