"""Advice without running anything: what was fast on the measured instances that look most alike.

The features of an instance are compared with those of measured ones (``data/examples.json``), each
divided by its spread, and the nearest ones vote: a candidate's *factor* is the geometric mean of
how many times as long as the best one it took on them. That is a guess, so ``validate`` measures
how good such guesses are, with the whole family of an instance held back: what one asks about is of
a family that was not measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec
import numpy as np

from harness.statistics import Floats, geometric_mean

NEIGHBOURS = 5
"""Measured instances that are compared with; of fewer one alone decides."""

WITHIN = 1.5
"""A candidate that takes at most this many times as long as the virtual best is a good choice."""

DATA = "examples.json"


class Example(msgspec.Struct, frozen=True):
    """A measured instance: its features, and the seconds (PAR-2) of each candidate."""

    family: str
    instance: str
    features: tuple[float, ...]
    seconds: dict[str, float]


class Examples(msgspec.Struct, frozen=True):
    """The measured instances; ``about`` says how and where, ``features`` names the columns."""

    about: str
    features: tuple[str, ...]
    examples: tuple[Example, ...]


class Ranked(NamedTuple):
    """A candidate, and how many times as long as the best one it took on the nearest instances."""

    name: str
    factor: float


class Guess(NamedTuple):
    """The candidates, the best first, and the nearest instances with their distances."""

    ranking: tuple[Ranked, ...]
    nearest: tuple[tuple[Example, float], ...]


class Validation(NamedTuple):
    """How good advice is about families that it has no data of.

    ``factors`` has for each family how many times as long as the virtual best the solvers took that
    were advised, summed over its instances; ``single`` the same of the one candidate that is best
    over all families, ``best``.
    """

    factors: Mapping[str, float]
    best: str
    single: Mapping[str, float]

    @property
    def good(self) -> int:
        """Families in which advice was within ``WITHIN`` of the virtual best."""
        return count_good(self.factors)


def count_good(factors: Mapping[str, float]) -> int:
    """How many factors are at most ``WITHIN``."""
    return sum(factor <= WITHIN for factor in factors.values())


@cache
def load_examples() -> Examples:
    """The measured instances that ship."""
    text = resources.files("harness.advise").joinpath("data", DATA).read_bytes()
    return msgspec.json.decode(text, type=Examples)


def guess(
    features: Sequence[float], examples: Sequence[Example], candidates: Sequence[str]
) -> Guess:
    """The candidates by what they took on the examples nearest to ``features``.

    A candidate that was not measured is left out. Equal factors keep the order of ``candidates``.
    """
    table = np.array([one.features for one in examples])
    spread = table.std(axis=0)
    scaled = (table - np.array(features)) / np.where(spread > 0, spread, 1.0)
    distances = np.sqrt((scaled**2).mean(axis=1))
    near = np.argsort(distances, kind="stable")[:NEIGHBOURS]
    chosen = [examples[place] for place in near]
    names = [name for name in candidates if all(name in one.seconds for one in chosen)]
    factors = _divide(chosen, names)
    ranking = [Ranked(name, geometric_mean(factors[:, at])) for at, name in enumerate(names)]
    return Guess(
        tuple(sorted(ranking, key=lambda one: one.factor)),
        tuple((examples[place], float(distances[place])) for place in near),
    )


def _divide(examples: Sequence[Example], names: Sequence[str]) -> Floats:
    """How many times as long as the best of them each took: a row an example."""
    seconds = np.array([[one.seconds[name] for name in names] for one in examples])
    return np.asarray(seconds / seconds.min(axis=1, keepdims=True)) if len(names) else seconds


def join_guesses(guesses: Sequence[Guess]) -> tuple[Ranked, ...]:
    """The candidates by the geometric mean of their factors over several instances."""
    factors: dict[str, list[float]] = {}
    for one in guesses:
        for name, factor in one.ranking:
            factors.setdefault(name, []).append(factor)
    whole = {name: found for name, found in factors.items() if len(found) == len(guesses)}
    ranking = [Ranked(name, geometric_mean(found)) for name, found in whole.items()]
    return tuple(sorted(ranking, key=lambda one: one.factor))


def validate(examples: Sequence[Example], candidates: Sequence[str]) -> Validation:
    """How good advice is about each family if its examples are held back."""
    names = [name for name in candidates if all(name in one.seconds for one in examples)]
    families = list(dict.fromkeys(one.family for one in examples))
    factors: dict[str, float] = {}
    for family in families:
        own = [one for one in examples if one.family == family]
        others = [one for one in examples if one.family != family]
        advised = join_guesses([guess(one.features, others, names) for one in own])[0].name
        factors[family] = measure_factor(own, advised, names)
    every = {name: geometric_mean(_divide(examples, names)[:, at]) for at, name in enumerate(names)}
    best = min(names, key=lambda name: every[name])
    single = {
        family: measure_factor([one for one in examples if one.family == family], best, names)
        for family in families
    }
    return Validation(factors, best, single)


def measure_factor(examples: Sequence[Example], name: str, candidates: Sequence[str]) -> float:
    """How many times as long as the virtual best a candidate took, summed over the examples."""
    best = sum(min(one.seconds[other] for other in candidates) for one in examples)
    return sum(one.seconds[name] for one in examples) / best
