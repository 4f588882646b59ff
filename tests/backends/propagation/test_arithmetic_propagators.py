"""Propagators of arithmetic against the definitions of the functions."""

import random

import pytest

from backends.propagation.encode import arithmetic
from modelling.constraints import (
    Define,
    Distance,
    Element,
    Element2D,
    Linear,
    Maximum,
    Minimum,
    Product,
    Quotient,
    Remainder,
)
from modelling.terms import Affine, constant
from tests.backends.propagation.propagator_checks import check_propagator, draw_domain

pytestmark = pytest.mark.once  # numba compiles what it tests


def draw_near(rng: random.Random, values, most: int):
    """A domain that has some of these values, so that not all is excluded."""
    some = rng.sample(sorted(values), min(len(values), rng.randint(1, most)))
    return tuple(sorted({*some, *draw_domain(rng, 3)}))


def draw_small(rng: random.Random, most: int):
    """A domain of small numbers about 0."""
    return tuple(sorted(rng.sample(range(-7, 12), rng.randint(1, most))))


def test_affine_equations():
    def draw(rng):
        k, c = rng.choice((-3, -2, -1, 1, 1, 2, 5)), rng.randint(-6, 6)
        y = draw_domain(rng, 8)
        x = draw_near(rng, {k * value + c for value in y}, 8)
        sign = rng.choice((-1, 1))
        return Linear((0, 1), (sign, -sign * k), "==", sign * c), [x, y]

    check_propagator(draw, "domain", 150)


def test_affine_equations_over_long_domains():
    def draw(rng):
        c = rng.randint(-100, 100)
        y = tuple(sorted(rng.sample(range(-150, 300), 60)))
        x = tuple(sorted([*rng.sample([v + c for v in y], 50), 400, 500]))
        return Linear((0, 1), (1, -1), "==", c), [x, y]

    check_propagator(draw, "domain", 30)


def draw_element(rng: random.Random):
    terms = [draw_domain(rng, 4) for _ in range(rng.randint(1, 4))]
    index = draw_small(rng, 8) if rng.random() < 0.3 else tuple(range(rng.randint(1, 5)))
    result = draw_near(rng, {value for term in terms for value in term}, 6)
    return terms, index, result


def test_element_over_variables():
    def draw(rng):
        terms, index, result = draw_element(rng)
        n = len(terms)
        return Define(n + 1, Element(tuple(range(n)), n)), [*terms, index, result]

    check_propagator(draw, "domain", 150)


def test_element_over_constants_and_an_affine_index():
    def draw(rng):
        terms = [constant(rng.randint(-4, 80)) for _ in range(rng.randint(1, 9))]
        index = Affine(0, rng.choice((-1, 1, 2)), rng.randint(-2, 4))
        result = draw_near(rng, {term.offset for term in terms}, 6)
        return Define(1, Element(tuple(terms), index)), [draw_small(rng, 9), result]

    check_propagator(draw, "domain", 80)


def test_element_with_repeats():
    def draw(rng):
        domains = [draw_small(rng, 5) for _ in range(3)]
        terms = tuple(rng.choice((0, 1, 2, constant(3))) for _ in range(4))
        return Define(rng.randrange(3), Element(terms, rng.randrange(3))), domains

    check_propagator(draw, "none", 60)


@pytest.mark.parametrize("constants", [True, False])
def test_element_of_a_matrix(constants):
    def draw(rng):
        height, width = rng.randint(1, 3), rng.randint(1, 2)
        terms = [draw_domain(rng, 2) for _ in range(height * width)]
        cells = [constant(rng.choice(t)) if constants else k for k, t in enumerate(terms)]
        rows = [tuple(cells[i * width : (i + 1) * width]) for i in range(height)]
        n = len(terms)
        result = draw_near(rng, {value for term in terms for value in term}, 4)
        domains = [*terms, draw_small(rng, 9), draw_small(rng, 9), result]
        if constants:
            domains[:n] = [(0,)] * n
        return Define(n + 2, Element2D(tuple(rows), n, n + 1)), domains

    check_propagator(draw, "domain", 80)


@pytest.mark.parametrize("extreme", [Maximum, Minimum])
def test_extremes(extreme):
    def draw(rng):
        terms = [draw_small(rng, 6) for _ in range(rng.randint(0, 3))]
        terms.append(draw_domain(rng, 5))
        result = draw_small(rng, 6)
        n = len(terms)
        return Define(n, extreme(tuple(range(n)))), [*terms, result]

    check_propagator(draw, "bounds", 150)


def test_distance():
    def draw(rng):
        x, y = draw_domain(rng, 7), draw_domain(rng, 7)
        z = draw_near(rng, {abs(u - v) for u in x for v in y}, 6)
        return Define(2, Distance(0, 1)), [x, y, z]

    check_propagator(draw, "domain", 150)


def test_distance_of_repeated_variables_and_constants():
    def draw(rng):
        domains = [draw_small(rng, 6) for _ in range(2)]
        terms = [rng.choice((0, 1, constant(2), Affine(1, -2, 1))) for _ in range(2)]
        return Define(rng.choice((0, Affine(1, 2, 0))), Distance(*terms)), domains

    check_propagator(draw, "none", 80)


@pytest.mark.parametrize("function", [Product, Quotient, Remainder])
@pytest.mark.parametrize("listed", [True, False])
def test_products_and_divisions(function, listed, monkeypatch):
    """Listed they are domain consistent."""
    monkeypatch.setattr(arithmetic, "MOST_LISTED", 400 if listed else 0)

    def draw(rng):
        x, y = (draw_domain if rng.random() < 0.2 else draw_small)(rng, 7), draw_small(rng, 7)
        pairs = [(u, v) for u in x for v in y]
        applied = Product((0, 1)) if function is Product else function(0, 1)
        values = {applied.value_at(pair) for pair in pairs} - {None}
        return Define(2, applied), [x, y, draw_near(rng, values, 6)]

    check_propagator(draw, "domain" if listed else "fixed", 60 if listed else 150)
