"""CP-SAT: what is its own; the conformance suite does the rest."""

from itertools import permutations

import pytest

from backends import registry
from backends.api import Limits, Optimum, Solutions
from backends.cpsat.formulations import intervals
from modelling.constraints import AllDifferent, Linear
from modelling.errors import Unsupported
from modelling.problem import Objective, state
from puzzles.family import family

cp_model = pytest.importorskip("ortools.sat.python.cp_model")


@pytest.mark.parametrize(
    ("values", "flat"),
    [((), []), ((3,), [3, 3]), ((1, 2, 5), [1, 2, 5, 5]), ((-2, -1, 0, 4, 5), [-2, 0, 4, 5])],
)
def test_intervals(values, flat):
    assert intervals(values) == flat


@pytest.mark.parametrize("options", ["", ":booleans", ":presolve=off", ":booleans,presolve=off"])
def test_eight_queens_are_all_found(options):
    problem = family("queens").problem("8")
    result = registry.get(f"cpsat{options}").solve(problem, Solutions(None, 0))
    assert (result.count, result.exhausted, result.repeats) == (92, True, 0)


def test_enumeration_with_several_workers_is_refused():
    problem = family("queens").problem("8")
    with pytest.raises(Unsupported, match="2 workers: CP-SAT returns wrong counts"):
        registry.get("cpsat").solve(problem, Solutions(None), Limits(threads=2))
    result = registry.get("cpsat").solve(problem, Solutions(1), Limits(threads=2))
    assert result.status == "SATISFIABLE"


def test_the_encoding_is_reused_and_instances_are_not_mixed_up():
    structure = state({"x": range(3), "y": range(3)}, [AllDifferent(("x", "y"))]).structure
    backend = registry.get("cpsat")
    first = backend.solve(structure.problem({0: 1}), Solutions(None, None))
    second = backend.solve(structure.problem({1: 2}), Solutions(None, None))
    third = backend.solve(structure.problem(), Solutions(None, None))
    assert [first.encoding_reused, second.encoding_reused] == [False, True]
    assert sorted(first.solutions) == [(1, 0), (1, 2)]
    assert sorted(second.solutions) == [(0, 2), (1, 2)]
    assert third.count == 6


def test_values_beyond_its_integers_are_refused():
    backend = registry.get("cpsat")
    problem = state({"x": (0, 1 << 60)})
    assert "reaches beyond" in backend.accepts(problem).reason
    with pytest.raises(Unsupported, match="reaches beyond"):
        backend.solve(problem)


def test_an_exception_of_the_sink_reaches_the_caller():
    def sink(values):
        raise ZeroDivisionError("from the sink")

    problem = state({"x": range(3)})
    with pytest.raises(ZeroDivisionError, match="from the sink"):
        registry.get("cpsat").solve(problem, Solutions(None), Limits(), sink)


def test_the_sink_sees_incumbents_of_an_optimum():
    problem = state(
        {"x": range(50), "y": range(50)},
        [Linear(("x", "y"), (3, 5), "<=", 100)],
        objective=Objective("maximize", ("x", "y"), (2, 3)),
    )
    seen = []

    def sink(values):
        seen.append(values)
        return True

    result = registry.get("cpsat").solve(problem, Optimum(), Limits(), sink)
    assert result.status == "OPTIMUM"
    assert result.objective == result.bound == 2 * seen[-1][0] + 3 * seen[-1][1]


def test_a_time_limit_is_kept():
    problem = family("queens").problem("20")
    result = registry.get("cpsat").solve(problem, Solutions(None, 0), Limits(seconds=0.2))
    assert result.stopped_by == "time"
    assert not result.exhausted


# --- the kept case: docs/disagreements.md --------------------------------------------------------

FORBIDDEN = [
    *((4, 2, 4), (3, 2, 4), (4, 2, 1), (1, 3, 1), (1, 2, 1), (2, 2, 4)),
    *((3, 3, 1), (1, 3, 2), (2, 2, 1), (2, 3, 4), (4, 3, 1), (1, 3, 4)),
]
CLOSED = {(0, 4), (1, 3), (3, 4), (3, 1)}
PLACES = (0, 3, 1)


def status(**parameters):
    """What CP-SAT says of the kept case: permutations of four, some forbidden."""
    model = cp_model.CpModel()
    is_value = [{v: model.new_bool_var("") for v in range(1, 5)} for _ in range(4)]
    for of in is_value:
        model.add_exactly_one(of.values())
    for v in range(1, 5):
        model.add_exactly_one(of[v] for of in is_value)
    for i, v in CLOSED:
        model.add(is_value[i][v] == 0)
    integers = {i: model.new_int_var(1, 4, "") for i in PLACES}
    for i, integer in integers.items():
        model.add(integer == sum(v * b for v, b in is_value[i].items()))
    model.add_forbidden_assignments([integers[i] for i in PLACES], FORBIDDEN)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    return solver.status_name(solver.solve(model))


def test_the_kept_case_has_solutions():
    allowed = [
        p
        for p in permutations(range(1, 5))
        if tuple(p[i] for i in PLACES) not in FORBIDDEN and all(p[i] != v for i, v in CLOSED)
    ]
    assert allowed == [(1, 4, 3, 2), (2, 1, 4, 3), (3, 1, 4, 2)]
    assert status(cp_model_presolve=False) == "OPTIMAL"
    assert status(presolve_inclusion_work_limit=0) == "OPTIMAL"


@pytest.mark.xfail(
    registry.distribution_version("ortools").startswith("9.15"),
    reason="CP-SAT 9.15 answers INFEASIBLE: docs/disagreements.md",
    strict=True,
)
def test_presolve_of_9_15_loses_solutions():
    assert status() == "OPTIMAL"
