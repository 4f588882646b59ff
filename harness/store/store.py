"""The store of a run: one SQLite file that survives a kill at any moment.

Words
-----
accepted    the one record of a job that counts; the database itself refuses a second one, and
            refuses to change or delete one
pending     jobs without a record: what a resumed run still has to do
waiting     rows taken in and not written yet; ``_due`` is when they are to be
under way   a commit whose rows are written, and that is not known to be on the disk

Records are committed together, 0.25 s after the first of them came, and the next commit begins when
this one is on the disk. A kill, a crash or a power cut costs the records of that long, whose jobs
run again when the run is resumed. A thread waits for the disk, and does nothing but COMMIT: writing
the rows is left to whoever watches over the jobs, since SQLite gives up the interpreter's lock for
each row, and a busy watcher would have to hand it over a thousand times a commit.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from harness.machine import Machine
from harness.noise import Probe
from harness.plan.expansion import PlannedJob
from harness.plan.experiment import Experiment
from harness.plan.reading import dump
from harness.record import Record, Row, Verdict, Version
from harness.store import files, schema
from harness.store.files import EXPERIMENT, NAME
from harness.store.reading import StoreReader
from modelling.errors import ExperimentError, PuzzleError, StoreError
from puzzles.family import Instance

COMMIT_SECONDS = 0.25
COMMIT_ROWS = 5000
"""Most rows that are written at a time: that is the watcher's time."""

MOST_WAITING = 50_000
"""Most rows that wait in memory, some 100 MB; then the disk is waited for."""


class Store(StoreReader):
    """An open store; make one with ``create``, ``open`` or ``hold``.

    Opened for reading it may be used while another process writes. Writing needs ``writing()``,
    which holds the folder's lock. What cannot be written is a StoreError, in the call after it at
    the latest.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        super().__init__(folder, connection)
        self._lock: ExitStack | None = None  # of a new store that nobody has written to yet
        self._waiting: list[tuple[str, Sequence[Any]]] = []  # queries with their cells, in order
        self._due = 0.0
        self._thread = ThreadPoolExecutor(1)
        self._under_way: Future[None] | None = None

    @classmethod
    def create(
        cls,
        folder: Path,
        experiment: Experiment | None,
        instances: Iterable[Instance | PuzzleError],
        jobs: Iterable[PlannedJob],
        meta: Callable[[], dict[str, str]] = dict,
        records: Callable[[], Iterable[Record]] = tuple,
    ) -> Store:
        """A new store; the folder must not hold a run yet.

        ``jobs``, then ``meta``, and ``records`` of jobs that have ended already, are asked once all
        ``instances`` have been taken in, so they may depend on how many there were. A run without
        any instance is not made: ExperimentError; one without jobs is, for a share of a small set
        may have none. The folder's lock is held until ``writing()`` or the store ends.
        """
        path = folder / NAME
        with ExitStack() as held:
            with files.make_store(path, held) as unfinished:
                with closing(files.connect(unfinished)) as connection:
                    _fill(connection, experiment, instances, jobs, meta, records)
                if experiment is not None:
                    (folder / EXPERIMENT).write_text(dump(experiment), encoding="utf-8")
            store = cls(folder, files.open_readable(path, "rw"))
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
        store = cls(folder, files.open_readable(path, "rw" if write else "ro"))
        version = store.read_meta("schema")
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

    @classmethod
    def hold(cls, folder: Path, rows: Iterable[Row]) -> Store:
        """A store to read what ``folder`` has in another form, as long as it is open."""
        store = cls(folder, files.connect(""))  # a temporary file, in memory as long as it is small
        try:
            _fill_with_rows(store._connection, rows)
        except BaseException as error:
            store.close()
            if isinstance(error, sqlite3.Error):
                raise StoreError(f"{folder} cannot be read: {error}") from error
            raise
        return store

    def close(self) -> None:
        """Close; what still waits is not kept."""
        self._thread.shutdown()
        self._connection.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # --- writing ---------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the run: one process writes at a time. What waits is committed at the end."""
        lock, self._lock = self._lock, None  # a new store has it, so that no other comes in between
        with lock or files.lock(self.folder):
            try:
                files.set_journal(self._connection, shared=not files.is_network(self.folder))
                if self.read_meta("schema") != str(schema.VERSION):
                    with self._transaction():
                        total = {"total": str(self.count("jobs"))}
                        meta = schema.describe(self.read_experiment(), total)
                        schema.migrate(self._connection, meta)
                yield
            finally:
                self.commit()
                # One plain file is left behind, unless somebody is just reading it.
                with suppress(sqlite3.OperationalError):
                    self._connection.execute("PRAGMA journal_mode=DELETE").fetchall()

    def add(self, record: Record) -> None:
        """Take in a record, on disk after the next commit; it waits only behind ``MOST_WAITING``
        rows."""
        self._take_in(schema.NEW_RECORD, schema.encode_record(record))
        number = len(self._waiting)
        if number >= MOST_WAITING or (number >= COMMIT_ROWS and not self._is_busy):
            self._begin()

    def add_version(self, version: Version) -> None:
        """Remember which library answers."""
        cells = version.id, version.backend, schema.as_json(version)
        self._take_in("INSERT OR IGNORE INTO versions VALUES (?, ?, ?)", cells)

    def add_machine(self, machine: Machine) -> None:
        """Remember a machine that jobs run on."""
        cells = machine.id, schema.as_json(machine)
        self._take_in("INSERT OR IGNORE INTO machines VALUES (?, ?)", cells)

    def add_probe(self, probe: Probe) -> None:
        """Remember how noisy the machine was at one moment."""
        self._take_in("INSERT INTO probes VALUES (?)", (schema.as_json(probe),))

    def set_verdicts(self, verdicts: Iterable[Verdict], rules: int) -> None:
        """Replace all verdicts; they may come while ``read_rows(verdicts=False)`` is read.

        ``rules`` is the version by which they were found, and is remembered with the first.
        """
        earlier = self.read_rules()
        with self._transaction():
            meta = [("rules", str(rules))]
            if earlier is not None:
                meta.append(("first_rules", str(earlier[0])))
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta)
            self._connection.execute("DELETE FROM verdicts")
            self._connection.executemany(schema.NEW_VERDICT, map(msgspec.structs.astuple, verdicts))

    def add_witness_jobs(self, backend: str, place: int) -> int:
        """Have ``backend`` asked about what stands unwitnessed, unless it was; how many jobs it is.

        Question and limits are those of the first timed job about it, whose number and the
        ``place`` of the witness (from 1) make the new one's: so copies of a run number alike.
        """
        given = {"backend": backend, "beyond": place * self.count_total()}
        with self._transaction():
            return self._connection.execute(schema.NEW_WITNESS_JOBS, given).rowcount

    # --- commits ---------------------------------------------------------------------------

    def commit_when_due(self) -> None:
        """Write what has waited for ``COMMIT_SECONDS``; the disk is not waited for.

        Raises StoreError when the commit before has failed.
        """
        if not self._is_busy and monotonic() >= self._due:
            self._begin()

    def commit(self) -> None:
        """Have on the disk what waits."""
        self._settle()
        while self._waiting:
            self._begin()
            self._settle()

    def _take_in(self, query: str, cells: Sequence[Any]) -> None:
        if not self._waiting:
            self._due = monotonic() + COMMIT_SECONDS
        self._waiting.append((query, cells))

    @property
    def _is_busy(self) -> bool:
        return self._under_way is not None and not self._under_way.done()

    def _settle(self) -> None:
        if self._under_way is None:
            return
        try:
            self._under_way.result()
        except sqlite3.Error:
            self._under_way = None
            with self._undo_on_failure():
                raise
        self._under_way = None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything in the block or nothing, on the disk when it ends."""
        self._settle()
        with self._undo_on_failure():
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")

    def _begin(self) -> None:
        self._settle()
        if not self._waiting:
            return
        with self._undo_on_failure():
            self._connection.execute("BEGIN IMMEDIATE")
            for query, rows in groupby(self._waiting[:COMMIT_ROWS], itemgetter(0)):
                self._connection.executemany(query, map(itemgetter(1), rows))
            # Before the commit: an interrupt in between costs a rerun, never a second record.
            del self._waiting[:COMMIT_ROWS]
            self._under_way = self._thread.submit(self._commit)

    def _commit(self) -> None:
        self._connection.execute("COMMIT")

    @contextmanager
    def _undo_on_failure(self) -> Iterator[None]:
        """Whatever goes wrong, no transaction stays open; SQLite's errors become StoreError."""
        try:
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:  # a full disk has ended it already
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise files.explain_unwritable(self.folder / NAME, error) from error


