"""The propagators of NoOverlap against its definition."""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from modelling.constraints import NoOverlap
from modelling.problem import Structure
from modelling.terms import Affine, constants
from tests.backends.propagation.propagator_checks import (
    FORMS,
    check_decisions,
    check_propagator,
    draw_domain,
    first_fixpoint,
)

pytestmark = pytest.mark.once  # numba compiles what it tests


def draw_near(rng: random.Random, most: int, start: int = -4):
    """A domain with or without holes, near others."""
    first = rng.randint(start, start + 5)
    values = range(first, first + rng.randint(1, most + 2))
    return tuple(sorted(rng.sample(values, min(len(values), rng.randint(1, most)))))


def draw_lengths(rng: random.Random, count: int, first: int, domains: list):
    """Constant lengths, or variables of a few values, which may be 0 or negative."""
    lengths = []
    for _ in range(count):
        if rng.random() < 0.7:
            lengths += constants(
                rng.choice((0, 1, 1, 2, 3, 5, 60, -1 if rng.random() < 0.1 else 2))
            )
        else:
            lengths.append(first + len(domains))
            domains.append(tuple(sorted(rng.sample(range(-1, 5), rng.randint(1, 3)))))
    return tuple(lengths)


def draw_pair(rng: random.Random, strict: bool):
    starts = [draw_near(rng, 6) for _ in range(2)]
    more: list = []
    lengths = draw_lengths(rng, 2, 2, more)
    return NoOverlap((0, 1), lengths, strict), [*starts, *more]


def draw_tasks(rng: random.Random, strict: bool):
    n = rng.randint(2, 4)
    starts = [draw_domain(rng, 4) if rng.random() < 0.5 else draw_near(rng, 4) for _ in range(n)]
    more: list = []
    lengths = draw_lengths(rng, n, n, more) if n < 4 else constants(*rng.choices((1, 2, 3), k=n))
    return NoOverlap(tuple(range(n)), lengths, strict), [*starts, *more]


def draw_views(rng: random.Random, strict: bool):
    """Affine terms, constants, and variables that are repeated."""
    domains = [draw_near(rng, 5) for _ in range(3)]

    def term():
        v = rng.randrange(3)
        kind = rng.random()
        if kind < 0.5:
            return v
        return (
            Affine(v, rng.choice((-2, -1, 1, 2)), rng.randint(-4, 4))
            if kind < 0.9
            else constants(2)[0]
        )

    n = rng.randint(2, 4)
    starts = (0, *[term() for _ in range(n - 1)])
    lengths = tuple(
        term() if rng.random() < 0.3 else constants(rng.randint(0, 3))[0] for _ in range(n)
    )
    return NoOverlap(starts, lengths, strict), domains


def draw_crowd(rng: random.Random):
    """Many tasks in little room, at any time, most of them with a choice of two or three starts."""
    n = rng.randint(4, 6)
    shift = rng.choice((0, 0, -3000, 100))
    lengths = [rng.randint(1, 4) for _ in range(n)]
    room = sum(lengths) - min(lengths) + rng.randint(0, 2)
    domains = []
    for _ in range(n):
        low = rng.randint(0, room)
        high = min(low + rng.choice((0, 2, 3, room)), room)
        size = min(high - low + 1, rng.randint(2, 4))
        values = {low, high, *rng.sample(range(low, high + 1), size)}
        domains.append(tuple(sorted(shift + v for v in values)))
    return NoOverlap(tuple(range(n)), constants(*lengths)), domains


@pytest.mark.parametrize("strict", [False, True])
def test_two_tasks_are_bounds_consistent(strict):
    check_propagator(lambda rng: draw_pair(rng, strict), "bounds", 90)


@pytest.mark.parametrize("strict", [False, True])
def test_tasks_anywhere_with_any_lengths(strict):
    check_propagator(lambda rng: draw_tasks(rng, strict), "last", 60)


@pytest.mark.parametrize("strict", [False, True])
def test_views_and_repeated_variables(strict):
    check_propagator(lambda rng: draw_views(rng, strict), "none", 60)


def test_many_tasks_in_little_room():
    check_propagator(draw_crowd, "last", 60)


Task = tuple[int, int, int]
"""Earliest start, latest end, length."""


