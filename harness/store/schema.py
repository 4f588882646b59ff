"""The tables of a store, what their cells hold, and how an older store becomes one of today.

What holds lists or tables inside a cell is JSON; whole numbers that SQLite cannot hold are text.

A change of schema only ever adds: tables, columns with a default, indexes. So a store of any age is
read as it is, what it lacks having its default, and before a store is written again it is brought
up to date in one transaction.

Version  what it brought
-------  ---------------
1        instances, jobs, records, verdicts, machines, versions, bad_lines, meta
2        probes; records: attempt, mode, cores, left_behind, and memory as baseline and increment;
         meta: digest of the experiment, share, total; later also entries and shares,
         which may be missing
3        jobs: role; records: warm_up; further columns that their structs brought
4        records: incumbents
5        verdicts: sense
6        records: stated_sense; jobs of the role ``stated``
7        records: proof, proof_note, proof_bytes
8        seals; meta: account and its seal (``harness.store.seals``)
9        records: proof_encoding; verdicts: ground
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, get_origin

import msgspec

from backends.interface.api import Limits
from harness.job import Job, Question
from harness.plan.expansion import PlannedJob
from harness.plan.experiment import Experiment
from harness.record import Record, Row, Verdict

VERSION = 9
"""Raised with every change, so that an older Concord says that it is too old."""

JOB_FIELDS = [field.name for field in msgspec.structs.fields(Job)]
RECORD_FIELDS = [field.name for field in msgspec.structs.fields(Record)]
VERDICT_FIELDS = [field.name for field in msgspec.structs.fields(Verdict)]


# --- tables --------------------------------------------------------------------------------


def _declare(fields: list[str]) -> str:
    """One row a job: its number is the key, so there cannot be two."""
    first, *others = fields
    assert first == "job"
    return ", ".join(["job INTEGER PRIMARY KEY REFERENCES jobs (number)", *others])


_ROLE = "role TEXT NOT NULL DEFAULT 'timed'"
_PROBES = "CREATE TABLE IF NOT EXISTS probes (description TEXT NOT NULL)"
SEALS = "CREATE TABLE IF NOT EXISTS seals (job INTEGER PRIMARY KEY, seal BLOB NOT NULL)"

_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE instances (
    id INTEGER PRIMARY KEY, "set" TEXT NOT NULL, name TEXT NOT NULL, family TEXT NOT NULL,
    text TEXT NOT NULL, source TEXT NOT NULL, UNIQUE ("set", name, family, text));
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, instance INTEGER NOT NULL REFERENCES instances (id),
    backend TEXT NOT NULL, ask TEXT NOT NULL, question TEXT NOT NULL, limits TEXT NOT NULL,
    repeat INTEGER NOT NULL, {_ROLE});
CREATE TABLE records ({_declare(RECORD_FIELDS)});
CREATE TABLE verdicts ({_declare(VERDICT_FIELDS)});
CREATE TABLE machines (id TEXT PRIMARY KEY, description TEXT NOT NULL);
CREATE TABLE versions (id TEXT PRIMARY KEY, backend TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE bad_lines (place TEXT NOT NULL, cause TEXT NOT NULL);
{_PROBES};
{SEALS};
"""

RECORDS_FINAL = """
CREATE TRIGGER records_are_final BEFORE UPDATE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never changed'); END
"""
RECORDS_STAY = """
CREATE TRIGGER records_stay BEFORE DELETE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never deleted'); END
"""

TABLES = f"{_TABLES} {RECORDS_FINAL}; {RECORDS_STAY};"
INDEXES = """
CREATE UNIQUE INDEX jobs_once ON jobs (instance, backend, ask, repeat);
"""
"""Made once the jobs are there, which is faster for a million of them."""


def write_insertion(table: str, fields: Sequence[str]) -> str:
    """The query that puts a row into a table."""
    return f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({', '.join('?' * len(fields))})"