# --- what is in a new store ----------------------------------------------------------------


def _fill(
    connection: sqlite3.Connection,
    experiment: Experiment | None,
    instances: Iterable[Instance | PuzzleError],
    jobs: Iterable[PlannedJob],
    meta: Callable[[], dict[str, str]],
    records: Callable[[], Iterable[Record]],
) -> None:
    """Write what ``Store.create`` is given; nobody else sees this file before it is whole."""
    for pragma in ("journal_mode=OFF", "synchronous=OFF"):
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
            ids.append(_add_instance(connection, named, item.source))
            seen.update(msgspec.json.encode(named))  # where a file lies plays no part
    if not ids:
        first = connection.execute("SELECT place, cause FROM bad_lines LIMIT 1").fetchone()
        said = f"; the first bad line: {first[0]}: {first[1]}" if first else ""
        name = "" if experiment is None else f"{experiment.name}: "
        raise ExperimentError(f"{name}the sets have no instance to run{said}")
    connection.executemany(
        schema.NEW_JOB, (schema.encode_job(job, ids[job.instance]) for job in jobs)
    )
    connection.executemany(schema.NEW_RECORD, map(schema.encode_record, records()))
    connection.execute("DELETE FROM instances WHERE id NOT IN (SELECT DISTINCT instance FROM jobs)")
    described = schema.describe(experiment, {"entries": seen.hexdigest()} | meta())
    connection.executemany("INSERT INTO meta VALUES (?, ?)", described)
    connection.execute("COMMIT")
    connection.executescript(schema.INDEXES)


def _fill_with_rows(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    connection.executescript(f"BEGIN; {schema.TABLES} COMMIT;")
    connection.execute("BEGIN")
    for row in rows:
        job = row.job
        named = job.set, job.instance, job.family, job.text
        instance = _add_instance(connection, named, job.source)
        connection.execute(schema.NEW_JOB, schema.encode_job(job, instance))
        connection.execute(schema.NEW_RECORD, schema.encode_record(row.record))
        if row.verdict is not None:
            connection.execute(schema.NEW_VERDICT, msgspec.structs.astuple(row.verdict))
    connection.execute("COMMIT")


def _add_instance(
    connection: sqlite3.Connection, named: tuple[str, str, str, str], source: str
) -> int:
    """The id of an instance, which may be there already for another question."""
    added = connection.execute(
        "INSERT OR IGNORE INTO instances VALUES (NULL, ?, ?, ?, ?, ?)", (*named, source)
    )
    if added.rowcount and added.lastrowid is not None:
        return added.lastrowid
    query = 'SELECT id FROM instances WHERE "set" = ? AND name = ? AND family = ? AND text = ?'
    return int(connection.execute(query, named).fetchone()[0])
