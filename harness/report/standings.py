"""The result and the time of each backend on each instance: what the tables are made of.

Words
-----
fate        what became of an instance by a backend: the worst of its repeats, by ``FATES``
verified    answered, and the answer is shown and checked, proven, or agreed by known families
unwitnessed answered in full by a known family, and nothing confirms or contradicts it
solved      verified or unwitnessed
unproven    no answer in time, but a solution that holds, in a search for an optimum; no failure
failed      no answer: the outcome says how (timeout, memout, refused, ...)
disqualified  a backend with at least one wrong answer in the run: it is ranked last
kind        the instances of one family; those of which the optimum is asked are a kind of their own
            where others of the family are asked for solutions
virtual best  of the backends that are not disqualified the fastest on each instance that it solved
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from harness.judge.grounds import find_weakest
from harness.judge.times import Gain, HiddenTime, find_gains, find_hidden_time
from harness.record import FAILED, FATES, REFUSALS, SOLVED, UNPROVEN

QUESTION = ["set", "ask"]
INSTANCE = [*QUESTION, "instance"]
TRIED = [*INSTANCE, "backend"]
KIND = "kind"


@dataclass(frozen=True)
class Standings:
    """What is worked out of the jobs of a run once, for all tables, plots and sentences.

    ``jobs``         the timed jobs, in their order of execution, with ``code``, the place in
                     ``FATES`` of what became of each; ``solved``; ``seconds``, as the worker tells
                     them, or of a backend that hides time by the supervisor's clock; ``counted``,
                     whether they count: not at later sights, of a backend that gains by them;
                     ``tried``, the row of ``instances`` that the job belongs to
    ``instances``    one row a set, question, instance and backend: its ``kind``, ``characters``,
                     the length of its text, ``fate``, ``solved``,
                     ``wall_s``, the median of the seconds that count, ``limit_s``, ``best_s``, the
                     time of the virtual best solver, nan where nobody solved it, ``disqualified``,
                     ``to_best_percent`` of a search for an optimum, the mean of its repeats
    ``disqualified`` the backends with at least one wrong answer
    ``gains``        what each backend gains by later sights; empty without repeats
    ``hidden``       the backends that tell less time than passed
    ``witnesses``    how many questions each witness was asked
    ``stated``       of the answers that came with instances how many there are of each verdict
    ``cold``         how many jobs of each backend there are before which a warm-up failed, but of
                     those that refuse all jobs
    ``proofs``       what became of the proofs of each backend that has shown any
    ``unasked``      how many instances a budget left out
    ``hindered``     how many jobs of each backend were run again, or had their worker stopped; and
                     the commonest reason
    ``weakest``      the weakest ground of a solved answer (``harness.judge.grounds``); empty where
                     none is known
    ``names``        the names of backends in the experiment, by the short ones of the tables
    """

    jobs: pd.DataFrame
    instances: pd.DataFrame
    disqualified: set[str]
    gains: dict[str, Gain]
    hidden: dict[str, HiddenTime]
    witnesses: dict[str, int]
    stated: dict[str, int]
    cold: dict[str, int]
    proofs: dict[str, dict[str, int]]
    hindered: dict[str, tuple[int, str]]
    unasked: int = 0
    weakest: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


def find_standings(
    jobs: pd.DataFrame, optima: pd.DataFrame | None = None, names: Mapping[str, str] = {}
) -> Standings:
    """The standings of the backends in ``jobs``, which have at least the columns ``OUTLINE``.

    ``optima`` is what their searches for an optimum came to, ``harness.report.optima.make_optima``;
    ``names`` are those of backends by their short ones.
    """
    stated = _count(jobs["verdict"][jobs["role"] == "stated"])
    jobs = jobs[jobs["role"] != "stated"] if stated else jobs
    backends, is_witness = jobs["backend"], jobs["role"] == "witness"
    disqualified = set(map(str, backends[jobs["verdict"] == "wrong"].unique()))
    witnesses = _count(backends[is_witness])
    answering = backends[~jobs["outcome"].isin(REFUSALS)].unique()
    cold = _count(backends[(jobs["warm_up"] != "") & backends.isin(answering)])
    proofs = _count_proofs(jobs) if "proof" in jobs else {}
    hindered = _count_hindered(jobs) if "hindered" in jobs else {}
    jobs, unasked = _leave_out_unasked(jobs[~is_witness] if witnesses else jobs)
    jobs = jobs.copy(deep=False)
    jobs["code"] = _find_fates(jobs)
    if optima is not None and len(optima):
        by_job = optima.set_index("job")
        to_best = by_job["to_best_percent"].astype(float)
        # What was refused has no solution either, and refusing must not rank above a poor one.
        to_best = to_best.mask(to_best.isna() & by_job["best_known"].notna(), 100.0)
        jobs["to_best_percent"] = jobs["job"].map(to_best).astype(float)
        unproven = jobs["job"].isin(by_job.index[by_job["unproven"].astype(bool)])
        jobs["code"] = jobs["code"].mask(unproven, FATES.index(UNPROVEN))
    jobs["solved"] = jobs["code"] < len(SOLVED)
    timed = jobs.loc[jobs["solved"], [*TRIED, "wall_s", "elapsed_s"]]  # no copy of all columns
    hidden = find_hidden_time(timed, INSTANCE, names)
    del timed
    jobs["seconds"] = jobs["wall_s"]
    if hidden:
        hides = jobs["backend"].isin(list(hidden))
        jobs["seconds"] = jobs["wall_s"].mask(hides, jobs["elapsed_s"])
    gains: dict[str, Gain] = {}
    jobs["counted"] = True
    tried, is_first = number_groups(jobs, TRIED)
    # A category, since numbers would have to be looked up in a table to group by them.
    numbers = pd.RangeIndex(is_first.sum())
    jobs["tried"] = pd.Categorical.from_codes(tried, categories=numbers)
    if not is_first.all():
        gains = _find_gains(jobs, tried)
        gaining = [name for name, gain in gains.items() if gain.is_systematic]
        jobs["counted"] = is_first | ~jobs["backend"].isin(gaining)
    instances = _stand_by_instance(jobs, is_first, disqualified)
    counted = witnesses, stated, cold, proofs, hindered
    grounds = jobs.loc[jobs["solved"], "ground"].unique() if "ground" in jobs else ()
    weakest = find_weakest(map(str, grounds))
    return Standings(
        jobs, instances, disqualified, gains, hidden, *counted, unasked, weakest, names
    )


def _leave_out_unasked(jobs: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The jobs without those that a budget had no time for, and how many instances that leaves out.

    An instance that only some backends were asked compares nobody, and is left out as well, unless
    no other is left.
    """
    is_skipped = (jobs["outcome"] == "skipped").to_numpy()
    if not is_skipped.any():
        return jobs, 0
    instance, _ = number_groups(jobs, INSTANCE)
    backends = jobs["backend"].astype(str).groupby(instance)
    asked = jobs["backend"].astype(str).where(~is_skipped).groupby(instance)
    is_whole = (asked.nunique() == backends.nunique()).to_numpy()
    if not is_whole.any():
        return jobs, 0
    return jobs[is_whole[instance] & ~is_skipped], int((~is_whole).sum())


