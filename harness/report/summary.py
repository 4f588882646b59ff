"""The summary of a run over all sets: one row a backend, as a pandas DataFrame.

Words
-----
wins        instances on which the backend is as fast as the virtual best solver
sets_won    sets (and questions) that it solved whole, and on which it is ranked first: it is the
            fastest of those that solved them whole
relative    geometric mean of the ratios to the virtual best solver, blank with a note where
            instances were left unsolved
to_first    geometric mean of the ratios to the backend ranked first, over the instances that both
            solved
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from harness.report import standings, statistics
from harness.report.reasons import reasons
from harness.report.standings import INSTANCE, QUESTION
from harness.report.timing import figures, key, ranked, ratios_to_best

COLUMNS = [
    "rank",
    "backend",
    "disqualified",
    *standings.COUNTS,
    "reason",
    *("wins", "sets", "sets_won", "median_s", "par2_s"),
    *("relative", "relative_low", "relative_high", "relative_note"),
    *("both", "to_first", "to_first_low", "to_first_high"),
]


def summary(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a backend over all sets and questions, in the order of ranking."""
    per = standings.per_instance(jobs)
    why = reasons(jobs).groupby("backend")["reason"].first()
    parts = {str(name): part for name, part in per.groupby("backend", observed=True)}
    won = _sets_won(per)
    rows = ranked([figures(name, part) for name, part in parts.items()])
    for row in rows:
        name = row["backend"]
        row |= {
            "reason": why.get(name, ""),
            "sets": len(parts[name].groupby(QUESTION, observed=True)),
            "sets_won": won.get(name, 0),
            **_interval_to_best(row, parts[name]),
            **_to_first(parts[name], parts[rows[0]["backend"]]),
        }
    return pd.DataFrame(rows, columns=COLUMNS)


def _sets_won(per: pd.DataFrame) -> dict[str, int]:
    """On how many sets each backend is first, having solved all of them; ties count for each."""
    won: dict[str, int] = {}
    for _, group in per.groupby(QUESTION, observed=True):
        rows = [figures(str(name), part) for name, part in group.groupby("backend", observed=True)]
        least = min(map(key, rows))
        for row in rows:
            whole = row["solved"] == row["instances"]
            if key(row) == least and whole and not row["disqualified"]:
                won[row["backend"]] = won.get(row["backend"], 0) + 1
    return won


def _interval_to_best(row: dict[str, Any], part: pd.DataFrame) -> dict[str, float]:
    low, high = np.nan, np.nan
    if not row["relative_note"]:
        low, high = statistics.interval(ratios_to_best(part), _strata(part[part["solved"]]))
    return {"relative_low": low, "relative_high": high}


def _to_first(own: pd.DataFrame, first: pd.DataFrame) -> dict[str, float]:
    """Over the instances that both solved, how many times as long as the first one."""
    columns = [*INSTANCE, "wall_s"]
    pairs = own.loc[own["solved"], columns].merge(
        first.loc[first["solved"], columns], on=INSTANCE, suffixes=("", "_first")
    )
    ratios = statistics.ratios(pairs["wall_s"].to_numpy(), pairs["wall_s_first"].to_numpy())
    low, high = statistics.interval(ratios, _strata(pairs))
    mean = statistics.geometric_mean(ratios)
    return {"both": len(ratios), "to_first": mean, "to_first_low": low, "to_first_high": high}


def _strata(part: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(part["set"].astype(str), part["ask"].astype(str), strict=True))
