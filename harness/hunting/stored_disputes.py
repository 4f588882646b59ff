"""A dispute of a stored run becomes a finding."""

from __future__ import annotations

from collections.abc import Sequence

from harness.hunting.findings import Finding
from harness.hunting.judging.faults import MOST_FIRST, find_faults
from harness.hunting.judging.truth import Truth, add_witness, describe_truth, find_truth
from harness.record import FAULTS, Row
from harness.runs.loading import RunData
from harness.runs.replaying import restore_job
from modelling.errors import StoreError
from modelling.problem import Problem
from modelling.text import to_text
from puzzles.family import family


def make_finding(run: RunData, number: int | None = None) -> Finding:
    """The finding of job ``number``, or of the first job of the run with a fault.

    Raises StoreError where that job is missing, or nothing is known to be wrong with its answer.
    """
    with run.open() as store:
        rows = [row for row in store.read_rows() if row.job.role != "stated"]
    chosen = _choose(run, rows, number)
    if run.experiment is None:
        raise StoreError(f"{run.folder} has no experiment description")
    job = chosen.job if chosen.job.text else restore_job(run.experiment, chosen)
    problem = family(job.family).problem(job.text)
    truth = _gather_truth(problem, chosen, rows)
    faults = find_faults(truth, job.question, chosen.record)
    fault = next((fault for fault in MOST_FIRST if fault in faults), None)
    if fault is None:
        raise StoreError(
            f"job {job.number} of {run.folder}: nothing is known to be wrong with its answer, "
            f"{chosen.record.status} ({chosen.record.outcome})"
        )
    version = next((v for v in run.versions if v.id == chosen.record.version), None)
    return Finding(
        text=to_text(problem),
        question=job.question,
        backend=job.backend,
        fault=fault,
        claimed=faults[fault],
        right=describe_truth(truth, fault, faults[fault]),
        authority=truth.authority,
        limits=job.limits,
        version=version.solver if version else "",
        platform=next((m.system for m in run.machines if m.id == chosen.record.machine), ""),
    )


def _choose(run: RunData, rows: Sequence[Row], number: int | None) -> Row:
    if number is None:
        disputed = [row for row in rows if is_faulty(row)]
        if not disputed:
            raise StoreError(f"{run.folder} has no dispute: no answer is wrong, and none missing")
        return disputed[0]
    for row in rows:
        if row.job.number == number:
            return row
    raise StoreError(
        f"{run.folder} has no record of job {number}; see: concord table {run.folder} --which jobs"
    )


def is_faulty(row: Row) -> bool:
    """Whether the answer is wrong or disputed, or the solver failed without one."""
    verdict = row.verdict.verdict if row.verdict else ""
    return verdict in FAULTS or row.record.outcome in ("error", "crashed")


def _gather_truth(problem: Problem, chosen: Row, rows: Sequence[Row]) -> Truth:
    """What the solutions of all answers to the instance show, and what other families claim."""
    same = [row for row in rows if _is_same_instance(row, chosen) and row is not chosen]
    known = [values for row in [*same, chosen] for values in row.record.solutions]
    truth = find_truth(problem, known)
    for row in same:
        is_trusted = row.verdict is None or row.verdict.verdict not in ("wrong", "disputed")
        is_other = row.record.backend_family != chosen.record.backend_family
        if is_trusted and is_other and row.job.question == chosen.job.question:
            truth = add_witness(truth, row.record, row.job.question)
    return truth


def _is_same_instance(row: Row, other: Row) -> bool:
    keys = ("set", "instance", "family", "text")
    return all(getattr(row.job, key) == getattr(other.job, key) for key in keys)
