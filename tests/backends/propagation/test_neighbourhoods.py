"""Large neighbourhood search: right solutions, no proofs, the same for the same seed."""

import pytest

from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.propagation.neighbourhoods import connect
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.errors import Unsupported
from modelling.problem import Objective, Structure

LNS = "propagation:pure,search=lns"


def solve(problem, options="", **limits):
    return registry.get(f"{LNS}{options}").solve(problem, Optimum(), Limits(**limits))


def state(domains, constraints, objective=None):
    names = tuple(f"x{k}" for k in range(len(domains)))
    return Structure(names, tuple(map(tuple, domains)), tuple(constraints), objective).problem()


def assign(weights, sense="minimize"):
    """Different values with the best weighted sum: the greatest weight gets the least value."""
    n = len(weights)
    objective = Objective(sense, tuple(range(n)), tuple(weights))
    return state([range(n)] * n, [AllDifferent(tuple(range(n)))], objective)


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_it_finds_the_optimum_of_small_problems_and_does_not_claim_it(sense):
    problem = assign((3, 9, 1, 7, 5, 2), sense)
    found = solve(problem)
    best = registry.get("brute_force").solve(problem, Optimum())
    assert found.objective == best.objective
    assert (found.status, found.stopped_by) == ("SATISFIABLE", "gave_up")
    assert found.bound is None


def test_without_a_solution_it_has_no_answer():
    differ = [NotEqual((0, 1)), NotEqual((1, 2)), NotEqual((0, 2))]
    problem = state([(0, 1)] * 3, differ, Objective("minimize", (0,), (1,)))
    assert solve(problem).status == "UNKNOWN"


def test_the_same_seed_visits_the_same_neighbourhoods():
    problem = assign(tuple(range(1, 20)))
    first, again, other = (solve(problem, f",seed={seed}", nodes=20_000) for seed in (1, 1, 2))
    assert first.statistics == again.statistics
    assert first.solutions == again.solutions
    assert first.statistics["nodes"] != other.statistics["nodes"]


def test_it_keeps_a_limit_of_nodes():
    found = solve(assign(tuple(range(1, 30))), nodes=500)
    assert found.stopped_by == "gave_up"
    assert found.statistics["nodes"] <= 500 + 1000


def test_it_ends_in_time_and_has_a_solution():
    found = solve(assign(tuple(range(1, 40))), seconds=0.3)
    assert found.stopped_by == "time"
    assert found.status == "SATISFIABLE"


@pytest.mark.parametrize("ask", [Solutions(2), Solutions(None), AllOptima()])
def test_other_questions_are_refused(ask):
    with pytest.raises(Unsupported, match="finds a single solution at most"):
        registry.get(LNS).solve(assign((1, 2)), ask)


def test_variables_are_connected_by_constraints():
    first, second = Linear((0, 1), (1, 1), "==", 1), Linear((1, 2), (1, 1), "<=", 1)
    problem = state([(0, 1)] * 4, [first, second])
    assert connect(problem.structure) == [[1], [0, 2], [1], []]


@pytest.mark.once
def test_compiled_neighbourhoods_are_the_same():
    problem = assign((3, 9, 1, 7, 5, 2, 8, 4))
    compiled = registry.get("propagation:compiled,search=lns").solve(problem, Optimum())
    pure = solve(problem)
    assert compiled.statistics == pure.statistics
    assert compiled.solutions == pure.solutions
