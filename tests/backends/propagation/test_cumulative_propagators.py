"""The propagator of Cumulative against its definition."""

import random

import pytest

from modelling.constraints import Cumulative
from modelling.problem import Structure
from modelling.terms import Affine, constant, constants
from tests.backends.propagation.propagator_checks import (
    FORMS,
    check_decisions,
    check_propagator,
    draw_domain,
    first_fixpoint,
)

pytestmark = pytest.mark.once  # numba compiles what it tests


def draw_near(rng: random.Random, most: int):
    """A domain near others, which may be beyond a word or far away."""
    first = rng.randint(-3, 4) + rng.choice((0, 0, 0, 62))
    values = range(first, first + rng.randint(1, most + 3))
    return tuple(sorted(rng.sample(values, min(len(values), rng.randint(1, most)))))


def draw_numbers(rng: random.Random, count: int, choices, domains: list, variable: float):
    """Constants, or variables of a few values that are appended to the domains."""
    numbers = []
    for _ in range(count):
        if rng.random() >= variable:
            numbers.append(constant(rng.choice(choices)))
        else:
            numbers.append(len(domains))
            domains.append(tuple(sorted(rng.sample(range(-1, 5), rng.randint(1, 3)))))
    return tuple(numbers)


def draw_fixed(rng: random.Random):
    """Constant durations and demands."""
    n = rng.randint(1, 4)
    starts = [draw_domain(rng, 4) if rng.random() < 0.3 else draw_near(rng, 4) for _ in range(n)]
    durations = constants(*rng.choices((0, 1, 2, 3, 4, 6, 70), (1, 4, 4, 4, 4, 2, 1), k=n))
    demands = constants(*rng.choices((0, 1, 2, 3), (1, 4, 4, 2), k=n))
    return Cumulative(tuple(range(n)), durations, demands, constant(rng.randint(1, 5))), starts


def draw_variable(rng: random.Random):
    """Durations, demands and a capacity that may be variables, and negative."""
    n = rng.randint(1, 3)
    domains = [draw_near(rng, 4) for _ in range(n)]
    variable = rng.choice((0.2, 0.5))
    durations = draw_numbers(rng, n, (0, 1, 2, 3, 5), domains, variable)
    demands = draw_numbers(rng, n, (0, 1, 1, 2, 3), domains, variable)
    (capacity,) = draw_numbers(rng, 1, (0, 1, 2, 3, 4), domains, 0.4)
    return Cumulative(tuple(range(n)), durations, demands, capacity), domains


def draw_last(rng: random.Random):
    """One open variable: the start, the duration or the demand of a task, or the capacity."""
    n = rng.randint(2, 5)
    domains = [(rng.randint(0, 6),) for _ in range(n)]
    durations = list(constants(*[rng.randint(0, 4) for _ in range(n)]))
    demands = list(constants(*[rng.randint(0, 3) for _ in range(n)]))
    capacity = constant(rng.randint(2, 6))
    what = rng.randrange(4)
    if what == 0:
        domains[0] = tuple(sorted(rng.sample(range(-4, 12), rng.randint(2, 12))))
        return Cumulative(tuple(range(n)), tuple(durations), tuple(demands), capacity), domains
    domains.append(tuple(sorted(rng.sample(range(-1, 9), rng.randint(2, 9)))))
    if what == 1:
        durations[0] = n
    elif what == 2:
        demands[0] = n
    else:
        capacity = n
    return Cumulative(tuple(range(n)), tuple(durations), tuple(demands), capacity), domains


def draw_views(rng: random.Random):
    """Affine terms, and variables that are repeated."""
    domains = [draw_near(rng, 4) for _ in range(3)]

    def term(most: int):
        v, kind = rng.randrange(3), rng.random()
        if kind < 0.3:
            return v
        if kind < 0.6:
            return Affine(v, rng.choice((-2, -1, 1, 2)), rng.randint(-4, 4))
        return constant(rng.randint(0, most))

    n = rng.randint(2, 4)
    starts = (0, *[term(5) for _ in range(n - 1)])
    durations, demands = (tuple(term(3) for _ in range(n)) for _ in range(2))
    return Cumulative(starts, durations, demands, term(4)), domains


def test_starts_where_all_else_is_constant():
    check_propagator(draw_fixed, "last", 90)


def test_durations_demands_and_capacity_are_variables():
    check_propagator(draw_variable, "last", 90)


def test_the_last_open_variable():
    check_propagator(draw_last, "last", 120)


def test_views_and_repeated_variables():
    check_propagator(draw_views, "none", 60)


def fixpoint_by_times(
    starts: list[range], durations: list[int], demands: list[int], capacity: int
) -> list[range] | None:
    """The starts that a profile of certain parts leaves, time by time; None for an overload."""
    before = None
    while starts != before:
        before = starts
        parts = [range(s[-1], s[0] + d) for s, d in zip(starts, durations, strict=True)]
        narrowed = []
        for i, (start, duration, demand) in enumerate(zip(starts, durations, demands, strict=True)):
            full = {
                time
                for part in parts
                for time in part
                if demand + sum(r for j, r in enumerate(demands) if j != i and time in parts[j])
                > capacity
            }
            left = [s for s in start if not full.intersection(range(s, s + duration))]
            if not left:
                return None
            narrowed.append(range(left[0], left[-1] + 1))
        starts = narrowed
    return starts


@pytest.mark.parametrize("form", FORMS)
def test_starts_are_those_that_the_profile_leaves(form):
    rng = random.Random(4)
    for _ in range(300):
        n = rng.randint(2, 6)
        shift = rng.choice((0, -60, 7000))
        durations = [rng.randint(1, 5) for _ in range(n)]
        capacity = rng.randint(3, 5)
        demands = [rng.randint(1, capacity // 2) for _ in range(n)]  # no two alone exceed it
        starts = []
        for duration in durations:
            first = shift + rng.randint(0, 6)
            starts.append(range(first, first + rng.choice((1, duration, duration, duration + 2))))
        constraint = Cumulative(
            tuple(range(n)), constants(*durations), constants(*demands), constant(capacity)
        )
        problem = Structure(tuple("abcdef"[:n]), tuple(starts), (constraint,)).problem()
        expected = fixpoint_by_times(starts, durations, demands, capacity)
        found = first_fixpoint(problem, FORMS[form]())
        assert found == (expected and [set(values) for values in expected]), problem


def test_a_decision_is_not_overlooked():
    check_decisions(draw_variable, 200)
    check_decisions(draw_fixed, 200)


@pytest.mark.parametrize("form", list(FORMS.values()), ids=list(FORMS))
def test_a_task_occupies_its_time_whatever_the_others_last(form):
    """Task 2 certainly runs from 1 to 3; task 1 may last no time at all."""
    constraint = Cumulative(
        (0, 1, 2), (*constants(2), 3, *constants(3)), constants(1, 1, 1), constant(1)
    )
    domains = [tuple(range(9)), (8,), (0, 1), (0, 1)]
    structure = Structure(tuple("abcd"), tuple(domains), (constraint,))
    assert first_fixpoint(structure.problem(), form())[0] == set(range(3, 9))
