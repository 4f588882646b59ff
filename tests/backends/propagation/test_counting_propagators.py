"""Propagators of counting constraints against the definitions of these."""

import os
import random

import pytest

from backends.propagation.encode import counting
from modelling.constraints import AllDifferent
from modelling.terms import Affine
from tests.backends.propagation.propagator_checks import check_propagator, draw_domain

CASES = int(os.environ.get("PROPAGATOR_CASES", "0"))
SEED = int(os.environ.get("PROPAGATOR_SEED", "1"))


def check(draw, consistency, cases):
    """As committed, or more and others for whoever asks for them."""
    check_propagator(draw, consistency, CASES or cases, SEED)


@pytest.fixture
def level(request, monkeypatch):
    monkeypatch.setattr(counting, "stronger", lambda draft, terms: request.param)
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
