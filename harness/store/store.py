"""The store of a run: one SQLite file that survives a kill at any moment.

Words
-----
accepted    the one record of a job that counts; the database itself refuses a second one, and
            refuses to change or delete one
pending     jobs without a record: what a resumed run still has to do
WAL         SQLite's write-ahead log, which lets others read while a run writes; on a network file
            system, or where there is no shared memory for it, the rollback journal serves
index       an instance's place among those that were taken in, from 0

Tables (``harness.store.schema``): ``jobs`` in their order of execution, ``instances`` that they
refer to, ``records``, ``verdicts`` (derived, and written anew by each validation), ``machines``,
``versions``, ``bad_lines`` of the input, and ``meta``. What holds lists or tables inside a cell is
JSON.

Records are committed together (``harness.store.commits``), 0.25 s after the first of them came, and
the next commit begins when this one is on the disk. A kill, a crash or a power cut costs the
records of that long, whose jobs run again when the run is resumed.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from harness.job import Job
from harness.machine import Machine
from harness.noise import Probe
from harness.plan.expansion import PlannedJob
from harness.plan.experiment import Experiment
from harness.plan.reading import dump
from harness.record import Record, Row, Verdict, Version
from harness.store import cells as store_cells
from harness.store import connection as store_connection
from harness.store import faults as store_faults
from harness.store import lock as store_lock
from harness.store import schema
from harness.store.cells import JOB_CELLS, JOB_COLUMNS
from harness.store.commits import Commits
from harness.store.schema import RECORD_FIELDS, VERDICT_FIELDS
from modelling.errors import ExperimentError, PuzzleError, StoreError
from puzzles.family import Instance

NAME = "store.sqlite"
EXPERIMENT = "experiment.toml"

_PAGE = 1000

_IN_RANGE = "jobs.instance > ? AND jobs.instance <= ?"
_IS_PENDING = "NOT EXISTS (SELECT 1 FROM records WHERE records.job = jobs.number)"

Answer = TypeVar("Answer")


class Ended(NamedTuple):
    """How many jobs of a backend ended in one way, and their seconds of wall clock."""

    backend: str
    outcome: str
    number: int
    total_s: float
    max_s: float


class Store:
    """An open store; make one with ``create`` or ``open``.

    Opened for reading it may be used while another process writes. Writing needs ``writing()``,
    which holds the folder's lock.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._commits = Commits(folder / NAME, connection)
        self._lock: ExitStack | None = None

    # --- opening ---------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        folder: Path,
        experiment: Experiment | None,
        instances: Iterable[Instance | PuzzleError],
        jobs: Iterable[PlannedJob],
        meta: Callable[[], dict[str, str]] = dict,
    ) -> Store:
        """A new store; the folder must not hold a run yet.

        ``jobs`` and then ``meta`` are asked once all ``instances`` have been taken in, so both may
        depend on how many there were. A run without any instance is not made: ExperimentError; one
        without jobs is, for a share of a small set may have none.
        StoreError says that the folder holds a run already, that another process is at it, or that
        it cannot be written. The folder's lock is held until ``writing()`` or the store ends.
        """
        path = folder / NAME
        with ExitStack() as held:
            with store_lock.make_store(path, held) as unfinished:
                connection = store_connection.connect(unfinished)
                try:
                    cls(folder, connection)._fill(experiment, instances, jobs, meta)
                finally:
                    connection.close()
                if experiment is not None:
                    (folder / EXPERIMENT).write_text(dump(experiment), encoding="utf-8")
            store = cls(folder, store_connection.open_readable(path, "rw"))
            store._lock = held.pop_all()
            return store

    @classmethod
    def open(cls, folder: Path, *, write: bool = False) -> Store:
        """The store of a run; raises StoreError for a folder that holds none that can be read."""
        path = folder / NAME
        if not path.is_file():
            raise StoreError(f"{folder} is not a run: it has no {NAME}")
        if write and not os.access(path, os.W_OK):
            raise StoreError(f"{path} is read-only; copy the run to where you may write")
        connection = store_connection.open_readable(path, "rw" if write else "ro")
        store = cls(folder, connection)
        version = store._read(lambda: store.meta("schema"))
        if version is None or not version.isdigit():
            raise StoreError(f"{path} is not a store of Concord")
        if int(version) > schema.VERSION:
            raise StoreError(
                f"{path} was written by a newer Concord (schema {version}, this one reads up to "
                f"{schema.VERSION}); upgrade with: pip install --upgrade solver-concord"
            )
        if write:
            store.check_whole()
        return store

    def close(self) -> None:
        """Close; what still waits is not kept."""
        self._commits.close()
        self._connection.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # --- writing ---------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the run: one process writes at a time. What waits is committed at the end."""
        lock, self._lock = self._lock, None  # a new store has it, so that no other comes in between
        with lock or store_lock.lock(self.folder):
            try:
                store_connection.set_journal(
                    self._connection, shared=not store_connection.is_network(self.folder)
                )
                self._migrate()
                yield
            finally:
                self.commit()
                # One plain file is left behind, unless somebody is just reading it.
                self._try_pragma("journal_mode=DELETE")

    def add(self, record: Record) -> None:
        """Take in a record; it is on disk after the next commit."""
        self._commits.add(record)

    def add_version(self, version: Version) -> None:
        """Remember which library answers."""
        cells = version.id, version.backend, msgspec.json.encode(version).decode()
        self._commits.note("INSERT OR IGNORE INTO versions VALUES (?, ?, ?)", *cells)

    def add_machine(self, machine: Machine) -> None:
        """Remember a machine that jobs run on."""
        cells = machine.id, msgspec.json.encode(machine).decode()
        self._commits.note("INSERT OR IGNORE INTO machines VALUES (?, ?)", *cells)

    def add_probe(self, probe: Probe) -> None:
        """Remember how noisy the machine was at one moment."""
        self._commits.note("INSERT INTO probes VALUES (?)", msgspec.json.encode(probe).decode())

    def commit_when_due(self) -> None:
        """Begin to commit what has waited for long enough; the disk is not waited for.

        Raises StoreError when the commit before has failed.
        """
        self._commits.when_due()

    def commit(self) -> None:
        """Have on the disk what waits."""
        self._commits.now()

    def set_verdicts(self, verdicts: Iterable[Verdict], rules: int) -> None:
        """Replace all verdicts; they may come while ``rows(verdicts=False)`` is read.

        ``rules`` is the version by which they were found, and is remembered with the first.
        """
        earlier = self.rules()
        with self._commits.transaction():
            meta = [("rules", str(rules))]
            if earlier is not None:
                meta.append(("first_rules", str(earlier[0])))
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta)
            self._connection.execute("DELETE FROM verdicts")
            rows = (msgspec.structs.astuple(verdict) for verdict in verdicts)
            self._connection.executemany(_insertion("verdicts", VERDICT_FIELDS), rows)

    def add_witness_jobs(self, backend: str, place: int) -> int:
        """Have ``backend`` asked about what stands unwitnessed, unless it was; how many jobs it is.

        Question and limits are those of the first timed job about it, whose number and the
        ``place`` of the witness (from 1) make the new one's: so copies of a run number alike.
        """
        names = "number, instance, backend, ask, question, limits, repeat, role"
        with self._commits.transaction():
            added = self._connection.execute(
                f"INSERT INTO jobs ({names}) SELECT number + :beyond, instance, :backend, ask, "
                f"question, limits, 1, 'witness' FROM jobs WHERE number IN ({_FIRST_TIMED}) "
                f"AND (instance, ask) IN ({_UNWITNESSED}) AND (instance, ask) NOT IN "
                "(SELECT instance, ask FROM jobs WHERE backend = :backend)",
                {"backend": backend, "beyond": place * self.total()},
            )
        return added.rowcount

    # --- reading ---------------------------------------------------------------------------

    def read_pending(self) -> Iterator[Job]:
        """The jobs without a record, in order, a page at a time."""
        query = f"{self._jobs} WHERE jobs.number > ? AND {_IS_PENDING} ORDER BY jobs.number LIMIT ?"
        for page in self._pages(query):
            for cells in page:
                yield self._decoded(store_cells.decode_job, cells)

    def read_pending_by_instance(self) -> Iterator[Job]:
        """The jobs without a record; those of one instance follow each other."""
        order = "ORDER BY jobs.instance, jobs.number"
        query = f"{self._jobs} WHERE {_IN_RANGE} AND {_IS_PENDING} {order}"
        for page in self._pages_by_instance(query):
            for cells in page:
                yield self._decoded(store_cells.decode_job, cells)

    def job(self, number: int) -> Job | None:
        """One job by its number."""
        found = self._all(f"{self._jobs} WHERE jobs.number = ?", number)
        return self._decoded(store_cells.decode_job, found[0]) if found else None

    def rows(self, *, by_instance: bool = False, verdicts: bool = True) -> Iterator[Row]:
        """Every job that has a record, with its verdict if there is one (and ``verdicts``).

        In order of execution, or such that the jobs of one instance follow each other. They are
        read a page at a time, so that a run that goes on meanwhile is not held up.
        """
        # Columns that an older store lacks are left to their defaults.
        there = self._read(lambda: schema.columns(self._connection, "records"))
        fields = [name for name in RECORD_FIELDS if name in there]
        selected = [f"records.{name}" for name in fields]
        joined = "JOIN records ON records.job = jobs.number"
        if verdicts:
            selected += [f"verdicts.{name}" for name in VERDICT_FIELDS]
            joined += " LEFT JOIN verdicts ON verdicts.job = jobs.number"
        query = (
            f"SELECT {self._job_columns}, {', '.join(selected)} FROM jobs "
            f"JOIN instances ON instances.id = jobs.instance {joined}"
        )
        if by_instance:
            order = "ORDER BY jobs.instance, jobs.number"
            pages = self._pages_by_instance(f"{query} WHERE {_IN_RANGE} {order}")
        else:
            pages = self._pages(f"{query} WHERE jobs.number > ? ORDER BY jobs.number LIMIT ?")
        first, second = JOB_CELLS, JOB_CELLS + len(fields)
        for page in pages:
            for cells in page:
                yield Row(
                    job=self._decoded(store_cells.decode_job, cells[:first]),
                    record=self._decoded(store_cells.decode_record, fields, cells[first:second]),
                    verdict=store_cells.decode_verdict(cells[second:]),
                )

    def judge_aside(self, verdicts: Iterable[Verdict]) -> None:
        """Have ``rows`` tell these verdicts, without writing them into the store."""
        columns = ", ".join(["job INTEGER PRIMARY KEY", *VERDICT_FIELDS[1:]])
        self._all(f"CREATE TEMP TABLE verdicts ({columns})")
        rows = (msgspec.structs.astuple(verdict) for verdict in verdicts)
        query = _insertion("temp.verdicts", VERDICT_FIELDS)
        self._read(lambda: self._connection.executemany(query, rows))

    def rules(self) -> tuple[int, int] | None:
        """The rules of the first verdicts and of today's, by version; None without verdicts.

        A store from before there were versions has those of the first.
        """
        if not self.count("verdicts"):
            return None
        first, now = (self._read(partial(self.meta, key)) for key in ("first_rules", "rules"))
        today = self._decoded(int, now or "1")
        return (today if first is None else self._decoded(int, first)), today

    def outcomes(self) -> dict[str, int]:
        """How many records there are of each outcome."""
        return dict(self._all("SELECT outcome, COUNT(*) FROM records GROUP BY outcome"))

    def verdicts(self) -> dict[str, int]:
        """How many answers there are of each verdict."""
        return dict(self._all("SELECT verdict, COUNT(*) FROM verdicts GROUP BY verdict"))

    def progress(self) -> tuple[dict[str, int], list[Ended], str | None]:
        """Jobs by backend, what has ended by backend and outcome, and when the last one did."""
        planned = dict(self._all("SELECT backend, COUNT(*) FROM jobs GROUP BY backend"))
        ended = self._all(
            "SELECT jobs.backend, outcome, COUNT(*), SUM(wall_s), MAX(wall_s), MAX(ended_at) "
            "FROM records JOIN jobs ON jobs.number = records.job GROUP BY jobs.backend, outcome"
        )
        last = max((cells[-1] for cells in ended), default=None)
        return planned, [Ended(*cells[:-1]) for cells in ended], last

    def count_timed(self) -> int:
        """How many jobs there are without those of witnesses."""
        query = f"SELECT COUNT(*) FROM jobs WHERE {self._role} = 'timed'"
        return int(self._all(query)[0][0])

    @property
    def is_whole(self) -> bool:
        """Whether all jobs of the experiment are there, not merely those of a share."""
        return self.count_timed() == self.total()

    def count(self, table: str) -> int:
        """How many rows ``jobs``, ``records``, ``verdicts`` or ``bad_lines`` has."""
        return int(self._all(f"SELECT COUNT(*) FROM {table}")[0][0])

    def total(self) -> int:
        """How many jobs the experiment has, those of other shares included."""
        text = self._read(lambda: self.meta("total"))
        return self.count_timed() if text is None else self._decoded(int, text)

    def experiment(self) -> Experiment | None:
        """The experiment that the run was made from."""
        text = self._read(lambda: self.meta("experiment"))
        if text is None:
            return None
        return self._decoded(lambda: msgspec.json.decode(text, type=Experiment))

    def meta(self, key: str) -> str | None:
        """What ``meta`` says: schema, experiment (as JSON), digest, share, shares, total, entries,
        rules and first_rules (``rules``).

        ``shares`` are those of a merged run that lacks others, with spaces in between.
        ``entries`` is a digest of all instances of the sets in their order, those of other shares
        included; a store from before has none.
        """
        found = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found[0])

    def machines(self) -> list[Machine]:
        """The machines that jobs ran on."""
        texts = self._all("SELECT description FROM machines ORDER BY id")
        return [msgspec.json.decode(text, type=Machine) for (text,) in texts]

    def probes(self) -> list[Probe]:
        """How noisy the machine was, in the order in which it was looked at."""
        if not self._read(lambda: schema.columns(self._connection, "probes")):
            return []  # an older store
        texts = self._all("SELECT description FROM probes ORDER BY rowid")
        return [msgspec.json.decode(text, type=Probe) for (text,) in texts]

    def versions(self) -> list[Version]:
        """The versions that answered."""
        texts = self._all("SELECT description FROM versions ORDER BY backend, id")
        return [msgspec.json.decode(text, type=Version) for (text,) in texts]

    def bad_lines(self) -> list[PuzzleError]:
        """The lines of the input that could not be read."""
        cells = self._all("SELECT place, cause FROM bad_lines ORDER BY rowid")
        return [PuzzleError(cause, place) for place, cause in cells]

    # --- SQLite ----------------------------------------------------------------------------

    def _fill(
        self,
        experiment: Experiment | None,
        instances: Iterable[Instance | PuzzleError],
        jobs: Iterable[PlannedJob],
        meta: Callable[[], dict[str, str]],
    ) -> None:
        connection = self._connection
        # Nobody else sees this file before it is whole, so that nothing needs to be undone.
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-32000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(f"BEGIN; {schema.TABLES} COMMIT;")
        connection.execute("BEGIN")
        ids, seen = array("Q"), blake2b(digest_size=16)
        for item in instances:
            if isinstance(item, PuzzleError):
                cells = item.place, item.cause
                connection.execute("INSERT INTO bad_lines VALUES (?, ?)", cells)
            else:
                named = item.set, item.name, item.family, item.text
                ids.append(self._add_instance(named, item.source))
                seen.update(msgspec.json.encode(named))  # where a file lies plays no part
        if not ids:
            first = connection.execute("SELECT place, cause FROM bad_lines LIMIT 1").fetchone()
            said = f"; the first bad line: {first[0]}: {first[1]}" if first else ""
            name = "" if experiment is None else f"{experiment.name}: "
            raise ExperimentError(f"{name}the sets have no instance to run{said}")
        connection.executemany(_NEW_JOB, store_cells.encode_jobs(jobs, ids))
        connection.execute(
            "DELETE FROM instances WHERE id NOT IN (SELECT DISTINCT instance FROM jobs)"
        )
        told = {"entries": seen.hexdigest()} | meta()
        connection.executemany("INSERT INTO meta VALUES (?, ?)", _meta(experiment, told))
        connection.execute("COMMIT")
        connection.executescript(schema.INDEXES)

    def _add_instance(self, cells: tuple[str, ...], source: str) -> int:
        """The id of an instance, which may be there already for another question."""
        known = self._connection.execute(
            "INSERT OR IGNORE INTO instances VALUES (NULL, ?, ?, ?, ?, ?)", (*cells, source)
        )
        if known.rowcount and known.lastrowid is not None:
            return known.lastrowid
        query = 'SELECT id FROM instances WHERE "set" = ? AND name = ? AND family = ? AND text = ?'
        return int(self._connection.execute(query, cells).fetchone()[0])

    def _migrate(self) -> None:
        if self.meta("schema") == str(schema.VERSION):
            return
        with self._commits.transaction():
            meta = _meta(self.experiment(), {"total": str(self.count("jobs"))})
            schema.migrate(self._connection, meta)

    def check_whole(self) -> None:
        """Nothing is added to a damaged store, and nothing taken from it: that would hide what is
        still to be had. Raises StoreError."""
        found = self._all("PRAGMA quick_check(1)")
        if found != [("ok",)]:
            raise store_faults.damaged(self.folder / NAME, found[0][0].splitlines()[-1])

    def _read(self, question: Callable[[], Answer]) -> Answer:
        self._commits.settle()
        try:
            return question()
        except sqlite3.Error as error:
            raise store_faults.unreadable(self.folder / NAME, error) from error

    def _decoded(self, make: Callable[..., Answer], *cells: Any) -> Answer:
        """What ``make`` makes of cells, which a damaged store may have anything in."""
        try:
            return make(*cells)
        except (TypeError, ValueError) as error:  # msgspec's errors are of the latter
            raise store_faults.damaged(self.folder / NAME, str(error)) from error

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._read(lambda: self._connection.execute(query, values).fetchall())

    @property
    def _role(self) -> str:
        return self._read(lambda: schema.role(self._connection))

    @property
    def _job_columns(self) -> str:
        return f"{JOB_COLUMNS}, {self._role}"

    @property
    def _jobs(self) -> str:
        joined = "jobs JOIN instances ON instances.id = jobs.instance"
        return f"SELECT {self._job_columns} FROM {joined}"

    def _pages(self, query: str) -> Iterator[list[tuple[Any, ...]]]:
        """What ``query`` finds, page by page; it takes a job's number and how many, in this order.

        Between two pages nothing is locked.
        """
        last = 0
        while page := self._all(query, last, _PAGE):
            yield page
            last = page[-1][0]

    def _pages_by_instance(self, query: str) -> Iterator[list[tuple[Any, ...]]]:
        """What ``query`` finds, some whole instances at a time; it takes a range of their ids."""
        last = 0
        ends = (
            "SELECT MAX(instance) FROM "
            "(SELECT instance FROM jobs WHERE instance > ? ORDER BY instance LIMIT ?)"
        )
        while (end := self._all(ends, last, _PAGE)[0][0]) is not None:
            yield self._all(query, last, end)
            last = end

    def _try_pragma(self, pragma: str) -> bool:
        try:
            self._connection.execute(f"PRAGMA {pragma}").fetchall()
        except sqlite3.OperationalError:
            return False
        return True


def _meta(experiment: Experiment | None, more: dict[str, str]) -> list[tuple[str, str]]:
    meta = {"schema": str(schema.VERSION)} | more
    if experiment is not None:
        meta["experiment"] = msgspec.json.encode(experiment).decode()
        meta["digest"] = experiment.digest
    return list(meta.items())


_NEW_JOB = "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

_FIRST_TIMED = "SELECT MIN(number) FROM jobs WHERE role = 'timed' GROUP BY instance, ask"
_UNWITNESSED = """
    SELECT instance, ask FROM jobs JOIN records ON records.job = jobs.number
    JOIN verdicts ON verdicts.job = jobs.number
    WHERE role = 'timed' AND outcome = 'finished'
    AND verdict IN ('unwitnessed', 'unverified')
"""
"""Answered in time by one known family alone, or by none."""


def _insertion(table: str, fields: list[str]) -> str:
    marks = ", ".join("?" * len(fields))
    return f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({marks})"
