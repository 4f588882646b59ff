"""The jobs of a run as DataFrames, and what became of the instances and of the questions.

Words
-----
jobs        one row a job: the question, what happened, the answer, the times, the verdict
outline     those columns of it that the other tables are made of
agreement   one row a set and question: what became of its instances
reasons     one row a backend, outcome and reason: why questions were not answered

Seconds are in columns that end in ``_s``.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from harness.record import Row
from harness.report import columns as meanings
from harness.report.standings import INSTANCE, QUESTION, is_solved, timed

PHASES = ("model", "encode", "load", "solve", "first_solution", "decode")

LONGEST_REASON = 200
"""Characters that are kept of what a backend said."""


def jobs(rows: Iterable[Row]) -> pd.DataFrame:
    """One row a job, in the order of ``rows``.

    The columns are ``columns.JOBS``; statistics that are not usual have one more each, named
    ``stat_`` and what the solver calls them.
    """
    columns: dict[str, list[Any]] = {name: [] for name in meanings.JOBS}
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
        "incumbents": tuple(map(tuple, record.incumbents)),
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


_OUTLINE_TEXTS = ("set", "ask", "backend", "role", "warm_up", "outcome", "verdict", "error")
_OUTLINE_NUMBERS = ("wall_s", "elapsed_s", "limit_s", "model_s", "encode_s", "load_s", "solve_s")


def outline(rows: Iterable[Row]) -> pd.DataFrame:
    """The columns of ``jobs`` that the other tables need, in little memory.

    Texts are categories, and an instance is a number of 64 bits made from its set and name: a
    million rows take 70 MB.
    """
    numbers_of_jobs, instances, families = array("q"), array("q"), array("h")
    known: dict[str, dict[str, int]] = {name: {} for name in _OUTLINE_TEXTS}
    codes = {name: array("i") for name in _OUTLINE_TEXTS}
    numbers = {name: array("d") for name in _OUTLINE_NUMBERS}
    for row in rows:
        job, record, verdict, phases = row.job, row.record, row.verdict, row.record.phases
        numbers_of_jobs.append(job.number)
        instances.append(hash((job.set, job.instance)))
        texts = (
            *(job.set, job.question.text, job.backend, job.role),
            *("failed" if record.warm_up else "", record.outcome),
            verdict.verdict if verdict else "unverified",
            shorten_reason(record.error),
        )
        for name, text in zip(_OUTLINE_TEXTS, texts, strict=True):
            codes[name].append(known[name].setdefault(text, len(known[name])))
        families.append(verdict.families if verdict else 0)
        figures = (
            *(record.wall_s, record.elapsed_s, job.limits.seconds),
            *(phases.get(phase) for phase in ("model", "encode", "load", "solve")),
        )
        for numeric, figure in zip(numbers.values(), figures, strict=True):
            numeric.append(math.nan if figure is None else figure)
    columns: dict[str, Any] = {
        name: _categories(list(known[name]), np.asarray(codes[name])) for name in _OUTLINE_TEXTS
    }
    columns |= {
        "job": np.asarray(numbers_of_jobs),
        "instance": np.asarray(instances),
        "families": np.asarray(families),
    }
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
    solved = is_solved(jobs)
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
    kinds = [name for name in meanings.AGREEMENT if name not in QUESTION]
    return _plain(per.groupby(QUESTION, observed=True)[kinds].sum().reset_index())


def shorten_reason(error: str) -> str:
    """What an error comes to, as much of it as can be taken in at a glance.

    Of a traceback the last line; of anything else all lines, as one.
    """
    said = error.strip()
    line = said.rpartition("\n")[2] if said.startswith("Traceback") else said
    line = " ".join(line.split())
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} ..."


def reasons(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a backend, outcome and reason: in how many jobs, and the first of them.

    The commonest of a backend comes first.
    """
    jobs = timed(jobs)
    failed = jobs[jobs["outcome"].astype(str) != "finished"]
    found = pd.DataFrame(
        {
            "backend": failed["backend"].astype(str),
            "outcome": failed["outcome"].astype(str),
            "reason": [shorten_reason(error) for error in failed["error"]],
            "job": failed["job"],
        }
    )
    counted = found.groupby(["backend", "outcome", "reason"], as_index=False).agg(
        jobs=("job", "size"), first_job=("job", "min")
    )
    return counted.sort_values(
        ["backend", "jobs", "outcome", "reason"], ascending=[True, False, True, True]
    ).reset_index(drop=True)[list(meanings.REASONS)]


def count_failed_warm_ups(jobs: pd.DataFrame) -> dict[str, int]:
    """How many jobs of each backend there are before which a warm-up failed."""
    return _count_by_backend(jobs["backend"][jobs["warm_up"] != ""])


def count_asked_witnesses(jobs: pd.DataFrame) -> dict[str, int]:
    """How many questions each witness was asked."""
    return _count_by_backend(jobs["backend"][jobs["role"] == "witness"])


def _count_by_backend(backends: pd.Series[Any]) -> dict[str, int]:
    return {str(name): int(n) for name, n in backends.value_counts().items() if n}
