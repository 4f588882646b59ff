"""Both forms are one search: the same solutions in the same order, and the same counts.

Drawn problems are those of the conformance suite, with every class of the vocabulary in every
position, and some moved apart, so that domains span more than a word and lie at other bases.
"""

import os
import random
from itertools import islice

import pytest

from backends.conformance.drawn_problems import drawn_problems, plain_problems, root_problems
from backends.interface import registry
from backends.interface.api import Limits, Optimum, Solutions
from modelling.constraints import VOCABULARY, Linear
from modelling.errors import ConcordError
from modelling.problem import Problem, build_problem
from puzzles.family import families

pytestmark = pytest.mark.once  # numba compiles what it tests

CASES = int(os.environ.get("FORM_CASES", "150"))
SEED = os.environ.get("FORM_SEED", "1")


def both(search, problem, ask, limits=Limits()):
    """What each form answers and counts; None where a form refuses."""
    return [
        (found.solutions, found.objective, found.stopped_by, dict(found.statistics))
        for form in ("pure", "compiled")
        for found in [
            registry.get(f"propagation:form={form},search={search}").solve(problem, ask, limits)
        ]
    ]


def check(search, problem, ask, what, limits=Limits()):
    pure, compiled = both(search, problem, ask, limits)
    assert pure == compiled, f"{what}: {problem}"


@pytest.mark.parametrize("search", ["backtracking", "learning"])
def test_drawn_problems(search):
    draws = (
        (problem for _, problem in drawn_problems(SEED, VOCABULARY)),
        (problem for _, _, problem in plain_problems(SEED, VOCABULARY)),
        (problem for _, _, problem in root_problems(SEED, VOCABULARY)),
    )
    for draw in draws:
        for number, problem in enumerate(islice(draw, CASES)):
            has_objective = problem.structure.objective is not None
            for ask in (Solutions(None, None), *([Optimum()] if has_objective else [])):
                if registry.get("propagation").accepts(problem):
                    check(search, problem, ask, f"seed {SEED}, draw {number}, {ask}")


def draw_wide(rng):
    """Three sums over domains with gaps that span several words, far from each other."""
    domains = {}
    for k in range(4):
        start = rng.choice((-300, 0, 1000, 70_000))
        domains[f"x{k}"] = sorted(rng.sample(range(start, start + 200), rng.randint(2, 12)))
    names = list(domains)
    sums = []
    for _ in range(3):
        scope = rng.sample(names, rng.randint(2, 4))
        factors = [rng.choice((-2, -1, 1, 1, 3)) for _ in scope]
        near = sum(f * rng.choice(domains[x]) for f, x in zip(factors, scope, strict=True))
        sums.append(Linear(tuple(scope), tuple(factors), rng.choice(("<=", ">=", "!=")), near))
    problem = build_problem(domains, sums)
    masks = [mask & rng.getrandbits(mask.bit_length()) or mask for mask in problem.masks]
    return Problem(problem.structure, tuple(masks))


@pytest.mark.parametrize("search", ["backtracking", "learning"])
def test_domains_of_several_words(search):
    rng = random.Random(SEED)
    for number in range(CASES // 2):
        ask = Solutions(200, None)
        check(search, draw_wide(rng), ask, f"seed {SEED}, draw {number}")


def small_instances():
    for family in families():
        if not hasattr(family, "of_size"):
            continue
        for size in (3, 4, 5):
            try:
                text = family.of_size(size)
                yield f"{family.name} {size}", family.problem(text)
            except ConcordError:  # a family without this size, or without sizes
                continue


def test_every_family():
    seen = set()
    for name, problem in small_instances():
        seen.add(name.split()[0])
        objective = problem.structure.objective
        ask = Optimum() if objective is not None else Solutions(100, None)
        check("backtracking", problem, ask, name, Limits(nodes=2000))
    assert len(seen) >= 10, seen
