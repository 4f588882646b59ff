"""Problems made of real instances: constraints dropped and doubled, constants nudged, variables
merged, domains cut.

The instances are those of sets, files and folders that the user names. A draw depends on the seed
and the number alone, so every solver is asked about the same problem, and answers can be compared.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from harness.hunting.fuzzing.drawing.mutations import OF_INSTANCES, mutate
from harness.hunting.fuzzing.drawing.problems import Drawn, draw
from modelling.errors import InputError, InstanceError, ModelError
from modelling.problem import Problem
from puzzles.family import Instance, family
from puzzles.sets import instances

MOST_INSTANCES = 200
"""Instances that are taken of each set, file or folder."""

MOST_CONSTRAINTS = 2_000
"""An instance with more is left out: asking about it takes too long."""

EVERY = 3
"""Every third draw is made of an instance, where there are any."""


@dataclass(frozen=True)
class Draws:
    """What is drawn for all solvers alike; ``places`` are sets, files or folders."""

    seed: int
    places: tuple[str, ...] = ()

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The instances as problems; those that are damaged or large are left out.

        Raises InputError for a place that is not there, or where nothing is left.
        """
        found = tuple(problem for place in self.places for problem in _read(place))
        if self.places and not found:
            raise InputError(
                f"{', '.join(self.places)}: no instance has at most "
                f"{MOST_CONSTRAINTS:,} constraints; name another set, file or folder"
            )
        return found

    def draw(self, number: int) -> Drawn:
        """The problem of this number."""
        if not self.problems or number % EVERY:
            return draw(self.seed, number)
        rng = random.Random(f"hunt/instances/{self.seed}/{number}")
        problem, other = (rng.choice(self.problems) for _ in range(2))
        made = mutate(rng, problem, other, OF_INSTANCES)
        return Drawn(made, "an instance, changed", f"{self.seed}/{number}")


def _read(place: str) -> Iterator[Problem]:
    if place == "-":
        raise InputError("-: a hunt reads instances more than once; name a set, file or folder")
    for one in islice(instances(place), MOST_INSTANCES):
        if isinstance(one, InstanceError):
            continue
        try:
            problem = _state(one)
        except (InstanceError, ModelError):
            continue
        if len(problem.structure.constraints) <= MOST_CONSTRAINTS:
            yield problem


def _state(one: Instance) -> Problem:
    return family(one.family).problem(one.text)
