"""Propagators of counting constraints against the definitions of these."""

import os
import random

import pytest

import concord
from backends.interface.handlers import post
from backends.propagation.encode import counting
from backends.propagation.encode.draft import Posted, Shifted, begin
from backends.propagation.encode.handlers import HANDLERS
from backends.propagation.encode.sums import list_sums
from modelling.constraints import (
    AllDifferent,
    Count,
    Define,
    GlobalCardinality,
    Inverse,
    Lex,
    Linear,
    NValue,
    Precedence,
)
from modelling.problem import Structure
from modelling.terms import Affine, constants
from tests.backends.propagation.propagator_checks import (
    FORMS,
    check_propagator,
    draw_domain,
    first_fixpoint,
)

pytestmark = pytest.mark.once  # numba compiles what it tests

CASES = int(os.environ.get("PROPAGATOR_CASES", "0"))
SEED = int(os.environ.get("PROPAGATOR_SEED", "1"))


def check(draw, consistency, cases):
    """As committed, or more and others for whoever asks for them."""

    def with_variables(rng: random.Random):
        constraint, domains = draw(rng)
        return (constraint, domains) if constraint.scope else with_variables(rng)

    check_propagator(with_variables, consistency, CASES or cases, SEED)


@pytest.fixture
def level(request, monkeypatch):
    monkeypatch.setattr(counting, "pay", lambda draft, terms: request.param)
    return request.param


def draw_shifted(rng: random.Random, repeats: bool = False):
    n = rng.randint(2, 5)
    domains = [draw_domain(rng, 5) for _ in range(n)]
    terms = [Affine(k, 1, rng.choice((0, 0, 0, 1, -2))) for k in range(n)]
    if repeats and rng.random() < 0.3:
        terms[0] = Affine(1, 1, terms[1].offset + rng.choice((1, 3)))
    if rng.random() < 0.2:
        terms[0] = Affine(None, 0, rng.randint(-3, 5))
    return AllDifferent(tuple(terms)), domains


def draw_repeated(rng: random.Random):
    return draw_shifted(rng, repeats=True)


def draw_dense(rng: random.Random):
    """Domains with much in common, in up to three words."""
    n = rng.randint(2, 5)
    step = rng.choice((1, 1, 1, 40, 70))
    start = rng.randint(-3, 3)
    values = [start + step * k for k in range(rng.randint(n, n + 2))]
    domains = [tuple(sorted(rng.sample(values, rng.randint(1, min(4, n))))) for _ in range(n)]
    return AllDifferent(tuple(range(n))), domains


def draw_tight(rng: random.Random):
    """As many values as variables."""
    while True:
        constraint, domains = draw_dense(rng)
        if len(set().union(*domains)) == len(domains):
            return constraint, domains


def draw_excepted(rng: random.Random):
    constraint, domains = draw_repeated(rng)
    return AllDifferent(constraint.terms, (rng.randint(-2, 4), rng.randint(-2, 4))), domains


@pytest.mark.parametrize("level", [()], indirect=True)
def test_pairs_remove_the_value_of_a_fixed_variable(level):
    check(draw_repeated, "fixed", 80)


def test_but_for_excepted_values():
    check(draw_excepted, "fixed", 80)


@pytest.mark.parametrize("level", [("tight",)], indirect=True)
@pytest.mark.parametrize("draw", [draw_dense, draw_tight])
def test_where_each_value_must_be_taken_what_one_variable_has_alone_is_its_own(level, draw):
    check(draw, "fixed", 60)


@pytest.mark.parametrize("level", [("bounds",)], indirect=True)
@pytest.mark.parametrize("draw", [draw_shifted, draw_dense, draw_tight])
def test_hall_intervals_leave_bounds_that_have_a_support(level, draw):
    check(draw, "bounds", 80)


@pytest.mark.parametrize("level", [("bounds",)], indirect=True)
def test_hall_intervals_of_repeated_variables(level):
    check(draw_repeated, "fixed", 60)


@pytest.mark.parametrize("level", [("domain",)], indirect=True)
@pytest.mark.parametrize("draw", [draw_dense, draw_tight])
def test_matchings_leave_the_values_of_some_solution(level, draw):
    check(draw, "domain", 80)


