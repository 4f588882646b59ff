"""Where the problems of a hunt come from: drawn small, drawn large, or made of earlier ones.

The small ones are those of the suite of conformance, by the same code. What is drawn depends on
the seed and the number alone, so a hunt that is continued draws what it would have drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import prod

from backends.conformance.drawn_problems import (
    MOST_ASSIGNMENTS,
    drawn_problems,
    plain_problems,
    root_problems,
)
from backends.conformance.positions import POSITIONS, draw_position
from modelling.constraints import VOCABULARY, AllDifferent, Linear, NotEqual, Sum, Table
from modelling.laws.drawing import CONTEXTS, PlainDrawer, draw_constraint, structure_over
from modelling.problem import Objective, Problem

KINDS = (AllDifferent, NotEqual, Linear, Table)
"""The constraints of the suite's drawn problems, apart from those with terms."""

MOST_SMALL = 2 * MOST_ASSIGNMENTS
"""Most assignments of a problem that brute force judges."""


@dataclass(frozen=True)
class Drawn:
    """A problem, and in a word or two where it comes from.

    ``key`` names what is drawn alike for every solver; it is empty for what is made of problems
    that were new to one solver.
    """

    problem: Problem
    origin: str
    key: str = ""


def is_small(problem: Problem) -> bool:
    """Whether brute force judges it."""
    return not problem.structure.ranges and prod(map(len, problem.domains())) <= MOST_SMALL


def draw(seed: int, number: int) -> Drawn:
    """The problem of this number; of eight, one is too large for brute force."""
    source = SOURCES[number % len(SOURCES)]
    made = source(seed, number)
    return replace(made, key=f"{seed}/{number}")


def _draw_mixed(seed: int, number: int) -> Drawn:
    """The problem, or the same structure with other givens."""
    pair = list(islice(drawn_problems(seed, KINDS, begin=number), 2))
    kind, problem = pair[number // len(SOURCES) % 2]
    return Drawn(problem, kind)


def _draw_plain(seed: int, number: int) -> Drawn:
    drawn, position, problem = next(plain_problems(seed, VOCABULARY, begin=number))
    return Drawn(problem, f"plain {drawn.__name__}, {position}")


def _draw_root(seed: int, number: int) -> Drawn:
    drawn, _, problem = next(root_problems(seed, VOCABULARY, begin=number))
    return Drawn(problem, f"{drawn.__name__} at the root")


def _draw_position(seed: int, number: int) -> Drawn:
    rng = random.Random(f"hunt/position/{seed}/{number}")
    kind, position = rng.choice(VOCABULARY), rng.choice(POSITIONS)
    problem = draw_position(kind, position, rng.getrandbits(32))
    return Drawn(problem, f"{kind.__name__}, {position}")


def _draw_large(seed: int, number: int) -> Drawn:
    """Six to ten variables, and as many plain constraints, some of them in another position."""
    rng = random.Random(f"hunt/large/{seed}/{number}")
    domains = [*_large_domains(rng), (0, 1)]
    drawer, b = PlainDrawer(rng, domains[:-1]), len(domains) - 1
    constraints = []
    for _ in range(rng.randint(3, 8)):
        drawn = draw_constraint(rng, rng.choice(VOCABULARY), drawer)
        other = draw_constraint(rng, Linear, drawer)
        position = rng.choice(("root", "root", "root", *CONTEXTS))
        constraints.append(CONTEXTS[position](drawn, b, other))
    structure = structure_over(domains, constraints)
    if rng.random() < 0.6:
        terms = tuple(rng.sample(range(b), rng.randint(2, b)))
        factors = tuple(rng.randint(-4, 4) for _ in terms)
        objective = Objective(rng.choice(("minimize", "maximize")), Sum(terms, factors))
        structure = replace(structure, objective=objective)
    return Drawn(structure.problem(), "large")


def _large_domains(rng: random.Random) -> Iterator[tuple[int, ...]]:
    for _ in range(rng.randint(6, 10)):
        size, start = rng.randint(3, 6), rng.choice((0, 0, 1, 1, -2))
        yield tuple(sorted(rng.sample(range(start, start + size + 2), size)))


SOURCES: tuple[Callable[[int, int], Drawn], ...] = (
    _draw_mixed,
    _draw_plain,
    _draw_position,
    _draw_root,
    _draw_mixed,
    _draw_plain,
    _draw_position,
    _draw_large,
)
"""What is drawn in turn."""
