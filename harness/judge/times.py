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
             the worker reports, which runs the backend: the way there and back, checking the answer
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
than chance would have it; and if on any instance it hides more than it tells, than ``LEAST_HIDDEN``
and than noise explains, however few the instances. Where no known family takes part, the one that
leaves least unseen on an instance is what the others are compared with. Only backends of no known
family are suspected: those that ship keep their hands off the clock. One that hides less is not
found: that is what a process of one's own costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from backends.interface.registry import known_family
from harness.statistics import Floats, binomial_tail, geometric_mean, ratios

MOST_GAIN = 0.7
"""Later sights that take a smaller part of the first one are suspicious."""

LEAST_HIDDEN = 0.01
"""Seconds unseen on one instance from which on chance is not asked."""

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


@dataclass(frozen=True)
class _Sights:
    """The later sights of one backend: the mean ratio of later sights to the first, the number of
    instances, how many of these took longest at first, and the fewest repeats of one."""

    ratio: float
    instances: int
    longest: int
    repeats: int


def find_gains(times: Mapping[str, Iterable[ArrayLike]]) -> dict[str, Gain]:
    """The gain of each backend that was asked about an instance more than once.

    ``times`` has for each backend and instance the seconds of its repeats, in their order; or
    arrays with a row for each of the instances that have as many repeats.
    """
    sights = {name: one for name, every in times.items() if (one := _compare_sights(every))}
    found = {}
    for name, one in sights.items():
        shared = min(1.0, max((s.ratio for n, s in sights.items() if n != name), default=1.0))
        # Where some have fewer repeats than others, as if all had as few.
        chance = binomial_tail(one.longest, one.instances, 1 / one.repeats)
        found[name] = Gain(one.ratio, shared, one.instances, one.longest, chance)
    return found


def _compare_sights(every: Iterable[ArrayLike]) -> _Sights | None:
    """None where no instance has a second sight."""
    found, longest, repeats = [], 0, 0
    for seconds in every:
        block = np.atleast_2d(np.asarray(seconds, dtype=float))
        if block.shape[1] > 1:
            first, later = block[:, 0], block[:, 1:]
            found.append(ratios(np.median(later, axis=1), first))
            longest += int((first > later.max(axis=1)).sum())
            repeats = min(repeats or block.shape[1], block.shape[1])
    if not found:
        return None
    every_ratio = np.concatenate(found)
    return _Sights(geometric_mean(every_ratio), len(every_ratio), longest, repeats)


@dataclass(frozen=True)
class HiddenTime:
    """What a backend hides: seconds a job, beside those that it tells."""

    hidden_s: float
    told_s: float
    instances: int


def find_hidden_time(
    jobs: pd.DataFrame, keys: list[str], names: Mapping[str, str] = {}
) -> dict[str, HiddenTime]:
    """The suspicious backends among ``jobs``, all solved and timed; ``keys`` name an instance, and
    ``names`` has the names of backends by their short ones."""
    called = map(str, jobs["backend"].unique())
    known = {name: known_family(names.get(name, name)) is not None for name in called}
    if all(known.values()):
        return {}
    seen = jobs[jobs["elapsed_s"] > 0]
    backends = seen["backend"]
    unseen = (seen["elapsed_s"] - seen["wall_s"]).groupby(
        [*(seen[key] for key in keys), backends], observed=True
    )
    table: Any = unseen.median().unstack()
    told = seen["wall_s"].groupby([*(seen[key] for key in keys), backends], observed=True)
    times: Any = told.median().unstack()
    others = table[[name for name in table.columns if known[name]]]
    noise, usual = 0.0, table.min(axis=1)
    if len(others.columns):
        usual, medians = others.median(axis=1), others.median()
        noise = max(medians.max() - medians.min(), others.stack().quantile(0.9))
    found = {}
    for name in table.columns:
        beyond = (table[name] - usual).dropna()
        if not known[name] and len(beyond):
            one = _suspect(beyond.to_numpy(), times[name][beyond.index].to_numpy(), noise)
            if one is not None:
                found[name] = one
    return found


def _suspect(beyond: Floats, told: Floats, noise: float) -> HiddenTime | None:
    """What one backend hides, from what it leaves unseen and what it tells, by instance; None for
    nothing that is suspicious."""
    usual = HiddenTime(float(np.median(beyond)), float(np.median(told)), len(beyond))
    chance = binomial_tail(int((beyond > 0).sum()), len(beyond), 0.5)  # a sign test
    if chance <= CHANCE and usual.hidden_s > max(usual.told_s, noise):
        return usual
    most = np.maximum(np.maximum(told, LEAST_HIDDEN), noise)
    over = np.flatnonzero(beyond > most)
    if not len(over):
        return None
    worst = over[np.argmax(beyond[over])]
    return HiddenTime(float(beyond[worst]), float(told[worst]), len(over))
