"""The tables of a store, and how an older store becomes one of today.

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
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from harness.record import Record, Verdict

VERSION = 4
"""Raised with every change, so that an older Concord says that it is too old."""

RECORD_FIELDS = [field.name for field in msgspec.structs.fields(Record)]
VERDICT_FIELDS = [field.name for field in msgspec.structs.fields(Verdict)]


def _columns(fields: list[str]) -> str:
    """One row a job: its number is the key, so there cannot be two."""
    first, *others = fields
    assert first == "job"
    return ", ".join(["job INTEGER PRIMARY KEY REFERENCES jobs (number)", *others])


_ROLE = "role TEXT NOT NULL DEFAULT 'timed'"
_PROBES = "CREATE TABLE IF NOT EXISTS probes (description TEXT NOT NULL)"

_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE instances (
    id INTEGER PRIMARY KEY, "set" TEXT NOT NULL, name TEXT NOT NULL, family TEXT NOT NULL,
    text TEXT NOT NULL, source TEXT NOT NULL, UNIQUE ("set", name, family, text));
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, instance INTEGER NOT NULL REFERENCES instances (id),
    backend TEXT NOT NULL, ask TEXT NOT NULL, question TEXT NOT NULL, limits TEXT NOT NULL,
    repeat INTEGER NOT NULL, {_ROLE});
CREATE TABLE records ({_columns(RECORD_FIELDS)});
CREATE TABLE verdicts ({_columns(VERDICT_FIELDS)});
CREATE TABLE machines (id TEXT PRIMARY KEY, description TEXT NOT NULL);
CREATE TABLE versions (id TEXT PRIMARY KEY, backend TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE bad_lines (place TEXT NOT NULL, cause TEXT NOT NULL);
{_PROBES};
CREATE TRIGGER records_are_final BEFORE UPDATE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never changed'); END;
"""

RECORDS_STAY = """
CREATE TRIGGER records_stay BEFORE DELETE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never deleted'); END;
"""

TABLES = _TABLES + RECORDS_STAY
INDEXES = """
CREATE UNIQUE INDEX jobs_once ON jobs (instance, backend, ask, repeat);
"""
"""Made once the jobs are there, which is faster for a million of them."""


def role(connection: sqlite3.Connection, database: str = "main") -> str:
    """What stands for the role of a job in a query of ``jobs``; an older store has timed ones."""
    return "jobs.role" if "role" in columns(connection, "jobs", database) else "'timed'"


def columns(connection: sqlite3.Connection, table: str, database: str = "main") -> set[str]:
    """The columns that a table has, in this store."""
    return {row[1] for row in connection.execute(f"PRAGMA {database}.table_info({table})")}


def migrate(connection: sqlite3.Connection, meta: Iterable[tuple[str, str]]) -> None:
    """Bring a store up to date, within the caller's transaction; ``meta`` is what it may lack."""
    for table, fields in (("records", RECORD_FIELDS), ("verdicts", VERDICT_FIELDS)):
        there = columns(connection, table)
        for name in fields:
            if name not in there:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {name}")
    if "role" not in columns(connection, "jobs"):
        connection.execute(f"ALTER TABLE jobs ADD COLUMN {_ROLE}")
    connection.execute(_PROBES)
    connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", meta)
    connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(VERSION),))
