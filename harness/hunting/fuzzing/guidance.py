"""What a guided hunt asks next: of some drawn problems the one that is rarest for its cost.

Each round draws a few problems from different sources and asks one of them. Its worth is the sum,
over its features (``shapes``) and its classes with the options that were drawn, of 1 / (1 + how
often each was asked); its cost is guessed from its size. So what was asked least, in the least
time, comes first, and what a solver refuses is not tried again and again.

Choosing among candidates by how different they are is adaptive random testing (Chen, Leung and Mak,
ASIAN 2004); sharing time by what is rare is the power schedule of AFLFast (Böhme, Pham and
Roychoudhury, CCS 2016).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from math import fsum, prod

from harness.hunting.fuzzing.drawing.edges import draw_edge
from harness.hunting.fuzzing.drawing.mutations import give
from harness.hunting.fuzzing.drawing.problems import SOURCES, Drawn, draw, is_small
from harness.hunting.fuzzing.shapes import find_features
from modelling.problem import Problem

CANDIDATES = 3
"""Problems of which one is asked."""

LARGE = 0.02
"""The share of rounds whose problem is too large for brute force, whatever it costs."""

EDGES = 0.75
"""The share of the other candidates that are drawn at the edges; the rest are those of a hunt
without guidance."""

GIVEN = 0.15
"""The share of those at the edges whose variables are given values."""

LARGE_COST = 8.0
ASSIGNMENTS_PER_COST = 300
FEATURES_PER_COST = 100
"""A problem of so many assignments, or features, costs once more than one of none. On six solvers
one that is too large for brute force took four to seven times as long as a small one."""


def guess_cost(problem: Problem) -> float:
    """About how long its answers take, in those of a problem without variables."""
    if not is_small(problem):
        return LARGE_COST
    return 1.0 + prod(map(len, problem.domains())) / ASSIGNMENTS_PER_COST


def find_all_features(problem: Problem, items: Iterable[str]) -> frozenset[str]:
    """The features of a problem, and each of its classes with each of the options."""
    found = find_features(problem)
    classes = {feature.partition(" ")[0] for feature in found}
    return found | {f"{item} {name}" for item in items for name in classes}


def measure_worth(features: Iterable[str], counts: Mapping[str, int]) -> float:
    """How rare features are: the sum of 1 / (1 + times asked)."""
    return fsum(1.0 / (1 + counts.get(feature, 0)) for feature in features)


def draw_candidates(rng: random.Random, seed: int, passed: int) -> Iterator[Drawn]:
    """Problems from different sources, or one that is too large for brute force. ``passed`` is the
    number of the last of these: they are drawn in order, as every lane asks them."""
    if rng.random() < LARGE:
        yield draw(seed, find_next_large(passed))
        return
    for _ in range(CANDIDATES):
        if rng.random() < EDGES:
            origin, problem = draw_edge(rng)
            problem = give(rng, problem) if rng.random() < GIVEN else problem
            yield Drawn(problem, origin)
        else:
            source = SOURCES[rng.randrange(len(SOURCES) - 1)]
            yield source(seed, rng.randrange(1 << 30))


def find_next_large(passed: int) -> int:
    """The number of the next problem that is too large for brute force."""
    period = len(SOURCES)
    return (passed + 1) // period * period + period - 1


def choose_drawn(
    candidates: Iterable[Drawn], items: Iterable[str], counts: Mapping[str, int]
) -> tuple[Drawn, frozenset[str]]:
    """The candidate of the most worth for its cost, with its features."""
    options = tuple(items)
    featured = [(one, find_all_features(one.problem, options)) for one in candidates]
    return max(
        featured, key=lambda pair: measure_worth(pair[1], counts) / guess_cost(pair[0].problem)
    )


def count_features(features: Iterable[str], counts: dict[str, int]) -> None:
    """Note that they were asked."""
    for feature in features:
        counts[feature] = counts.get(feature, 0) + 1
