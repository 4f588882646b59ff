"""The times and qualities of all backends on all instances, as arrays.

Backends that are disqualified are left out, and instances that some backend was not asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from harness.record import REFUSALS
from harness.report.standings import INSTANCE, KIND, TRIED, Standings, weigh_kinds
from modelling.errors import InputError

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Grid:
    """What each backend did on each instance; arrays of shape (instances, backends).

    ``backends``
        their names, in the order of the summary
    ``instances``
        their sets, questions and names
    ``families``
        for each instance the number of its set and question
    ``seconds``
        the median of the repeats; nan where it is not solved
    ``limits``
        seconds; inf where there is none
    ``solved``
        verified or unwitnessed
    ``refused``
        the backend declined it or cannot express it, so that it used no time
    ``quality``
        of searches for an optimum the objective of the best solution, negated where it is
        minimised, so that more is better; nan without a solution, and where no optimum is asked
    ``weights``
        for each instance its part in a mean of times, 1 on the mean, such that all kinds weigh
        alike, as in the summary
    """

    backends: list[str]
    instances: pd.MultiIndex
    families: npt.NDArray[Any]
    seconds: Floats
    limits: Floats
    solved: Bools
    refused: Bools
    quality: Floats
    weights: Floats

    @property
    def used(self) -> Floats:
        """The seconds used: those of the answer, or all until the limit."""
        return np.where(self.solved, self.seconds, self.limits)

    def choose(self, places: npt.NDArray[Any]) -> Grid:
        """The same of some instances, by their places, in which one may come several times."""
        names = ("instances", "families", "seconds", "limits", "solved", "refused", "quality")
        chosen = {name: getattr(self, name)[places] for name in (*names, "weights")}
        return replace(self, **chosen)

    def shorten(self, part: float) -> Grid:
        """As it would be with this part of each limit: what took longer is not solved."""
        limits = self.limits * part
        solved = self.solved & (np.nan_to_num(self.seconds) <= limits)
        seconds = np.where(solved, self.seconds, np.nan)
        return replace(self, seconds=seconds, limits=limits, solved=solved)


def make_grid(standings: Standings, optima: pd.DataFrame, order: Sequence[str] = ()) -> Grid:
    """The grid of a run; ``optima`` is ``run.optima``, ``order`` that of its summary.

    Raises InputError where there are instances, and none that every backend was asked about.
    """
    per = standings.instances.assign(quality=np.nan)
    if len(optima):
        per["quality"] = _find_qualities(standings.jobs, optima)
    per = per[~per["disqualified"]]
    keys = {name: per[name].astype(str) for name in TRIED}
    per = per.assign(**keys, limit_s=per["limit_s"].fillna(np.inf))
    per["refused"] = per["fate"].isin(REFUSALS)
    wide: pd.DataFrame = per.pivot_table(
        index=INSTANCE,
        columns="backend",
        values=["wall_s", "limit_s", "solved", "refused", "quality"],
        aggfunc="first",
        dropna=False,
        observed=True,
        sort=False,
    ) if len(per) else pd.DataFrame()  # fmt: skip
    named = list(dict.fromkeys(per["backend"]))
    backends = sorted(named, key=lambda name: order.index(name) if name in order else len(order))
    if not len(wide):
        none: Floats = np.empty((0, len(backends)))
        no: Bools = none.astype(bool)
        index = pd.MultiIndex.from_arrays([[], [], []], names=INSTANCE)
        return Grid(backends, index, np.empty(0, dtype=int), none, none, no, no, none, np.empty(0))
    asked = np.flatnonzero(wide["solved"][backends].notna().to_numpy().all(axis=1))
    if not len(asked):
        raise InputError(
            "no instance was asked of every backend, so that statistics have nothing to compare: "
            "ask all backends for the same sets, in one experiment"
        )
    wide = wide.iloc[asked]
    kinds = per.drop_duplicates(INSTANCE).set_index(INSTANCE)[[KIND]]
    solved = wide["solved"][backends].to_numpy(dtype=bool)
    seconds = wide["wall_s"][backends].to_numpy(dtype=float)
    return Grid(
        backends=backends,
        instances=pd.MultiIndex.from_tuples(list(wide.index), names=INSTANCE),
        families=wide.groupby(level=INSTANCE[:2], sort=False).ngroup().to_numpy(),
        seconds=np.where(solved, seconds, np.nan),
        limits=wide["limit_s"][backends].to_numpy(dtype=float),
        solved=solved,
        refused=wide["refused"][backends].to_numpy(dtype=bool),
        quality=wide["quality"][backends].to_numpy(dtype=float),
        weights=weigh_kinds(kinds.loc[wide.index].reset_index()),
    )


def _find_qualities(jobs: pd.DataFrame, optima: pd.DataFrame) -> Floats:
    """The quality of each row of ``Standings.instances``: that of the worst repeat."""
    known = optima.set_index("job")
    signs = known["sense"].map({"maximize": 1.0, "minimize": -1.0}).astype(float)
    shown = known["objective"].where(known["proven"] | known["unproven"])
    by_job = jobs["job"].map(pd.to_numeric(shown, errors="coerce") * signs).astype(float)
    worst = by_job.fillna(-np.inf).groupby(jobs["tried"], observed=False).min().to_numpy()
    return np.where(np.isinf(worst), np.nan, worst)
