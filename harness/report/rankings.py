"""The ranking of the backends as DataFrames: ``timing`` by set and question, ``summary`` over all.

Words
-----
wins        instances on which the backend is as fast as the virtual best solver
sets_won    sets (and questions) that it solved whole, and on which it is ranked first: it is the
            fastest of those that solved them whole
relative    geometric mean of the ratios to the virtual best solver, blank with a note where
            instances were left unsolved
to_first    geometric mean of the ratios to the backend ranked first, over the instances that both
            solved

The time of an instance is the median over its repeats. ``harness.report.standings`` says when an
instance is solved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from harness import statistics
from harness.report import columns, standings
from harness.report.standings import INSTANCE, QUESTION, SOLVED
from harness.report.tables import reasons

_PHASES = ["model_s", "encode_s", "load_s", "solve_s"]

Rows = list[dict[str, Any]]


def timing(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a set, question and backend, in the order of ranking (see ``rank``).

    Times are over the solved instances: the median and the quarters about it, the mean, the 95th
    percentile, the longest, the sum; ``spread`` is how far the repeats of an instance lie apart,
    nan without repeats; ``model_s``, ``encode_s``, ``load_s`` and ``solve_s`` are means of the
    phases. ``par2_s`` is over all instances. ``relative`` is the geometric mean of the ratios to
    the virtual best solver: 2 is twice as long.
    """
    phases, spreads = _mean_phases(jobs), _spreads(jobs)
    found: Rows = []
    for (name, ask), ranked in _rank_by_question(standings.per_instance(jobs)):
        for row in ranked:
            key = name, ask, row["backend"]
            found.append(
                {"set": name, "ask": ask, **row, "spread": spreads.get(key, np.nan), **phases[key]}
            )
    return pd.DataFrame(found, columns=list(columns.TIMING))


