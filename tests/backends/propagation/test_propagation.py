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
@pytest.mark.parametrize("branching", ["turns", "domwdeg", "chs", "smallest", "first"])
@pytest.mark.parametrize("restarts", ["none", "geometric", "luby"])
def test_every_way_of_searching_finds_the_optimum(form, branching, restarts):
    problem = family("golomb").problem("6")
    result = make(f"form={form},branching={branching},restarts={restarts}").solve(
        problem, Optimum()
    )
    assert (result.status, result.objective) == ("OPTIMUM", 17)


class Clock:
    """Stands still for some calls, and is far ahead from then on."""

    def __init__(self, calls):
        self.calls = calls

    def __call__(self):
        self.calls -= 1
        return 0.0 if self.calls >= 0 else 1e9


@pytest.mark.once
@pytest.mark.parametrize("search", ["backtracking", "learning"])
@pytest.mark.parametrize("most_kept", [8, 24, 20_000])
@pytest.mark.parametrize("calls", [1, 20, 35, 150])
def test_a_search_that_is_compiled_on_the_way_is_the_same_search(
    monkeypatch, search, most_kept, calls
):
    """Wherever the interpreted search is given up, and however many solutions it has given."""
    queens, ruler = family("queens").problem("8"), family("golomb").problem("6")
    monkeypatch.setattr(solver, "AFRESH", 33)
    monkeypatch.setattr(solver, "MOST_KEPT", most_kept)
    monkeypatch.setattr(solver, "next_slice", lambda nodes, seconds: 16)
    for problem, ask in ((queens, Solutions(None, None)), (ruler, Optimum())):
        monkeypatch.setattr(solver, "perf_counter", Clock(10**9))
        pure = make(f"form=pure,search={search}").solve(problem, ask)
        monkeypatch.setattr(solver, "perf_counter", Clock(calls))
        auto = make(f"form=auto,search={search}").solve(problem, ask)
        is_short = calls > (1 if problem is ruler else 35)
        assert is_short or auto.configuration == "compiled"
        assert auto.solutions == pure.solutions
        assert auto.objective == pure.objective
        assert auto.statistics == pure.statistics