JOB_COLUMNS = ("number", "instance", "backend", "ask", "question", "limits", "repeat", "role")
NEW_JOB = write_insertion("jobs", JOB_COLUMNS)
NEW_RECORD = write_insertion("records", RECORD_FIELDS)
NEW_VERDICT = write_insertion("verdicts", VERDICT_FIELDS)
NEW_SEAL = "INSERT OR REPLACE INTO seals VALUES (?, ?)"
OVERLAID_VERDICTS = f"CREATE TEMP TABLE verdicts ({_declare(VERDICT_FIELDS)})"
NEW_WITNESS_JOBS = f"""
    INSERT INTO jobs ({", ".join(JOB_COLUMNS)})
    SELECT number + :beyond, instance, :backend, ask, question, limits, 1, 'witness' FROM jobs
    WHERE number IN (SELECT MIN(number) FROM jobs WHERE role = 'timed' GROUP BY instance, ask)
    AND (instance, ask) IN (
        SELECT instance, ask FROM jobs JOIN records ON records.job = jobs.number
        JOIN verdicts ON verdicts.job = jobs.number
        WHERE role = 'timed' AND outcome = 'finished' AND verdict IN ('unwitnessed', 'unverified'))
    AND (instance, ask) NOT IN (SELECT instance, ask FROM jobs WHERE backend = :backend)
"""
"""What is answered in time by one known family alone, or by none, is asked of a witness."""


def list_columns(connection: sqlite3.Connection, table: str, database: str = "main") -> set[str]:
    """The columns that a table has, in this store."""
    return {row[1] for row in connection.execute(f"PRAGMA {database}.table_info({table})")}


def list_record_columns(connection: sqlite3.Connection, database: str = "main") -> list[str]:
    """The columns of the records that Concord knows, in the order in which they came."""
    rows = connection.execute(f"PRAGMA {database}.table_info(records)")
    return [row[1] for row in rows if row[1] in RECORD_FIELDS]


def remove_foreign_triggers(connection: sqlite3.Connection) -> int:
    """Have no triggers but ours: another one may change what is added; how many were removed."""
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    ours = [" ".join(text.split()) for text in (RECORDS_FINAL, RECORDS_STAY)]
    found = connection.execute(query).fetchall()
    foreign = [name for name, text in found if " ".join(text.split()) not in ours]
    for name in foreign:
        _drop_trigger(connection, name)
    return len(foreign)


def _drop_trigger(connection: sqlite3.Connection, name: str) -> None:
    connection.execute('DROP TRIGGER "' + name.replace('"', '""') + '"')


def remove_records(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Remove the records of these jobs, and all triggers but ours."""
    triggers = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    for (name,) in triggers:
        _drop_trigger(connection, name)
    for table in ("records", "seals"):
        of_job = ((number,) for number in numbers)
        connection.executemany(f"DELETE FROM {table} WHERE job = ?", of_job)
    connection.execute(RECORDS_FINAL)
    connection.execute(RECORDS_STAY)


def find_role(connection: sqlite3.Connection, database: str = "main") -> str:
    """The role of a job in a query of ``jobs``; an older store has timed ones."""
    return "jobs.role" if "role" in list_columns(connection, "jobs", database) else "'timed'"


def migrate(connection: sqlite3.Connection, meta: Iterable[tuple[str, str]]) -> None:
    """Bring a store up to date, within the caller's transaction; ``meta`` is what it may lack."""
    for table, fields in (("records", RECORD_FIELDS), ("verdicts", VERDICT_FIELDS)):
        there = list_columns(connection, table)
        for name in fields:
            if name not in there:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {name}")
    if "role" not in list_columns(connection, "jobs"):
        connection.execute(f"ALTER TABLE jobs ADD COLUMN {_ROLE}")
    connection.execute(_PROBES)
    connection.execute(SEALS)
    connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", meta)
    connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(VERSION),))


def describe(experiment: Experiment | None, more: dict[str, str]) -> list[tuple[str, str]]:
    """The rows of ``meta``."""
    meta = {"schema": str(VERSION)} | more
    if experiment is not None:
        meta["experiment"] = as_json(experiment)
        meta["digest"] = experiment.digest
    return list(meta.items())


# --- into cells ----------------------------------------------------------------------------

_JSON = {
    field.name: msgspec.json.Decoder(field.type)
    for field in msgspec.structs.fields(Record)
    if get_origin(field.type) in (tuple, dict, list)
}
_WHOLE_NUMBERS = ("count", "repeats", "objective", "bound")
_LARGEST_INTEGER = (1 << 63) - 1


def as_json(value: Any) -> str:
    """A value as the text of a cell."""
    return msgspec.json.encode(value).decode()


_recall_json = lru_cache(1000)(as_json)
"""For questions and limits, of which few differ."""


