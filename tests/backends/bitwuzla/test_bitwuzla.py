"""Bitwuzla: limits and statuses, bits that never wrap, functions, interrupts."""

import random
from functools import partial

import pytest

pytest.importorskip("bitwuzla", reason="bitwuzla is optional: the extra 'bitwuzla'")

from backends.bitwuzla.functions import WIDEST
from backends.interface import registry
from backends.interface.api import Solutions
from modelling import constraints as mc
from modelling.problem import build_problem
from puzzles.family import family
from tests.backends.solver_checks import check_constraints, check_one_process
from tests.seeds import for_each

check = partial(check_constraints, name="bitwuzla")

RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


@pytest.mark.parametrize("relation", RELATIONS)
def test_sums_do_not_wrap_however_large_they_are(relation):
    huge = 1 << 100
    check(mc.Linear((0, 1), (2, -3), relation, 1), domains=[(-2, 0, 2, 5), range(-1, 4)])
    check(mc.Linear((0, 1), (huge, 1), relation, huge - 1), domains=[(-1, 0, 1), (-1, 0, 2)])
    check(mc.Linear((0, 1), (1, 1), relation, 0), domains=[(-huge, 0, huge), (-huge, 3, huge)])
    check(mc.Linear((0, 1, 2), (1, 0, -1), relation, 2), domains=[range(-2, 3)] * 3)
    check(mc.Linear((0,), (0,), relation, 0), domains=[range(2)])


@pytest.mark.parametrize("relation", RELATIONS)
def test_sums_of_views_may_be_reified(relation):
    within = mc.Linear((mc.Affine(0, -2, 1), mc.Affine(1, 3, 0)), (1, 2), relation, 5)
    literal = mc.Linear((2,), (1,), "==", 1)
    check(mc.Iff(literal, within), domains=[(-1, 0, 3), (-2, 0, 1), range(2)])
    check(mc.Not(within), domains=[(-1, 0, 3), (-2, 0, 1)])


@pytest.mark.parametrize("except_", [(), (0,), (0, 2)])
def test_different_values_of_views(except_):
    terms = (0, mc.Affine(1, -2, 1), mc.Affine(2, 1, -3), *mc.constants(2))
    check(mc.AllDifferent(terms, except_), domains=[range(-2, 3), range(-1, 2), range(5)])


FUNCTIONS = [
    mc.Element((0, 1, *mc.constants(3, 1)), 2),
    mc.Element(mc.constants(4, -1, 3), mc.Affine(2, -1, 1)),
    mc.Count((0, 1, 2), (*mc.constants(1), 0)),
    mc.NValue((0, 1, 2), (2,)),
    mc.Minimum((0, 1, 2)),
    mc.Maximum((0, mc.Affine(1, -3, 1), *mc.constants(-2))),
    mc.Distance(0, mc.Affine(1, 2, -1)),
    mc.Product((0, 1, 2)),
    mc.Product((0, 0)),
    mc.Quotient(2, 1),
    mc.Quotient(mc.Affine(0, 5, 1), mc.Affine(1, -1, 0)),
    mc.Remainder(mc.Affine(0, 5, 1), 1),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=repr)
def test_functions_are_false_where_they_are_undefined(function):
    domains = [(-2, 0, 2), range(-1, 3), range(-1, 5), range(-6, 7)]
    check(mc.Define(3, function), domains=domains)


def test_products_of_more_bits_are_rewritten():
    large = 1 << WIDEST
    check(
        mc.Define(2, mc.Product((0, 1))),
        domains=[(-large, 0, large), (-1, 2), (-2 * large, 0, large)],
    )


def test_variables_of_one_value_take_no_bits():
    result = registry.get("bitwuzla").solve(
        build_problem({"x": (5,), "y": (-3,)}, [mc.NotEqual(("x", "y"))]), Solutions(None, None)
    )
    assert result.solutions == ((5, -3),)


@pytest.mark.once
@pytest.mark.parametrize("first", ["ortools.sat.python.cp_model", "pysat.solvers", "z3"])
def test_it_shares_a_process_with_others(first):
    check_one_process(first, "bitwuzla", "cpsat", "sat", "bitwuzla")


@for_each("seed", range(40))
def test_sums_that_differ_need_no_variables(seed):
    """They are compared modulo a power of two: where they stand, and whether a literal is that."""
    rng = random.Random(seed)
    domains = [sorted(rng.sample(range(-3, 5), rng.randint(1, 4))) for _ in range(3)]
    terms = [mc.Affine(rng.randrange(3), rng.choice((1, -2)), rng.randint(-2, 2)), rng.randrange(3)]
    for _ in range(rng.randint(1, 3)):
        inner = (rng.randrange(3), mc.Affine(rng.randrange(3), rng.choice((1, 3)), 1))
        terms.append(mc.Sum(inner, (rng.choice((1, -1, 0)), rng.choice((1, -1, 2)))))
    different = mc.AllDifferent(tuple(terms))
    check(different, domains=domains)
    check(mc.Iff(mc.Linear((3,), (1,), "==", 1), different), domains=[*domains, range(2)])
    check(mc.Not(different), domains=domains)


def test_different_sums_are_taken_as_they_are():
    problem = family("golomb").problem("5 11")
    backend = registry.get("bitwuzla")
    result = backend.solve(problem, Solutions(None, None))
    assert (result.count, result.exhausted) == (4, True)
    assert backend.preparation.plan(problem.structure).rewritten.auxiliaries == 0
