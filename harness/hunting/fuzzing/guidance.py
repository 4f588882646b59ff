"""What a guided hunt asks next: of some drawn problems the one with most that is rare, for its cost.

Each round draws a few problems from different sources and asks one of them. Its worth is the sum,
over its features (``shapes``) and those with the options that were drawn, of 1 / (1 + how often they
were asked); its cost is guessed from its size. So what was asked least, in the least time, comes
first, and what a solver refuses is not tried again and again. Choosing among candidates by how
different they are is adaptive random testing (Chen, Leung and Mak, ASIAN 2004); sharing time by what
is rare is the power schedule of AFLFast (Böhme, Pham and Roychoudhury, CCS 2016).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from math import prod

from harness.hunting.fuzzing.drawing.edges import draw_edge
from harness.hunting.fuzzing.drawing.problems import SOURCES, Drawn, draw, is_small
from harness.hunting.fuzzing.shapes import find_features
from modelling.problem import Problem

CANDIDATES = 4
"""Problems of which one is asked."""

EDGES, LARGE = 0.75, 0.05
"""The shares of candidates that are drawn at the edges, and of those too large for brute force;
the others are those of a hunt without guidance."""

LARGE_COST = 8.0
ASSIGNMENTS_PER_COST = 300
"""A problem of so many assignments costs twice as much as one of none. Measured on six solvers:
one too large for brute force takes four to seven times as long as a small one."""


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
    return sum(1.0 / (1 + counts.get(feature, 0)) for feature in features)


def draw_candidates(rng: random.Random, seed: int, passed: int) -> Iterator[Drawn]:
    """Problems from different sources. ``passed`` is the number of the last large one that was
    asked: these are drawn in order, as every lane asks them."""
    for _ in range(CANDIDATES):
        kind = rng.random()
        if kind < EDGES:
            origin, problem = draw_edge(rng)
            yield Drawn(problem, origin)
        elif kind < EDGES + LARGE:
            yield draw(seed, find_next_large(passed))
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
    return max(featured, key=lambda pair: measure_worth(pair[1], counts) / guess_cost(pair[0].problem))


def count_features(features: Iterable[str], counts: dict[str, int]) -> None:
    """Note that they were asked."""
    for feature in features:
        counts[feature] = counts.get(feature, 0) + 1
