"""Tables and automata against their definitions."""

import random

import pytest

from modelling.constraints import Iff, Implies, Linear, Table
from modelling.terms import ANY
from tests.backends.propagation.propagator_checks import check_propagator, draw_domain


def draw_table(rng: random.Random, allowed: bool, short: bool = False):
    """Rows of values of the domains, some of other values; now and then many."""
    n = rng.randint(1, 4)
    domains = [draw_domain(rng, 6 if n < 4 else 4) for _ in range(n)]
    count = rng.choice((1, 4, 10, 30, 30, 150))
    rows = [tuple(rng.choice(domain) for domain in domains) for _ in range(count)]
    if short:
        rows = [tuple(ANY if rng.random() < 0.25 else v for v in row) for row in rows]
    if rng.random() < 0.3:
        rows.insert(rng.randrange(count), tuple(rng.choice((-6, 3, 9000)) for _ in domains))
    return Table(tuple(range(n)), tuple(rows), allowed), domains


@pytest.mark.parametrize("short", [False, True])
def test_tables_of_allowed_rows(short):
    check_propagator(lambda rng: draw_table(rng, True, short), "domain", 150)


def test_tables_of_forbidden_rows():
    check_propagator(lambda rng: draw_table(rng, False), "domain", 150)


@pytest.mark.parametrize("connective", [Implies, Iff])
@pytest.mark.parametrize("allowed", [True, False])
def test_reified_tables(allowed, connective):
    def draw(rng):
        table, domains = draw_table(rng, allowed)
        literal = Linear((len(domains),), (1,), "==", rng.randint(0, 1))
        return connective(literal, table), [*domains, (0, 1)]

    check_propagator(draw, "fixed", 60)
