"""What every propagator is checked for, against the definition of its constraint.

``check_propagator`` draws domains (holes, negative values, spans beyond a word, intervals, givens)
and, for each constraint that a function makes of them, checks that

*   the first fixed point removes no value that some solution has;
*   it removes all that its consistency removes: ``domain`` or ``bounds``; where at most one
    variable is open, its values (``fixed``) or its bounds (``last``); or nothing (``none``);
*   undoing restores every cell that the trail keeps;
*   the search finds exactly the solutions of the definition;
*   all forms have the same fixed point, the same solutions in the same order, and the same numbers
    of nodes, failures and propagations;
*   these numbers are what they were: ``counts`` collects them, and ``conftest`` compares them.

``PROPAGATOR_FORMS`` names the forms, if not all; without ``compiled`` nothing is compiled.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from backends.interface.handlers import post
from backends.propagation.encode.arena import (
    Arena,
    Form,
    Search,
    Settings,
    build,
    grow,
    is_interval,
)
from backends.propagation.encode.draft import begin
from backends.propagation.encode.handlers import HANDLERS
from backends.propagation.encode.sums import list_sums
from backends.propagation.forms import INTERPRETED, compiled_form, pure_form
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.branching import choose_variable
from backends.propagation.kernel.search import EXHAUSTED, FULL, GROW, PAUSED, branch
from backends.propagation.kernel.trail import undo
from modelling.problem import Problem, Structure
from tests.backends.propagation.short_words import short_form

Values = tuple[int, ...]


def chosen(forms: Mapping[str, Callable[[], Form]]) -> dict[str, Callable[[], Form]]:
    """The forms that are wanted."""
    wanted = os.environ.get("PROPAGATOR_FORMS", "pure short compiled").split()
    return {name: form for name, form in forms.items() if name in wanted}


FORMS = chosen({"pure": pure_form, "short": short_form, "compiled": compiled_form})

MOST_TRIED = 20_000
"""Assignments that are tried in search of one support."""

counts: list[list[int]] = []
"""What the checks of a test have counted; see ``check_propagator``."""


def draw_domain(rng: random.Random, most: int) -> Values:
    """An ascending domain of at most ``most`` values: dense, sparse, wide or far away."""
    kinds = ("dense", "holes", "wide", "far", "interval")
    kind = rng.choices(kinds, (5, 5, 3, 1, 1))[0]
    size = rng.randint(1, most)
    start = rng.randint(-5, 5)
    if kind == "dense":
        return tuple(range(start, start + size))
    if kind == "holes":
        return tuple(sorted(rng.sample(range(start, start + 2 * most), size)))
    if kind == "wide":
        return tuple(sorted(rng.sample(range(-70, 140), size)))
    if kind == "far":
        return tuple(sorted(rng.sample(range(-5000, -5000 + 2 * most), size)))
    return tuple(sorted({*range(start, start + size), rng.choice((9000, -9000))}))


def draw_problem(
    rng: random.Random, constraint: Any, domains: Sequence[Values], givens: float = 0.3
) -> Problem:
    """The problem of one constraint, or of a tuple of them; some values are not open."""
    constraints = constraint if isinstance(constraint, tuple) else (constraint,)
    names = tuple(f"x{k}" for k in range(len(domains)))
    structure = Structure(names, tuple(domains), constraints)
    masks = []
    for domain in domains:
        mask = (1 << len(domain)) - 1
        if rng.random() < givens:
            mask = sum(1 << k for k in range(len(domain)) if rng.random() < 0.6)
            mask = mask or 1 << rng.randrange(len(domain))
        masks.append(mask)
    return Problem(structure, tuple(masks))


def open_values(problem: Problem) -> list[Values]:
    """The open values of each variable."""
    return [
        tuple(v for k, v in enumerate(domain) if mask >> k & 1)
        for domain, mask in zip(problem.structure.domains, problem.masks, strict=True)
    ]


def solutions_of(problem: Problem) -> list[Values]:
    """All assignments that satisfy every constraint, by trying all."""
    return [
        row
        for row in product(*open_values(problem))
        if all(c.holds([row[v] for v in c.scope]) for c in problem.structure.constraints)
    ]


def begun(problem: Problem, form: Form, room: int = 10_000) -> tuple[Arena, Search] | None:
    """The arrays of a search before its first fixed point; None where a constant is violated."""
    draft = begin(problem.structure)
    post(HANDLERS, draft, problem.structure, "propagation")
    list_sums(draft)
    if not draft.possible:
        return None
    arena = build(draft, form, None, problem.structure.size)
    S = arena.S.copy()
    narrowed = arena.narrow(S, problem.masks, problem.structure.full_masks)
    if narrowed is None:  # an interval with new holes: lay the arrays out for these domains
        draft.domains[: problem.structure.size] = open_values(problem)
        arena = build(draft, form, None, problem.structure.size)
        S = arena.S.copy()
    return arena, Search(S, arena.T, arena.memory(Settings(room)))


def first_fixpoint(problem: Problem, form: Form) -> list[set[int]] | None:
    """The values that the first fixed point leaves open; None for a contradiction."""
    found = begun(problem, form)
    if found is None:
        return None
    arena, (S, T, M) = found
    if form.search(S, T, M, 1) != PAUSED and M[at.M_SOLUTION_COUNT] == 0:
        return None
    return [
        {v for v in values if contains_in(S, x, v, form)}
        for x, values in zip(arena.places, open_values(problem), strict=False)
    ]


def contains_in(S: Any, x: int, value: int, form: Form) -> bool:
    """``contains`` for either form, in Python."""
    if not S[x] <= value <= S[x + at.UPPER]:
        return False
    if S[x + at.LENGTH] == at.WORDS:
        return True
    w, bit = divmod(value - int(S[x + at.BASE]), form.word_bits)
    return bool(int(S[x + at.WORDS + w]) >> bit & 1)


def searched(problem: Problem, form: Form) -> tuple[list[Values], tuple[int, ...]]:
    """All solutions in order, and what the search counted."""
    found = begun(problem, form, room=7)
    if found is None:
        return [], (0, 0, 0)
    _, search = found
    rows: list[Values] = []
    why = PAUSED
    while why != EXHAUSTED:
        S, T, M = search
        why = form.search(S, T, M, 50)
        width = T[at.T_REPORTED]
        for k in range(M[at.M_SOLUTION_COUNT]):
            place = M[at.M_SOLUTIONS] + k * width
            rows.append(tuple(int(v) for v in M[place : place + width]))
        M[at.M_SOLUTION_COUNT] = 0
        if why == GROW:
            search = grow(search, form)
        assert why in (EXHAUSTED, FULL, GROW, PAUSED)
    M = search.M
    return rows, (int(M[at.M_NODES]), int(M[at.M_FAILURES]), int(M[at.M_PROPAGATIONS]))


def check_undo(problem: Problem) -> None:
    """Branch once from the first fixed point and take it back."""
    form = pure_form()
    found = begun(problem, form)
    if found is None:
        return
    _, (S, T, M) = found
    if form.search(S, T, M, 1) != PAUSED:
        return
    x = choose_variable(S, T, M)
    if x == 0:
        return
    kept = trailed(S, T)
    before, mark = [S[k] for k in kept], M[at.M_TRAIL_TOP]
    M[at.M_STAMP] += 1
    INTERPRETED.bound(branch)(S, T, M, x, S[x])
    undo(S, M, mark)
    assert [S[k] for k in kept] == before, f"undo does not restore the state: {problem}"


def trailed(S: list[int], T: list[int]) -> list[int]:
    """The cells of S but for the stamps and weights in headers."""
    variables = [T[T[at.T_VARIABLES] + k] for k in range(T[at.T_SIZE])]
    changing = {x + field for x in variables for field in (at.STAMP, at.WEIGHT, at.PHASE)}
    place = variables[-1] + S[variables[-1] + at.LENGTH]
    while place < len(S):  # the other records: stamp, length, cells
        changing.add(place)
        place += at.RECORD_HEADER + S[place + 1]
    return [k for k in range(len(S)) if k not in changing]


def supported(problem: Problem, rows: Sequence[Values]) -> list[set[int]]:
    """The values that some solution has."""
    return [set(column) for column in zip(*rows, strict=True)]


def check_consistency(
    problem: Problem, consistency: str, left: list[set[int]] | None, rows: Sequence[Values]
) -> None:
    """Whether a fixed point removes all that its consistency removes.

    An interval cannot lose a value within its bounds, so with one nothing is asked.
    """
    opened = open_values(problem)
    if any(is_interval(domain) for domain in problem.structure.domains):
        return
    if consistency == "domain":
        assert (left is not None) == bool(rows), f"{problem} has {len(rows)} solutions"
        if left is not None:
            assert left == supported(problem, rows), f"{problem}: {left}"
    is_last = consistency == "last" and sum(len(values) > 1 for values in opened) <= 1
    if (consistency == "bounds" or is_last) and left is not None:
        for k, values in enumerate(left):
            for bound in (min(values), max(values)):
                assert has_support(problem, left, k, bound), f"{problem}: {left}, x{k} == {bound}"
    elif consistency == "fixed" and left is not None and sum(len(v) > 1 for v in opened) <= 1:
        assert left == supported(problem, rows), f"{problem}: {left}"


def has_support(problem: Problem, left: list[set[int]], k: int, value: int) -> bool:
    """Whether a value has a support among the integers between the bounds of the other variables:
    bounds(Z) consistency. Where too many would have to be tried, nothing is asked."""
    ranges = [range(min(values), max(values) + 1) for values in left]
    ranges[k] = range(value, value + 1)
    (constraint,) = problem.structure.constraints
    return prod(map(len, ranges)) > MOST_TRIED or any(
        constraint.holds([row[v] for v in constraint.scope]) for row in product(*ranges)
    )


def check_propagator(
    draw: Callable[[random.Random], tuple[Any, Sequence[Values]]],
    consistency: str,
    cases: int,
    seed: int = 1,
    forms: Sequence[str] = tuple(FORMS),
) -> None:
    """Check ``cases`` problems of one constraint each; ``draw`` makes a constraint and domains.

    ``counts`` becomes longer by the seed, the cases, and sums over these: the values that the first
    fixed point leaves; the nodes, failures and propagations of the search for all solutions.
    """
    rng = random.Random(seed)
    sums = [0, 0, 0, 0]
    for case in range(cases):
        constraint, domains = draw(rng)
        problem = draw_problem(rng, constraint, domains)
        rows = solutions_of(problem)
        what = f"seed {seed}, case {case}: {problem}"
        left = {name: first_fixpoint(problem, FORMS[name]()) for name in forms}
        found = {name: searched(problem, FORMS[name]()) for name in forms}
        first = forms[0]
        for name in forms[1:]:
            assert left[name] == left[first], f"{what}: fixed points {left}"
            assert found[name] == found[first], f"{what}: {found}"
        if left[first] is None:
            assert not rows, f"{what} has solutions"
        elif rows:
            removed = [a - b for a, b in zip(supported(problem, rows), left[first], strict=True)]
            assert not any(removed), f"{what}: {removed} was removed"
        check_consistency(problem, consistency, left[first], rows)
        assert sorted(found[first][0]) == sorted(rows), what
        check_undo(problem)
        counted = (sum(map(len, left[first] or ())), *found[first][1])
        sums = [a + b for a, b in zip(sums, counted, strict=True)]
    counts.append([seed, cases, *sums])


def check_decisions(
    draw: Callable[[random.Random], tuple[Any, Sequence[Values]]], cases: int, seed: int = 1
) -> None:
    """Check ``cases`` problems for what a decision leaves; see ``check_decision``."""
    rng = random.Random(seed)
    for _ in range(cases):
        constraint, domains = draw(rng)
        check_decision(draw_problem(rng, constraint, domains))


def check_decision(problem: Problem) -> None:
    """Branch once from the first fixed point: what is left is what is left of the problem with
    that value, so no propagator that remembers something overlooks a change."""
    form = pure_form()
    found = begun(problem, form)
    if found is None or any(is_interval(domain) for domain in problem.structure.domains):
        return
    arena, (S, T, M) = found
    if form.search(S, T, M, 1) != PAUSED:
        return
    x = choose_variable(S, T, M)
    if x not in arena.places[: problem.structure.size]:
        return
    variable, value = arena.places.index(x), S[x]
    M[at.M_STAMP] += 1
    is_consistent = INTERPRETED.bound(branch)(S, T, M, x, value)
    opened = open_values(problem)
    left = [
        {v for v in values if contains_in(S, place, v, form)}
        for place, values in zip(arena.places, opened, strict=False)
    ]
    masks = list(problem.masks)
    masks[variable] = 1 << list(problem.structure.domains[variable]).index(value)
    expected = first_fixpoint(Problem(problem.structure, tuple(masks)), form)
    assert (left if is_consistent else None) == expected, f"{problem}, x{variable} == {value}"
