"""Tables and automata against their definitions."""

import random

import pytest

from modelling.constraints import MDD, Iff, Implies, Linear, Regular, Table
from modelling.terms import ANY
from tests.backends.propagation.propagator_checks import check_propagator, draw_domain

pytestmark = pytest.mark.once  # numba compiles what it tests


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


def test_tables_of_forbidden_short_rows():
    """A clause for each row."""
    check_propagator(lambda rng: draw_table(rng, False, short=True), "none", 80)


@pytest.mark.parametrize("connective", [Implies, Iff])
@pytest.mark.parametrize("allowed", [True, False])
def test_reified_tables(allowed, connective):
    def draw(rng):
        table, domains = draw_table(rng, allowed)
        literal = Linear((len(domains),), (1,), "==", rng.randint(0, 1))
        return connective(literal, table), [*domains, (0, 1)]

    check_propagator(draw, "fixed", 60)


def draw_arcs(rng: random.Random, domains, most: int):
    """Arcs between few nodes, so that many ways are long."""
    values = sorted({value for domain in domains for value in domain} | {3})
    nodes = rng.randint(1, 4)
    return tuple(
        (rng.randrange(nodes), rng.choice(values), rng.randrange(nodes))
        for _ in range(rng.randint(1, most))
    )


@pytest.mark.parametrize("most", [16, 200])
def test_regular(most):
    """Few arcs share a description; many are laid out by layers."""

    def draw(rng):
        domains = [draw_domain(rng, 5) for _ in range(rng.randint(1, 4))]
        finals = tuple(rng.sample(range(4), rng.randint(1, 3)))
        arcs = draw_arcs(rng, domains, most)
        return Regular(tuple(range(len(domains))), arcs, rng.randrange(2), finals), domains

    check_propagator(draw, "domain", 150)


def test_regular_with_a_repeated_variable():
    def draw(rng):
        domains = [draw_domain(rng, 5) for _ in range(2)]
        terms = tuple(rng.randrange(2) for _ in range(rng.randint(2, 4)))
        return Regular(terms, draw_arcs(rng, domains, 16), 0, (0, 1)), domains

    check_propagator(draw, "none", 80)


def test_mdd():
    def draw(rng):
        domains = [draw_domain(rng, 5) for _ in range(rng.randint(1, 4))]
        arcs = []
        for layer, domain in enumerate(domains):
            for _ in range(rng.randint(1, 12)):
                source = 10 * layer + (rng.randrange(3) if layer else 0)
                arcs.append((source, rng.choice(domain), 10 * layer + 10 + rng.randrange(3)))
        return MDD(tuple(range(len(domains))), tuple(arcs)), domains

    check_propagator(draw, "domain", 150)
