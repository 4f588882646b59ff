"""Replaying: one job of a run again, alone, as it was.

The same instance, question, backend, options, limits and seed; on this machine, with the libraries
that are here now. The comparison uses what must not depend on chance: outcome,
status, number of solutions, their digest, objective and bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from backends.interface.registry import keeps_state
from harness.job import Job
from harness.plan.expansion import Expansion
from harness.plan.experiment import Experiment
from harness.record import Record, Row, Version
from harness.runs.loading import RunData
from harness.supervise.settings import hide_store, settings_for
from harness.supervise.supervisor import supervise
from modelling.errors import InstanceError, StoreError
from puzzles.family import family

COMPARED = ("outcome", "status", "count", "digest", "objective", "bound")


@dataclass(frozen=True)
class ReplayReport:
    """A job with its record and the one of now; ``differences`` says where they differ."""

    job: Job
    recorded: Record
    again: Record
    differences: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether it came out the same."""
        return not self.differences


def replay(run: RunData, number: int) -> ReplayReport:
    """Run job ``number`` of ``run`` again; raises StoreError when it has no record there."""
    with run.open() as store:
        row, last = store.find_row(number), store.find_last_ended()
    if row is None:
        raise StoreError(
            f"{run.folder} has no record of job {number}; jobs are numbered from 1 (the last "
            f"one with a record is {last}), see: concord table {run.folder} --which jobs"
        )
    if run.experiment is None:
        raise StoreError(f"{run.folder} has no experiment description")
    if row.job.role == "stated":
        raise StoreError(f"job {number} is an answer {row.job.backend}; nothing was run for it")
    job = row.job if row.job.text else restore_job(run.experiment, row)
    versions: list[Version] = []
    settings = hide_store(replace(settings_for(run.experiment), slots=1), run.folder)
    records = supervise([job], settings, versions.append)
    again = next(record for record in records if record is not None)
    for _ in records:  # to its end: the worker leaves
        pass
    differences = (
        f"{name}: {old!r} was recorded, now it is {new!r}"
        for name in COMPARED
        if (old := getattr(row.record, name)) != (new := getattr(again, name))
    )
    notes = _note_changes(run, row, versions)
    return ReplayReport(job, row.record, again, tuple(differences), tuple(notes))


def restore_job(experiment: Experiment, row: Row) -> Job:
    """The job of a reference, which keeps no texts: its instance is looked up in the sets."""
    wanted = row.job.set, row.job.instance
    for instance in Expansion(experiment).instances():
        if not isinstance(instance, InstanceError) and (instance.set, instance.name) == wanted:
            digest = family(instance.family).problem(instance.text).digest
            if row.record.instance_digest in ("", digest):
                return msgspec.structs.replace(row.job, text=instance.text, source=instance.source)
    raise StoreError(
        f"the record keeps no text, and the sets have no {row.job.set} {row.job.instance} like it"
    )


def _note_changes(run: RunData, row: Row, versions: list[Version]) -> list[str]:
    notes = []
    recorded = next((v for v in run.versions if v.id == row.record.version), None)
    for now in versions:
        for name in ("solver", "concord", "python"):
            old = getattr(recorded, name, None)
            if old is not None and old != getattr(now, name):
                notes.append(f"{name}: recorded with {old}, now {getattr(now, name)}")
    if row.record.nth > 1 and keeps_state(row.job.backend):
        notes.append(f"its solver had seen {row.record.nth - 1} jobs before; now it has seen none")
    return notes
