"""How long each backend took on each set and question, as a pandas DataFrame.

The time of an instance is the median over its repeats. ``harness.report.standings`` says when an
instance is solved.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from harness.report import standings, statistics
from harness.report.standings import INSTANCE, QUESTION, SOLVED

_PHASES = ["model_s", "encode_s", "load_s", "solve_s"]

COLUMNS = [
    *QUESTION,
    "rank",
    "backend",
    *standings.COUNTS,
    "wins",
    *("median_s", "p25_s", "p75_s", "mean_s", "p95_s", "max_s", "total_s"),
    "spread",
    *_PHASES,
    "par2_s",
    "relative",
    "relative_note",
]


def timing(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a set, question and backend, in the order of ranking (see ``ranked``).

    Times are over the solved instances: the median and the quarters about it, the mean, the 95th
    percentile, the longest, the sum; ``spread`` is how far the repeats of an instance lie apart
    (``statistics.spread``), nan without repeats; ``model_s``, ``encode_s``, ``load_s`` and
    ``solve_s`` are means of the phases. ``par2_s`` is over all instances. ``relative`` is the
    geometric mean of the ratios to the virtual best solver: 2 is twice as long.
    """
    per = standings.per_instance(jobs)
    phases, spreads = _phases(jobs).to_dict("index"), _spreads(jobs)
    found: list[dict[str, Any]] = []
    for question, group in per.groupby(QUESTION, observed=True):
        name, ask = map(str, question)
        rows = [
            {
                **dict(zip(QUESTION, (name, ask), strict=True)),
                **figures(str(backend), part),
                "spread": spreads.get((name, ask, str(backend)), np.nan),
                **{str(phase): mean for phase, mean in phases[name, ask, str(backend)].items()},
            }
            for backend, part in group.groupby("backend", observed=True)
        ]
        found += ranked(rows)
    return pd.DataFrame(found, columns=COLUMNS)


def figures(backend: str, part: pd.DataFrame) -> dict[str, Any]:
    """The figures of a backend on the instances in ``part``, rows of ``standings.per_instance``."""
    solved = part["solved"]
    seconds = part["wall_s"][solved].to_numpy()
    limits = part["limit_s"][~solved].fillna(np.inf).to_numpy()
    ratios = ratios_to_best(part)
    numbers = standings.counts(part["fate"])
    disqualified = bool(part["disqualified"].any())
    note = _why_not_relative(numbers, disqualified)
    return {
        "backend": backend,
        "disqualified": disqualified,
        **numbers,
        "wins": 0 if disqualified else int((ratios == 1).sum()),
        "median_s": statistics.median(seconds),
        "p25_s": statistics.percentile(seconds, 25),
        "p75_s": statistics.percentile(seconds, 75),
        "mean_s": statistics.mean(seconds),
        "p95_s": statistics.percentile(seconds, 95),
        "max_s": statistics.percentile(seconds, 100),
        "total_s": float(seconds.sum()),
        "par2_s": statistics.par(seconds, limits),
        "relative": np.nan if note else statistics.geometric_mean(ratios),
        "relative_note": note,
    }


def ratios_to_best(part: pd.DataFrame) -> Any:
    """How many times as long as the virtual best solver, for each instance solved.

    Times below the resolution of the clock count as that resolution: they are all alike.
    """
    solved = part[part["solved"]]
    return statistics.ratios(solved["wall_s"].to_numpy(), solved["best_s"].to_numpy())


def _why_not_relative(numbers: dict[str, int], disqualified: bool) -> str:
    """Why a mean over the solved instances would flatter; empty where it would not."""
    if disqualified:
        return "disqualified"
    left = {fate: numbers[fate] for fate in standings.FATES if fate not in SOLVED and numbers[fate]}
    if len(left) == 1:
        ((fate, number),) = left.items()
        return f"{number} {fate}"
    return f"{sum(left.values())} unsolved" if left else ""


def key(row: dict[str, Any]) -> tuple[bool, int, int, float]:
    """What rows are ranked by, the least first."""
    return row["disqualified"], -row["verified"], -row["unwitnessed"], row["par2_s"]


def ranked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows in order: not disqualified, most verified, most unwitnessed, least PAR-2.

    Equal ones have the same ``rank`` and stand in the order of their names.
    """
    ordered = sorted(rows, key=lambda row: (key(row), row["backend"]))
    keys = [key(row) for row in ordered]
    return [{**row, "rank": 1 + keys.index(key(row))} for row in ordered]


def _spreads(jobs: pd.DataFrame) -> dict[tuple[str, str, str], float]:
    """How far the repeats lie apart, by set, question and backend; empty without repeats."""
    jobs = standings.timed(jobs)
    if not jobs.duplicated([*INSTANCE, "backend"]).any():
        return {}
    counted = standings.is_solved(jobs) & standings.is_counted(jobs)
    seconds = standings.seconds(jobs)[counted]
    keys = [jobs.loc[counted, name] for name in (*QUESTION, "backend", "instance")]
    repeats = seconds.groupby(keys, observed=True).agg(list)
    groups: Any = repeats.groupby(level=[0, 1, 2], observed=True)
    return {(str(s), str(a), str(b)): statistics.spread(part) for (s, a, b), part in groups}


def _phases(jobs: pd.DataFrame) -> pd.DataFrame:
    """Mean seconds over the jobs of solved instances, by set, question and backend."""
    jobs = standings.timed(jobs)
    solved = standings.is_solved(jobs)
    keys = [jobs[name] for name in INSTANCE]
    all_solved = solved.groupby([*keys, jobs["backend"]], observed=True).transform("all")
    all_solved &= standings.is_counted(jobs)
    groups = [jobs[name] for name in (*QUESTION, "backend")]
    return pd.DataFrame(
        {  # one after the other: a million jobs have many of them
            phase: jobs[phase].where(all_solved).groupby(groups, observed=True).mean()
            for phase in _PHASES
        }
    )
