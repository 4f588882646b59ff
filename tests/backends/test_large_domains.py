"""Domains too large to be listed: ranges where a solver has these, a clear refusal elsewhere."""

import random

import pytest

import concord
from backends.interface import registry
from backends.interface.api import Refused
from backends.interface.shipped import SHIPPED, list_with_ranges
from modelling.errors import BackendUnavailable, Unsupported
from modelling.problem import build_problem
from tests.backends.solver_checks import find_or_skip

MOST = 2_000_000_000


def make_sum():
    m = concord.Model()
    x, y = m.int(0, MOST, "x"), m.int(0, MOST, "y")
    m.add(x - y <= 7, y <= 1_234_567_890)
    m.maximize(x)
    return m.problem(), 1_234_567_897


def make_gap():
    """A domain with a gap beside a range."""
    m = concord.Model()
    x, y = m.int(0, MOST, "x"), m.int([5, 70_000, 1_999_999_999], name="y")
    m.add(x <= y - 2)
    m.maximize(x)
    return m.problem(), 1_999_999_997


def make_condition():
    m = concord.Model()
    x, b = m.int(0, MOST, "x"), m.bool("b")
    m.add(b.implies(x <= 1_000_000_001), (~b).implies(x <= 1_000_000_000))
    m.add(2 * x + b <= 1_999_999_981)
    m.maximize(x - 5 * b)
    return m.problem(), 999_999_990


def make_far_objective():
    m = concord.Model()
    x, y = m.int(0, MOST, "x"), m.int(0, MOST, "y")
    m.add(x + y <= 2_100_000_000, x - y >= 7)
    m.maximize(3 * x - 2 * y)
    return m.problem(), 6_000_000_000


def make_hole():
    m = concord.Model()
    x = m.int(0, MOST, "x")
    m.add(x != MOST)
    m.maximize(x)
    return m.problem(), MOST - 1


GECODE, INTEGER_PROGRAMS = "minizinc:gecode", ("scip", "highs")


@pytest.mark.parametrize("backend", ["cpsat", GECODE])
def test_optima_over_large_ranges_are_those_of_the_model(backend):
    find_or_skip(backend)
    for make in (make_sum, make_gap, make_condition):
        problem, best = make()
        result = concord.solve(problem, backend=backend)
        assert (make.__name__, result.objective, result.exhausted) == (make.__name__, best, True)


@pytest.mark.parametrize("backend", INTEGER_PROGRAMS)
def test_integer_programs_take_large_ranges_in_rows_with_factors_1(backend):
    find_or_skip(backend)
    for problem, best in (make_sum(), make_far_objective(), make_hole()):
        result = concord.solve(problem, backend=backend)
        assert (result.objective, result.bound, result.exhausted) == (best, best, True)


@pytest.mark.parametrize("backend", INTEGER_PROGRAMS)
def test_integer_programs_refuse_what_a_tolerance_blurs(backend):
    find_or_skip(backend)
    m = concord.Model()
    x, y = m.int(0, MOST, "x"), m.int(0, MOST, "y")
    m.add(2 * x - 3 * y <= 7)
    m.maximize(x)
    for problem, cause in (
        (make_gap()[0], "y, whose domain has gaps, reaches beyond 500000"),
        (make_condition()[0], "a comparison under a condition reaches beyond 500000"),
        (m.problem(), "a comparison of a sum with factors other than 1 and -1 reaches beyond 500"),
    ):
        with pytest.raises(Unsupported, match=cause):
            concord.solve(problem, backend=backend)
    with pytest.raises(Unsupported, match="more than one solution where x reaches beyond 500000"):
        concord.solve(make_sum()[0], concord.Solutions(2), backend=backend)


