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
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from math import fsum, prod
from zlib import crc32

from harness.hunting.fuzzing.drawing.edges import draw_edge
from harness.hunting.fuzzing.drawing.instances import EVERY, Draws
from harness.hunting.fuzzing.drawing.mutations import give
from harness.hunting.fuzzing.drawing.problems import SOURCES, Drawn, is_small
from harness.hunting.fuzzing.shapes import list_shaped
from modelling.problem import Problem

CANDIDATES = 3
"""Problems of which one is asked."""

LARGE = 0.02
"""The share of rounds whose problem is too large for brute force, whatever it costs."""

EDGES = 0.75
"""The share of the other candidates that are drawn at the edges; the rest are those of a hunt
without guidance."""

SLOTS = 1 << 17
"""Counters of features, which share one where their checksums do, as the branches of AFL do. In
many hours a hunt sees more features than its state should hold."""

MIXED = 1_000_003
"""Two checksums become one by a product with this prime, so that their order matters."""

WORTHS = tuple(1.0 / (1 + times) for times in range(256))
"""What a feature adds that was asked so often."""

GIVEN = 0.15
"""The share of those at the edges whose variables are given values."""

LARGE_COST = 8.0
ASSIGNMENTS_PER_COST = 300
FEATURES_PER_COST = 100
"""What is guessed of costs: 1, and 1 more for each of these numbers of assignments and features.
With `sat` and `cpsat` a problem too large for brute force took two to seven times as long as a
small one.
"""


def guess_cost(problem: Problem) -> float:
    """About how long its answers take, in those of a problem without variables."""
    if not is_small(problem):
        return LARGE_COST
    return 1.0 + prod(map(len, problem.domains())) / ASSIGNMENTS_PER_COST


def find_slots(problem: Problem, items: Iterable[str]) -> frozenset[int]:
    """The counters of the features of a problem: each class with a shape, with two shapes, and with
    an option."""
    found: set[int] = set()
    options = [_sum_up("", item) for item in items]
    for name, shapes in list_shaped(problem):
        sums = [_sum_up(name, shape) for shape in shapes]
        found.update(sums)
        found.update([one * MIXED + other for one, other in combinations(sums, 2)])
        found.update([_sum_up(name, "") * MIXED + option for option in options])
    return frozenset([one % SLOTS for one in found])


@lru_cache(maxsize=1 << 14)
def _sum_up(name: str, shape: str) -> int:
    return crc32(f"{name} {shape}".encode())


def measure_worth(slots: Iterable[int], counts: bytearray) -> float:
    """How rare features are: the sum of 1 / (1 + times asked)."""
    return fsum([WORTHS[counts[slot]] for slot in slots])


def draw_candidates(rng: random.Random, draws: Draws, passed: int) -> Iterator[Drawn]:
    """Problems from different sources, or one of those that every solver is asked about: too large
    for brute force, or made of an instance. ``passed`` is the number of the last of these, as they
    are drawn in order."""
    if rng.random() < (1 / EVERY if draws.places else LARGE):
        yield draws.draw(find_next_shared(draws, passed))
        return
    for _ in range(CANDIDATES):
        if rng.random() < EDGES:
            origin, problem = draw_edge(rng)
            problem = give(rng, problem) if rng.random() < GIVEN else problem
            yield Drawn(problem, origin)
        else:
            source = SOURCES[rng.randrange(len(SOURCES) - 1)]
            yield source(draws.seed, rng.randrange(1 << 30))


def find_next_shared(draws: Draws, passed: int) -> int:
    """The number of the next problem that is too large for brute force, or made of an instance."""
    period = len(SOURCES)
    large = (passed + 1) // period * period + period - 1
    return min(large, passed // EVERY * EVERY + EVERY) if draws.places else large


def choose_drawn(
    candidates: Iterable[Drawn], items: Iterable[str], counts: bytearray
) -> tuple[Drawn, frozenset[int]]:
    """The candidate of the most worth for its cost, with the counters of its features."""
    options = tuple(items)
    found = [(one, find_slots(one.problem, options)) for one in candidates]

    def rate(pair: tuple[Drawn, frozenset[int]]) -> float:
        drawn, slots = pair
        cost = guess_cost(drawn.problem) + len(slots) / FEATURES_PER_COST
        return measure_worth(slots, counts) / cost

    return max(found, key=rate)


def count_features(slots: Iterable[int], counts: bytearray) -> None:
    """Note that they were asked; beyond 255 it makes no difference."""
    for slot in slots:
        counts[slot] = min(counts[slot] + 1, 255)
