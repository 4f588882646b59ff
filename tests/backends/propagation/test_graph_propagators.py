"""The propagators of Circuit and SubCircuit against their definitions."""

import random

import pytest

from modelling.constraints import Circuit, SubCircuit
from modelling.problem import Structure
from modelling.terms import Affine, constant
from tests.backends.propagation.propagator_checks import (
    FORMS,
    check_decisions,
    check_propagator,
    first_fixpoint,
)

pytestmark = pytest.mark.once  # numba compiles what it tests


def draw_successors(rng: random.Random, kind, most: int):
    """Successors, at times beyond the nodes or far away, so that domains have several words."""
    n = rng.randint(2, most)
    domains = []
    for _ in range(n):
        values = set(rng.sample(range(n), rng.randint(1, min(n, 4 if n < 6 else 3))))
        if rng.random() < 0.15:
            values.add(rng.choice((-1, n, 100, 9000)))
        domains.append(tuple(sorted(values)))
    return kind(tuple(range(n))), domains


def draw_views(rng: random.Random, kind):
    """Affine terms, constants, and variables that are repeated."""
    n = rng.randint(2, 4)
    domains = [tuple(sorted(rng.sample(range(-1, n + 2), rng.randint(2, n)))) for _ in range(n)]

    def term(k: int):
        way = rng.random()
        if way < 0.4:
            return k
        if way < 0.7:
            return Affine(k, rng.choice((-1, 1, 2)), rng.randint(-2, n))
        return constant(rng.randrange(n)) if way < 0.9 else rng.randrange(n)

    return kind((0, *[term(k) for k in range(1, n)])), domains


@pytest.mark.parametrize("kind", [Circuit, SubCircuit])
def test_tours_of_a_few_nodes(kind):
    check_propagator(lambda rng: draw_successors(rng, kind, 4), "fixed", 100)
    check_propagator(lambda rng: draw_successors(rng, kind, 7), "fixed", 50, seed=2)


@pytest.mark.parametrize("kind", [Circuit, SubCircuit])
def test_views_and_repeated_variables(kind):
    check_propagator(lambda rng: draw_views(rng, kind), "none", 60)


@pytest.mark.parametrize("kind", [Circuit, SubCircuit])
def test_one_node(kind):
    check_propagator(lambda rng: (kind((0,)), [(-1, 0, 1)]), "domain", 3)


def fixpoint(form: str, constraint, domains):
    names = tuple(f"x{k}" for k in range(len(domains)))
    problem = Structure(names, tuple(domains), (constraint,)).problem()
    found = first_fixpoint(problem, FORMS[form]())
    return found and [tuple(sorted(values)) for values in found]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("more", [0, 70])
def test_circuits_in_a_graph_of_two_parts(form, more):
    """Nodes 0, 1, 2 and 3, 4, 5, with one edge there and one back; between, a chain of ``more``."""
    n = 6 + more
    chain = [(k + 1,) for k in range(6, n)]
    if chain:
        chain[-1] = (3,)
    there = 6 if more else 3
    domains = [(1, 2), (0, 2), (0, 1, there), (4, 5), (3, 5), (0, 3, 4), *chain]
    found = fixpoint(form, Circuit(tuple(range(n))), domains)
    assert found is not None
    assert found[5] == (0,), "the only way back"
    without = [*domains[:5], (3, 4), *domains[6:]]
    assert fixpoint(form, Circuit(tuple(range(n))), without) is None
    loops = [tuple(sorted({k, *values})) for k, values in enumerate(domains)]
    required = [(1, 2), *loops[1:5], (3, 4, 5), *loops[6:]]
    found = fixpoint(form, SubCircuit(tuple(range(n))), required)
    assert found is not None
    assert found[3:] == [(k,) for k in range(3, n)], "node 0 cannot be reached from there"


@pytest.mark.parametrize("form", FORMS)
def test_a_tour_through_subtrees_in_turn(form):
    """From node 0 to three parts; the last is entered first, and none can be skipped."""
    domains = [(1, 3, 5), (0, 2), (0, 1), (0, 1, 4), (1, 2, 3), (0, 3, 6), (4, 5)]
    found = fixpoint(form, Circuit(tuple(range(7))), domains)
    assert found is not None
    assert found[0] == (5,)
    assert 0 not in found[3], "the second part leads to the first"
    assert 0 not in found[5], "the third part leads to the second"


@pytest.mark.parametrize("form", FORMS)
def test_chains_are_not_closed_too_soon(form):
    n = 5
    domains = [(1,), (2,), (0, 3, 4), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4)]
    found = fixpoint(form, Circuit(tuple(range(n))), domains)
    assert found is not None
    assert found[2] == (3, 4)
    found = fixpoint(form, SubCircuit(tuple(range(n))), domains)
    assert found is not None
    assert found[2] == (0, 3, 4), "the others may be left out"
    found = fixpoint(form, SubCircuit(tuple(range(n))), [*domains[:3], (0, 4), domains[4]])
    assert found is not None
    assert 0 not in found[2], "node 3 must be in the tour"
    closed = [(1,), (2,), (0,), *domains[3:]]
    assert fixpoint(form, Circuit(tuple(range(n))), closed) is None
    assert fixpoint(form, SubCircuit(tuple(range(n))), closed) == [*closed[:3], (3,), (4,)]


@pytest.mark.parametrize("kind", [Circuit, SubCircuit])
def test_a_decision_is_not_overlooked(kind):
    check_decisions(lambda rng: draw_successors(rng, kind, 7), 200)
