"""The times and qualities of all backends on all instances, as arrays.

Backends that are disqualified are left out, and instances that some backend was not asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from harness.report.optima import merge_repeats
from harness.report.standings import INSTANCE, TRIED, Standings

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Grid:
    """What each backend did on each instance; arrays of shape (instances, backends).

    ``backends``   their names, in the order of the summary
    ``instances``  their sets, questions and names
    ``families``   for each instance the number of its set and question
    ``seconds``    the median of the repeats; nan where it is not solved
    ``limits``     seconds; inf where there is none
    ``solved``     verified or unwitnessed
    ``quality``    of searches for an optimum the objective of the best solution, negated where it
                   is minimised, so that more is better; nan without a solution, 0 elsewhere
    """

    backends: list[str]
    instances: pd.MultiIndex
    families: npt.NDArray[Any]
    seconds: Floats
    limits: Floats
    solved: Bools
    quality: Floats

    @property
    def used(self) -> Floats:
        """The seconds used: those of the answer, or all until the limit."""
        return np.where(self.solved, self.seconds, self.limits)

    def choose(self, places: npt.NDArray[Any]) -> Grid:
        """The same of some instances, by their places, in which one may come several times."""
        arrays = (self.seconds, self.limits, self.solved, self.quality)
        return Grid(
            self.backends,
            self.instances[places],
            self.families[places],
            *(array[places] for array in arrays),
        )

    def shorten(self, part: float) -> Grid:
        """As it would be with this part of each limit: what took longer is not solved."""
        limits = self.limits * part
        solved = self.solved & (np.nan_to_num(self.seconds) <= limits)
        seconds = np.where(solved, self.seconds, np.nan)
        return Grid(
            self.backends, self.instances, self.families, seconds, limits, solved, self.quality
        )


def make_grid(standings: Standings, optima: pd.DataFrame | None = None) -> Grid:
    """The grid of a run; ``optima`` is ``run.optima``."""
    per = standings.instances[~standings.instances["disqualified"]]
    keys = {name: per[name].astype(str) for name in TRIED}
    per = per.assign(**keys, limit_s=per["limit_s"].fillna(np.inf), quality=0.0)
    if optima is not None and len(optima):
        per["quality"] = _find_qualities(per, optima)
    wide = per.pivot_table(
        index=INSTANCE,
        columns="backend",
        values=["wall_s", "limit_s", "solved", "quality"],
        aggfunc="first",
        dropna=False,
        observed=True,
        sort=False,
    ) if len(per) else pd.DataFrame()  # fmt: skip
    backends = list(dict.fromkeys(per["backend"]))
    if not len(wide):
        none = np.empty((0, len(backends)))
        index = pd.MultiIndex.from_arrays([[], [], []], names=INSTANCE)
        return Grid(backends, index, np.empty(0, dtype=int), none, none, none.astype(bool), none)
    asked = wide["solved"][backends].notna().all(axis=1)
    wide = wide[asked]
    solved = wide["solved"][backends].to_numpy(dtype=bool)
    seconds = wide["wall_s"][backends].to_numpy(dtype=float)
    return Grid(
        backends=backends,
        instances=wide.index,
        families=wide.groupby(level=INSTANCE[:2], sort=False).ngroup().to_numpy(),
        seconds=np.where(solved, seconds, np.nan),
        limits=wide["limit_s"][backends].to_numpy(dtype=float),
        solved=solved,
        quality=wide["quality"][backends].to_numpy(dtype=float),
    )


def _find_qualities(per: pd.DataFrame, optima: pd.DataFrame) -> Any:
    """The quality of each row of ``per``; see ``Grid``."""
    merged = merge_repeats(optima)
    signs = merged["sense"].map({"maximize": 1.0, "minimize": -1.0}).fillna(1.0)
    shown = merged["objective"].where(merged["proven"] | merged["unproven"])
    values = pd.to_numeric(shown, errors="coerce") * signs
    by_key = dict(zip(map(tuple, merged[TRIED].astype(str).to_numpy()), values, strict=True))
    return [by_key.get(key, 0.0) for key in map(tuple, per[TRIED].to_numpy())]
