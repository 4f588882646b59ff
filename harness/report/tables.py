"""The tables of a run but for its jobs: who is ranked how, and what became of the questions.

The time of an instance is the median over its repeats. ``harness.report.standings`` says when an
instance is solved, and ``docs/columns.md`` what each column means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from harness import statistics
from harness.record import FAILED, FATES, SOLVED, UNPROVEN
from harness.report.jobs import shorten_reason
from harness.report.standings import (
    INSTANCE,
    KIND,
    QUESTION,
    Standings,
    count_fates,
    number_groups,
    weigh_kinds,
)
from harness.report.statistics.equality import find_chance
from harness.statistics import percentiles_of_all

Rows = list[dict[str, Any]]

MEASURED = [*QUESTION, "backend"]
"""What a row of the timing table is about."""

SPOTS = {"p25_s": 25, "median_s": 50, "p75_s": 75, "p95_s": 95, "max_s": 100}
"""Percentiles of the times of all instances."""

_PHASES = ["flatten_s", "model_s", "encode_s", "load_s", "solve_s", "file_to_answer_s"]
COUNTS = ("instances", "solved", *FATES, "failed")

SUMMARY = [
    *("rank", "backend", "disqualified", *COUNTS, "reason", "wins"),
    *("sets", "questions", "sets_won"),
    *("to_best_percent", "median_s", "par2_s"),
    *("relative", "relative_low", "relative_high", "relative_note"),
    *("both", "to_first", "to_first_low", "to_first_high", "to_first_p"),
]
AGREEMENT = [
    *("set", "ask", "instances", "verified", "unwitnessed", "disputed", "wrong", "unsolved")
]
TIMING = [
    *("set", "ask", "rank", "backend", *COUNTS, "wins", "to_best_percent"),
    *("median_s", "p25_s", "p75_s", "mean_s"),
    *("p95_s", "max_s", "total_s", "spread", *_PHASES, "start", "start_s"),
    *("par2_s", "relative", "relative_note"),
]
REASONS = ["backend", "outcome", "reason", "jobs", "first_job"]


def make_timing(standings: Standings) -> pd.DataFrame:
    """One row a set, question and backend, in the order of ranking (see ``rank``)."""
    phases, spreads = _average_phases(standings), _measure_spreads(standings)
    starts, kind = measure_starts(standings.jobs), find_start(standings.jobs)
    rows: Rows = []
    for (name, ask), ranked in _rank_by_question(standings.instances):
        for row in ranked:
            key = name, ask, row["backend"]
            spread = spreads.get(key, np.nan)
            start_s = starts.get(row["backend"], np.nan)
            more = {"spread": spread, "start": kind, "start_s": start_s}
            rows.append({"set": name, "ask": ask, **row, **more, **phases.get(key, {})})
    return pd.DataFrame(rows, columns=TIMING)


def make_summary(standings: Standings, timing: pd.DataFrame | None = None) -> pd.DataFrame:
    """One row a backend over all sets and questions, in the order of ranking.

    ``timing`` is ``make_timing`` of the same, where that is known already.
    """
    timing = make_timing(standings) if timing is None else timing
    per = standings.instances
    parts = {str(name): part for name, part in per.groupby("backend", observed=True)}
    why = list_reasons(standings).groupby("backend")["reason"].first()
    is_won = (timing["rank"] == 1) & (timing["solved"] == timing["instances"])
    won = Counter(name for name in timing["backend"][is_won] if name not in standings.disqualified)
    rows = rank([measure(name, part, alike=True) for name, part in parts.items()])
    for row in rows:
        name, part = row["backend"], parts[row["backend"]]
        low = high = np.nan
        if not row["relative_note"]:
            solved = part[part["solved"]]
            found = _divide_by_best(part) ** weigh_kinds(solved)
            low, high = statistics.interval(found, _number_strata(solved))
            low = max(low, min(high, 1.0))  # nobody is faster than the virtual best solver
        row |= {
            "reason": why.get(name, ""),
            "sets": part["set"].nunique(),
            "questions": len(part.groupby(QUESTION, observed=True)),
            "sets_won": won[name],
            "relative_low": low,
            "relative_high": high,
            **compare_with_first(part, parts[rows[0]["backend"]]),
        }
    return pd.DataFrame(rows, columns=SUMMARY)


def shorten_summary(summary: pd.DataFrame) -> pd.DataFrame:
    """The columns that matter most, and the outcomes that occurred."""
    outcomes = [name for name in (UNPROVEN, "unverified", *FAILED) if summary[name].any()]
    quality = [] if summary["to_best_percent"].isna().all() else ["to_best_percent"]
    return summary[
        [
            *("rank", "backend", "instances", "verified", "unwitnessed", "wrong", "disputed"),
            *outcomes,
            *("wins", "sets_won", *quality, "median_s", "par2_s"),
            *("relative", "relative_low", "relative_high", "relative_note"),
        ]
    ]


def rank(rows: Rows) -> Rows:
    """The rows in order (see ``docs/columns.md``); those of one ``rank`` by their names."""

    def key(row: dict[str, Any]) -> tuple[bool, int, int, float, float]:
        quality = 0.0 if np.isnan(row["to_best_percent"]) else row["to_best_percent"]
        return row["disqualified"], -row["verified"], -row["unwitnessed"], quality, row["par2_s"]

    ordered = sorted(rows, key=lambda row: (key(row), row["backend"]))
    keys = [key(row) for row in ordered]
    return [{**row, "rank": 1 + keys.index(key(row))} for row in ordered]


def _rank_by_question(per: pd.DataFrame) -> Iterator[tuple[tuple[str, str], Rows]]:
    """Each set and question with the figures of the backends on it, in the order of ranking."""
    for (name, ask), group in per.groupby(QUESTION, observed=True):  # type: ignore[misc]
        parts = group.groupby("backend", observed=True)
        yield (str(name), str(ask)), rank([measure(str(b), part) for b, part in parts])


def measure(backend: str, part: pd.DataFrame, alike: bool = False) -> dict[str, Any]:
    """The figures of a backend on the instances in ``part``, rows of ``Standings.instances``.

    ``alike`` says that in PAR-2 and times the virtual best all kinds weigh the same, however many
    instances each has.
    """
    solved = part["solved"].to_numpy()
    seconds = part["wall_s"].to_numpy()[solved]
    limits = part["limit_s"].to_numpy(dtype=float)[~solved]
    limits = np.where(np.isnan(limits), np.inf, limits)
    ratios = _divide_by_best(part)
    weights = weigh_kinds(part) if alike else np.ones(len(part))
    numbers = count_fates(part["fate"])
    disqualified = bool(part["disqualified"].any())
    # why a mean over the solved instances would flatter
    left = {fate: numbers[fate] for fate in FATES if fate not in SOLVED and numbers[fate]}
    note = "".join(f"{number} {fate}" for fate, number in left.items())
    note = f"{sum(left.values())} unsolved" if len(left) > 1 else note
    note = "disqualified" if disqualified else note
    return {
        "backend": backend,
        "disqualified": disqualified,
        **numbers,
        "wins": 0 if disqualified else int((ratios == 1).sum()),
        "to_best_percent": statistics.mean(part["to_best_percent"].dropna().to_numpy()),
        **dict(zip(SPOTS, percentiles_of_all(seconds, len(limits), *SPOTS.values()), strict=True)),
        "mean_s": statistics.mean(seconds),
        "total_s": float(seconds.sum()),
        "par2_s": statistics.par(seconds * weights[solved], limits * weights[~solved]),
        "relative": np.nan if note else statistics.geometric_mean(ratios**weights),
        "relative_note": note,
    }


def _divide_by_best(part: pd.DataFrame) -> Any:
    """How many times as long as the virtual best solver, for each instance solved."""
    solved = part["solved"].to_numpy()
    return statistics.ratios(part["wall_s"].to_numpy()[solved], part["best_s"].to_numpy()[solved])


def compare_with_first(own: pd.DataFrame, first: pd.DataFrame) -> dict[str, float]:
    """Over the instances that both solved, how many times as long as the first one; all kinds
    weigh the same."""
    names = [*INSTANCE, KIND, "wall_s"]
    pairs = own.loc[own["solved"], names].merge(
        first.loc[first["solved"], names], on=[*INSTANCE, KIND], suffixes=("", "_first")
    )
    ratios = statistics.ratios(pairs["wall_s"].to_numpy(), pairs["wall_s_first"].to_numpy())
    ratios **= weigh_kinds(pairs)
    strata = _number_strata(pairs)
    low, high = statistics.interval(ratios, strata)
    return {
        "both": len(ratios),
        "to_first": statistics.geometric_mean(ratios),
        "to_first_low": low,
        "to_first_high": high,
        "to_first_p": find_chance(np.log(ratios), strata),
    }


def _number_strata(part: pd.DataFrame) -> list[int]:
    """For each instance in ``part`` the number of its set and question, of which it is a sample."""
    return part.groupby(QUESTION, observed=True).ngroup().tolist()


def _measure_spreads(standings: Standings) -> dict[Any, float]:
    """How far the repeats lie apart, by set, question and backend.

    For each instance the median of how many times its repeats are above or below their own median,
    whichever it is; and the median of that over the instances that were repeated.
    """
    jobs = standings.jobs
    counted = jobs.loc[jobs["solved"] & jobs["counted"], ["tried", "seconds"]]
    seconds = counted["seconds"].clip(lower=statistics.RESOLUTION)
    repeats = seconds.groupby(counted["tried"], observed=False)
    factor = seconds / repeats.transform("median")
    apart = factor.where(factor >= 1, 1 / factor).where(repeats.transform("size") > 1)
    typical = apart.groupby(counted["tried"], observed=False).median()
    per = standings.instances[MEASURED].assign(spread=typical.to_numpy())
    return per.groupby(MEASURED, observed=True)["spread"].median().to_dict()


def _average_phases(standings: Standings) -> dict[Any, dict[Any, float]]:
    """Mean seconds over the jobs of solved instances, by set, question and backend."""
    jobs = standings.jobs
    always = standings.instances["solved"].to_numpy()[jobs["tried"].cat.codes]
    counts, keys = always & jobs["counted"], [jobs[name] for name in MEASURED]
    means = {  # one by one, so that no copy of all is made
        phase: jobs[phase].where(counts).groupby(keys, observed=True).mean() for phase in _PHASES
    }
    return pd.DataFrame(means).to_dict("index")


def find_start(jobs: pd.DataFrame) -> str:
    """Whether solvers started cold or warm: a run has one mode. ``cold, warm`` if records say both,
    empty without any."""
    return ", ".join(sorted(map(str, jobs["start"].unique())))


def measure_starts(jobs: pd.DataFrame) -> dict[str, float]:
    """What is in no time of a job: seconds to load each backend into a worker and to warm that up.

    The median over the jobs, each of which has the seconds of its worker.
    """
    starts = jobs["import_s"].astype(float) + jobs["warm_up_s"].astype(float).fillna(0.0)
    medians = starts.groupby(jobs["backend"].astype(str)).median().dropna()
    return {str(name): float(seconds) for name, seconds in medians.items()}


def make_agreement(jobs: pd.DataFrame) -> pd.DataFrame:
    """What became of the instances of each set and question; the five kinds add up.

    An instance counts for the first of these that holds: somebody's answer is wrong, somebody's is
    disputed, a backend solved it and its answer is verified, or unwitnessed, nobody solved it.
    What a budget had no time for is not counted.
    ``jobs`` has those of witnesses, too; what was stated is not an answer of a backend.
    """
    needed = [*INSTANCE, "verdict", "outcome"]  # no copy of all columns
    jobs = jobs.loc[(jobs["role"] != "stated") & (jobs["outcome"] != "skipped"), needed]
    number, is_first = number_groups(jobs, INSTANCE)
    per: pd.DataFrame = jobs.loc[is_first, QUESTION]
    left = np.ones(len(per), dtype=bool)
    found = {}
    for kind in ("wrong", "disputed", *SOLVED):
        is_such = jobs["verdict"] == kind
        if kind in SOLVED:
            is_such &= jobs["outcome"] == "finished"
        found[kind] = np.zeros(len(per), dtype=bool)
        found[kind][number[is_such]] = True
        found[kind] &= left
        left &= ~found[kind]
    per = per.assign(**found, unsolved=left, instances=True)
    kinds = [name for name in AGREEMENT if name not in QUESTION]
    summed = per.groupby(QUESTION, observed=True)[kinds].sum().reset_index()
    return summed.astype(dict.fromkeys(QUESTION, str))


def list_reasons(standings: Standings) -> pd.DataFrame:
    """One row a backend, outcome and reason: in how many jobs, and the first of them.

    The commonest of a backend comes first.
    """
    jobs = standings.jobs
    failed = jobs[(jobs["outcome"] != "finished") & (jobs["code"] != FATES.index(UNPROVEN))]
    found = pd.DataFrame(
        {
            "backend": failed["backend"].astype(str),
            "outcome": failed["outcome"].astype(str),
            "reason": [shorten_reason(error) for error in failed["error"]],
            "job": failed["job"].astype("int64"),  # of the outline it may be a smaller one
        }
    )
    counted = found.groupby(["backend", "outcome", "reason"], as_index=False).agg(
        jobs=("job", "size"), first_job=("job", "min")
    )
    return counted.sort_values(
        ["backend", "jobs", "outcome", "reason"], ascending=[True, False, True, True]
    ).reset_index(drop=True)[REASONS]
