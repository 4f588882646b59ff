"""Windows of energy for Cumulative: what is removed has no solution, and no window says more."""

import random

import pytest

import concord
from backends.interface import registry
from backends.interface.api import Limits, Optimum
from backends.propagation.encode import scheduling
from modelling.constraints import Cumulative
from modelling.problem import Structure
from modelling.terms import constant, constants
from tests.backends.propagation.propagator_checks import FORMS, check_propagator, first_fixpoint
from tests.backends.propagation.test_cumulative_propagators import draw_fixed, draw_variable

pytestmark = pytest.mark.once  # numba compiles what it tests


@pytest.fixture(autouse=True)
def _with_windows(monkeypatch):
    monkeypatch.setattr(scheduling, "has_windows", lambda draft, tasks, capacity: True)


def draw_tight(rng: random.Random):
    """Tasks that nearly fill the time that they have."""
    n = rng.randint(3, 5)
    shift = rng.choice((0, 0, -9, 58, 5000))
    starts = []
    for _ in range(n):
        first = shift + rng.randint(0, 3)
        starts.append(tuple(range(first, first + rng.randint(1, 5))))
    durations = constants(*[rng.randint(1, 4) for _ in range(n)])
    demands = constants(*[rng.choice((0, 1, 1, 2, 2, 3)) for _ in range(n)])
    return Cumulative(tuple(range(n)), durations, demands, constant(rng.randint(3, 4))), starts


def test_tight_windows():
    check_propagator(draw_tight, "last", 120)


@pytest.mark.parametrize("draw", [draw_fixed, draw_variable])
def test_constants_and_variables(draw):
    check_propagator(draw, "last", 60)


def energy_of(task, bounds, begin, end):
    """The least energy of a task, whose start is within bounds, from ``begin`` to ``end``."""
    duration, demand = task
    return demand * min(
        max(0, min(s + duration, end) - max(s, begin)) for s in (bounds[0], bounds[-1])
    )


def contradicts(tasks, capacity, starts, u, begin, end):
    """Whether task ``u``, begun as early as it may, does not fit into a window that it may leave.

    A window holds the whole of each other task that lies within, and what certainly runs there.
    """
    duration, demand = tasks[u]
    room = capacity * (end - begin)
    for i, (task, bounds) in enumerate(zip(tasks, starts, strict=True)):
        if i == u:
            continue
        is_within = begin <= bounds[0] and bounds[-1] + task[0] <= end
        part = max(0, min(end, bounds[0] + task[0]) - max(begin, bounds[-1]))
        room -= task[1] * (task[0] if is_within else part)
    return demand * min(duration, end - starts[u][0]) > room


def windows_left(tasks, capacity, starts):
    """The tasks and windows that still say something, from one end of time."""
    begins = {bounds[0] for bounds in starts}
    ends = {bounds[-1] + task[0] for task, bounds in zip(tasks, starts, strict=True)}
    for begin in begins:
        for end in ends:
            for u, bounds in enumerate(starts):
                if begin <= bounds[0] < end < bounds[-1] + tasks[u][0] and contradicts(
                    tasks, capacity, starts, u, begin, end
                ):
                    yield u, begin, end


@pytest.mark.parametrize("form", FORMS)
def test_no_window_says_more(form):
    rng = random.Random(6)
    narrowed = 0
    for _ in range(200):
        constraint, domains = draw_tight(rng)
        structure = Structure(tuple("abcde"[: len(domains)]), tuple(domains), (constraint,))
        found = first_fixpoint(structure.problem(), FORMS[form]())
        if found is None:
            continue
        tasks = [
            (d.offset, r.offset)
            for d, r in zip(constraint.durations, constraint.demands, strict=True)
        ]
        capacity = constraint.capacity.offset
        starts = [sorted(values) for values in found]
        assert not [*windows_left(tasks, capacity, starts)], (constraint, domains, starts)
        ends = [
            [-s - task[0] for s in reversed(bounds)]
            for task, bounds in zip(tasks, starts, strict=True)
        ]
        assert not [*windows_left(tasks, capacity, ends)], (constraint, domains, starts)
        narrowed += sum(map(len, domains)) - sum(map(len, starts))
    assert narrowed > 100


@pytest.mark.parametrize("form", list(FORMS.values()), ids=list(FORMS))
def test_a_task_begins_where_a_window_has_room(form):
    """Three tasks take 6 of the energy 8 from 0 to 4; what takes 4 has 2 of it there at most.

    No task has a part that is certain, so that a time-table says nothing.
    """
    constraint = Cumulative((0, 1, 2, 3), constants(2, 2, 2, 2), constants(1, 1, 1, 2), constant(2))
    domains = [(0, 1, 2), (0, 1, 2), (0, 1, 2), tuple(range(8))]
    structure = Structure(tuple("abcd"), tuple(domains), (constraint,))
    found = first_fixpoint(structure.problem(), form())
    assert found == [{0, 1, 2}] * 3 + [{3, 4, 5, 6, 7}]


def test_the_optimum_is_that_of_the_time_table():
    for one in concord.generate(3, family="rcpsp", seed=5, tasks=12):
        problem = concord.family("rcpsp").problem(one.text)
        plain, found = (
            registry.get(f"propagation:pure,cumulative={way}").solve(
                problem, Optimum(), Limits(nodes=20_000)
            )
            for way in ("timetable", "energy")
        )
        assert (found.status, found.objective) == (plain.status, plain.objective)