def _count(words: pd.Series[Any]) -> dict[str, int]:
    return {str(name): int(n) for name, n in words.value_counts().items() if n}


def _count_proofs(jobs: pd.DataFrame) -> dict[str, dict[str, int]]:
    """What became of the proofs of each backend that has shown any."""
    shown = jobs["proof"] != ""
    names = jobs["backend"][shown].unique()
    return {str(name): _count(jobs["proof"][shown & (jobs["backend"] == name)]) for name in names}


def _count_hindered(jobs: pd.DataFrame) -> dict[str, tuple[int, str]]:
    """How many jobs of each backend were hindered, and the commonest reason."""
    found = jobs.loc[jobs["hindered"].astype(bool), ["backend", "hindered"]]
    parts = found["hindered"].groupby(found["backend"].astype(str))
    return {str(name): (len(why), str(why.mode().iloc[0])) for name, why in parts}


def _find_fates(jobs: pd.DataFrame) -> Any:
    """For each job the place in ``FATES`` of what became of it."""
    outcome, verdict = (jobs[name].astype("category") for name in ("outcome", "verdict"))
    judged = verdict.isin(["wrong", "disputed"]) | (outcome == "finished")
    return np.where(judged, _find_places(verdict), _find_places(outcome))


def _find_places(words: pd.Series[Any]) -> Any:
    """The places of categories in ``FATES``: no text is made of a million jobs."""
    places = {word: place for place, word in enumerate(FATES)}
    found = [places.get(str(word), -1) for word in words.cat.categories]
    return np.array(found, dtype=np.int8)[words.cat.codes]