def narrow_by_sets(tasks: list[Task]) -> list[Task] | None:
    """The four rules by all sets of tasks, forward in time; None for an overload."""
    sets = [s for k in range(1, len(tasks) + 1) for s in combinations(range(len(tasks)), k)]
    narrowed = []
    for i, (est, lct, length) in enumerate(tasks):
        others = [s for s in sets if i not in s]
        after = [est, *after_sets(tasks, i, others)]
        before = [lct, *before_sets(tasks, i, others)]
        narrowed.append((max(after), min(before), length))
    if any(earliest_end(tasks, s) > max(tasks[j][1] for j in s) for s in sets):
        return None
    return narrowed


def earliest_end(tasks: list[Task], chosen: tuple[int, ...]) -> int:
    """When a set of tasks can end, if only its earliest start counts."""
    return min(tasks[j][0] for j in chosen) + sum(tasks[j][2] for j in chosen)


def after_sets(tasks: list[Task], i: int, others: list[tuple[int, ...]]) -> Iterator[int]:
    """Edge finding and detectable precedences: the ends of sets after which task i begins."""
    est, _, length = tasks[i]
    for chosen in others:
        too_late = earliest_end(tasks, (*chosen, i)) > max(tasks[j][1] for j in chosen)
        if too_late or all(est + length > tasks[j][1] - tasks[j][2] for j in chosen):
            for k in range(1, len(chosen) + 1):
                yield from (earliest_end(tasks, part) for part in combinations(chosen, k))


def before_sets(tasks: list[Task], i: int, others: list[tuple[int, ...]]) -> Iterator[int]:
    """Not last: the latest starts before the last of which task i ends."""
    for chosen in others:
        if earliest_end(tasks, chosen) > tasks[i][1] - tasks[i][2]:
            yield max(tasks[j][1] - tasks[j][2] for j in chosen)


def fixpoint_by_sets(starts: list[range], lengths: list[int]) -> list[range] | None:
    """The rules forward and backward until nothing changes."""
    tasks: list[Task] | None = [(s[0], s[-1] + p, p) for s, p in zip(starts, lengths, strict=True)]
    before = None
    while tasks is not None and tasks != before:
        before = tasks
        for _ in range(2):
            tasks = tasks and narrow_by_sets(tasks)
            tasks = tasks and [(-lct, -est, p) for est, lct, p in tasks]
        if tasks and any(est + p > lct for est, lct, p in tasks):
            tasks = None
    return tasks and [range(est, lct - p + 1) for est, lct, p in tasks]


@pytest.mark.parametrize("form", FORMS)
def test_rules_find_what_a_look_at_all_sets_finds(form):
    rng = random.Random(5)
    for _ in range(400):
        n = rng.randint(3, 5)
        shift = rng.choice((0, -40, 9000))
        lengths = [rng.choice((1, 2, 3, 4, 7)) for _ in range(n)]
        room = sum(lengths) + rng.randint(-1, 2)
        starts = []
        for length in lengths:
            first = rng.choice((0, 0, rng.randint(0, room)))
            last = rng.choice((room, room, rng.randint(0, room))) - length
            starts.append(range(shift + first, shift + max(first, last) + 1))
        names = tuple(f"x{k}" for k in range(n))
        constraint = NoOverlap(tuple(range(n)), constants(*lengths))
        problem = Structure(names, tuple(starts), (constraint,)).problem()
        expected = fixpoint_by_sets(starts, lengths)
        found = first_fixpoint(problem, FORMS[form]())
        assert found == (expected and [set(values) for values in expected]), problem


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shift", [0, 7000])
def test_an_overload_of_tasks_that_end_early(form, shift):
    starts = [range(shift, shift + 4)] * 3 + [range(shift, shift + 20)]
    constraint = NoOverlap((0, 1, 2, 3), constants(2, 2, 2, 1))
    problem = Structure(tuple("abcd"), tuple(starts), (constraint,)).problem()
    assert first_fixpoint(problem, FORMS[form]()) is None


@pytest.mark.parametrize("strict", [False, True])
def test_a_decision_is_not_overlooked(strict):
    check_decisions(lambda rng: draw_pair(rng, strict), 200)
    check_decisions(lambda rng: draw_tasks(rng, strict), 300)
    check_decisions(draw_crowd, 200)
