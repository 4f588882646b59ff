"""Linear propagators against the definition of Linear."""

import random

import pytest

from backends.propagation.encode.draft import begin, post_linear
from modelling.constraints import AllDifferent, Iff, Implies, Linear, NotEqual
from modelling.problem import Structure
from tests.backends.propagation.propagator_checks import check_propagator, draw_domain


def draw_sum(rng: random.Random, relation: str):
    n = rng.randint(1, 4)
    domains = [draw_domain(rng, 5) for _ in range(n)]
    coefficients = [rng.choice((-3, -2, -1, 1, 1, 2, 5)) for _ in range(n)]
    near = sum(c * rng.choice(d) for c, d in zip(coefficients, domains, strict=True))
    constraint = Linear(tuple(range(n)), tuple(coefficients), relation, near + rng.randint(-2, 2))
    return constraint, domains


def draw_reified(rng: random.Random, relation: str, connective):
    constraint, domains = draw_sum(rng, relation)
    n = len(domains)
    literal = Linear((n,), (1,), "==", rng.randint(0, 1))
    return connective(literal, constraint), [*domains, (0, 1)]


@pytest.mark.parametrize("relation", ["<=", "<", ">=", ">"])
def test_inequalities_keep_exactly_the_values_of_some_solution(relation):
    check_propagator(lambda rng: draw_sum(rng, relation), "domain", 120)


@pytest.mark.parametrize("relation", ["==", "!="])
def test_equations_and_their_opposite(relation):
    check_propagator(lambda rng: draw_sum(rng, relation), "fixed", 150)


@pytest.mark.parametrize("relation", ["<=", "==", "!=", ">"])
@pytest.mark.parametrize("connective", [Implies, Iff])
def test_reified_sums(relation, connective):
    check_propagator(lambda rng: draw_reified(rng, relation, connective), "fixed", 80)


def test_differences_remove_the_value_of_a_fixed_variable():
    def draw(rng):
        n = rng.randint(2, 4)
        domains = [draw_domain(rng, 4) for _ in range(n)]
        if n == 2:
            return NotEqual((0, 1)), domains
        return AllDifferent(tuple(range(n))), domains

    check_propagator(draw, "fixed", 150)


@pytest.mark.parametrize(
    ("relation", "possible"),
    [("<=", (-1, 0)), ("<", (-1,)), (">=", (0, 1)), (">", (1,)), ("==", (0,)), ("!=", (-1, 1))],
)
def test_a_sum_of_nothing_is_0(relation, possible):
    """``possible`` are the differences 0 - constant with which it holds."""
    for constant in (-1, 0, 1):
        draft = begin(Structure(("x",), ((0, 1),), ()))
        post_linear(draft, relation, [(0, 2), (0, -2)], constant)
        assert draft.possible == (-constant in possible)
        assert draft.propagators == []
