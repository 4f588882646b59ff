"""Tasks that are put in order: the propagator of their truth values, and the search over these."""

import random
from dataclasses import replace

import pytest

from backends.interface import registry
from backends.interface.api import Limits, Optimum, Solutions
from backends.propagation.encode.draft import begin
from backends.propagation.forms import pure_form
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.orders import choose_order
from modelling.constraints import NoOverlap
from modelling.problem import Objective, build_problem
from modelling.terms import Affine, constants
from modelling.vocabulary.functions.extremes import Maximum
from puzzles.family import family
from tests.backends.propagation import propagator_checks
from tests.backends.propagation.propagator_checks import begun, check_propagator
from tests.backends.propagation.test_no_overlap_propagators import (
    draw_crowd,
    draw_pair,
    draw_tasks,
    draw_views,
)

DRAWN = {
    "pair": (lambda rng: draw_pair(rng, False), "bounds"),
    "tasks": (lambda rng: draw_tasks(rng, False), "last"),
    "views": (lambda rng: draw_views(rng, False), "none"),
    "crowd": (draw_crowd, "last"),
}


@pytest.fixture
def with_orders(monkeypatch):
    """Drafts in which tasks have truth values for their orders."""
    monkeypatch.setattr(
        propagator_checks, "begin", lambda structure: replace(begin(structure), tasks="orders")
    )


@pytest.mark.once
@pytest.mark.parametrize("kind", DRAWN)
def test_orders_leave_what_pairs_of_tasks_do(with_orders, kind):
    check_propagator(*DRAWN[kind], 60)


def tasks_of(starts, lengths):
    """Tasks on one machine, the last end of which is least."""
    names = [f"s{k}" for k in range(len(starts))]
    ends = [Affine(k, 1, length) for k, length in enumerate(lengths)]
    return build_problem(
        dict(zip(names, starts, strict=True)),
        [NoOverlap(tuple(range(len(starts))), constants(*lengths))],
        objective=Objective("minimize", Maximum(tuple(ends))),
    )


def test_the_order_that_leaves_more_room_is_tried_first(with_orders):
    problem = tasks_of([range(5), range(20)], [3, 4])
    arena, (S, T, M) = begun(problem, pure_form())
    before = arena.places[-1] if S[arena.places[-1] + at.SIZE] == 2 else choose_order(S, T, M)
    assert choose_order(S, T, M) == before
    assert S[before + at.PHASE] == 1
    S[before + at.PHASE] = 0
    choose_order(S, T, M)
    assert S[before + at.PHASE] == 0  # an order that has been tried is kept


def test_tasks_that_do_not_meet_at_their_earliest_starts_need_no_order(with_orders):
    problem = tasks_of([range(5), range(3, 20)], [3, 4])
    _, (S, T, M) = begun(problem, pure_form())
    assert choose_order(S, T, M) == 0


def test_the_open_starts_count_less_the_more_they_weigh(with_orders):
    problem = tasks_of([range(5), range(6), range(7)], [2, 2, 2])
    arena, (S, T, M) = begun(problem, pure_form())
    a, b, c = arena.places[:3]
    pairs = {T[row]: {T[row + 1], T[row + 3]} for row in M[T[at.T_ORDERS] : T[at.T_ORDERS] + 3]}
    assert pairs[choose_order(S, T, M)] == {a, b}
    S[c + at.WEIGHT] = 100
    assert pairs[choose_order(S, T, M)] == {a, c}


@pytest.mark.parametrize("form", ["pure", pytest.param("compiled", marks=pytest.mark.once)])
@pytest.mark.parametrize("text", ["0=3/1=5 1=2 | 1=4 0=1 | 0=2 1=3/0=4", "0=2/1=2 | 0=2/1=3 | 1=2"])
def test_both_ways_find_the_best_schedules_and_as_many_of_all(text, form):
    problem = family("flexible_job_shop").problem(text)
    asked = (Optimum(), Solutions(None, 0))
    found = [
        [
            (result.objective, result.count)
            for result in (
                registry.get(f"propagation:{form},tasks={tasks}").solve(problem, ask)
                for ask in asked
            )
        ]
        for tasks in ("orders", "starts")
    ]
    assert found[0][0][0] == found[1][0][0]
    assert found[0][1] == found[1][1]


def test_drawn_tasks_end_as_soon_as_by_starts():
    rng = random.Random(1)
    backends = [registry.get(f"propagation:pure,tasks={tasks}") for tasks in ("orders", "starts")]
    for _ in range(40):
        n = rng.randint(2, 5)
        firsts = [rng.randint(0, 6) for _ in range(n)]
        problem = tasks_of(
            [range(first, first + rng.randint(1, 12)) for first in firsts],
            [rng.randint(0, 4) for _ in range(n)],
        )
        results = [backend.solve(problem, Optimum()) for backend in backends]
        assert results[0].objective == results[1].objective


def test_a_schedule_that_propagation_bounds_exactly_takes_one_dive():
    result = registry.get("propagation:pure").solve(
        family("open_shop").problem("3 9 5 | 4 1 7 | 6 2 8"), Optimum()
    )
    assert result.objective == 20
    assert result.statistics["failures"] <= 2


def test_without_restarts_an_objective_is_not_tried_at_its_bound_alone():
    problem = family("job_shop").problem("0=3 1=2 2=2 | 0=2 2=1 1=4 | 1=4 2=3")
    result = registry.get("propagation:pure,restarts=none").solve(problem, Optimum())
    assert result.objective == 11
    limited = registry.get("propagation:pure,restarts=none").solve(
        problem, Optimum(), Limits(nodes=30)
    )
    assert limited.objective is not None


def test_a_start_that_is_a_length_as_well_has_each_solution_once():
    tasks = NoOverlap((constants(3)[0], "x"), ("x", constants(3)[0]))
    problem = build_problem({"x": range(3)}, [tasks])
    found = registry.get("propagation:form=pure").solve(problem, Solutions(None))
    assert (found.count, found.repeats) == (1, 0)
