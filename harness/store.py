"""The store of a run: one SQLite file that survives a kill at any moment.

Words
-----
accepted    the one record of a job that counts; the database itself refuses a second one, and
            refuses to change or delete one
pending     jobs without a record: what a resumed run still has to do
WAL         SQLite's write-ahead log, which lets others read while a run writes; where a file
            system has no shared memory for it, the rollback journal serves

Tables: ``jobs`` in their order of execution, ``instances`` that they refer to, ``records``,
``verdicts`` (derived, and written anew by each validation), ``machines``, ``versions``,
``bad_lines`` of the input, and ``meta``. What holds lists or tables inside a cell is JSON.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import msgspec

from backends.api import Limits
from harness.experiment import Experiment, dump
from harness.job import Job, Question
from harness.machine import Machine
from harness.record import Record, Row, Verdict, Version
from modelling.errors import PuzzleError, StoreError

NAME = "store.sqlite"
SCHEMA = 1
"""Raised whenever an older Concord could not read the store."""

COMMIT_SECONDS = 0.25
COMMIT_ROWS = 500
_PAGE = 1000

_RECORD_FIELDS = [field.name for field in msgspec.structs.fields(Record)]
_JSON_FIELDS = ("solutions", "statistics", "phases")
_JSON_PLACES = [_RECORD_FIELDS.index(name) for name in _JSON_FIELDS]
_WHOLE_NUMBERS = [_RECORD_FIELDS.index(name) for name in ("count", "objective", "bound")]
_LARGEST_INTEGER = (1 << 63) - 1
_VERDICT_FIELDS = [field.name for field in msgspec.structs.fields(Verdict)]


def _columns(fields: list[str]) -> str:
    """One row a job: its number is the key, so there cannot be two."""
    first, *others = fields
    assert first == "job"
    return ", ".join(["job INTEGER PRIMARY KEY REFERENCES jobs (number)", *others])


_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE instances (
    id INTEGER PRIMARY KEY, "set" TEXT NOT NULL, name TEXT NOT NULL, family TEXT NOT NULL,
    text TEXT NOT NULL, source TEXT NOT NULL, UNIQUE ("set", name, family, text));
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, instance INTEGER NOT NULL REFERENCES instances (id),
    backend TEXT NOT NULL, ask TEXT NOT NULL, question TEXT NOT NULL, limits TEXT NOT NULL,
    repeat INTEGER NOT NULL, UNIQUE (instance, backend, ask, repeat));
CREATE TABLE records ({_columns(_RECORD_FIELDS)});
CREATE TABLE verdicts ({_columns(_VERDICT_FIELDS)});
CREATE TABLE machines (id TEXT PRIMARY KEY, description TEXT NOT NULL);
CREATE TABLE versions (id TEXT PRIMARY KEY, backend TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE bad_lines (place TEXT NOT NULL, cause TEXT NOT NULL);
CREATE TRIGGER records_are_final BEFORE UPDATE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never changed'); END;
CREATE TRIGGER records_stay BEFORE DELETE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never deleted'); END;
"""

_JOB_COLUMNS = """
    jobs.number, instances."set", instances.name, instances.family, instances.text, jobs.backend,
    jobs.question, jobs.limits, jobs.repeat, instances.source
"""
_JOBS = f"SELECT {_JOB_COLUMNS} FROM jobs JOIN instances ON instances.id = jobs.instance"

Answer = TypeVar("Answer")