def draw_sum(rng: random.Random):
    """A cage: variables that differ, with a sum that mostly some values have."""
    n = rng.randint(2, 5)
    start = rng.choice((-40, -3, 0, 1, 60, 100))
    values = range(start, start + rng.choice((5, 7, 30)))
    domains = [tuple(sorted(rng.sample(values, rng.randint(1, 4)))) for _ in range(n)]
    factor = rng.choice((1, 1, 3, -2))
    total = factor * sum(map(rng.choice, domains)) + rng.choice((0, 0, 0, 1))
    x = tuple(range(n))
    return (AllDifferent(x), Linear(x, (factor,) * n, "==", total)), domains


@pytest.mark.parametrize("level", [(), ("tight",)], indirect=True)
def test_sums_of_different_variables(level):
    check_propagator(draw_sum, "fixed", CASES or 100, SEED)


def test_a_sum_is_listed_where_few_sets_of_values_have_it():
    x = tuple(range(4))
    for values, is_listed in ((9, True), (40, False)):
        cage = (AllDifferent(x), Linear(x, (1,) * 4, "==", 12))
        draft = begin(Structure(tuple("abcd"), (range(1, values + 1),) * 4, cage))
        post(HANDLERS, draft, draft.structure, "propagation")
        list_sums(draft)
        names = {p.propagate.__name__ for p in draft.propagators if isinstance(p, Posted)}
        assert ("one_of_sets" in names, "equal" in names) == (is_listed, not is_listed)


@pytest.mark.parametrize(
    ("count", "values", "expected"),
    [
        *[(2, 2, ()), (3, 3, ("tight",)), (3, 9, ("tight",)), (3, 10, ())],
        *[(15, 45, ("tight",)), (15, 46, ()), (16, 16, ("tight",)), (16, 17, ("bounds",))],
        *[(39, 39, ("tight",)), (40, 40, ("tight", "domain")), (40, 39, ("tight",))],
        *[(500, 500, ("tight", "domain")), (501, 501, ("tight",))],
        *[(15, 5000, ()), (16, 5000, ("bounds",))],
    ],
)
def test_what_pays_beyond_rivals(count, values, expected):
    names = tuple(f"x{k}" for k in range(count))
    draft = begin(Structure(names, (range(values),) * count, ()))
    terms = [Shifted(k, 1, 0) for k in range(count)]
    assert counting.pay(draft, terms) == expected
    assert counting.pay(draft, [Shifted(0, 1, 1), *terms[1:]]) == ()


def draw_terms(rng: random.Random, least: int, most: int, repeats: bool):
    n = rng.randint(least, most)
    domains = [draw_domain(rng, 4) for _ in range(n)]
    terms = list(range(n))
    if repeats and rng.random() < 0.4:
        terms[rng.randrange(n)] = rng.choice((0, Affine(n - 1, rng.choice((1, -1)), 1)))
    if repeats and rng.random() < 0.2:
        terms[rng.randrange(n)] = Affine(None, 0, rng.randint(-2, 3))
    return tuple(terms), domains


def draw_values(rng: random.Random, domains, count: int):
    """Distinct values, most of them of a domain."""
    known = sorted(set().union(*domains, (1, 2, 3)))
    return tuple(rng.sample(known, min(count, len(known))))


def draw_count(rng: random.Random, repeats: bool = False):
    terms, domains = draw_terms(rng, 1, 5, repeats)
    values = constants(*draw_values(rng, domains, rng.choice((1, 1, 2, 3))))
    result = len(domains)
    domains.append(tuple(sorted(rng.sample(range(-1, 5), rng.randint(1, 3)))))
    if repeats and rng.random() < 0.2:
        result = rng.choice((0, Affine(None, 0, rng.randint(0, 3)), Affine(result, -1, 2)))
    return Define(result, Count(terms, values)), domains


def test_counts_leave_the_values_of_some_solution():
    check(draw_count, "domain", 100)


