"""Exact: limits and statuses, bounds, large numbers, and the signals that it takes."""

import os
import signal
import time
from functools import partial

import pytest

pytest.importorskip("exact", reason="Exact is optional, and under the AGPL: the extra 'exact'")

from backends.exact import formula
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.interface.events import Bound, Found
from backends.signals import find_handler
from modelling.brute_force import optima, solutions
from modelling.constraints import (
    AllDifferent,
    Clauses,
    Iff,
    Implies,
    Linear,
    NotEqual,
    Table,
    equals,
)
from modelling.problem import Objective, state
from modelling.terms import ANY, Affine
from modelling.vocabulary import VOCABULARY
from tests.backends.small_problems import pigeons
from tests.backends.solver_checks import (
    check_constraints,
    check_output,
    check_positions,
    check_seeds,
)

check = partial(check_constraints, name="exact")


def knapsack(items):
    """Items of different weight and use, of each up to five."""
    names = tuple(f"i{k}" for k in range(items))
    weights = tuple(5 + (7 * k) % 11 + k for k in range(items))
    uses = tuple(4 + (5 * k) % 13 + 2 * k for k in range(items))
    return state(
        {name: range(6) for name in names},
        [Linear(names, weights, "<=", 13 * items)],
        objective=Objective("maximize", names, uses),
    )


@pytest.mark.parametrize("of", VOCABULARY, ids=lambda of: of.__name__)
def test_drawn_ones_are_right_in_every_position(of):
    check_positions("exact", of, 1)


# --- limits and statuses --------------------------------------------------------------------------


def test_a_limit_on_time_is_kept():
    """Of CPU time within a call of Exact's, of wall time between two."""
    before = time.process_time()
    result = registry.get("exact").solve(pigeons(13), Solutions(1), Limits(seconds=0.3))
    assert time.process_time() - before < 1.3
    assert (result.status, result.stopped_by) == ("UNKNOWN", "time")
    assert result.native_status in ("TIMEOUT", "PAUSED")


def test_what_is_proven_says_so():
    result = registry.get("exact").solve(pigeons(5))
    assert (result.status, result.native_status) == ("UNSATISFIABLE", "UNSAT")
    assert result.statistics["failures"] >= 1
    assert set(result.statistics) == {"nodes", "failures", "propagations", "restarts"}


def test_what_is_impossible_at_once_is_unsatisfiable():
    for domains in ([(3,), (3,)], [(0, 1), (2, 3)]):
        check(Linear((0, 1), (1, 1), "<=", 1), domains=domains)
        check(Table((0, 1), ()), domains=domains)
    check(NotEqual((0, 1)), domains=[(3,), (3,)])
    check(domains=[(3,), (5,)])


def test_incumbents_and_bounds_are_told():
    events = []
    best = registry.get("exact").solve(
        knapsack(12), Optimum(), emit=lambda event: events.append(event) or True
    )
    assert (best.status, best.native_status) == ("OPTIMUM", "UNSAT")
    found = [event.objective for event in events if isinstance(event, Found)]
    bounds = [event.value for event in events if isinstance(event, Bound)]
    assert found == sorted(set(found))
    assert found[-1] == best.objective
    assert bounds == sorted(set(bounds), reverse=True)
    assert bounds[-1] >= best.objective
    beside = registry.get("sat").solve(knapsack(4), AllOptima())
    every = registry.get("exact").solve(knapsack(4), AllOptima())
    assert (every.objective, every.count) == (beside.objective, beside.count)


def test_outputs_are_told_apart_by_themselves():
    check_output("exact")
    known = state({"x": (1,), "y": range(4)}, [NotEqual(("x", "y"))], output=("x",))
    assert registry.get("exact").solve(known, Solutions(None)).count == 1


def test_a_seed_is_handed_on():
    check_seeds("exact")


