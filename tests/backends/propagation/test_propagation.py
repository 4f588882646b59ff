"""The hand-written solver: what is its own; the conformance suite does the rest."""

import pytest

from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.propagation import make, solver
from backends.propagation.forms import pure_form
from modelling.constraints import AllDifferent, Linear, Table
from modelling.problem import Objective, Problem, build_problem
from puzzles.family import family
from tests.backends.propagation.propagator_checks import first_fixpoint


def settled(problem):
    """The open values of every variable at the first fixed point; None on a contradiction."""
    left = first_fixpoint(problem, pure_form())
    return None if left is None else [sorted(values) for values in left]


def test_a_fixed_value_leaves_its_rivals():
    problem = build_problem(dict.fromkeys("abc", (1, 2, 3)), [AllDifferent("abc")], givens={"b": 2})
    assert settled(problem)[1] == [2]
    assert settled(problem)[0] == settled(problem)[2] == [1, 3]


def test_the_cells_78_79_79_contradict_after_placing_7():
    problem = build_problem({"a": (7, 8), "b": (7, 9), "c": (7, 9)}, [AllDifferent("abc")])
    assert settled(Problem(problem.structure, (0b01, 0b11, 0b11))) is None


def test_a_variable_without_values_contradicts_before_any_propagation():
    problem = build_problem({"a": (1, 2), "b": (1, 2)}, [AllDifferent("ab")])
    result = make("").solve(Problem(problem.structure, (0b01, 0)))
    assert (result.status, result.exhausted) == ("UNSATISFIABLE", True)


def test_a_hidden_value_is_found_only_where_the_constraint_is_tight():
    tight = build_problem({"a": (1, 2, 3), "b": (2, 3), "c": (2, 3)}, [AllDifferent("abc")])
    assert settled(tight)[0] == [1]
    spare = build_problem({"a": (1, 2, 3), "b": (2, 3), "c": (2, 3, 4)}, [AllDifferent("abc")])
    assert settled(spare)[0] == [1, 2, 3]


def test_more_variables_than_values_is_seen_at_once():
    problem = build_problem(
        {f"x{i}": range(11) for i in range(12)}, [AllDifferent([f"x{i}" for i in range(12)])]
    )
    result = registry.get("propagation").solve(problem, Solutions(None))
    assert result.status == "UNSATISFIABLE"
    assert result.statistics["nodes"] == 1


@pytest.mark.parametrize(
    ("relation", "open_x", "open_y"),
    [
        ("==", [1, 3, 5], [0, 1, 2]),  # x is odd: of two variables every value has a support
        ("<=", [0, 1, 2, 3, 4, 5], [0, 1, 2]),
        (">=", list(range(10)), list(range(10))),
    ],
)
def test_bounds_of_a_sum(relation, open_x, open_y):
    problem = build_problem(
        {"x": range(10), "y": range(10)}, [Linear(("x", "y"), (1, 2), relation, 5)]
    )
    assert settled(problem) == [open_x, open_y]


def test_a_table_keeps_supported_values_only():
    problem = build_problem(
        {"x": range(4), "y": range(4)},
        [Table(("x", "y"), ((0, 1), (2, 3), (3, 3)))],
        givens={"y": 3},
    )
    assert settled(problem) == [[2, 3], [3]]


def test_limits_on_nodes_and_time_are_kept():
    problem = family("queens").problem("12")
    few = registry.get("propagation").solve(problem, Solutions(None, 0), Limits(nodes=100))
    assert few.stopped_by == "gave_up"
    assert few.statistics["nodes"] <= 101
    soon = registry.get("propagation").solve(problem, Solutions(None, 0), Limits(seconds=0.05))
    assert soon.stopped_by == "time"


def test_the_statistics_are_those_of_the_glossary():
    result = registry.get("propagation").solve(family("queens").problem("6"), Solutions(None))
    assert set(result.statistics) == {
        "nodes",
        "failures",
        "propagations",
        "peak_depth",
        "restarts",
    }
    assert result.statistics["nodes"] > result.statistics["failures"] > 0


def test_the_depth_is_the_most_decisions_at_a_time():
    free = build_problem({"x": (0, 1), "y": (0, 1)})
    assert registry.get("propagation").solve(free, Solutions(None)).statistics["peak_depth"] == 2


def test_a_better_bound_is_looked_at_though_nothing_in_its_scope_changed():
    """The objective is fixed first; whatever the others are, no solution is better."""
    names = [f"free{k}" for k in range(8)]
    problem = build_problem(
        {"x": (0, 1), **dict.fromkeys(names, (0, 1))},
        [Linear(("x", "free0"), (1, 1), "<=", 2)],
        objective=Objective("minimize", ("x",), (1,)),
    )
    result = registry.get("propagation").solve(problem, Optimum())
    assert (result.objective, result.bound) == (0, 0)
    assert result.statistics["nodes"] < 2**8


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_solutions_of_one_value_of_the_objective(sense):
    objective = Objective(sense, ("x", "y"), (2, -1))
    problem = build_problem({"x": range(5), "y": range(5)}, objective=objective)
    result = make("").solve(problem, AllOptima(None))
    assert result.count == 1
    tied = build_problem({"x": range(2), "y": range(9)}, objective=Objective(sense, ("x",), (1,)))
    assert make("").solve(tied, AllOptima(None)).count == 9


@pytest.mark.parametrize("form", ["pure", "compiled"])
@pytest.mark.parametrize("branching", ["domwdeg", "chs", "smallest", "first"])
@pytest.mark.parametrize("restarts", ["none", "geometric", "luby"])
def test_every_way_of_searching_finds_the_optimum(form, branching, restarts):
    problem = family("golomb").problem("6")
    result = make(f"form={form},branching={branching},restarts={restarts}").solve(
        problem, Optimum()
    )
    assert (result.status, result.objective) == ("OPTIMUM", 17)


def test_a_search_that_is_compiled_on_the_way_is_the_same_search(monkeypatch):
    """``auto`` gives up interpreting after its patience: at once, here, whatever it has found."""
    queens, ruler = family("queens").problem("8"), family("golomb").problem("7")
    monkeypatch.setattr(solver, "PATIENCE", 0.0)
    monkeypatch.setattr(solver, "AFRESH", 33)
    monkeypatch.setattr(solver, "MOST_KEPT", 24)
    for problem, ask in ((queens, Solutions(None)), (ruler, Optimum())):
        pure, auto = (make(f"form={form}").solve(problem, ask) for form in ("pure", "auto"))
        assert (pure.configuration, auto.configuration) == ("", "compiled")
        assert auto.solutions == pure.solutions
        assert auto.statistics == pure.statistics
        assert auto.objective == pure.objective
