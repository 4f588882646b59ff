"""Which times can be trusted: answers that were kept, and clocks that were tampered with.

Only what the times of many instances show together is found, and nobody loses an answer by it: of a
backend that keeps answers only first times count, of one that hides time another clock does.

Words
-----
first sight  the first time that a backend is asked about an instance, in the order of execution.
             Each repeat runs in a worker that has not seen its instance, so the times of repeats
             should be alike; where the later ones are shorter, answers are kept somewhere
gain         what later sights take over the first: the geometric mean over the instances of the
             ratio of the median of the later times to the first one. 0.1 is ten times faster
shared gain  what all backends gain alike, since the machine was slow at first, say: that of the
             other backend that gains least, and never more than 1. One that keeps answers cannot
             excuse another
unseen       from sending a job to reading its answer by the supervisor's clock, less the time that
             the worker told, where the backend lives: the way there and back, checking the answer
hidden       what a backend leaves unseen beyond what the others do: the median over the instances
             of its own unseen time less the median of those of the known families there
noise        how far the known families lie apart in what they leave unseen, or what they stay below
             on nine instances of ten, if more: on a busy machine that is far above their median

A gain is systematic if it is beyond ``MOST_GAIN`` of the shared one *and* the first sight is the
longest of all more often than chance would have it: if times are alike, the first of k is on one
instance of k. Honest backends show little gain: the first job of each worker is slower, but falls
upon another instance in each round, and what is compiled and kept at the first start of all is paid
for in warm-ups or while the backend is loaded.

A backend hides time if it hides more than it tells, more than noise explains, and on more instances
than chance would have it. Only backends of no known family are suspected: those that ship keep
their hands off the clock. One that hides less is not found: that is what a process of one's own
costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

from backends.interface.registry import known_family
from harness.statistics import RESOLUTION, binomial_tail, geometric_mean

MOST_GAIN = 0.7
"""Later sights that take a smaller part of the first one are suspicious."""

CHANCE = 0.05
"""Both suspicions need what would come about by chance no more often than this."""


@dataclass(frozen=True)
class Gain:
    """What a backend gains by later sights.

    ``longest`` of ``instances`` took longest at first sight; ``chance`` is the probability of so
    many if times are alike, ``shared`` what all gain.
    """

    ratio: float
    shared: float
    instances: int
    longest: int
    chance: float

    @property
    def is_systematic(self) -> bool:
        """Whether only first sights should count."""
        return self.ratio < MOST_GAIN * self.shared and self.chance <= CHANCE


def find_gains(times: Mapping[str, Sequence[Sequence[float]]]) -> dict[str, Gain]:
    """The gain of each backend that was asked about an instance more than once.

    ``times`` has for each backend and instance the seconds of its repeats, in their order.
    """
    repeated = {
        name: instances
        for name, every in times.items()
        if (instances := [seconds for seconds in every if len(seconds) > 1])
    }
    ratios = {
        name: geometric_mean(
            [max(median(later), RESOLUTION) / max(first, RESOLUTION) for first, *later in instances]
        )
        for name, instances in repeated.items()
    }
    found = {}
    for name, instances in repeated.items():
        others = [ratio for other, ratio in ratios.items() if other != name]
        shared = min(1.0, max(others, default=1.0))
        longest = sum(seconds[0] > max(seconds[1:]) for seconds in instances)
        # Where some have fewer repeats than others, as if all had as few.
        chance = binomial_tail(longest, len(instances), 1 / min(map(len, instances)))
        found[name] = Gain(ratios[name], shared, len(instances), longest, chance)
    return found


@dataclass(frozen=True)
class Hidden:
    """What a backend hides: seconds a job, beside those that it tells."""

    hidden_s: float
    told_s: float
    instances: int


def find_hidden_time(jobs: pd.DataFrame, keys: list[str]) -> dict[str, Hidden]:
    """The suspicious backends among ``jobs``, all solved and timed; ``keys`` name an instance."""
    known = {name: known_family(name) is not None for name in map(str, jobs["backend"].unique())}
    if all(known.values()) or not any(known.values()):
        return {}
    seen = jobs[jobs["elapsed_s"] > 0]
    backends = seen["backend"].astype(str)
    unseen = (seen["elapsed_s"] - seen["wall_s"]).groupby(
        [*(seen[key] for key in keys), backends], observed=True
    )
    table: Any = unseen.median().unstack()
    told = seen["wall_s"].groupby(backends).median()
    others = table[[name for name in table.columns if known[name]]]
    usual, medians = others.median(axis=1), others.median()
    noise = max(medians.max() - medians.min(), others.stack().quantile(0.9))
    found = {}
    for name in table.columns:
        beyond = (table[name] - usual).dropna().to_numpy()
        if known[name] or not len(beyond):
            continue
        one = Hidden(float(np.median(beyond)), float(told[name]), len(beyond))
        chance = binomial_tail(int((beyond > 0).sum()), len(beyond), 0.5)  # a sign test
        if chance <= CHANCE and one.hidden_s > max(one.told_s, noise):
            found[name] = one
    return found