def summary(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a backend over all sets and questions, in the order of ranking."""
    per = standings.per_instance(jobs)
    why = reasons(jobs).groupby("backend")["reason"].first()
    parts = {str(name): part for name, part in per.groupby("backend", observed=True)}
    won = _count_sets_won(per)
    rows = rank([_figures(name, part) for name, part in parts.items()])
    for row in rows:
        name = row["backend"]
        row |= {
            "reason": why.get(name, ""),
            "sets": len(parts[name].groupby(QUESTION, observed=True)),
            "sets_won": won[name],
            **_interval_to_best(row, parts[name]),
            **_ratio_to_first(parts[name], parts[rows[0]["backend"]]),
        }
    return pd.DataFrame(rows, columns=list(columns.SUMMARY))


def rank(rows: Rows) -> Rows:
    """The rows in order: not disqualified, most verified, most unwitnessed, least PAR-2.

    Equal ones have the same ``rank`` and stand in the order of their names.
    """

    def key(row: dict[str, Any]) -> tuple[bool, int, int, float]:
        return row["disqualified"], -row["verified"], -row["unwitnessed"], row["par2_s"]

    ordered = sorted(rows, key=lambda row: (key(row), row["backend"]))
    keys = [key(row) for row in ordered]
    return [{**row, "rank": 1 + keys.index(key(row))} for row in ordered]


def _rank_by_question(per: pd.DataFrame) -> Iterator[tuple[tuple[str, str], Rows]]:
    """Each set and question with the figures of the backends on it, in the order of ranking."""
    for (name, ask), group in per.groupby(QUESTION, observed=True):  # type: ignore[misc]
        parts = group.groupby("backend", observed=True)
        yield (str(name), str(ask)), rank([_figures(str(b), part) for b, part in parts])


def _figures(backend: str, part: pd.DataFrame) -> dict[str, Any]:
    """The figures of a backend on the instances in ``part``, rows of ``standings.per_instance``."""
    solved = part["solved"]
    seconds = part["wall_s"][solved].to_numpy()
    limits = part["limit_s"][~solved].fillna(np.inf).to_numpy()
    ratios = _ratios_to_best(part)
    numbers = standings.counts(part["fate"])
    disqualified = bool(part["disqualified"].any())
    note = _why_not_relative(numbers, disqualified)
    spots = ("p25_s", "median_s", "p75_s", "p95_s", "max_s")
    return {
        "backend": backend,
        "disqualified": disqualified,
        **numbers,
        "wins": 0 if disqualified else int((ratios == 1).sum()),
        **dict(zip(spots, statistics.percentiles(seconds, 25, 50, 75, 95, 100), strict=True)),
        "mean_s": statistics.mean(seconds),
        "total_s": float(seconds.sum()),
        "par2_s": statistics.par(seconds, limits),
        "relative": np.nan if note else statistics.geometric_mean(ratios),
        "relative_note": note,
    }


def _ratios_to_best(part: pd.DataFrame) -> Any:
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


# --- beside the other backends -------------------------------------------------------------------


def _count_sets_won(per: pd.DataFrame) -> Counter[str]:
    """On how many sets each backend is first, having solved all of them; ties count for each."""
    return Counter(
        row["backend"]
        for _, ranked in _rank_by_question(per)
        for row in ranked
        if row["rank"] == 1 and row["solved"] == row["instances"] and not row["disqualified"]
    )


def _interval_to_best(row: dict[str, Any], part: pd.DataFrame) -> dict[str, float]:
    low, high = np.nan, np.nan
    if not row["relative_note"]:
        low, high = statistics.interval(_ratios_to_best(part), _strata(part[part["solved"]]))
    return {"relative_low": low, "relative_high": high}


def _ratio_to_first(own: pd.DataFrame, first: pd.DataFrame) -> dict[str, float]:
    """Over the instances that both solved, how many times as long as the first one."""
    names = [*INSTANCE, "wall_s"]
    pairs = own.loc[own["solved"], names].merge(
        first.loc[first["solved"], names], on=INSTANCE, suffixes=("", "_first")
    )
    ratios = statistics.ratios(pairs["wall_s"].to_numpy(), pairs["wall_s_first"].to_numpy())
    low, high = statistics.interval(ratios, _strata(pairs))
    mean = statistics.geometric_mean(ratios)
    return {"both": len(ratios), "to_first": mean, "to_first_low": low, "to_first_high": high}


def _strata(part: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(part["set"].astype(str), part["ask"].astype(str), strict=True))


# --- by set, question and backend ----------------------------------------------------------------


def _spreads(jobs: pd.DataFrame) -> dict[Any, float]:
    """How far the repeats lie apart, by set, question and backend; empty without repeats.

    For each instance the median of how many times its repeats are above or below their own median,
    whichever it is; and the median of that over the instances that were repeated.
    """
    jobs, names = standings.timed(jobs), [*QUESTION, "backend", "instance"]
    if not jobs.duplicated(names).any():
        return {}
    counted = standings.is_solved(jobs) & standings.is_counted(jobs)
    seconds = standings.seconds(jobs)[counted].clip(lower=statistics.RESOLUTION)
    keys = [jobs.loc[counted, name] for name in names]
    repeats = seconds.groupby(keys, observed=True)
    factor = seconds / repeats.transform("median")
    apart = factor.where(factor >= 1, 1 / factor).where(repeats.transform("size") > 1)
    typical = apart.groupby(keys, observed=True).median()
    return _by_text(typical.groupby(level=[0, 1, 2], observed=True).median().to_dict())


def _mean_phases(jobs: pd.DataFrame) -> dict[Any, dict[str, float]]:
    """Mean seconds over the jobs of solved instances, by set, question and backend."""
    jobs = standings.timed(jobs)
    solved = standings.is_solved(jobs)
    keys = [jobs[name] for name in INSTANCE]
    all_solved = solved.groupby([*keys, jobs["backend"]], observed=True).transform("all")
    all_solved &= standings.is_counted(jobs)
    groups = [jobs[name] for name in (*QUESTION, "backend")]
    means = pd.DataFrame(
        {  # one after the other: a million jobs have many of them
            phase: jobs[phase].where(all_solved).groupby(groups, observed=True).mean()
            for phase in _PHASES
        }
    )
    return _by_text(means.to_dict("index"))


def _by_text(found: dict[Any, Any]) -> dict[Any, Any]:
    return {tuple(map(str, key)): value for key, value in found.items()}