def number_groups(jobs: pd.DataFrame, names: Sequence[str]) -> tuple[Any, Any]:
    """For each job the number of its group, by these columns, in order of first sight; and whether
    it is the first of its group.

    One column of numbers instead of several to group by: of a million jobs that is 100 MB less.
    """
    number = np.zeros(len(jobs), dtype=np.int64)
    for name in names:
        codes, kinds = pd.factorize(jobs[name], size_hint=1)  # its table grows as it needs to
        number *= max(len(kinds), 1)
        number += codes
        del codes  # before the next ones are made
    number = pd.factorize(number, size_hint=1)[0].astype(np.int32)
    return number, np.diff(np.maximum.accumulate(number), prepend=-1) > 0


def _find_gains(jobs: pd.DataFrame, tried: Any) -> dict[str, Gain]:
    """What each backend gains by later sights of the instances that it solved every time."""
    always = np.ones(len(jobs), dtype=bool)
    always[tried[~jobs["solved"].to_numpy()]] = False  # by number of what was tried
    backends, seconds = jobs["backend"], jobs["wall_s"].to_numpy()
    times = {}
    for name in backends.unique():
        places = np.flatnonzero(always[tried] & (backends == name).to_numpy())
        places = places[np.argsort(tried[places], kind="stable")]
        times[str(name)] = _split(seconds[places], tried[places])
    return find_gains(times)


def _split(seconds: Any, numbers: Any) -> Iterator[Any]:
    """The seconds of each number, a row for each; those with as many seconds are one array."""
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    sizes = np.diff(np.append(starts, len(numbers)))
    for size in np.unique(sizes):
        yield seconds[starts[sizes == size][:, None] + np.arange(size)]


def _stand_by_instance(jobs: pd.DataFrame, is_first: Any, disqualified: set[str]) -> pd.DataFrame:
    """The ``instances`` of ``Standings``."""
    per: pd.DataFrame = jobs.loc[is_first, TRIED].reset_index(drop=True)
    grouped = jobs.groupby("tried", observed=False)
    codes = grouped["code"].max().to_numpy(dtype=np.int8)
    counted = jobs["seconds"].where(jobs["counted"])
    known = jobs.reindex(columns=["family", "characters"]).loc[is_first]
    per[KIND] = name_kinds(known["family"], per["ask"])
    per["characters"] = known["characters"].to_numpy()
    per["wall_s"] = counted.groupby(jobs["tried"], observed=False).median().to_numpy()
    per["limit_s"] = grouped["limit_s"].max().to_numpy()
    seeks = "to_best_percent" in jobs
    per["to_best_percent"] = grouped["to_best_percent"].mean().to_numpy() if seeks else np.nan
    per["fate"] = pd.Categorical.from_codes(codes, categories=pd.Index(FATES))
    per["solved"] = codes < len(SOLVED)
    per["disqualified"] = per["backend"].isin(list(disqualified))
    eligible = per["wall_s"].where(per["solved"] & ~per["disqualified"])
    per["best_s"] = eligible.groupby([per[k] for k in INSTANCE], observed=True).transform("min")
    return per


def name_kinds(families: pd.Series[Any], asks: pd.Series[Any]) -> pd.Categorical[Any]:
    """The kind of each row, by its family and its question."""
    texts = families.astype(object).fillna("").astype(str).to_numpy()
    seeks = asks.astype(str).str.startswith("opti").to_numpy()
    both = set(texts[seeks]) & set(texts[~seeks])
    names = [
        text.rpartition(":")[2] + (", optimum" if sought and text in both else "")
        for text, sought in zip(texts, seeks, strict=True)
    ]
    return pd.Categorical(names)


def weigh_kinds(part: pd.DataFrame) -> Any:
    """The weight of each row, 1 on the mean, such that all kinds of ``part`` weigh alike."""
    if not len(part):
        return np.ones(0)
    codes, kinds = pd.factorize(part[KIND])
    return (len(part) / len(kinds) / np.bincount(codes))[codes]


def count_fates(fates: pd.Series[Any]) -> dict[str, int]:
    """How many instances met each fate, and of them how many are solved, how many failed."""
    found = {fate: int(number) for fate, number in fates.value_counts().items()}
    every = {fate: found.get(fate, 0) for fate in FATES}
    return {
        "instances": len(fates),
        "solved": sum(every[fate] for fate in SOLVED),
        **every,
        "failed": sum(every[fate] for fate in FAILED),
    }
