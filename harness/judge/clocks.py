"""Whether the times that a backend tells are those that passed by the supervisor's clock.

A job's time is taken in the worker, where the backend lives: one that tampers with that clock tells
what it likes. The supervisor sees when a job was sent and when its answer came. What lies between
both beyond the time that was told (the way there and back, checking the answer) is about the same
for all backends; where much more lies there, the time was spent on the job.

Words
-----
unseen      from sending a job to reading its answer, less the time that was told
hidden      what a backend leaves unseen beyond what the others do: the median over the instances of
            its own unseen time less the median of those of the known families there
suspicious  what hides more than it tells, more than noise can explain, and on more instances than
            chance would have it
noise       how far the known families lie apart in what they leave unseen, or all of it, if that is
            more

Only backends of no known family are suspected: those that ship keep their hands off the clock. What
is suspicious is counted by the supervisor's clock. A backend that hides less than it tells, or less
than the noise of the way there and back, is not found: that is what a process of one's own costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from backends.interface.registry import known_family
from harness.statistics import binomial_tail

CHANCE = 0.05
"""If nothing is hidden, it lies above the others' as often as below, at the most."""


@dataclass(frozen=True)
class Hidden:
    """What a backend hides: seconds a job, beside those that it tells."""

    hidden_s: float
    told_s: float
    instances: int


def hidden(jobs: pd.DataFrame, keys: list[str]) -> dict[str, Hidden]:
    """The suspicious backends among ``jobs``, all solved and timed; ``keys`` name an instance."""
    known = {name: known_family(name) is not None for name in map(str, jobs["backend"].unique())}
    if all(known.values()) or not any(known.values()):
        return {}
    seen = jobs[jobs["elapsed_s"] > 0]
    unseen = (seen["elapsed_s"] - seen["wall_s"]).groupby(
        [*(seen[key] for key in keys), seen["backend"].astype(str)], observed=True
    )
    table: Any = unseen.median().unstack()
    told = seen.groupby(seen["backend"].astype(str))["wall_s"].median()
    others = table[[name for name in table.columns if known[name]]]
    usual, medians = others.median(axis=1), others.median()
    noise = max(medians.max() - medians.min(), medians.median())
    found = {}
    for name in table.columns:
        beyond = (table[name] - usual).dropna().to_numpy()
        if not known[name] and len(beyond) and _is_systematic(beyond):
            one = Hidden(float(np.median(beyond)), float(told[name]), len(beyond))
            if one.hidden_s > max(one.told_s, noise):
                found[name] = one
    return found


def _is_systematic(beyond: Any) -> bool:
    """Whether so many are above nothing that it is no chance: a sign test."""
    return binomial_tail(int((beyond > 0).sum()), len(beyond), 0.5) <= CHANCE
