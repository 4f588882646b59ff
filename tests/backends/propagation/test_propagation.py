"""The hand-written solver: what is its own; the conformance suite does the rest."""

import pytest

from backends.interface import registry
from backends.interface.api import Limits, Optimum, Solutions
from backends.propagation.encoding import encode
from backends.propagation.state import State
from modelling.constraints import AllDifferent, Linear, Table
from modelling.problem import Objective, Problem, build_problem
from puzzles.family import family


def settled(problem):
    """The open values of every variable at the first fixed point; None on a contradiction."""
    encoding = encode(problem.structure)
    searching: State = encoding.state(problem)
    if not searching.start():
        return None
    return [
        [v for k, v in enumerate(encoding.values) if domain >> k & 1]
        for domain in searching.domains
    ]


def test_a_fixed_value_leaves_its_rivals():
    problem = build_problem(dict.fromkeys("abc", (1, 2, 3)), [AllDifferent("abc")], givens={"b": 2})
    assert settled(problem)[1] == [2]
    assert settled(problem)[0] == settled(problem)[2] == [1, 3]


def test_the_cells_78_79_79_contradict_after_placing_7():
    problem = build_problem({"a": (7, 8), "b": (7, 9), "c": (7, 9)}, [AllDifferent("abc")])
    assert settled(Problem(problem.structure, (0b01, 0b11, 0b11))) is None


def test_a_variable_without_values_contradicts_before_any_propagation():
    problem = build_problem({"a": (1, 2), "b": (1, 2)}, [AllDifferent("ab")])
    encoding = encode(problem.structure)
    state = encoding.state(Problem(problem.structure, (0b01, 0)))
    assert not state.start()
    assert state.conflict_scope == (1,)


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
        ("==", [1, 2, 3, 4, 5], [0, 1, 2]),  # x = 0 would leave 5 to 2 * y, which is at most 4
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
    assert set(result.statistics) == {"nodes", "failures", "propagations", "peak_depth"}
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


@pytest.mark.parametrize(("sense", "below", "kept"), [("minimize", 4, 3), ("maximize", -4, 5)])
def test_the_bound_on_an_objective_allows_everything_until_it_is_lowered(sense, below, kept):
    objective = Objective(sense, ("x",), (1,))
    problem = build_problem({"x": range(8)}, objective=objective)
    encoding = encode(problem.structure)
    bound = encoding.better(problem.structure.objective)
    state = encoding.state(problem, [bound])
    assert state.start()
    assert state.domains[0] == 0b11111111
    bound.constant = below - 1
    state = encoding.state(problem, [bound])
    assert state.start()
    open_values = [value for value in range(8) if state.domains[0] >> value & 1]
    assert (max if sense == "minimize" else min)(open_values) == kept
