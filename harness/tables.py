"""The tables of a run, as pandas DataFrames.

Words
-----
jobs        one row a job: the question, what happened, the answer, the times, the verdict
agreement   one row a set and question: what became of its instances
timing      one row a set, question and backend
solved      the question was answered within the limit, at every repeat, and each answer is
            verified or unwitnessed (``harness.validate``)
standing    of a backend on an instance, the worst over its repeats: verified, unwitnessed, or
            not solved
disqualified  a backend with at least one wrong answer in the run: it stands last

Seconds are in columns that end in ``_s``. The time of an instance is the median over its repeats.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from backends.api import Limits
from harness import first_sights, statistics
from harness.job import Job, Question
from harness.record import Record, Row

PHASES = ("model", "encode", "load", "solve", "first_solution", "decode")

QUESTION = ["set", "ask"]
INSTANCE = [*QUESTION, "instance"]

AGREEMENT = ["instances", "verified", "unwitnessed", "disputed", "wrong", "unsolved"]

SOLVED = ("verified", "unwitnessed")
"""The verdicts with which a finished job counts as solved."""


def jobs(rows: Iterable[Row]) -> pd.DataFrame:
    """One row a job, in the order of ``rows``.

    Besides the columns of ``_cells`` there is one for each statistic that a solver reported,
    named ``stat_`` and its name.
    """
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    texts: dict[str, str] = {}
    number = 0
    for row in rows:
        for name, value in _cells(row).items():
            column = columns.setdefault(name, [])
            column += [None] * (number - len(column))
            # Names, outcomes, digests recur in every row: each text is held once.
            column.append(texts.setdefault(value, value) if isinstance(value, str) else value)
        number += 1
    for column in columns.values():
        column += [None] * (number - len(column))
    frame = pd.DataFrame(columns)
    for name in columns:
        if name.endswith(("_s", "_mb")) or name.startswith("stat_"):
            frame[name] = frame[name].astype(float)
    for name in ("objective", "bound"):
        if all(abs(value or 0) < 2**63 for value in columns[name]):
            frame[name] = pd.array(columns[name], dtype="Int64")
    return frame


def _cells(row: Row) -> dict[str, Any]:
    job, record, verdict = row.job, row.record, row.verdict
    cells: dict[str, Any] = {
        "job": job.number,
        "set": job.set,
        "instance": job.instance,
        "family": job.family,
        "backend": job.backend,
        "backend_family": record.backend_family or job.backend.partition(":")[0],
        "repeat": job.repeat,
        "role": job.role,
        "ask": job.question.text,
        "limit_s": job.limits.seconds,
        "solver_seed": job.limits.seed,
        "threads": job.limits.threads,
        "outcome": record.outcome,
        "status": record.status,
        "verdict": verdict.verdict if verdict else "unverified",
        "evidence": verdict.evidence if verdict else "",
        "families": verdict.families if verdict else 0,
        "count": record.count,
        "exhausted": record.exhausted,
        "digest": record.digest,
        "objective": record.objective,
        "bound": record.bound,
        "wall_s": record.wall_s,
        "cpu_s": record.cpu_s,
        "import_s": record.import_s,
        **{f"{phase}_s": record.phases.get(phase) for phase in PHASES},
        "elapsed_s": record.elapsed_s,
        "peak_memory_mb": record.peak_memory_mb,
        "encoding_reused": record.encoding_reused,
        "warm_up": record.warm_up,
        "native_status": record.native_status,
        "configuration": record.configuration,
        "error": record.error,
        "output": record.output,
        "solutions": record.solutions,
        "worker": record.worker,
        "nth": record.nth,
        "attempt": record.attempt,
        "isolation": record.isolation,
        "instance_digest": record.instance_digest,
        "version": record.version,
        "machine": record.machine,
        "ended_at": record.ended_at,
        "source": job.source,
    }
    cells |= {f"stat_{name}": value for name, value in record.statistics.items()}
    return cells


_NOTHING = Job(0, "", "", "", "", "", Question(), Limits())
COLUMNS = tuple(_cells(Row(job=_NOTHING, record=Record(job=0, outcome="lost"))))
"""The columns that every table of jobs has."""


_OUTLINE_TEXTS = ("set", "ask", "backend", "role", "warm_up", "outcome", "verdict")
_OUTLINE_NUMBERS = ("wall_s", "limit_s", "model_s", "encode_s", "load_s", "solve_s")


def outline(rows: Iterable[Row]) -> pd.DataFrame:
    """The columns of ``jobs`` that ``agreement`` and ``timing`` need, in little memory.

    Texts are categories, and an instance is a number of 64 bits made from its set and name: a
    million rows take 70 MB.
    """
    instances, families = array("q"), array("h")
    known: dict[str, dict[str, int]] = {name: {} for name in _OUTLINE_TEXTS}
    codes = {name: array("i") for name in _OUTLINE_TEXTS}
    numbers = {name: array("d") for name in _OUTLINE_NUMBERS}
    for row in rows:
        job, record, verdict, phases = row.job, row.record, row.verdict, row.record.phases
        instances.append(hash((job.set, job.instance)))
        texts = (
            *(job.set, job.question.text, job.backend, job.role),
            *("failed" if record.warm_up else "", record.outcome),
            verdict.verdict if verdict else "unverified",
        )
        for name, text in zip(_OUTLINE_TEXTS, texts, strict=True):
            codes[name].append(known[name].setdefault(text, len(known[name])))
        families.append(verdict.families if verdict else 0)
        figures = (
            *(record.wall_s, job.limits.seconds),
            *(phases.get(phase) for phase in ("model", "encode", "load", "solve")),
        )
        for numeric, figure in zip(numbers.values(), figures, strict=True):
            numeric.append(math.nan if figure is None else figure)
    columns: dict[str, Any] = {
        name: _categories(list(known[name]), np.asarray(codes[name])) for name in _OUTLINE_TEXTS
    }
    columns |= {"instance": np.asarray(instances), "families": np.asarray(families)}
    columns |= {name: np.asarray(values) for name, values in numbers.items()}
    return pd.DataFrame(columns, copy=False)


def _categories(texts: list[str], codes: Any) -> Any:
    """Texts by their codes; the categories are sorted, as groups of plain texts would be."""
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rank = np.empty(len(texts), dtype=np.int32)
    rank[order] = np.arange(len(texts), dtype=np.int32)
    return pd.Categorical.from_codes(rank[codes], categories=pd.Index([texts[c] for c in order]))


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Categories as the texts that they stand for."""
    kinds = {
        name: dtype.categories.dtype
        for name, dtype in frame.dtypes.items()
        if isinstance(dtype, pd.CategoricalDtype)
    }
    return frame.astype(kinds)