def encode_job(job: Job | PlannedJob, instance: int) -> tuple[Any, ...]:
    """The cells of a new job about the instance of this id, as ``NEW_JOB`` takes them."""
    question, limits = _recall_json(job.question), _recall_json(job.limits)
    asked = job.backend, job.question.text, question, limits
    return job.number, instance, *asked, job.repeat, job.role


def encode_record(record: Record) -> list[Any]:
    """The cells of a new record, as ``NEW_RECORD`` takes them."""
    cells = msgspec.structs.asdict(record)
    for name in _JSON:
        cells[name] = as_json(cells[name])
    for name in _WHOLE_NUMBERS:
        if cells[name] is not None and abs(cells[name]) > _LARGEST_INTEGER:
            cells[name] = str(cells[name])  # SQLite's integers end there
    cells["encoding_reused"] = int(cells["encoding_reused"])  # as it is read again
    return list(cells.values())


# --- out of cells --------------------------------------------------------------------------


def find_cells(connection: sqlite3.Connection) -> dict[str, str]:
    """The SQL expression for each thing that is known of a job: the fields of Job, Record and
    Verdict, ``ask``, ``characters``, the length of the instance's text, and ``instance_number``,
    which instances of one set and name share.

    What an older store lacks is NULL, as a column that a migration added is in the rows before it.
    """
    there = list_columns(connection, "records")
    judged = list_columns(connection, "verdicts", "temp") or list_columns(connection, "verdicts")
    of_instances = {name: f'instances."{name}"' for name in ("set", "family", "text", "source")}
    return {
        **{name: f"jobs.{name}" for name in ("number", "backend", "question", "limits", "repeat")},
        **of_instances,
        "ask": "jobs.ask",
        "characters": "LENGTH(instances.text)",
        "instance": "instances.name",
        "instance_number": '(SELECT MIN(id) FROM instances AS same WHERE same."set" = '
        'instances."set" AND same.name = instances.name)',
        "role": find_role(connection),
        **{name: f"verdicts.{name}" if name in judged else "NULL" for name in VERDICT_FIELDS},
        **{name: f"records.{name}" if name in there else "NULL" for name in RECORD_FIELDS},
    }


_read_question = lru_cache(1000)(msgspec.json.Decoder(Question).decode)
_read_limits = lru_cache(1000)(msgspec.json.Decoder(Limits).decode)

_READERS: dict[str, Callable[[Any], Any]] = {
    **{name: decoder.decode for name, decoder in _JSON.items()},
    **dict.fromkeys(_WHOLE_NUMBERS, int),
    "question": _read_question,
    "limits": _read_limits,
    "encoding_reused": bool,
}
"""What makes the value of a cell that is none yet, by the cell's name."""

_DEFAULTS = {
    field.name: getattr(Record(job=0, outcome="lost"), field.name)
    for field in msgspec.structs.fields(Record)
    if not field.required
}
"""What NULL stands for."""


def decode_job(cells: Sequence[Any]) -> Job:
    """The job in cells for ``JOB_FIELDS``."""
    values = dict(zip(JOB_FIELDS, cells, strict=True))
    values["question"] = _read_question(values["question"])
    values["limits"] = _read_limits(values["limits"])
    return Job(**values)


def decode_row(cells: Sequence[Any]) -> Row:
    """The row in cells for ``JOB_FIELDS``, ``RECORD_FIELDS`` and, if asked, ``VERDICT_FIELDS``."""
    at, end = len(JOB_FIELDS), len(JOB_FIELDS) + len(RECORD_FIELDS)
    found = zip(RECORD_FIELDS, cells[at:end], strict=True)
    record = {name: cell for name, cell in found if cell is not None}
    for name in _JSON:
        if name in record:
            record[name] = msgspec.json.decode(record[name])
    told = zip(VERDICT_FIELDS, cells[end:], strict=len(cells) > end)
    verdict = {name: cell for name, cell in told if cell is not None}
    return Row(
        job=decode_job(cells[:at]),
        record=msgspec.convert(record, Record, strict=False),  # reads numbers that are texts too
        verdict=Verdict(**verdict) if verdict.get("verdict") else None,
    )


def decode_column(name: str, cells: Sequence[Any]) -> Sequence[Any]:
    """The values in cells that are all called so."""
    read, default = _READERS.get(name), _DEFAULTS.get(name)
    if read is not None:
        return [default if cell is None else read(cell) for cell in cells]
    return cells if default is None else [default if cell is None else cell for cell in cells]
