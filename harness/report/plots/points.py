"""What is drawn, as tidy tables: one row a point. Pictures and the page are made of the same.

``per`` is ``Standings.instances`` throughout. Curves of many points are thinned: a picture has no
more columns than a screen.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from harness.report.standings import INSTANCE

LEAST_SECONDS = 1e-5
"""Shorter times are drawn here: a logarithmic axis has no zero."""

MOST_POINTS = 400
"""Most points of a curve."""

PHASES = {"model_s": "model", "encode_s": "encode", "load_s": "load", "solve_s": "search"}


def trace_solved(per: pd.DataFrame) -> pd.DataFrame:
    """``backend``, ``seconds``, ``solved``, ``instance``: how many instances it solves within that
    time each, and which one is the last of them.

    The backend that solves most comes first, of equal ones the faster one.
    """
    parts = []
    for name, part in per.groupby("backend", observed=True):
        solved = part[part["solved"]].sort_values("wall_s", kind="stable")
        times = solved["wall_s"].clip(lower=LEAST_SECONDS).to_numpy()
        kept = thin(len(times))
        frame = pd.DataFrame({"seconds": times[kept], "solved": kept + 1})
        frame["instance"] = solved["instance"].to_numpy()[kept]
        frame.insert(0, "backend", str(name))
        parts.append((-len(times), float(times.sum()), str(name), frame))
    ordered = sorted(parts, key=lambda one: one[:3])
    return _join([frame for *_, frame in ordered], ["backend", "seconds", "solved", "instance"])


def trace_profile(per: pd.DataFrame) -> pd.DataFrame:
    """``backend``, ``ratio``, ``share``: the part of all instances that it solves in no more than
    ``ratio`` times the time of the fastest one.

    The performance profile of Dolan and More, "Benchmarking optimization software with performance
    profiles", Mathematical Programming 91, 2002.
    """
    total = max(1, len(per.drop_duplicates(INSTANCE)))
    frames = []
    for name, part in per.groupby("backend", observed=True):
        solved = part[part["solved"]]
        seconds = solved["wall_s"].clip(lower=LEAST_SECONDS)
        # Where only disqualified backends solved an instance, no best time is known.
        ratios = seconds / solved["best_s"].clip(lower=LEAST_SECONDS).fillna(seconds)
        ordered = np.sort(np.maximum(1.0, ratios.to_numpy()))
        kept = thin(len(ordered))
        shares = np.arange(1, len(ordered) + 1) / total
        frames.append(
            pd.DataFrame({"backend": str(name), "ratio": ordered[kept], "share": shares[kept]})
        )
    return _join(frames, ["backend", "ratio", "share"])


def count_wins(per: pd.DataFrame) -> pd.DataFrame:
    """``backend``, ``other``, ``share``, ``instances``: on which part of the instances that both
    were asked the first beats the second: solves what the other does not, or is faster."""
    wide = pd.DataFrame(
        {
            str(name): part.set_index(INSTANCE)["wall_s"].where(
                part.set_index(INSTANCE)["solved"], np.inf
            )
            for name, part in per.groupby("backend", observed=True)
        }
    )
    rows = []
    for one in wide:
        for other in wide:
            both = wide[[one, other]].dropna() if one != other else wide[[one]].dropna()
            share = float((both[one] < both[other]).mean()) if one != other and len(both) else None
            rows.append({"backend": one, "other": other, "share": share, "instances": len(both)})
    return pd.DataFrame(rows, columns=["backend", "other", "share", "instances"])


def count_agreement(jobs: pd.DataFrame) -> pd.DataFrame:
    """``backend``, ``other``, ``share``, ``instances``: of the instances that both answered in
    full, on which part the answers are the same: status, objective, number and set of solutions.

    ``jobs`` is ``Run.jobs``; what a limit ended counts for neither.
    """
    done = jobs[(jobs["outcome"] == "finished") & (jobs["role"] == "timed")]
    firsts = done.drop_duplicates([*INSTANCE, "backend"])
    is_all = firsts["ask"].isin(["all", "optima all"])
    columns = (firsts[name] for name in ("status", "objective", "count", "digest"))
    answers = [
        (status.replace("OPTIMUM", "SATISFIABLE"), str(objective), *((count, digest) * counts))
        for status, objective, count, digest, counts in zip(*columns, is_all, strict=True)
    ]
    answer = pd.Series(pd.factorize(pd.Series(answers, dtype=object))[0], firsts.index)
    table = answer.groupby([*(firsts[key] for key in INSTANCE), firsts["backend"]]).first()
    wide = table.unstack()
    rows = []
    for one in wide:
        for other in wide:
            both = wide[[one, other]].dropna() if one != other else wide[[one]].dropna()
            share = float((both[one] == both[other]).mean()) if len(both) else None
            share = 1.0 if one == other and len(both) else share
            rows.append({"backend": one, "other": other, "share": share, "instances": len(both)})
    return pd.DataFrame(rows, columns=["backend", "other", "share", "instances"])


def stack_phases(timing: pd.DataFrame) -> pd.DataFrame:
    """``backend``, ``phase``, ``seconds``: the mean of each phase, over the sets of ``Run.timing``
    weighed by the instances solved."""
    rows = []
    for name, part in timing.groupby("backend", sort=False):
        solved = part[part["solved"] > 0]
        for column, phase in PHASES.items():
            known = solved[solved[column].notna()]
            if len(known):
                mean = float(np.average(known[column], weights=known["solved"]))
                rows.append({"backend": str(name), "phase": phase, "seconds": mean})
    return pd.DataFrame(rows, columns=["backend", "phase", "seconds"])


def list_times(per: pd.DataFrame, most: int | None = None) -> pd.DataFrame:
    """``set``, ``ask``, ``instance``, ``backend``, ``seconds``, ``solved``: a row an instance and
    backend; an unsolved one at its limit. At most ``most`` instances, spread evenly.
    """
    names = per.drop_duplicates(INSTANCE)[INSTANCE]
    if most is not None and len(names) > most:
        places = np.linspace(0, len(names) - 1, most).astype(int)
        per = per.merge(names.iloc[places], on=INSTANCE)
    seconds = per["wall_s"].clip(lower=LEAST_SECONDS)
    limit = per["limit_s"].fillna(seconds.max())
    found = per[[*INSTANCE, "backend"]].astype(str)
    return found.assign(seconds=seconds.where(per["solved"], limit), solved=per["solved"])


def choose_longest(searches: pd.DataFrame, most: int) -> list[tuple[str, str]]:
    """The sets and names of the instances on which the searches took longest, the longest first."""
    longest = searches.groupby(["set", "instance"])["wall_s"].max()
    ordered = longest.sort_values(ascending=False, kind="stable").index[:most]
    return [(str(where), str(name)) for where, name in ordered]


def list_rungs(per: pd.DataFrame) -> pd.DataFrame:
    """``backend``, ``low``, ``middle``, ``high``, ``solved``: the quartiles of each backend's
    times, the slowest first, and whether it solved half of the instances.

    Of backends with the same median the one with the lower quartiles is the faster one.
    """
    rows = []
    for name, part in list_times(per).groupby("backend"):
        low, middle, high = part["seconds"].quantile([0.25, 0.5, 0.75])
        solved = float(part["solved"].mean()) >= 0.5
        rows.append((str(name), low, middle, high, solved))
    frame = pd.DataFrame(rows, columns=["backend", "low", "middle", "high", "solved"])
    order = ["middle", "low", "high", "backend"]
    return frame.sort_values(order, ascending=False, ignore_index=True)


def thin(number: int, most: int = MOST_POINTS) -> np.ndarray:
    """The places that are kept of ``number`` points: the first, the last, and some in between."""
    if number <= most:
        return np.arange(number)
    return np.unique(np.linspace(0, number - 1, most).round().astype(int))


def _join(frames: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    kept = [frame for frame in frames if len(frame)]
    return pd.concat(kept, ignore_index=True) if kept else pd.DataFrame(columns=columns)