def agreement(jobs: pd.DataFrame) -> pd.DataFrame:
    """What became of the instances of each set and question; the five kinds add up.

    An instance counts for the first of these that holds: somebody's answer is wrong, somebody's is
    disputed, a backend solved it and its answer is verified, or unwitnessed, nobody solved it.
    """
    solved = _is_solved(jobs)
    per = jobs[INSTANCE].assign(
        wrong=jobs["verdict"] == "wrong",
        disputed=jobs["verdict"] == "disputed",
        verified=solved & (jobs["verdict"] == "verified"),
        unwitnessed=solved & (jobs["verdict"] == "unwitnessed"),
    )
    per = per.groupby(INSTANCE, sort=False, observed=True).max().reset_index()
    left = pd.Series(True, index=per.index)
    for kind in ("wrong", "disputed", "verified", "unwitnessed"):
        per[kind] &= left
        left &= ~per[kind]
    per["unsolved"] = left
    per["instances"] = True
    return _plain(per.groupby(QUESTION, observed=True)[AGREEMENT].sum().reset_index())


def failed_warm_ups(jobs: pd.DataFrame) -> dict[str, int]:
    """How many jobs of each backend there are before which a warm-up failed."""
    failed = jobs.loc[jobs["warm_up"] != "", "backend"].value_counts()
    return {str(name): int(number) for name, number in failed.items() if number}


