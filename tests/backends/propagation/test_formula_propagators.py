"""Clauses and literals against the definitions of what they are equivalent to."""

import random

import pytest

from backends.propagation.kernel.domains import remove
from backends.propagation.propagators.formulas.equation_literal import has_common_image
from modelling.constraints import Clauses, Iff, Linear, Or
from modelling.problem import Problem, Structure
from tests.backends.propagation.propagator_checks import (
    FORMS,
    begun,
    check_propagator,
    draw_domain,
    first_fixpoint,
)
from tests.backends.propagation.short_words import SHORT, short_form

pytestmark = pytest.mark.once  # numba compiles what it tests


def is_value(rng: random.Random, b: int) -> Linear:
    return Linear((b,), (1,), "==", rng.randint(0, 1))


def test_literals_of_the_values_of_one_variable():
    """Several literals of one variable, for open values and others, and their opposites."""

    def draw(rng):
        domain = draw_domain(rng, 8)
        count = rng.randint(1, 4)
        literals = tuple(
            Iff(
                is_value(rng, 1 + k),
                Linear((0,), (1,), rng.choice(("==", "!=")), rng.choice((*domain, 3))),
            )
            for k in range(count)
        )
        return literals, [domain, *[(0, 1)] * count]

    check_propagator(draw, "none", 150)


def test_literal_of_one_value():
    def draw(rng):
        domain = draw_domain(rng, 8)
        factor = rng.choice((-2, -1, 1, 3))
        value = factor * rng.choice(domain)
        relation = rng.choice(("==", "!="))
        return Iff(is_value(rng, 1), Linear((0,), (factor,), relation, value)), [domain, (0, 1)]

    check_propagator(draw, "domain", 100)


def test_literal_that_is_repeated():
    def draw(rng):
        domain = draw_domain(rng, 5)
        values = rng.sample((*domain, 100), 2) if len(domain) > 1 else (*domain, 100)
        literals = tuple(Iff(is_value(rng, 1), Linear((0,), (1,), "==", v)) for v in values)
        return literals, [domain, (0, 1)]

    check_propagator(draw, "none", 60)


def test_literals_of_equations():
    def draw(rng):
        k, c = rng.choice((-2, -1, 1, 1, 1, 3)), rng.randint(-3, 3)
        x, y = draw_domain(rng, 5), draw_domain(rng, 5)
        if rng.random() < 0.7:
            x = tuple(sorted({*x, *rng.sample([k * v + c for v in y], rng.randint(1, len(y)))}))
        sign = rng.choice((-1, 1))
        equation = Linear((0, 1), (sign, -sign * k), rng.choice(("==", "!=")), sign * c)
        return Iff(is_value(rng, 2), equation), [x, y, (0, 1)]

    check_propagator(draw, "domain", 150)


def draw_literal(rng: random.Random, x: int, domain) -> Linear:
    relation = rng.choice(("==", "!=", "<=", ">=", "<", ">"))
    factor = rng.choice((-2, -1, 1, 1))
    return Linear((x,), (factor,), relation, factor * rng.choice(domain) + rng.randint(0, 1))


def test_a_clause_of_literals_of_any_kind():
    """Its variables are distinct."""

    def draw(rng):
        domains = [draw_domain(rng, 5) for _ in range(rng.randint(2, 4))]
        return Or(tuple(draw_literal(rng, x, domain) for x, domain in enumerate(domains))), domains

    check_propagator(draw, "domain", 150)


def test_several_clauses_over_the_same_variables():
    def draw(rng):
        domains = [draw_domain(rng, 4) for _ in range(4)]
        clauses = []
        for _ in range(rng.randint(1, 9)):
            some = [rng.randrange(4) for _ in range(rng.randint(2, 4))]
            clauses.append(Or(tuple(draw_literal(rng, x, domains[x]) for x in some)))
        return tuple(clauses), domains

    check_propagator(draw, "none", 100)


def test_clauses_over_booleans():
    def draw(rng):
        n = rng.randint(1, 9)
        domains = [rng.choice(((0, 1), (0, 1), (0, 1), (0, 1, 2))) if n < 7 else (0, 1)] * n
        block = [
            tuple(rng.choice((-1, 1)) * rng.randint(1, n) for _ in range(rng.randint(1, 4)))
            for _ in range(rng.randint(1, 25))
        ]
        return Clauses(tuple(range(n)), block), domains

    check_propagator(draw, "none", 100)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("factor", "start"), [(1, 6), (1, 5), (1, -5000), (-1, 1), (-1, 0), (-1, -5005)]
)
def test_an_interval_beyond_the_other_variable_decides_the_literal_of_their_equation(
    form, factor, start
):
    """x lies in 0..5, and y or its negation in 5000 values from ``start`` on."""
    domains = [tuple(range(6)), tuple(range(start, start + 5000)), (0, 1)]
    literal = Iff(Linear((2,), (1,), "==", 1), Linear((0, 1), (1, -factor), "==", 0))
    structure = Structure(("x", "y", "b"), tuple(domains), (literal,))
    masks = tuple((1 << len(domain)) - 1 for domain in domains)
    left = first_fixpoint(Problem(structure, masks), FORMS[form]())
    images = [factor * y for y in domains[1]]
    is_apart = max(images) < 0 or min(images) > 5
    assert left is not None
    assert left[2] == ({0} if is_apart else {0, 1})


def test_a_support_that_has_left_is_none():
    """What supports ``x == y + 1`` is kept, and looked at again."""
    equation = Iff(Linear((2,), (1,), "==", 1), Linear((0, 1), (1, -1), "==", 1))
    made = Structure(tuple("xyb"), ((1, 3, 4), (2, 5), (0, 1)), (equation,))
    arena, (S, T, M) = begun(made.problem(), short_form())
    x, y = arena.places[:2]
    M.append(2)
    has_support = SHORT.bound(has_common_image)
    assert has_support(S, M, x, y, 1, 1, len(M) - 1)
    assert SHORT.bound(remove)(S, T, M, x, 3)
    assert not has_support(S, M, x, y, 1, 1, len(M) - 1)