def test_signals_are_left_alone():
    """Exact puts handlers of its own, and ends all that it does later once one was called."""
    interrupts, before = find_handler(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    rung = []
    signal.signal(signal.SIGTERM, lambda *about: rung.append(about))
    try:
        assert registry.get("exact").solve(pigeons(4)).exhausted
        os.kill(os.getpid(), signal.SIGTERM)
        assert find_handler(signal.SIGINT) == interrupts
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(rung) == 1
    assert registry.get("exact").solve(pigeons(4)).exhausted


# --- constraints ----------------------------------------------------------------------------------


@pytest.mark.parametrize("relation", ["==", "!=", "<", "<=", ">", ">="])
def test_numbers_are_as_large_as_they_must_be(relation):
    huge = 10**30
    sums = Linear((0, 1, 2), (1, -1, 1), relation, huge)
    ends = (-huge, -1, 0, huge)
    check(sums, domains=[ends] * 3)
    check(Iff(equals(3, 1), sums), domains=[*[ends] * 3, range(2)])


def test_objectives_are_as_large_as_they_must_be():
    huge = 10**30
    problem = state(
        dict.fromkeys("ab", (-huge, 0, huge - 1, huge)),
        [NotEqual(("a", "b"))],
        objective=Objective("maximize", ("a", "b"), (1, 1)),
    )
    best = registry.get("exact").solve(problem, Optimum())
    assert (best.status, best.objective) == ("OPTIMUM", 2 * huge - 1)


@pytest.mark.parametrize("allowed", [True, False])
def test_rows_that_overlap_give_each_solution_once(allowed):
    for rows in ((), ((0, ANY), (ANY, 2), (1, 1), (1, 1)), ((0, 1), (2, 2), (9, 9))):
        check(Table((0, 1), rows, allowed), domains=[range(3)] * 2)
        reified = Iff(equals(2, 0), Table((0, 1), rows, allowed))
        check(reified, domains=[range(3), range(3), range(2)])


def test_a_condition_may_stand_in_what_it_implies():
    for relation in ("==", "!=", "<=", ">"):
        for terms in ((0,), (0, 1), (0, 1, 2)):
            within = Linear(terms, (1, 2, -1)[: len(terms)], relation, 1)
            for constraint in (Implies(equals(0, 1), within), Iff(equals(0, 0), within)):
                check(constraint, domains=[range(2), range(3), range(3)])


def test_affine_terms_stand_in_everything():
    twice, minus = Affine(0, 2, -1), Affine(1, -1, 3)
    domains = [range(-1, 3), range(3), range(-2, 4)]
    for constraint in (
        NotEqual((twice, minus)),
        AllDifferent((twice, minus, 2)),
        AllDifferent((twice, minus, 2), (1,)),
        Linear((twice, minus, 2), (3, 2, 1), "!=", 5),
        Table((twice, minus), ((1, 1), (3, 3), (-3, 2), (2, 2))),
    ):
        check(constraint, domains=domains)
    for literals in (((1, -2), (2,)), ((-1,), (1, 2)), ((),), ((1, -1),)):
        check(Clauses((0, Affine(1, 1, -1)), literals), domains=[range(2), range(1, 3)])


@pytest.mark.parametrize("most", [formula.MOST_KEPT, 0])
def test_what_is_kept_is_neither_changed_nor_mixed_up(monkeypatch, most):
    """A problem without givens is kept as it is posed, if it is small: asked again, with givens and
    for its best solutions in between, it has the same answers."""
    monkeypatch.setattr(formula, "MOST_KEPT", most)
    names = tuple("abc")
    constraints = [AllDifferent(names), Linear(names, (1, 1, -1), "!=", 1)]
    domains = {name: range(4) for name in names}
    objective = Objective("minimize", names, (1, 2, 3))
    free = state(domains, constraints, objective=objective)
    given = free.structure.problem({0: 2})
    backend = registry.get("exact")
    for _ in range(2):
        for problem in (free, given, free):
            found = backend.solve(problem, Solutions(None, None))
            assert sorted(found.solutions) == sorted(solutions(problem))
        best = backend.solve(free, AllOptima(None, None))
        value, every = optima(free)
        assert (best.objective, sorted(best.solutions)) == (value, sorted(every))
