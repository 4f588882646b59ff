"""clingo: limits and statuses, what its weights hold, and the bounds of optima."""

from functools import partial

import pytest

pytest.importorskip("clingo", reason="clingo is optional: the extra 'clingo'")

from backends.clingo.backend import LARGEST
from backends.interface import registry
from backends.interface.api import Limits, Solutions
from modelling.constraints import AllDifferent, Linear
from modelling.problem import build_problem
from tests.backends.solver_checks import check_constraints, check_refused, check_wide_variable

check = partial(check_constraints, name="clingo")

NAMES = ("clingo", "clingo:usc")


@pytest.mark.parametrize("threads", [None, 2])
def test_solutions_are_counted_once_whatever_the_threads(threads):
    problem = build_problem({name: range(6) for name in "abcd"}, [AllDifferent(tuple("abcd"))])
    result = registry.get("clingo").solve(problem, Solutions(None), Limits(threads=threads, seed=5))
    assert (result.count, result.stopped_by) == (360, "exhausted")


def test_sums_that_would_wrap_are_refused_by_name():
    check_wide_variable("clingo", LARGEST)
    wide = {"x": (-LARGEST, LARGEST), "y": (0, 1)}
    sums = build_problem(wide, [Linear(("x", "y"), (1, 1), "<=", 5)])
    check_refused("clingo", sums, "a sum of 2 terms")


def test_the_largest_sums_are_held():
    half = LARGEST // 2
    domains = [(-half, half), (-half, half)]
    for relation in ("==", "!=", "<", "<=", ">", ">="):
        check(Linear((0, 1), (1, 1), relation, -1), domains=domains)
        check(Linear((0, 1), (1, -1), relation, 1), domains=domains)
        check(Linear((0,), (1,), relation, half - 5), domains=[range(half - 9, half)])
    three = {"x": (-half, 0, half), "y": (-half, 0, half)}
    weights = build_problem(three, [Linear(("x", "y"), (1, 1), "==", 0)])
    check_refused("clingo", weights, "the weights of a sum of 2 terms")


def test_a_coefficient_of_zero_says_nothing_of_its_variable():
    check(Linear((0, 1), (1, 0), "!=", 0), domains=[(0,), (1, 2, 3)])
