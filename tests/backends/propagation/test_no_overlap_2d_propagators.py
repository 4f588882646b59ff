"""The propagators of NoOverlap2D against its definition."""

import random

import pytest

from modelling.constraints import NoOverlap2D
from modelling.problem import Structure
from modelling.terms import Affine, constant, constants
from tests.backends.propagation.propagator_checks import (
    FORMS,
    check_decisions,
    check_propagator,
    draw_domain,
    first_fixpoint,
)

pytestmark = pytest.mark.once  # numba compiles what it tests


def draw_near(rng: random.Random, most: int):
    """A domain near others, with or without holes."""
    first = rng.randint(-2, 3)
    values = range(first, first + rng.randint(1, most + 2))
    return tuple(sorted(rng.sample(values, min(len(values), rng.randint(1, most)))))


def draw_boxes(rng: random.Random, strict: bool):
    """Two or three boxes, some of whose sizes are variables."""
    n = rng.choice((2, 2, 3))
    most = 4 if n == 2 else 3
    domains = [
        draw_domain(rng, 3) if rng.random() < 0.1 else draw_near(rng, most) for _ in range(2 * n)
    ]

    def size():
        if rng.random() < 0.75 or len(domains) > 2 * n + 1:
            return constant(rng.choice((0, 1, 2, 2, 3, 4, 80)))
        domains.append(tuple(sorted(rng.sample(range(-1, 5), rng.randint(1, 3)))))
        return len(domains) - 1

    widths, heights = (tuple(size() for _ in range(n)) for _ in range(2))
    xs, ys = tuple(range(n)), tuple(range(n, 2 * n))
    return NoOverlap2D(xs, ys, widths, heights, strict), domains


def draw_last(rng: random.Random, strict: bool):
    """One open variable: a place or a size of a box."""
    n = rng.randint(2, 4)
    domains = [(rng.randint(0, 4),) for _ in range(2 * n)]
    terms = [*range(2 * n), *constants(*[rng.choice((0, 1, 1, 2, 3)) for _ in range(2 * n)])]
    k = rng.choice((0, n, 2 * n, 3 * n))
    values = tuple(sorted(rng.sample(range(-1, 8), rng.randint(2, 8))))
    if k < 2 * n:
        domains[k] = values
    else:
        domains.append(values)
        terms[k] = 2 * n
    parts = [tuple(terms[k : k + n]) for k in range(0, 4 * n, n)]
    return NoOverlap2D(*parts, strict), domains


def draw_views(rng: random.Random, strict: bool):
    """Affine terms, and variables that are repeated."""
    domains = [draw_near(rng, 4) for _ in range(3)]

    def term(most: int):
        v, kind = rng.randrange(3), rng.random()
        if kind < 0.3:
            return v
        if kind < 0.6:
            return Affine(v, rng.choice((-2, -1, 1, 2)), rng.randint(-3, 3))
        return constant(rng.randint(0, most))

    n = rng.randint(2, 3)
    columns = [tuple(term(3) for _ in range(n)) for _ in range(3)]
    return NoOverlap2D((0, *[term(3) for _ in range(n - 1)]), *columns, strict), domains


@pytest.mark.parametrize("strict", [False, True])
def test_boxes_anywhere_with_any_sizes(strict):
    check_propagator(lambda rng: draw_boxes(rng, strict), "last", 70)


@pytest.mark.parametrize("strict", [False, True])
def test_the_last_open_variable(strict):
    check_propagator(lambda rng: draw_last(rng, strict), "last", 80)


@pytest.mark.parametrize("strict", [False, True])
def test_views_and_repeated_variables(strict):
    check_propagator(lambda rng: draw_views(rng, strict), "none", 40)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (range(10), range(4, 6), None),  # before or after
        (range(2, 10), range(3, 5), (range(6, 10), range(3, 5))),  # after
        (range(6), range(4, 6), (range(3), range(4, 6))),  # before
        (range(1, 3), range(1, 4), (range(1, 3), range(1, 4))[:0]),  # neither
    ],
)
@pytest.mark.parametrize("is_upright", [False, True])
def test_two_boxes_of_size_3_at_one_height(form, first, second, expected, is_upright):
    level = (range(3), range(3))
    domains = (*level, first, second) if is_upright else (first, second, *level)
    constraint = NoOverlap2D((0, 1), (2, 3), constants(3, 3), constants(3, 3))
    problem = Structure(tuple("abcd"), domains, (constraint,)).problem()
    found = first_fixpoint(problem, FORMS[form]())
    if expected == ():
        assert found is None
        return
    narrowed = (first, second) if expected is None else expected
    expected = (*level, *narrowed) if is_upright else (*narrowed, *level)
    assert found == [set(values) for values in expected]


@pytest.mark.parametrize("strict", [False, True])
def test_a_decision_is_not_overlooked(strict):
    check_decisions(lambda rng: draw_boxes(rng, strict), 400)