@pytest.mark.parametrize("backend", INTEGER_PROGRAMS)
def test_integer_programs_agree_with_cpsat_over_large_ranges(backend):
    find_or_skip(backend)
    chance = random.Random(36)
    for number in range(12):
        m = concord.Model()
        xs = [m.int(0, MOST - chance.randint(0, MOST // 3), f"x{k}") for k in range(4)]
        for _ in range(2):
            chosen = chance.sample(xs, 3)
            total = sum(chance.choice((-1, 1)) * x for x in chosen)
            m.add(total <= chance.randint(0, MOST))
        m.maximize(sum(chance.randint(-9, 9) * x for x in xs))
        found = [concord.solve(m.problem(), backend=name) for name in ("cpsat", backend)]
        assert found[0].exhausted, number
        assert not found[1].exhausted or found[0].objective == found[1].objective, number


@pytest.mark.parametrize("backend", INTEGER_PROGRAMS)
def test_integer_programs_take_an_empty_domain_in_an_inequality(backend):
    find_or_skip(backend)
    empty = build_problem({"x": (), "y": range(3)}, [concord.Linear(("x", "y"), (1, 1), "!=", 1)])
    assert registry.get(backend).solve(empty).exhausted


def test_choco_takes_large_ranges_and_refuses_what_32_bits_do_not_hold():
    backend = find_or_skip("choco")
    for problem, best in (make_sum(), make_gap(), make_hole()):
        result = concord.solve(problem, backend=backend)
        assert (result.objective, result.exhausted) == (best, True)
    for problem, cause in (
        (make_far_objective()[0], "an objective that reaches beyond 1073741823"),
        (make_condition()[0], "a sum of 2 terms reaches beyond 2147483646"),
    ):
        with pytest.raises(Unsupported, match=cause):
            concord.solve(problem, backend=backend)


def test_cpsat_takes_holes_and_objectives_beyond_32_bits():
    for problem, best in (make_hole(), make_far_objective()):
        assert concord.solve(problem, backend="cpsat").objective == best


def test_gecode_refuses_what_32_bits_or_flatzinc_do_not_hold():
    backend = find_or_skip(GECODE)
    with pytest.raises(Unsupported, match="an objective that reaches beyond 2147483646"):
        concord.solve(make_far_objective()[0], backend=backend)
    with pytest.raises(Unsupported, match="x is too large to be listed, as MiniZinc does"):
        concord.solve(make_hole()[0], backend=backend)


def test_givens_narrow_a_large_range_again_and_again():
    problem, best = make_sum()
    solver = concord.backend("cpsat")
    for x in (3, None, 9):
        posed = problem if x is None else problem.structure.problem({0: x})
        result = concord.solve(posed, backend=solver)
        assert result.objective == (best if x is None else x)


def test_constraints_that_list_values_are_refused_by_name():
    m = concord.Model()
    x, y, z = m.int(0, MOST, "x"), m.int(0, MOST, "y"), m.int(0, MOST, "z")
    m.add(concord.all_different(x, y, z))
    for name, cause in (
        ("cpsat", "the domain of x is too large to be listed, as AllDifferent needs it"),
        ("cpsat:booleans", "the domain of x is too large to be listed"),
        ("scip", "a comparison with != reaches beyond 500000"),
        ("z3", r"the domain of x is too large to be listed \(propagation, cpsat, sat, choco"),
        ("pumpkin", "the domain of x is too large to be listed"),
    ):
        with pytest.raises(Unsupported, match=cause):
            concord.solve(m.problem(), backend=name)


def test_large_ranges_that_are_no_intervals_are_refused():
    m = concord.Model()
    m.maximize(m.int(range(0, MOST, 3), name="x"))
    with pytest.raises(Unsupported, match="too large to be listed, and it is no interval"):
        concord.solve(m.problem(), backend="cpsat")


def test_shipped_backends_say_whether_they_take_ranges():
    with_ranges = ["propagation", "cpsat", "sat", "choco", "scip", "highs", "mathopt", "minizinc"]
    assert list_with_ranges() == with_ranges
    problem = make_sum()[0]
    for one in SHIPPED:
        try:
            backend = registry.get(one.name)
        except BackendUnavailable:
            continue
        accepted = not isinstance(backend.accepts(problem), Refused)
        assert accepted is one.ranges, one.name
