"""Bitwuzla: limits and statuses, bits that never wrap, functions, interrupts."""

import random
from functools import partial

import pytest

pytest.importorskip("bitwuzla", reason="bitwuzla is optional: the extra 'bitwuzla'")

from backends.bitwuzla.functions import WIDEST
from backends.interface import registry
from backends.interface.api import Solutions
from modelling.brute_force import solutions
from modelling.constraints import (
    AllDifferent,
    Count,
    Define,
    Element,
    Iff,
    Linear,
    Not,
    NotEqual,
    Sum,
    Table,
)
from modelling.drawing import structure_over
from modelling.problem import state
from modelling.terms import Affine, constants
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from puzzles.family import family
from tests.backends.small_problems import pigeons
from tests.backends.solver_checks import (
    check_constraints,
    check_incumbents,
    check_no_values,
    check_one_process,
    check_one_variable_of_three,
    check_positions,
    stop_by_time,
)

check = partial(check_constraints, name="bitwuzla")

RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


@pytest.mark.once
@pytest.mark.parametrize("of", VOCABULARY, ids=lambda of: of.__name__)
def test_drawn_ones_are_right_in_every_position(of):
    check_positions("bitwuzla", of, 3)


def test_a_limit_on_time_is_kept():
    result = stop_by_time("bitwuzla", pigeons(14))
    assert (result.status, result.native_status) == ("UNKNOWN", "unknown")


def test_incumbents_improve_and_the_last_is_the_optimum():
    check_incumbents("bitwuzla")


def test_solutions_are_told_apart_by_the_output_alone():
    check_one_variable_of_three("bitwuzla")


@pytest.mark.parametrize("relation", RELATIONS)
def test_sums_do_not_wrap_however_large_they_are(relation):
    huge = 1 << 100
    check(Linear((0, 1), (2, -3), relation, 1), domains=[(-2, 0, 2, 5), range(-1, 4)])
    check(Linear((0, 1), (huge, 1), relation, huge - 1), domains=[(-1, 0, 1), (-1, 0, 2)])
    check(Linear((0, 1), (1, 1), relation, 0), domains=[(-huge, 0, huge), (-huge, 3, huge)])
    check(Linear((0, 1, 2), (1, 0, -1), relation, 2), domains=[range(-2, 3)] * 3)
    check(Linear((0,), (0,), relation, 0), domains=[range(2)])


@pytest.mark.parametrize("relation", RELATIONS)
def test_sums_of_views_may_be_reified(relation):
    within = Linear((Affine(0, -2, 1), Affine(1, 3, 0)), (1, 2), relation, 5)
    literal = Linear((2,), (1,), "==", 1)
    check(Iff(literal, within), domains=[(-1, 0, 3), (-2, 0, 1), range(2)])
    check(Not(within), domains=[(-1, 0, 3), (-2, 0, 1)])


def test_domains_with_gaps_and_givens():
    domains = [(-7, -6, 0, 1, 5), range(-1, 8), (3,)]
    structure = structure_over(domains, [AllDifferent((0, 1, 2))])
    backend = registry.get("bitwuzla")
    for givens in ({}, {0: 5}, {0: -6, 1: 7}, {1: -1}):
        problem = structure.problem(givens)
        found = backend.solve(problem, Solutions(None, None))
        assert sorted(found.solutions) == sorted(solutions(problem))
    assert found.encoding_reused


@pytest.mark.parametrize("except_", [(), (0,), (0, 2)])
def test_different_values_of_views(except_):
    terms = (0, Affine(1, -2, 1), Affine(2, 1, -3), *constants(2))
    check(AllDifferent(terms, except_), domains=[range(-2, 3), range(-1, 2), range(5)])


FUNCTIONS = [
    Element((0, 1, *constants(3, 1)), 2),
    Element(constants(4, -1, 3), Affine(2, -1, 1)),
    Count((0, 1, 2), (*constants(1), 0)),
    NValue((0, 1, 2), (2,)),
    Minimum((0, 1, 2)),
    Maximum((0, Affine(1, -3, 1), *constants(-2))),
    Distance(0, Affine(1, 2, -1)),
    Product((0, 1, 2)),
    Product((0, 0)),
    Quotient(2, 1),
    Quotient(Affine(0, 5, 1), Affine(1, -1, 0)),
    Remainder(Affine(0, 5, 1), 1),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=repr)
def test_functions_are_false_where_they_are_undefined(function):
    domains = [(-2, 0, 2), range(-1, 3), range(-1, 5), range(-6, 7)]
    check(Define(3, function), domains=domains)


@pytest.mark.once
@pytest.mark.parametrize("function", FUNCTIONS, ids=repr)
def test_functions_may_be_reified(function):
    domains = [(-2, 0, 2), range(-1, 3), range(-1, 5), range(-6, 7), range(2)]
    check(Iff(Linear((4,), (1,), "==", 1), Define(3, function)), domains=domains)


def test_products_of_more_bits_are_rewritten():
    large = 1 << WIDEST
    check(Define(2, Product((0, 1))), domains=[(-large, 0, large), (-1, 2), (-2 * large, 0, large)])


@pytest.mark.parametrize("allowed", [True, False])
def test_tables_without_rows(allowed):
    check(Table((0, 1), (), allowed), domains=[range(2)] * 2)


def test_a_domain_without_values_leaves_no_solution():
    check_no_values("bitwuzla")


def test_variables_of_one_value_take_no_bits():
    result = registry.get("bitwuzla").solve(
        state({"x": (5,), "y": (-3,)}, [NotEqual(("x", "y"))]), Solutions(None, None)
    )
    assert result.solutions == ((5, -3),)


@pytest.mark.once
@pytest.mark.parametrize("first", ["ortools.sat.python.cp_model", "pysat.solvers", "z3"])
def test_it_shares_a_process_with_others(first):
    check_one_process(first, "bitwuzla", "cpsat", "sat", "bitwuzla")


@pytest.mark.parametrize("seed", range(40))
def test_sums_that_differ_need_no_variables(seed):
    """They are compared modulo a power of two: where they stand, and whether a literal is that."""
    rng = random.Random(seed)
    domains = [sorted(rng.sample(range(-3, 5), rng.randint(1, 4))) for _ in range(3)]
    terms = [Affine(rng.randrange(3), rng.choice((1, -2)), rng.randint(-2, 2)), rng.randrange(3)]
    for _ in range(rng.randint(1, 3)):
        inner = (rng.randrange(3), Affine(rng.randrange(3), rng.choice((1, 3)), 1))
        terms.append(Sum(inner, (rng.choice((1, -1, 0)), rng.choice((1, -1, 2)))))
    different = AllDifferent(tuple(terms))
    check(different, domains=domains)
    check(Iff(Linear((3,), (1,), "==", 1), different), domains=[*domains, range(2)])
    check(Not(different), domains=domains)


def test_different_sums_are_taken_as_they_are():
    problem = family("golomb").problem("5 11")
    backend = registry.get("bitwuzla")
    result = backend.solve(problem, Solutions(None, None))
    assert (result.count, result.exhausted) == (4, True)
    assert backend.preparation.plan(problem.structure).rewritten.auxiliaries == 0
