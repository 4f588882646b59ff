"""The propagator of BinPacking against its definition."""

import random

import pytest

from modelling.constraints import BinPacking
from modelling.problem import Structure
from modelling.terms import Affine, constant
from tests.backends.propagation.propagator_checks import (
    FORMS,
    check_decisions,
    check_propagator,
    draw_domain,
    first_fixpoint,
)

pytestmark = pytest.mark.once  # numba compiles what it tests

SIZES = (0, 1, 1, 2, 3, 3, 5, 7, 40, 64, 90)


def draw_items(rng: random.Random, bins: int, most: int):
    """Items that may be in some bins, and at times outside of them."""
    values = range(-1, bins + 1) if rng.random() < 0.2 else range(bins)
    return tuple(sorted(rng.sample(values, min(len(values), rng.randint(1, most)))))


def draw_packing(rng: random.Random, relation: str):
    """Items in bins; limits are constants or variables near what is possible."""
    n, bins = rng.randint(1, 5), rng.randint(1, 4)
    domains = [draw_items(rng, bins, 4 if n < 5 else 3) for _ in range(n)]
    some = rng.choice((SIZES[:6], SIZES, (3, 5, 7), (60, 64, 70)))
    sizes = tuple(rng.choice(some) for _ in range(n))
    held = [0] * bins
    for size in sizes:
        held[rng.randrange(bins)] += size
    limits = []
    for load in held:
        if rng.random() < 0.7 or len(domains) > n + 1:
            more = rng.choice((0, 0, 0, 1, 5)) if relation == "<=" else 0
            limits.append(constant(load + more + rng.choice((0, 0, 0, -1))))
        else:
            near = range(load - 3, load + 9)
            domains.append(tuple(sorted(rng.sample(near, rng.randint(1, 3)))))
            limits.append(len(domains) - 1)
    return BinPacking(tuple(range(n)), sizes, relation, tuple(limits)), domains


def draw_views(rng: random.Random, relation: str):
    """Affine terms, and variables that are repeated, also as item and as limit."""
    domains = [draw_domain(rng, 4) if k else draw_items(rng, 3, 3) for k in range(3)]

    def term():
        v, kind = rng.randrange(3), rng.random()
        if kind < 0.5:
            return v
        if kind < 0.8:
            return Affine(v, rng.choice((-2, -1, 1, 2)), rng.randint(-2, 2))
        return constant(rng.randint(0, 4))

    n, bins = rng.randint(1, 4), rng.randint(1, 3)
    items = (0, *[term() for _ in range(n - 1)])
    sizes = tuple(rng.choice(SIZES[:6]) for _ in range(n))
    return BinPacking(items, sizes, relation, tuple(term() for _ in range(bins))), domains


@pytest.mark.parametrize("relation", ["==", "<="])
def test_items_of_any_size(relation):
    check_propagator(lambda rng: draw_packing(rng, relation), "fixed", 120)


@pytest.mark.parametrize("relation", ["==", "<="])
def test_views_and_repeated_variables(relation):
    check_propagator(lambda rng: draw_views(rng, relation), "none", 60)


@pytest.mark.parametrize("relation", ["==", "<="])
def test_limits_without_items(relation):
    def draw(rng: random.Random):
        return BinPacking((), (), relation, (0, 1)), [draw_domain(rng, 5) for _ in range(2)]

    check_propagator(draw, "domain", 30)


def fixpoint(form: str, sizes, items, relation, limits):
    """What is left of items, then of limits."""
    n, domains = len(items), (*items, *limits)
    names = tuple(f"x{k}" for k in range(len(domains)))
    bins = tuple(range(n, len(domains)))
    constraint = BinPacking(tuple(range(n)), sizes, relation, bins)
    found = first_fixpoint(Structure(names, domains, (constraint,)).problem(), FORMS[form]())
    return found and [sorted(values) for values in found]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scale", [1, 13, 130])
def test_sums_of_items_bound_the_loads(form, scale):
    two = [(0, 1)] * 3
    sizes = tuple(scale * size for size in (5, 5, 5))
    found = fixpoint(form, sizes, two, "==", [range(scale, 9 * scale), range(16 * scale)])
    assert found == [*[[0, 1]] * 3, [5 * scale], [10 * scale]]
    found = fixpoint(form, sizes, two, "==", [range(16 * scale), range(scale, 9 * scale)])
    assert found == [*[[0, 1]] * 3, [10 * scale], [5 * scale]]
    assert fixpoint(form, sizes, two, "<=", [(7 * scale,), (9 * scale,)]) is None


@pytest.mark.parametrize("form", FORMS)
def test_loads_too_large_for_sums_are_balanced(form):
    first, second = range(900, 8100), range(14400)
    found = fixpoint(form, (4500, 4500, 4500), [(0, 1)] * 3, "==", [first, second])
    assert found == [*[[0, 1]] * 3, [*first], [*range(13500 - 8099, 13500 - 899)]]


@pytest.mark.parametrize("form", FORMS)
def test_an_item_goes_where_it_is_needed_and_not_where_it_is_too_large(form):
    three = [(0, 1, 2)] * 3
    found = fixpoint(form, (9, 4, 2), three, "<=", [(4,), (5,), (20,)])
    assert found == [[2], [0, 1, 2], [0, 1, 2], [4], [5], [20]]
    found = fixpoint(form, (9, 4, 2), three, "==", [(11,), range(20), range(20)])
    assert found == [[0], [1, 2], [0], [11], [*range(5)], [*range(5)]]
    assert fixpoint(form, (9, 4, 2), three, "<=", [(4,), (4,), (6,)]) is None


@pytest.mark.parametrize("relation", ["==", "<="])
def test_a_decision_is_not_overlooked(relation):
    check_decisions(lambda rng: draw_packing(rng, relation), 200)
