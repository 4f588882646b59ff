"""SCIP: statuses, limits, bounds, what is refused, and that no solution is lost or given twice."""

import pytest

pytest.importorskip("pyscipopt", reason="pyscipopt is optional: the extra 'scip'")

from backends.integer_programs import LARGEST, WIDEST
from backends.interface import registry
from backends.interface.api import Limits, Optimum, Refused, Solutions
from modelling.brute_force import solutions
from modelling.constraints import Implies, Linear, Table
from modelling.errors import Unsupported
from modelling.problem import Objective, Structure, build_problem
from tests.backends.small_problems import queens
from tests.backends.solver_checks import check_solutions


def test_all_solutions_are_leaves_of_one_tree():
    found = registry.get("scip").solve(queens(6), Solutions(None, None))
    assert (found.count, found.repeats, found.stopped_by) == (4, 0, "exhausted")
    assert found.native_status == "infeasible"  # it accepts none: each is taken and cut off
    assert found.statistics["nodes"] >= 4


@pytest.mark.parametrize(
    "domains",
    [
        {"x": range(-3, 4), "y": (0, 1), "z": (5,)},
        {"x": (-900, -3, 2, 7), "y": (2, 9), "z": range(3)},
        {"x": range(60), "y": range(3), "z": (-1, 4)},
    ],
)
def test_domains_of_all_kinds_are_told_apart(domains):
    for constraint in (
        Linear(("x", "y"), (2, -3), "<=", 1),  # z is in no constraint
        Linear(("x", "y", "z"), (1, 1, -2), "!=", 0),
        Table(("x", "z"), ((2, 5), (2, 1), (7, -1))),
    ):
        check_solutions("scip", build_problem(domains, [constraint]))


def test_wide_domains_are_told_apart_by_binary_digits():
    problem = build_problem(
        {"x": range(100_000), "y": range(7)}, [Linear(("x", "y"), (1, 5000), "<=", 3)]
    )
    found = registry.get("scip").solve(problem, Solutions(None, None))
    assert sorted(found.solutions) == [(x, 0) for x in range(4)]
    wide = build_problem({"x": range(2000), "y": range(2)}, [Linear(("y",), (1,), "==", 0)])
    assert registry.get("scip").solve(wide, Solutions(9)).count == 9


def test_solutions_are_told_apart_by_the_output():
    problem = build_problem(
        {"x": range(4), "y": range(30)}, [Linear(("x", "y"), (10, -1), "<=", 0)], output=("x",)
    )
    found = registry.get("scip").solve(problem, Solutions(None, None))
    assert sorted(values[0] for values in found.solutions) == [0, 1, 2]
    assert found.statistics["nodes"] < 20  # it does not go through those of y


def test_what_scip_branches_on_besides_repeats_nothing():
    """The values of y, and the sides of a comparison whose condition does not hold."""
    forbidden = [(z, y, x) for z in (1, 2, 3) for y in range(-2, 2) for x in (1, 2, 3)]
    forbidden = [row for row in forbidden if row[0] * 3 + row[1] * 5 + row[2] * 7 & 3]
    half = Implies(Linear((3,), (1,), "==", 1), Linear((0, 1, 2), (1, 2, 3), "!=", 4))
    domains = ((1, 2, 3), tuple(range(-2, 2)), (1, 2, 3), (0, 1))
    parts = tuple("xyzb"), domains, (Table((2, 1, 0), tuple(forbidden), allowed=False), half)
    problem = Structure(*parts, output=(2, 0)).problem()
    found = registry.get("scip").solve(problem, Solutions(None, None))
    assert (found.count, found.repeats) == (len({(v[0], v[2]) for v in solutions(problem)}), 0)
    check_solutions("scip", Structure(*parts).problem())


def test_a_limit_on_nodes_is_kept():
    result = registry.get("scip").solve(queens(8), Solutions(None), Limits(nodes=20))
    assert (result.stopped_by, result.native_status) == ("gave_up", "totalnodelimit")
    assert result.statistics["nodes"] <= 20


def test_what_doubles_do_not_tell_apart_is_refused():
    backend = registry.get("scip")
    at_most = build_problem({"x": (0, LARGEST)}, [Linear(("x",), (1,), ">=", 0)])
    assert not isinstance(backend.accepts(at_most), Refused)
    beyond = build_problem({"x": (0, LARGEST + 1)}, [Linear(("x",), (1,), ">=", 0)])
    refused = backend.accepts(beyond)
    assert isinstance(refused, Refused)
    assert "x, whose domain has gaps, reaches beyond 500000" in refused.reason
    assert "tolerance" in refused.reason
    heavy = build_problem({"x": range(9)}, [], objective=Objective("maximize", ("x",), (WIDEST,)))
    with pytest.raises(Unsupported, match="an objective that reaches beyond 100000000000"):
        backend.solve(heavy, Optimum())
