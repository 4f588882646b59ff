"""The check of what rewriting adds, and of groups of which several assignments fail."""

from __future__ import annotations

import random
from itertools import product
from time import perf_counter

import pytest

import concord
from backends.interface.api import Optimum, Solutions
from backends.interface.handlers import Handler
from backends.interface.registry import get
from backends.proofs.certify import certify
from backends.proofs.encodings.check import check_encoding
from backends.proofs.encodings.extending import has_model, resolve_away
from backends.proofs.encodings.tours import find_walk, follows
from modelling.constraints import AllDifferent, Circuit, Linear, NotEqual
from modelling.problem import build_problem
from modelling.terms import constant
from modelling.vocabulary.functions.element import Element

pytest.importorskip("dratify", reason="the extra proof is not installed")


def exclude_two(draft, constraint):
    """Excludes, by a Boolean of its own, that the first is 0 and the second 1, and the reverse."""
    first, second = (draft.integer(v) for v in constraint.scope)
    own = draft.cnf.new()
    for value in (0, 1):
        draft.cnf.exclude(first.value_literal(value), second.value_literal(value))
    for one, other in ((0, 1), (1, 0)):
        for literal in (own, -own):
            draft.cnf.add((literal, -first.value_literal(one), -second.value_literal(other)))


def test_each_assignment_that_fails_is_asked():
    """The first is part of no solution, as a third variable says; the second is the solution."""
    problem = build_problem(
        {"x": range(2), "y": range(2), "z": (0,)},
        [NotEqual((0, 1)), Linear((0, 2), (1, -1), ">", 0)],
    )
    backend = get("sat:proof=check")
    backend.solver.handlers = {**backend.solver.handlers, NotEqual: Handler(exclude_two)}
    result = backend.solve(problem)
    assert result.status == "UNSATISFIABLE"
    found = certify(result, Solutions(1), problem)
    assert found.state == "rejected"
    assert "part of the solution (1, 0, 0)" in found.said


@pytest.mark.parametrize("backend", ["sat:", "pumpkin:", "exact:", "propagation:learning,"])
@pytest.mark.parametrize("family", ["golomb", "tsp"])
def test_what_rewriting_adds_is_checked(backend, family):
    """Distances of a ruler, whose domains are narrowed by the order; the walk of a tour."""
    module = backend.rstrip(":,").partition(":")[0]
    if module in ("pumpkin", "exact"):
        pytest.importorskip({"pumpkin": "pumpkin_solver"}.get(module, module))
    text = "5"
    if family == "tsp":
        (drawn,) = concord.generate(1, family="tsp", seed=1, cities=5)
        text = drawn.text
    problem = concord.family(family).problem(text)
    result = get(f"{backend}proof=check").solve(problem, Optimum())
    (one,) = result.refutations
    found = check_encoding(one, problem, perf_counter() + 60)
    assert found.state in ("enumerated", "agreed"), found


@pytest.mark.parametrize("seed", range(100))
def test_resolving_away_keeps_the_models_on_the_rest(seed):
    rng = random.Random(seed)
    clauses = [
        tuple(rng.choice((1, -1)) * v for v in rng.sample(range(1, 7), rng.randint(1, 3)))
        for _ in range(rng.randint(3, 12))
    ]
    left = resolve_away(clauses, (4, 5, 6))
    assert not {abs(literal) for clause in left for literal in clause} & {4, 5, 6}
    for signs in product((1, -1), repeat=3):
        true = [sign * v for sign, v in zip(signs, (1, 2, 3), strict=True)]
        assert has_model(left, true) == has_model(clauses, true)


def test_what_a_tour_says_of_its_walk():
    tour = Circuit((0, 1, 2))
    walk = find_walk(tour, {3: Element((0, 1, 2), 0), 4: Element((0, 1, 2), 3)})
    assert walk == [constant(0), 0, 3, 4]
    assert follows(AllDifferent((constant(0), 0, 3)), tour, walk, {})
    assert follows(AllDifferent((5, 0, 3)), tour, walk, {5: 0})
    assert follows(Linear((4,), (1,), "==", 0), tour, walk, {})
    for wrong in (
        AllDifferent((constant(0), 0, 4)),
        AllDifferent((constant(1), 0, 3)),
        AllDifferent((0, 0)),
        AllDifferent((1, 3)),
        Linear((3,), (1,), "==", 0),
        Linear((4,), (1,), "!=", 0),
    ):
        assert not follows(wrong, tour, walk, {})
    assert not follows(AllDifferent((5, 0, 3)), tour, walk, {5: 1})