def asked_of_witnesses(jobs: pd.DataFrame) -> dict[str, int]:
    """How many questions each witness was asked."""
    asked = jobs.loc[jobs["role"] == "witness", "backend"].value_counts()
    return {str(name): int(number) for name, number in asked.items() if number}


def timed(jobs: pd.DataFrame) -> pd.DataFrame:
    """``jobs`` without those of witnesses, whose times count for nothing."""
    witness = jobs["role"] == "witness"
    return jobs[~witness] if witness.any() else jobs


def disqualified(jobs: pd.DataFrame) -> set[str]:
    """The backends with at least one wrong answer among ``jobs``."""
    return set(map(str, jobs["backend"][jobs["verdict"] == "wrong"].unique()))


def per_instance(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a set, question, instance and backend.

    ``solved``, of these ``verified``; ``wall_s``, ``limit_s``. Of a backend that gains by later
    sights of an instance (``gains``) only the first one counts.
    """
    keys = [*INSTANCE, "backend"]
    jobs = timed(jobs)
    solved = _is_solved(jobs)
    needed = jobs[[*keys, "wall_s", "limit_s"]].assign(
        solved=solved, verified=solved & (jobs["verdict"] == "verified")
    )
    needed["wall_s"] = needed["wall_s"].where(_is_counted(jobs))
    grouped = needed.groupby(keys, sort=False, observed=True)
    return grouped.agg(
        solved=("solved", "all"),
        verified=("verified", "all"),
        wall_s=("wall_s", "median"),
        limit_s=("limit_s", "max"),
    ).reset_index()


def gains(jobs: pd.DataFrame) -> dict[str, first_sights.Gain]:
    """What each backend gains by later sights of the instances that it solved every time.

    Empty without repeats; rows are in their order of execution.
    """
    jobs, names = timed(jobs), [*INSTANCE, "backend"]
    if not jobs.duplicated(names).any():
        return {}
    keys = [jobs[name] for name in names]
    solved = _is_solved(jobs).groupby(keys, observed=True, sort=False).transform("all")
    times = jobs[solved].groupby(names, observed=True, sort=False)["wall_s"].agg(list)
    by_backend = times.groupby(level="backend", observed=True)
    return first_sights.gains({str(name): list(part) for name, part in by_backend})


def _is_counted(jobs: pd.DataFrame) -> pd.Series[bool]:
    """Whether a job's times count: not at later sights, of a backend that gains by them."""
    gaining = [name for name, gain in gains(jobs).items() if gain.is_systematic]
    counted = pd.Series(data=True, index=jobs.index)
    if gaining:
        seen = jobs.groupby([*INSTANCE, "backend"], observed=True, sort=False).cumcount()
        counted &= (seen == 0) | ~jobs["backend"].isin(gaining)
    return counted


def rank(verified: int, unwitnessed: int, par2_s: float, is_disqualified: bool) -> tuple[Any, ...]:
    """The key by which backends are ranked, the best first.

    A disqualified one is last; then more verified answers, more unwitnessed ones, less PAR-2.
    """
    return is_disqualified, -verified, -unwitnessed, par2_s


def timing(jobs: pd.DataFrame, reference: str | None = None) -> pd.DataFrame:
    """How long each backend took on each set and question, in the order of ``rank``.

    ``solved`` are the instances with a verified answer and those with an unwitnessed one.
    ``median_s``, ``mean_s``, ``p95_s``, ``max_s``, ``total_s`` are over the solved instances, and
    so are ``model_s``, ``encode_s``, ``load_s`` and ``solve_s``, means of the phases. ``par2_s`` is
    over all.
    ``relative`` is the geometric mean of the ratios to ``reference`` (by default the first
    of the ranking on that set) over the ``both`` instances that both solved: 2 is twice as long.
    """
    per, phases, out = per_instance(jobs), _phases(jobs), disqualified(jobs)
    rows = [
        row
        for key, group in per.groupby(QUESTION, observed=True)
        for row in _timings(dict(zip(QUESTION, key, strict=True)), group, phases, reference, out)
    ]
    return pd.DataFrame(rows, columns=_TIMING)


_TIMING = [
    *QUESTION,
    "backend",
    "instances",
    "verified",
    "unwitnessed",
    "solved",
    "median_s",
    "mean_s",
    "p95_s",
    "max_s",
    "total_s",
    "model_s",
    "encode_s",
    "load_s",
    "solve_s",
    "par2_s",
    "relative",
    "both",
]


def _timings(
    question: dict[str, Any],
    group: pd.DataFrame,
    phases: pd.DataFrame,
    reference: str | None,
    out: set[str],
) -> Iterator[dict[str, Any]]:
    """The rows of one set and question; ``out`` are the disqualified backends."""
    parts = {str(name): part for name, part in group.groupby("backend", observed=True)}
    par = {name: _par(part) for name, part in parts.items()}
    verified = {name: int(part["verified"].sum()) for name, part in parts.items()}
    solved = {name: int(part["solved"].sum()) for name, part in parts.items()}

    def place(name: str) -> tuple[Any, ...]:
        return *rank(verified[name], solved[name] - verified[name], par[name], name in out), name

    order = sorted(parts, key=place)
    times = {
        str(name): part[["instance", "wall_s"]]
        for name, part in group[group["solved"]].groupby("backend", observed=True)
    }
    nothing = group[["instance", "wall_s"]].head(0)
    against = times.get(order[0] if reference is None else reference, nothing)
    for name in order:
        own = times.get(name, nothing)
        seconds = own["wall_s"].to_numpy()
        ratios = _ratios(own, against)
        yield {
            **question,
            "backend": name,
            "instances": int((group["backend"] == name).sum()),
            "verified": verified[name],
            "unwitnessed": solved[name] - verified[name],
            "solved": len(seconds),
            "median_s": statistics.median(seconds),
            "mean_s": statistics.mean(seconds),
            "p95_s": statistics.percentile(seconds, 95),
            "max_s": float(seconds.max(initial=-math.inf)) if len(seconds) else math.nan,
            "total_s": float(seconds.sum()),
            **phases.loc[(*question.values(), name)],
            "par2_s": par[name],
            "relative": statistics.geometric_mean(ratios),
            "both": len(ratios),
        }


def _par(part: pd.DataFrame) -> float:
    solved = part["solved"]
    limits = part["limit_s"][~solved].fillna(math.inf)
    return statistics.par(part["wall_s"][solved].to_numpy(), limits.to_numpy())


def _ratios(own: pd.DataFrame, against: pd.DataFrame) -> Any:
    """The ratio of times for each instance that is in both."""
    if own is against:
        return np.ones(len(own))
    both = own.merge(against, on="instance", suffixes=("", "_reference"))
    return statistics.ratios(both["wall_s"].to_numpy(), both["wall_s_reference"].to_numpy())


def _phases(jobs: pd.DataFrame) -> pd.DataFrame:
    """Mean seconds over the jobs of solved instances, by set, question and backend."""
    jobs = timed(jobs)
    solved = _is_solved(jobs)
    keys = [jobs[name] for name in INSTANCE]
    all_solved = solved.groupby([*keys, jobs["backend"]], observed=True).transform("all")
    all_solved &= _is_counted(jobs)
    groups = [jobs[name] for name in (*QUESTION, "backend")]
    return pd.DataFrame(
        {  # one after the other: a million jobs have many of them
            phase: jobs[phase].where(all_solved).groupby(groups, observed=True).mean()
            for phase in ("model_s", "encode_s", "load_s", "solve_s")
        }
    )


def _is_solved(jobs: pd.DataFrame) -> pd.Series[bool]:
    return (jobs["outcome"] == "finished") & jobs["verdict"].isin(SOLVED)
