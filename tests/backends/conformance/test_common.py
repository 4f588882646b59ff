"""What every solver does alike: statuses, limits, incumbents, outputs, seeds, too large numbers."""

from importlib import import_module

import pytest

from backends.interface import registry
from backends.interface.api import Limits, Optimum, Solutions
from backends.interface.events import Bound
from backends.interface.shipped import SHIPPED
from puzzles.family import family
from results.studies.correctness.conformance import OF_ALL_DIFFERENT
from tests.backends import solver_checks
from tests.backends.small_problems import market_split, packing, pigeons, queens
from tests.backends.solver_checks import find_or_skip, stop_by_time

GENERAL = [
    *(one.name for one in SHIPPED if one.name not in OF_ALL_DIFFERENT and not one.process),
    *("clingo:usc", "cpsat:booleans", "sat:reuse=solver"),
]
CHECKS = {
    "incumbents improve": solver_checks.check_incumbents,
    "each output is counted once": solver_checks.check_one_variable_of_three,
    "one solution of each output": solver_checks.check_output,
    "a domain without values": solver_checks.check_no_values,
    "any seed": solver_checks.check_seeds,
    "the first no stops": solver_checks.check_first_no,
    "an error from outside": solver_checks.check_error_from_outside,
    "an optimum of nothing": solver_checks.check_missing_objective,
    "variables without constraints": solver_checks.check_free_variables,
}
LARGEST = {
    "choco": ("backends.choco.guards", "WIDEST"),
    "clingo": ("backends.clingo.backend", "LARGEST"),
    "pumpkin": ("backends.pumpkin.guards", "LARGEST"),
    "toulbar2": ("backends.toulbar2.backend", "LARGEST"),
    "z3": ("backends.z3.backend", "LARGEST"),
}
"""Where a solver says what its integers hold."""
PROVEN = {
    "choco": ("TERMINATED", {"nodes"}),
    "exact": ("UNSAT", {"nodes", "failures", "propagations", "restarts"}),
    "pumpkin": ("Unsatisfiable", set()),
    "sat": ("UNSAT", {"nodes", "failures", "propagations", "restarts"}),
    "scip": ("infeasible", {"nodes"}),
    "toulbar2": ("solved", set()),
}
"""What a solver itself says of a problem without solutions, and some of the figures it tells."""
ENDLESS = {
    "bitwuzla": (pigeons(14), "unknown"),
    "choco": (pigeons(13), "STOPPED"),
    "clingo": (pigeons(13), ""),
    "cpsat": (family("costas").problem("18"), ""),
    "exact": (pigeons(13), "TIMEOUT PAUSED"),
    "highs": (market_split(), ""),
    "mathopt:gscip": (market_split(), ""),
    "pumpkin": (pigeons(13), "Unknown"),
    "scip": (market_split(), "timelimit"),
    "toulbar2": (pigeons(12), "limited"),
    "z3": (pigeons(14), "unknown: timeout"),
}
"""A problem that takes it long, and what it says when it is stopped."""
EFFORT = {
    "choco nodes": (pigeons(13), Limits(nodes=50), range(40, 52)),
    "choco failures": (pigeons(13), Limits(conflicts=50), range(40, 52)),
    "clingo failures": (pigeons(13), Limits(conflicts=50), range(40, 53)),
    "highs nodes": (market_split(), Limits(nodes=5), range(7)),
    "mathopt:gscip nodes": (market_split(), Limits(nodes=5), range(7)),
    "toulbar2 failures": (pigeons(7), Limits(conflicts=50), range(45, 56)),
    "z3 failures": (pigeons(14), Limits(conflicts=50), range(40, 53)),
}
"""A limit on effort, and how much there is when it ends the search."""


@pytest.mark.parametrize("name", GENERAL)
@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_every_solver(check, name):
    find_or_skip(name)
    check(name)


@pytest.mark.parametrize("name", ["highs", "mathopt:gscip", "scip"])
def test_incumbents_and_bounds_meet(name):
    find_or_skip(name)
    solver_checks.check_incumbents_and_bounds(name)


@pytest.mark.parametrize("name", ["cpsat", "exact", "highs", "scip"])
def test_bounds_are_told(name):
    events = []
    find_or_skip(name).solve(packing(), Optimum(), emit=lambda one: events.append(one) or True)
    assert any(isinstance(event, Bound) for event in events)


@pytest.mark.parametrize("name", LARGEST)
def test_what_is_too_large_is_refused_by_name(name):
    find_or_skip(name)
    module, limit = LARGEST[name]
    largest = getattr(import_module(module), limit)
    solver_checks.check_wide_variable(name, largest)
    solver_checks.check_wide_objective(name, largest)


@pytest.mark.parametrize("name", PROVEN)
def test_a_proof_says_so(name):
    backend = find_or_skip(name)
    result = backend.solve(pigeons(5))
    native, figures = PROVEN[name]
    assert (result.status, result.native_status) == ("UNSATISFIABLE", native)
    assert result.exhausted
    assert backend.complete
    assert figures <= set(result.statistics)


@pytest.mark.parametrize("ask", [Solutions(1), Solutions(None)], ids=["one", "all"])
@pytest.mark.parametrize("name", ENDLESS)
def test_running_out_of_time_is_not_infeasible(name, ask):
    find_or_skip(name)
    problem, said = ENDLESS[name]
    result = stop_by_time(name, problem, ask, seconds=0.2)
    assert result.status == ("SATISFIABLE" if result.count else "UNKNOWN")
    assert not said or result.native_status in (said, *said.split())


@pytest.mark.parametrize("case", EFFORT)
def test_a_limit_on_effort_is_kept(case):
    name, counted = case.split()
    problem, limits, expected = EFFORT[case]
    result = find_or_skip(name).solve(problem, Solutions(1), limits)
    assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
    assert result.statistics[counted] in expected


@pytest.mark.parametrize("name", ["bitwuzla", "cpsat", "cpsat:booleans", "exact", "sat", "z3"])
def test_a_structure_is_encoded_once_and_its_instances_are_not_mixed_up(name):
    backend, structure = find_or_skip(name), queens(5).structure
    for turn, givens in enumerate(({0: 1}, {1: 2}, {}, {0: 1})):
        problem = structure.problem(givens)
        result = backend.solve(problem, Solutions(None, None))
        assert result.encoding_reused is (turn > 0)
        assert result.digest == registry.get("brute_force").solve(problem, Solutions(None)).digest
