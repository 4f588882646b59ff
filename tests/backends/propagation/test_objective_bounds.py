"""What bounds objectives: it cuts off no optimum, it cuts off much, and both forms do the same."""

import os
import random

import pytest

import concord
from backends.interface import registry
from backends.interface.api import Optimum
from backends.interface.handlers import post
from backends.propagation.encode.arena import Settings
from backends.propagation.encode.draft import begin
from backends.propagation.encode.handlers import HANDLERS
from backends.propagation.forms import pure_form
from backends.propagation.kernel.domains import contains
from backends.propagation.solver import lay_out
from modelling.brute_force import optima
from modelling.constraints import Circuit, Define, Element, Linear
from modelling.problem import Objective, Problem, Structure
from modelling.terms import constants

pytestmark = pytest.mark.once  # numba compiles what it tests

CASES = int(os.environ.get("PROPAGATOR_CASES", "60"))
SEED = int(os.environ.get("PROPAGATOR_SEED", "1"))


def draw_tour(rng: random.Random) -> Problem:
    """A tour some of whose steps cost, besides another variable, which may be bound to a step."""
    n = rng.choice((2, 3, 4, 4, 5))
    size = rng.choice((3, 10, 1000))
    domains = [tuple(sorted(rng.sample(range(n), rng.choice((n, n, n - 1, 2))))) for _ in range(n)]
    least = -size if rng.random() < 0.2 else 0
    width = n + rng.choice((0, 0, 0, 1))
    costs = [tuple([rng.randint(least, size) for _ in range(width)]) for _ in range(n)]
    steps = [*range(n)] if rng.random() < 0.8 else rng.sample(range(n), n - 1)
    constraints = [Circuit(tuple(range(n)))]
    names = [f"n{i}" for i in range(n)]
    for step in steps:
        constraints.append(Define(len(domains), Element(constants(*costs[step]), step)))
        domains.append(tuple(sorted(set(costs[step]))))
        names.append(f"c{step}")
    domains.append((-1, 0, 2, 3))
    names.append("other")
    other = len(domains) - 1
    constraints.append(Linear((0, other), (1, rng.choice((1, -1))), "<=", rng.randint(0, n)))
    scope = (*range(n, other), other)
    factors = tuple(rng.choice((1, 1, 1, 2)) for _ in scope[:-1])
    sense = rng.choice(("minimize", "minimize", "maximize"))
    objective = Objective(sense, concord.core.Sum(scope, (*factors, rng.choice((1, -2)))))
    structure = Structure(tuple(names), tuple(domains), tuple(constraints), objective)
    return Problem(structure, structure.full_masks)


def draw_inequalities(rng: random.Random) -> Problem:
    """One or two inequalities that an objective pulls at, or not."""
    n = rng.randint(3, 6)
    domains = []
    for _ in range(n):
        start = rng.choice((0, 0, -3, 60))
        values = range(start, start + rng.choice((2, 4, 8)))
        domains.append(tuple(sorted(rng.sample(values, rng.randint(2, min(3, len(values)))))))
    constraints = []
    for _ in range(rng.randint(1, 2)):
        scope = tuple(sorted(rng.sample(range(n), rng.randint(3, n))))
        factors = tuple(rng.choice((1, 2, 3, 5, 5, 7, -4)) for _ in scope)
        near = sum(f * rng.choice(domains[v]) for f, v in zip(factors, scope, strict=True))
        constraints.append(Linear(scope, factors, rng.choice(("<=", "<=", ">=")), near))
    names = tuple(f"x{k}" for k in range(n))
    scope = tuple(sorted(rng.sample(range(n), rng.randint(3, n))))
    factors = tuple(rng.choice((1, 2, 3, 5, 6, 8, -3)) for _ in scope)
    sense = rng.choice(("minimize", "maximize"))
    objective = Objective(sense, concord.core.Sum(scope, factors))
    structure = Structure(names, tuple(domains), tuple(constraints), objective)
    return Problem(structure, structure.full_masks)


@pytest.mark.parametrize("draw", [draw_tour, draw_inequalities])
def test_optima_of_drawn_problems(draw):
    rng = random.Random(SEED)
    for case in range(CASES):
        problem = draw(rng)
        best, reached = optima(problem)
        found = [
            registry.get(f"propagation:form={form}").solve(problem, Optimum())
            for form in ("pure", "compiled")
        ]
        what = f"seed {SEED}, case {case}: {problem}"
        assert found[0].objective == (best if reached else None), what
        assert found[0].statistics == found[1].statistics, what
        assert found[0].solutions == found[1].solutions, what


@pytest.mark.parametrize("draw", [draw_tour, draw_inequalities])
def test_a_bound_that_is_reached_leaves_the_values_of_all_optima(draw):
    rng = random.Random(SEED)
    for case in range(2 * CASES):
        problem = draw(rng)
        best, reached = optima(problem)
        if not reached:
            continue
        objective = problem.structure.objective
        draft = begin(problem.structure)
        post(HANDLERS, draft, problem.structure, "propagation")
        arena = lay_out(draft, pure_form(), objective, problem.structure.size)
        S = arena.S.copy()
        bound = best if objective.sense == "minimize" else -best
        arena.form.search(S, arena.T, arena.memory(Settings(bound=bound)), 1)
        for row in reached:
            for x, value in zip(arena.places, row, strict=False):
                assert contains(S, x, value), f"seed {SEED}, case {case}: {problem} without {row}"


def test_a_tour_takes_few_nodes():
    """Bounds of the single steps alone leave 60,000."""
    burma = next(one for one in concord.read("tsp") if one.name == "burma14")
    found = concord.solve(burma, Optimum(), backend="propagation:form=compiled")
    assert found.objective == 3323
    assert found.statistics["nodes"] < 200


def test_a_knapsack_takes_few_nodes():
    """Bounds of the single items leave 2,000."""
    strong = next(one for one in concord.read("knapsack") if one.name == "strong")
    found = concord.solve(strong, Optimum(), backend="propagation:compiled")
    assert found.objective == 498
    assert found.statistics["nodes"] < 200


def test_values_that_an_objective_prefers_come_first():
    model = concord.Model()
    x, y, z = model.ints(3, 0, 5, "x")
    model.add(x != y)
    model.maximize(2 * x - y + concord.element([3, 1, 9, 4, 1, 7], z))
    found = concord.solve(model, Optimum(), backend="propagation:pure")
    assert found.solutions == ((5, 0, 2),)
    assert found.statistics["peak_depth"] * 2 + 1 == found.statistics["nodes"]  # one solution
