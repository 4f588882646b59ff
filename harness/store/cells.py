"""Jobs, records and verdicts as cells of a store, and back.

Lists and tables inside a cell are JSON; whole numbers that SQLite cannot hold are text.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from backends.interface.api import Limits
from harness.job import Job, Question
from harness.plan.expansion import PlannedJob
from harness.record import Record, Verdict
from harness.store.schema import RECORD_FIELDS, VERDICT_FIELDS

JOB_COLUMNS = """
    jobs.number, instances."set", instances.name, instances.family, instances.text, jobs.backend,
    jobs.question, jobs.limits, jobs.repeat, instances.source
"""
"""What ``job`` takes, in its order; a job's role stands last."""

JOB_CELLS = 11

_JSON_FIELDS = ("solutions", "incumbents", "statistics", "phases")
_JSON_PLACES = [RECORD_FIELDS.index(name) for name in _JSON_FIELDS]
_WHOLE_NUMBERS = [RECORD_FIELDS.index(name) for name in ("count", "objective", "bound")]
_LARGEST_INTEGER = (1 << 63) - 1


def encode_jobs(jobs: Iterable[PlannedJob], ids: array[int]) -> Iterator[tuple[Any, ...]]:
    texts: dict[Question | Limits, str] = {}
    for job in jobs:
        for value in (job.question, job.limits):
            if value not in texts:
                texts[value] = msgspec.json.encode(value).decode()
        yield (
            job.number,
            ids[job.instance],
            job.backend,
            job.question.text,
            texts[job.question],
            texts[job.limits],
            job.repeat,
            job.role,
        )


def encode_record(record: Record) -> list[Any]:
    cells = list(msgspec.structs.astuple(record))
    for place in _JSON_PLACES:
        cells[place] = msgspec.json.encode(cells[place]).decode()
    for place in _WHOLE_NUMBERS:
        if cells[place] is not None and abs(cells[place]) > _LARGEST_INTEGER:
            cells[place] = str(cells[place])  # SQLite's integers end there; reading takes text too
    return cells


def decode_record(fields: Iterable[str], cells: Iterable[Any]) -> Record:
    values = dict(zip(fields, cells, strict=True))
    for name in _JSON_FIELDS:
        if name != "incumbents" or values.get(name) is not None:  # which older records have not got
            values[name] = msgspec.json.decode(values[name])
    # A column that a migration added is empty in the rows before it.
    values = {n: v for n, v in values.items() if v is not None or n in _MAY_BE_NONE}
    return msgspec.convert(values, Record, strict=False)


_MAY_BE_NONE = {field.name for field in msgspec.structs.fields(Record) if field.default is None}


def decode_verdict(cells: tuple[Any, ...]) -> Verdict | None:
    if not cells or cells[0] is None:
        return None
    return Verdict(**dict(zip(VERDICT_FIELDS, cells, strict=True)))


def decode_job(cells: Iterable[Any]) -> Job:
    number, set_name, name, family, text, backend, question, limits, repeat, source, role = cells
    return Job(
        number=number,
        set=set_name,
        instance=name,
        family=family,
        text=text,
        backend=backend,
        question=msgspec.json.decode(question, type=Question),
        limits=msgspec.json.decode(limits, type=Limits),
        repeat=repeat,
        source=source,
        role=role,
    )