class Store:
    """An open store; make one with ``create`` or ``open``.

    Opened for reading it may be used while another process writes. Writing needs ``writing()``,
    which holds the folder's lock.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._waiting: list[Record] = []
        self._last_commit = monotonic()

    # --- opening ---------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        folder: Path,
        experiment: Experiment | None,
        jobs: Iterable[Job],
        bad_lines: Iterable[PuzzleError] = (),
    ) -> Store:
        """A new store with all ``jobs``; the folder must not hold a run yet."""
        path = folder / NAME
        if path.exists():
            raise StoreError(f"{folder} already holds a run; resume it, or choose another folder")
        unfinished = folder / f"{NAME}.new"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            unfinished.unlink(missing_ok=True)
            connection = sqlite3.connect(unfinished, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"{folder} cannot be written: {error}; choose another folder"
            ) from error
        store = cls(folder, connection)
        try:
            store._fill(experiment, jobs, bad_lines)
            connection.close()
            unfinished.rename(path)  # a run is there in full or not at all
            store._connection = sqlite3.connect(path, isolation_level=None)
            if experiment is not None:
                (folder / "experiment.toml").write_text(dump(experiment), encoding="utf-8")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{folder} cannot be written: {error}") from error
        return store

    @classmethod
    def open(cls, folder: Path, *, write: bool = False) -> Store:
        """The store of a run; raises StoreError for a folder that holds none that can be read."""
        path = folder / NAME
        if not path.is_file():
            raise StoreError(f"{folder} is not a run: it has no {NAME}")
        if write and not os.access(path, os.W_OK):
            raise StoreError(f"{path} is read-only; copy the run to where you may write")
        connection = _readable(path, "rw" if write else "ro")
        store = cls(folder, connection)
        schema = store._read(lambda: store._meta("schema"))
        if schema is None or not schema.isdigit():
            raise StoreError(f"{path} is not a store of Concord")
        if int(schema) > SCHEMA:
            raise StoreError(
                f"{path} was written by a newer Concord (schema {schema}, this one reads up to "
                f"{SCHEMA}); upgrade with: pip install --upgrade solver-concord"
            )
        return store

    def close(self) -> None:
        """Commit what waits and close; the log is folded into the one file where possible."""
        self._connection.close()

    # --- writing ---------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the run: one process writes at a time. What waits is committed at the end."""
        with _lock(self.folder):
            try:
                _set_journal(self._connection)
                yield
            finally:
                self.commit()
                # One plain file is left behind, unless somebody is just reading it.
                self._try_pragma("journal_mode=DELETE")

    def add(self, record: Record) -> None:
        """Take in a record; it is on disk after the next commit."""
        self._waiting.append(record)
        if len(self._waiting) >= COMMIT_ROWS:
            self.commit()

    def commit_when_due(self) -> None:
        """Commit if the last commit is ``COMMIT_SECONDS`` ago."""
        if self._waiting and monotonic() - self._last_commit >= COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Write what waits to disk."""
        self._last_commit = monotonic()
        if not self._waiting:
            return
        marks = ", ".join("?" * len(_RECORD_FIELDS))
        rows = [_record_cells(record) for record in self._waiting]
        with self._transaction():
            self._connection.executemany(f"INSERT INTO records VALUES ({marks})", rows)
            # Before the commit: an interrupt in between costs a rerun, never a second record.
            self._waiting.clear()

    def add_version(self, version: Version) -> None:
        """Remember which library answers."""
        cells = version.id, version.backend, msgspec.json.encode(version).decode()
        with self._transaction():
            self._connection.execute("INSERT OR IGNORE INTO versions VALUES (?, ?, ?)", cells)

    def add_machine(self, machine: Machine) -> None:
        """Remember a machine that jobs run on."""
        cells = machine.id, msgspec.json.encode(machine).decode()
        with self._transaction():
            self._connection.execute("INSERT OR IGNORE INTO machines VALUES (?, ?)", cells)

    def set_verdicts(self, verdicts: Iterable[Verdict]) -> None:
        """Replace all verdicts."""
        marks = ", ".join("?" * len(_VERDICT_FIELDS))
        with self._transaction():
            self._connection.execute("DELETE FROM verdicts")
            rows = (msgspec.structs.astuple(verdict) for verdict in verdicts)
            self._connection.executemany(f"INSERT INTO verdicts VALUES ({marks})", rows)

    # --- reading ---------------------------------------------------------------------------

    def pending(self) -> Iterator[Job]:
        """The jobs without a record, in order, a page at a time."""
        last = 0
        query = (
            f"{_JOBS} WHERE jobs.number > ? AND NOT EXISTS "
            "(SELECT 1 FROM records WHERE records.job = jobs.number) ORDER BY jobs.number LIMIT ?"
        )
        while page := self._all(query, last, _PAGE):
            for cells in page:
                yield _job(cells)
            last = page[-1][0]

    def rows(self, *, by_instance: bool = False) -> Iterator[Row]:
        """Every job that has a record, with its verdict if there is one.

        In order of execution, or such that the jobs of one instance follow each other.
        """
        records = ", ".join(f"records.{name}" for name in _RECORD_FIELDS)
        verdicts = ", ".join(f"verdicts.{name}" for name in _VERDICT_FIELDS)
        order = "jobs.instance, jobs.number" if by_instance else "jobs.number"
        query = (
            f"SELECT {_JOB_COLUMNS}, {records}, {verdicts} FROM jobs "
            "JOIN instances ON instances.id = jobs.instance JOIN records ON records.job = "
            f"jobs.number LEFT JOIN verdicts ON verdicts.job = jobs.number ORDER BY {order}"
        )
        first, second = 10, 10 + len(_RECORD_FIELDS)
        for cells in self._each(query):
            yield Row(
                job=_job(cells[:first]),
                record=_record(cells[first:second]),
                verdict=Verdict(**dict(zip(_VERDICT_FIELDS, cells[second:], strict=True)))
                if cells[second] is not None
                else None,
            )

    def outcomes(self) -> dict[str, int]:
        """How many records there are of each outcome."""
        return dict(self._all("SELECT outcome, COUNT(*) FROM records GROUP BY outcome"))

    def number_of(self, table: str) -> int:
        """How many rows ``jobs``, ``records``, ``verdicts`` or ``bad_lines`` has."""
        return int(self._all(f"SELECT COUNT(*) FROM {table}")[0][0])

    def experiment(self) -> Experiment | None:
        """The experiment that the run was made from."""
        text = self._read(lambda: self._meta("experiment"))
        return None if text is None else msgspec.json.decode(text, type=Experiment)

    def machines(self) -> list[Machine]:
        """The machines that jobs ran on."""
        texts = self._all("SELECT description FROM machines ORDER BY id")
        return [msgspec.json.decode(text, type=Machine) for (text,) in texts]

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
        self, experiment: Experiment | None, jobs: Iterable[Job], bad_lines: Iterable[PuzzleError]
    ) -> None:
        connection = self._connection
        connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
        with self._transaction():
            meta = [("schema", str(SCHEMA))]
            if experiment is not None:
                meta.append(("experiment", msgspec.json.encode(experiment).decode()))
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
            places = ((error.place, error.cause) for error in bad_lines)
            connection.executemany("INSERT INTO bad_lines VALUES (?, ?)", places)
            known: dict[tuple[str, ...], int] = {}
            for job in jobs:
                key = job.set, job.instance, job.family, job.text
                if key not in known:
                    known[key] = len(known) + 1
                    cells = (known[key], *key, job.source)
                    connection.execute("INSERT INTO instances VALUES (?, ?, ?, ?, ?, ?)", cells)
                connection.execute(
                    "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        job.number,
                        known[key],
                        job.backend,
                        job.question.text,
                        msgspec.json.encode(job.question).decode(),
                        msgspec.json.encode(job.limits).decode(),
                        job.repeat,
                    ),
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"{self.folder / NAME} cannot be written: {error}") from error

    def _read(self, question: Callable[[], Answer]) -> Answer:
        try:
            return question()
        except sqlite3.Error as error:
            raise StoreError(f"{self.folder / NAME} cannot be read: {error}") from error

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._read(lambda: self._connection.execute(query, values).fetchall())

    def _each(self, query: str) -> Iterator[tuple[Any, ...]]:
        cursor = self._read(lambda: self._connection.execute(query))
        while page := self._read(lambda: cursor.fetchmany(_PAGE)):
            yield from page

    def _meta(self, key: str) -> str | None:
        found = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found[0])

    def _try_pragma(self, pragma: str) -> bool:
        try:
            self._connection.execute(f"PRAGMA {pragma}").fetchall()
        except sqlite3.OperationalError:
            return False
        return True


def _readable(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that has read something; a store on read-only media may need ``immutable``."""
    address = path.resolve().as_uri()
    tried = [f"{address}?mode={mode}"]
    if mode == "ro":
        tried.append(f"{address}?immutable=1")
    failure: sqlite3.Error | None = None
    for uri in tried:
        try:
            connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
        except sqlite3.Error as error:
            failure = failure or error
            continue
        try:
            connection.execute("SELECT COUNT(*) FROM meta").fetchone()
            return connection
        except sqlite3.Error as error:
            failure = failure or error
            connection.close()
    raise StoreError(f"{path} cannot be read as a store ({failure}); is it damaged?") from failure


