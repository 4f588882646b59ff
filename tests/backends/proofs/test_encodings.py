"""The check of encodings: wrong encoders are found, right ones of every kind pass."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import pytest

import concord
from backends.interface.api import AllOptima, Optimum, Solutions
from backends.interface.handlers import Handler
from backends.interface.proofs import Refutation
from backends.interface.registry import get
from backends.proofs.certify import certify
from backends.proofs.encodings.check import check_encoding
from backends.proofs.encodings.extending import has_model
from backends.proofs.encodings.groups import Owners, split
from modelling.constraints import AllDifferent, Linear, NotEqual, Or
from modelling.problem import Objective, Problem, build_problem

pytest.importorskip("dratify", reason="the extra proof is not installed")

OPTIONS = ("proof=check", "integers=direct,proof=check", "integers=order,proof=check")
TRIANGLE = ((0, 1), (1, 2), (0, 2))


def pairs(colours: int) -> Problem:
    return build_problem({f"x{k}": range(colours) for k in range(3)}, map(NotEqual, TRIANGLE))


def knapsack() -> Problem:
    weights, values = (3, 5, 7, 11, 13), (4, 5, 9, 10, 14)
    return build_problem(
        {f"x{k}": range(2) for k in range(5)},
        [Linear(tuple(range(5)), weights, "<=", 20)],
        objective=Objective("maximize", tuple(range(5)), values),
    )


def differences() -> Problem:
    return build_problem({"x": range(9), "y": range(30, 60)}, [Linear((0, 1), (5, -1), ">", 3)])


def forget_a_pair(draft, constraint):
    """Excludes besides what is equal that the first is 1 and the second 0."""
    first, second = (draft.integer(v) for v in constraint.scope)
    for value in first.domain:
        draft.cnf.exclude(first.value_literal(value), second.value_literal(value))
    draft.cnf.exclude(first.value_literal(1), second.value_literal(0))


def exclude_all(draft, constraint):
    draft.cnf.add(())


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    ("problem", "ask"),
    [
        (pairs(2), Solutions(1)),
        (pairs(3), Solutions(None)),
        (knapsack(), Optimum()),
        (knapsack(), AllOptima()),
        (differences(), Solutions(None)),
    ],
)
def test_right_encoders_pass(options, problem, ask):
    result = get(f"sat:{options}").solve(problem, ask)
    found = certify(result, ask, problem)
    assert (found.state, found.encoding) == ("checked", "enumerated"), found


def test_what_is_too_large_is_asked_of_a_second_engine():
    """Eight pigeons in seven holes: the encoder adds the empty clause."""
    domains = {f"x{k}": range(7) for k in range(8)}
    problem = build_problem(domains, [AllDifferent(tuple(range(8)))])
    backend = get("sat:proof=check")
    result = backend.solve(problem)
    found = certify(result, Solutions(1), problem)
    assert (found.state, found.encoding) == ("checked", "agreed"), found
    assert "propagation said it" in found.encoding_said


@pytest.mark.parametrize(
    ("wrong", "fault"), [(forget_a_pair, "is part of the solution"), (exclude_all, "the clause")]
)
def test_a_wrong_encoder_is_found(wrong, fault):
    """The solver and the proof are right, the clauses are not."""
    problem = build_problem(
        {"x": range(2), "y": range(2)}, [NotEqual((0, 1)), Linear((0,), (1,), "==", 1)]
    )
    backend = get("sat:proof=check")
    backend.solver.handlers = {**backend.solver.handlers, NotEqual: Handler(wrong)}
    result = backend.solve(problem)
    assert result.status == "UNSATISFIABLE"
    found = certify(result, Solutions(1), problem)
    assert found.state == "rejected"
    assert found.said.startswith("the encoding is wrong: ")
    assert fault in found.said


def test_a_clause_of_no_constraint_is_a_doubt_where_nothing_is_found_in_time():
    problem = pairs(3)
    result = get("sat:proof=check").solve(problem, Solutions(None))
    (one,) = result.refutations
    late = check_encoding(one, problem, perf_counter() - 1)
    assert late.state == "unchecked"
    assert "time" in late.said


def test_without_a_table_of_literals_nothing_is_checked():
    found = check_encoding(Refutation((((1,), (-1,)),)), pairs(2), perf_counter() + 9)
    assert found.state == "unchecked"


def test_a_lost_solution_among_counted_ones():
    """A clause that excludes a solution that was not counted."""
    problem = pairs(3)
    result = get("sat:proof=check").solve(problem, Solutions(None))
    (one,) = result.refutations
    short = replace(one, excluded=one.excluded[:-1])
    found = check_encoding(short, problem, perf_counter() + 60)
    assert found.state == "wrong"
    assert repr(one.excluded[-1]) in found.said


def test_inferences_are_of_what_rewriting_made():
    problem = build_problem(
        {"x": range(9), "y": range(9)},
        [
            Linear((0, 1), (1, 1), "==", 7),
            Or((Linear((0,), (1,), ">", 7), Linear((1,), (1,), ">", 7))),
        ],
    )
    result = get("propagation:learning,proof=check").solve(problem)
    found = certify(result, Solutions(1), problem)
    assert (found.state, found.encoding) == ("checked", "enumerated"), found


def test_an_unsatisfiable_by_a_wrong_encoder_is_refused(monkeypatch):
    """What ``solve`` and the worker do with it: the answer falls short of its claim."""
    from backends.sat.constraints import handlers

    monkeypatch.setitem(handlers.HANDLERS, NotEqual, Handler(exclude_all))
    result = get("sat:proof=check").solve(pairs(3))
    assert result.status == "UNSATISFIABLE"
    with pytest.raises(concord.ContradictoryResult, match="the encoding is wrong"):
        concord.solve(pairs(3), backend="sat:proof=check")


@pytest.mark.parametrize(
    ("clauses", "true", "has"),
    [
        ([(1, 2), (-1, 3)], (), True),
        ([(1, 2), (-1, 3)], (1, -3), False),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], (), False),
        ([], (1, -1), False),
        ([(1, 2)], (-1, -2), False),
    ],
)
def test_extending(clauses, true, has):
    assert has_model(clauses, true) is has


def test_groups_are_connected_by_what_no_variable_owns():
    owners = Owners([{0: (-1,), 1: (1,)}, {0: (-2,), 1: (2,)}])
    found = split([(1, 2), (1, 3), (-3, 4), (2, 5), (6,), (-6, -1)], owners)
    assert sorted(map(tuple, found.plain)) == [(-1,), (1, 2)]
    assert sorted(sorted(map(tuple, group)) for group in found.linked) == [
        [(-3, 4), (1, 3)],
        [(2, 5)],
    ]
    assert owners.excluded((1, -2)) == {0: {0}, 1: {1}}
