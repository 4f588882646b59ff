"""How each backend stands on each instance, and how long it took: what the other tables are of.

Words
-----
fate        what became of an instance by a backend: the worst of its repeats, by ``FATES``
verified    answered, and the answer is shown and checked, proven, or agreed by known families
unwitnessed answered in full by a known family, and nothing confirms or contradicts it
solved      verified or unwitnessed
failed      no answer: the outcome says how (timeout, memout, refused, ...)
disqualified  a backend with at least one wrong answer in the run: it is ranked last
virtual best  of the backends that are not disqualified the fastest on each instance that it solved
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from harness.judge import clocks, first_sights

QUESTION = ["set", "ask"]
INSTANCE = [*QUESTION, "instance"]

SOLVED = ("verified", "unwitnessed")
FAILED = (
    *("gave_up", "timeout", "memout", "unsupported", "refused"),
    *("lost", "error", "crashed"),
)
FATES = (*SOLVED, "unverified", *FAILED, "disputed", "wrong")
"""From the best to the worst."""


def counts(fates: pd.Series[Any]) -> dict[str, int]:
    """How many instances met each fate, and of them how many are solved, how many failed."""
    found = {fate: int(number) for fate, number in fates.value_counts().items()}
    every = {fate: found.get(fate, 0) for fate in FATES}
    return {
        "instances": len(fates),
        "solved": sum(every[fate] for fate in SOLVED),
        **every,
        "failed": sum(every[fate] for fate in FAILED),
    }


COUNTS = list(counts(pd.Series([], dtype=str)))
"""The columns that ``counts`` makes; ``instances`` is the sum of all fates."""


def fate_codes(jobs: pd.DataFrame) -> Any:
    """For each job the place in ``FATES`` of what became of it."""
    outcome, verdict = jobs["outcome"].astype(str), jobs["verdict"].astype(str)
    judged = verdict.isin(["wrong", "disputed"]) | (outcome == "finished")
    fate = verdict.where(judged, outcome)
    return fate.map({word: place for place, word in enumerate(FATES)}).to_numpy(dtype=np.int8)


def timed(jobs: pd.DataFrame) -> pd.DataFrame:
    """``jobs`` without those of witnesses, whose times count for nothing."""
    witness = jobs["role"] == "witness"
    return jobs[~witness] if witness.any() else jobs


def disqualified(jobs: pd.DataFrame) -> set[str]:
    """The backends with at least one wrong answer among ``jobs``."""
    return set(map(str, jobs["backend"][jobs["verdict"] == "wrong"].unique()))


def is_solved(jobs: pd.DataFrame) -> pd.Series[bool]:
    """Whether the job is answered, and its answer counts."""
    return (jobs["outcome"] == "finished") & jobs["verdict"].isin(SOLVED)


def gains(jobs: pd.DataFrame) -> dict[str, first_sights.Gain]:
    """What each backend gains by later sights of the instances that it solved every time.

    Empty without repeats; rows are in their order of execution.
    """
    jobs, names = timed(jobs), [*INSTANCE, "backend"]
    if not jobs.duplicated(names).any():
        return {}
    keys = [jobs[name] for name in names]
    solved = is_solved(jobs).groupby(keys, observed=True, sort=False).transform("all")
    times = jobs[solved].groupby(names, observed=True, sort=False)["wall_s"].agg(list)
    by_backend = times.groupby(level="backend", observed=True)
    return first_sights.gains({str(name): list(part) for name, part in by_backend})


def hidden(jobs: pd.DataFrame) -> dict[str, clocks.Hidden]:
    """The backends that tell less time than passed by the supervisor's clock (``clocks``)."""
    jobs = timed(jobs)
    return clocks.hidden(jobs[is_solved(jobs)], INSTANCE)


def seconds(jobs: pd.DataFrame) -> pd.Series[float]:
    """How long each job took: as the worker tells, unless it hides time."""
    liars = list(hidden(jobs))
    return jobs["wall_s"].mask(jobs["backend"].isin(liars), jobs["elapsed_s"])


def is_counted(jobs: pd.DataFrame) -> pd.Series[bool]:
    """Whether a job's times count: not at later sights, of a backend that gains by them."""
    gaining = [name for name, gain in gains(jobs).items() if gain.is_systematic]
    counted = pd.Series(data=True, index=jobs.index)
    if gaining:
        seen = jobs.groupby([*INSTANCE, "backend"], observed=True, sort=False).cumcount()
        counted &= (seen == 0) | ~jobs["backend"].isin(gaining)
    return counted


def per_instance(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a set, question, instance and backend.

    ``fate``, ``solved``; ``wall_s``, the median over the repeats; ``limit_s``; ``best_s``, the time
    of the virtual best solver, nan where nobody solved it; ``disqualified``. Of a backend that
    gains by later sights of an instance (``gains``) only the first one counts; of one that hides
    time (``hidden``) the supervisor's clock does.
    """
    keys, out = [*INSTANCE, "backend"], disqualified(jobs)
    jobs = timed(jobs)
    needed = jobs[[*keys, "wall_s", "limit_s"]].assign(code=fate_codes(jobs))
    needed["wall_s"] = seconds(jobs).where(is_counted(jobs))
    grouped = needed.groupby(keys, sort=False, observed=True)
    per = grouped.agg(code=("code", "max"), wall_s=("wall_s", "median"), limit_s=("limit_s", "max"))
    per = per.reset_index()
    codes = per.pop("code").to_numpy(dtype=np.int8)
    per["fate"] = pd.Categorical.from_codes(codes, categories=pd.Index(FATES))
    per["solved"] = codes < len(SOLVED)
    per["disqualified"] = per["backend"].isin(list(out))
    counted = per["wall_s"].where(per["solved"] & ~per["disqualified"])
    per["best_s"] = counted.groupby([per[k] for k in INSTANCE], observed=True).transform("min")
    return per