def _set_journal(connection: sqlite3.Connection) -> None:
    """WAL where the file system allows it, else the rollback journal."""
    try:
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("SELECT COUNT(*) FROM meta").fetchone()
    except sqlite3.OperationalError:
        connection.execute("PRAGMA journal_mode=DELETE").fetchone()


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Hold ``folder`` against a second writer; the lock ends with the process."""
    import fcntl  # runs need POSIX anyway; reading a store does not

    try:
        descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise StoreError(f"{folder}: another process is running this run") from None
    finally:
        os.close(descriptor)


def _record_cells(record: Record) -> list[Any]:
    cells = list(msgspec.structs.astuple(record))
    for place in _JSON_PLACES:
        cells[place] = msgspec.json.encode(cells[place]).decode()
    for place in _WHOLE_NUMBERS:
        if cells[place] is not None and abs(cells[place]) > _LARGEST_INTEGER:
            cells[place] = str(cells[place])  # SQLite's integers end there; reading takes text too
    return cells


def _record(cells: Iterable[Any]) -> Record:
    values = dict(zip(_RECORD_FIELDS, cells, strict=True))
    for name in _JSON_FIELDS:
        values[name] = msgspec.json.decode(values[name])
    return msgspec.convert(values, Record, strict=False)


def _job(cells: Iterable[Any]) -> Job:
    number, set_name, name, family, text, backend, question, limits, repeat, source = cells
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
    )
