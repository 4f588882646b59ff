"""The lower bound of tours against all tours."""

import random
from itertools import pairwise, permutations

import pytest

from backends.interface.api import Optimum
from backends.interface.driver import Driver
from backends.propagation.learning import tours
from backends.propagation.learning.solver import Learning
from backends.propagation.solver import Configuration
from modelling.constraints import Circuit, Element, Sum
from modelling.problem import Objective, Problem, Structure
from modelling.terms import constants


def draw_costs(rng: random.Random, n: int):
    """Costs of arcs, the same in both directions or not; some arcs may be missing."""
    costs = [{j: rng.randint(-3, 30) for j in range(n) if j != i} for i in range(n)]
    if rng.random() < 0.5:
        costs = [{j: costs[min(i, j)][max(i, j)] for j in of} for i, of in enumerate(costs)]
    if rng.random() < 0.4:
        for _ in range(n // 2):
            of = rng.choice(costs)
            if len(of) > 1:
                of.pop(rng.choice(list(of)))
    return costs


def lengths(costs):
    """The steps of each tour."""
    n = len(costs)
    for order in permutations(range(1, n)):
        tour = [0, *order, 0]
        arcs = list(pairwise(tour))
        if all(j in costs[i] for i, j in arcs):
            yield arcs


def test_reduced_costs_of_a_tour_are_at_most_its_length_less_a_constant():
    rng = random.Random(1)
    tight = checked = 0
    for _ in range(150):
        costs = draw_costs(rng, rng.randint(3, 6))
        potentials = tours.improve_potentials(costs)
        tree = None if potentials is None else tours.span(costs, potentials)
        if tree is None:
            continue
        constant = tree.bound - 2 * sum(potentials)
        gaps = []
        for arcs in lengths(costs):
            reduced = [
                tours.reach(costs[i], potentials, i, j) - tree.between[i][j] for i, j in arcs
            ]
            assert min(reduced) >= 0
            length = sum(costs[i][j] for i, j in arcs)
            assert sum(reduced) <= length - constant
            gaps.append(length - constant)
        if gaps:
            checked += 1
            tight += min(gaps) <= 3
    assert checked > 100
    assert tight > checked // 3


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_best_tours(sense):
    rng = random.Random(sense)
    driver = Driver("propagation:learning", Learning("propagation:learning", Configuration("pure")))
    for case in range(25):
        n = rng.randint(3, 6)
        costs = draw_costs(rng, n)
        nodes = tuple(range(n))
        steps = tuple(
            Element(constants(*[of.get(j, 0) for j in nodes]), i) for i, of in enumerate(costs)
        )
        domains = tuple(tuple(sorted(of)) for of in costs)
        structure = Structure(
            tuple(f"n{i}" for i in nodes),
            domains,
            (Circuit(nodes),),
            Objective(sense, Sum(steps, (1,) * n)),
        )
        values = [sum(costs[i][j] for i, j in arcs) for arcs in lengths(costs)]
        best = None
        if values:
            best = min(values) if sense == "minimize" else max(values)
        problem = Problem(structure, tuple((1 << len(domain)) - 1 for domain in domains))
        result = driver.solve(problem, Optimum())
        assert result.objective == best, f"case {case}: {costs}"
        assert result.stopped_by == "exhausted"
