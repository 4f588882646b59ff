"""Counting by components: the numbers are those of a search for all solutions."""

import os
from itertools import islice, pairwise

import pytest

import concord
from backends.conformance.drawn_problems import drawn_problems, plain_problems, root_problems
from backends.interface import registry
from backends.interface.api import Solutions
from backends.propagation import counting
from backends.propagation.counting import count_solutions
from modelling.constraints import VOCABULARY, Clauses, Linear, NotEqual
from modelling.errors import Unsupported
from modelling.problem import build_problem
from puzzles.family import family

CASES = int(os.environ.get("COUNTED_CASES", "60"))


def number_of(problem):
    return registry.get("propagation:pure").solve(problem, Solutions(None)).count


@pytest.mark.parametrize("known", [2, counting.MOST_KNOWN])
def test_drawn_problems(known, monkeypatch):
    monkeypatch.setattr(counting, "MOST_KNOWN", known)
    draws = (
        (problem for _, problem in drawn_problems("counts", VOCABULARY)),
        (problem for _, _, problem in plain_problems("counts", VOCABULARY)),
        (problem for _, _, problem in root_problems("counts", VOCABULARY)),
    )
    seen = 0
    for draw in draws:
        for problem in islice(draw, CASES):
            if problem.structure.output is None and registry.get("propagation").accepts(problem):
                seen += 1
                assert count_solutions(problem).count == number_of(problem), problem
    assert seen > 2 * CASES


@pytest.mark.parametrize(
    "text", ["queens 6", "langford 2 4", "magic_sequence 5", "quasigroup QG5 5"]
)
def test_families(text):
    name, _, size = text.partition(" ")
    problem = family(name).problem(size)
    assert count_solutions(problem).count == number_of(problem)


def chain(length, values):
    """Variables each of which differs from the next."""
    names = [f"x{k}" for k in range(length)]
    differ = [NotEqual(pair) for pair in pairwise(names)]
    return build_problem(dict.fromkeys(names, range(values)), differ)


def test_a_number_of_many_digits():
    assert count_solutions(chain(200, 3)).count == 3 * 2**199


def test_free_variables_take_no_nodes():
    found = count_solutions(build_problem({f"x{k}": range(10) for k in range(100)}))
    assert (found.count, found.nodes) == (10**100, 1)


def test_parts_that_come_again_are_known():
    found = count_solutions(chain(30, 3))
    assert found.known > 10
    assert found.nodes < 400


def test_a_sum_with_the_same_rest_is_known():
    names = [f"x{k}" for k in range(12)]
    problem = build_problem(
        dict.fromkeys(names, range(2)), [Linear(tuple(names), (1,) * 12, "==", 6)]
    )
    found = count_solutions(problem)
    assert found.count == 924
    assert found.nodes < 100


def test_sums_and_clauses_that_hold_connect_nothing():
    names = [f"x{k}" for k in range(8)]
    booleans = dict.fromkeys(names, range(2))
    clauses = [(1, k) for k in range(2, 9)]
    for constraint in (
        Clauses(tuple(names), clauses),
        Linear(tuple(names), (-7, *[1] * 7), "<=", 0),
    ):
        problem = build_problem(booleans, [constraint])
        found = count_solutions(problem)
        assert found.count == number_of(problem)
        assert found.nodes < 10


def test_what_has_no_solution():
    assert count_solutions(build_problem({"x": (0,), "y": (0,)}, [NotEqual(("x", "y"))])).count == 0
    assert count_solutions(build_problem({"x": ()})).count == 0
    assert count_solutions(build_problem({})).count == 1
    assert count_solutions(build_problem({"x": (3,)})).count == 1
    parity = Linear(("x", "y", "z"), (2, 2, 2), "==", 5)
    assert count_solutions(build_problem(dict.fromkeys("xyz", range(3)), [parity])).count == 0


def test_the_seconds_are_kept():
    assert count_solutions(family("queens").problem("12"), seconds=0.05).count is None


def test_an_output_is_refused():
    problem = build_problem({"x": range(2), "y": range(2)}, output=["x"])
    with pytest.raises(Unsupported, match="the output has some of them"):
        count_solutions(problem)


def test_models_and_texts_are_taken():
    m = concord.Model()
    x, y = m.ints(2, 0, 3)
    m.add(x < y)
    assert concord.count_solutions(m).count == 6
    assert concord.count_solutions(concord.Instance("queens", "six", "6")).count == 4