def test_counts_of_repeated_variables():
    check(lambda rng: draw_count(rng, repeats=True), "none", 80)


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("closed", [False, True])
def test_cardinalities(closed, repeats):
    def draw(rng):
        terms, domains = draw_terms(rng, 1, 4, repeats)
        values = draw_values(rng, domains, rng.randint(1, 3))
        counts = []
        for _ in values:
            counts.append(len(domains))
            domains.append(tuple(range(rng.randint(-1, 1), rng.randint(2, 4))))
        return GlobalCardinality(terms, values, tuple(counts), closed), domains

    check(draw, "none" if repeats else "fixed", 60)


@pytest.mark.parametrize("repeats", [False, True])
def test_numbers_of_distinct_values(repeats):
    def draw(rng):
        terms, domains = draw_terms(rng, 1, 5, repeats)
        domains = [domain for domain in domains if domain[-1] - domain[0] < 300]
        if len(domains) < len(terms) or max(d[-1] - e[0] for d in domains for e in domains) > 900:
            return draw(rng)
        domains.append(tuple(sorted(rng.sample(range(6), rng.randint(1, 3)))))
        return Define(len(domains) - 1, NValue(terms)), domains

    check(draw, "none" if repeats else "fixed", 80)


def test_witnesses_leave_no_other_values():
    model = concord.Model()
    x = [model.int(values, name=f"x{k}") for k, values in enumerate([(0, 1), (70, 71), range(80)])]
    model.add(concord.nvalue(x) == 2)
    found = concord.solve(model, concord.Solutions(None), backend="propagation:pure")
    assert found.count == 8
    assert found.statistics["failures"] == 0


def draw_inverse(rng: random.Random, views: bool = False):
    n = rng.randint(1, 3)
    places = range(-1, n + 1) if rng.random() < 0.3 else range(n)
    domains = []
    for _ in range(2 * n):
        domain = rng.sample(places, rng.randint(max(1, n - 1), len(places)))
        if rng.random() < 0.1:
            domain.append(9000)
        domains.append(tuple(sorted(domain)))
    f, g = list(range(n)), list(range(n, 2 * n))
    if rng.random() < 0.2:
        g = f
    elif views and rng.random() < 0.5:
        g[0] = rng.choice((0, Affine(n, -1, n - 1), Affine(None, 0, 0)))
    return Inverse(tuple(f), tuple(g)), domains


def test_inverse_lists():
    check(draw_inverse, "fixed", 80)


def test_inverse_lists_of_other_terms():
    check(lambda rng: draw_inverse(rng, views=True), "none", 50)


def draw_lex(rng: random.Random, repeats: bool = False):
    length = rng.randint(1, 3)
    rows = []
    count = 2 if not repeats else rng.choice((2, 2, 3))
    domains = [draw_domain(rng, 3) for _ in range(length * count)]
    for k in range(count):
        row = list(range(length * k, length * k + length))
        rows.append(tuple(row[: rng.randint(0, length)] if rng.random() < 0.2 else row))
    if repeats and rows[0] and rng.random() < 0.5:
        rows[0] = (*rows[0][:-1], rng.choice((0, length, Affine(0, -1, 1), Affine(None, 0, 1))))
    return Lex(tuple(rows), rng.random() < 0.5), domains


def test_rows_in_order_leave_the_values_of_some_solution():
    check(draw_lex, "domain", 120)


def test_rows_in_order_with_repeated_variables():
    check(lambda rng: draw_lex(rng, repeats=True), "none", 300)


def draw_precedence(rng: random.Random, repeats: bool = False):
    terms, domains = draw_terms(rng, 1, 5, repeats)
    if rng.random() < 0.6:  # what the values are, so that chains of them occur
        domains = [tuple(sorted(rng.sample(range(5), rng.randint(1, 3)))) for _ in domains]
        return Precedence(terms, (2, 1, 3)), domains
    return Precedence(terms, draw_values(rng, domains, rng.randint(2, 4))), domains


def test_precedence_leaves_the_values_of_some_solution():
    check(draw_precedence, "domain", 400)


def test_precedence_of_repeated_variables():
    check(lambda rng: draw_precedence(rng, repeats=True), "none", 60)


@pytest.mark.parametrize("form", FORMS)
def test_an_interval_takes_the_one_value_that_must_come_first(form):
    structure = Structure(("x", "y"), (range(5000), (9000,)), (Precedence((0, 1), (0, 9000)),))
    assert first_fixpoint(structure.problem(), FORMS[form]()) == [{0}, {9000}]
