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

QUESTION = ["set", "ask"]
INSTANCE = [*QUESTION, "instance"]

SOLVED = ("verified", "unwitnessed")
FAILED = (
    *("gave_up", "timeout", "memout", "unsupported", "refused"),
    *("lost", "error", "crashed"),
)
FATES = (*SOLVED, "unverified", *FAILED, "disputed", "wrong")
"""From the best to the worst."""

_WORDS = {"correct": "verified", "single": "unwitnessed"}
"""Verdicts as they were called earlier."""


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
    outcome, verdict = jobs["outcome"].astype(str), jobs["verdict"].astype(str).replace(_WORDS)
    judged = verdict.isin(["wrong", "disputed"]) | (outcome == "finished")
    fate = verdict.where(judged, outcome)
    return fate.map({word: place for place, word in enumerate(FATES)}).to_numpy(dtype=np.int8)


def per_instance(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a set, question, instance and backend.

    ``fate``, ``solved``; ``wall_s``, the median over the repeats; ``limit_s``; ``best_s``, the time
    of the virtual best solver, nan where nobody solved it; ``disqualified``.
    """
    keys = [*INSTANCE, "backend"]
    needed = jobs[[*keys, "wall_s", "limit_s"]].assign(code=fate_codes(jobs))
    grouped = needed.groupby(keys, sort=False, observed=True)
    per = grouped.agg(code=("code", "max"), wall_s=("wall_s", "median"), limit_s=("limit_s", "max"))
    per = per.reset_index()
    codes = per.pop("code").to_numpy(dtype=np.int8)
    per["fate"] = pd.Categorical.from_codes(codes, categories=pd.Index(FATES))
    per["solved"] = codes < len(SOLVED)
    liars = per["backend"][codes == FATES.index("wrong")].unique()
    per["disqualified"] = per["backend"].isin(list(liars))
    counted = per["wall_s"].where(per["solved"] & ~per["disqualified"])
    per["best_s"] = counted.groupby([per[k] for k in INSTANCE], observed=True).transform("min")
    return per
