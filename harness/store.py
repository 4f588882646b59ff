"""The store of a run: one SQLite file that survives a kill at any moment.

Words
-----
accepted    the one record of a job that counts; the database itself refuses a second one, and
            refuses to change or delete one
pending     jobs without a record: what a resumed run still has to do
WAL         SQLite's write-ahead log, which lets others read while a run writes; on a network file
            system, or where there is no shared memory for it, the rollback journal serves
index       an instance's place among those that were taken in, from 0

Tables (``harness.schema``): ``jobs`` in their order of execution, ``instances`` that they refer to,
``records``, ``verdicts`` (derived, and written anew by each validation), ``machines``,
``versions``, ``bad_lines`` of the input, and ``meta``. What holds lists or tables inside a cell is
JSON.

Records are committed together, at the latest ``COMMIT_SECONDS`` after the first of them came, and a
commit is on the disk when it returns. So a kill, a crash or a power cut costs the records of that
long, whose jobs run again when the run is resumed.
"""

from __future__ import annotations

import errno
import os
import socket
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import msgspec

from backends.api import Limits
from harness import file_system, schema
from harness.calibration import Probe
from harness.expansion import Placed
from harness.experiment import Experiment, digest, dump
from harness.instances import Named
from harness.job import Job, Question
from harness.machine import Machine
from harness.record import Record, Row, Verdict, Version
from harness.schema import RECORD_FIELDS, VERDICT_FIELDS
from modelling.errors import ExperimentError, PuzzleError, StoreError

NAME = "store.sqlite"
EXPERIMENT = "experiment.toml"

COMMIT_SECONDS = 0.25
COMMIT_ROWS = 5000
"""So many records wait in memory at the most, however fast they come."""

_PAGE = 1000

_JSON_FIELDS = ("solutions", "statistics", "phases")
_JSON_PLACES = [RECORD_FIELDS.index(name) for name in _JSON_FIELDS]
_WHOLE_NUMBERS = [RECORD_FIELDS.index(name) for name in ("count", "objective", "bound")]
_LARGEST_INTEGER = (1 << 63) - 1

_JOB_COLUMNS = """
    jobs.number, instances."set", instances.name, instances.family, instances.text, jobs.backend,
    jobs.question, jobs.limits, jobs.repeat, instances.source
"""
_JOBS = f"SELECT {_JOB_COLUMNS} FROM jobs JOIN instances ON instances.id = jobs.instance"
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
        self._waiting: list[Record] = []
        self._due = 0.0

    # --- opening ---------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        folder: Path,
        experiment: Experiment | None,
        entries: Iterable[Named | PuzzleError],
        jobs: Iterable[Placed],
        meta: Callable[[], dict[str, str]] = dict,
    ) -> Store:
        """A new store; the folder must not hold a run yet.

        ``jobs`` and then ``meta`` are asked once all ``entries`` have been taken in, so both may
        depend on how many there were. A run without any job is not made: StoreError.
        """
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
                f"{folder} cannot be written: {error}; choose another folder with --out"
            ) from error
        store = cls(folder, connection)
        try:
            store._fill(experiment, entries, jobs, meta)
            connection.close()
            _write_through(unfinished)
            if experiment is not None:
                (folder / EXPERIMENT).write_text(dump(experiment), encoding="utf-8")
            unfinished.rename(path)  # a run is there in full or not at all
            _write_through(folder)
            store._connection = sqlite3.connect(path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{folder} cannot be written: {error}{_remedy(error)}") from error
        finally:
            connection.close()
            unfinished.unlink(missing_ok=True)
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
        version = store._read(lambda: store.meta("schema"))
        if version is None or not version.isdigit():
            raise StoreError(f"{path} is not a store of Concord")
        if int(version) > schema.VERSION:
            raise StoreError(
                f"{path} was written by a newer Concord (schema {version}, this one reads up to "
                f"{schema.VERSION}); upgrade with: pip install --upgrade solver-concord"
            )
        if write:
            store._check_whole()
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
                _set_journal(self._connection, shared=not file_system.is_network(self.folder))
                self._migrate()
                yield
            finally:
                self.commit()
                # One plain file is left behind, unless somebody is just reading it.
                self._try_pragma("journal_mode=DELETE")

    def add(self, record: Record) -> None:
        """Take in a record; it is on disk after the next commit."""
        if not self._waiting:
            self._due = monotonic() + COMMIT_SECONDS
        self._waiting.append(record)
        if len(self._waiting) >= COMMIT_ROWS:
            self.commit()

    def commit_when_due(self) -> None:
        """Commit if a record has waited for ``COMMIT_SECONDS``."""
        if self._waiting and monotonic() >= self._due:
            self.commit()

    def commit(self) -> None:
        """Write what waits to disk."""
        if not self._waiting:
            return
        query = _insertion("records", RECORD_FIELDS)
        rows = [_record_cells(record) for record in self._waiting]
        with self._transaction():
            self._connection.executemany(query, rows)
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

    def add_probe(self, probe: Probe) -> None:
        """Remember how noisy the machine was at one moment."""
        cells = (msgspec.json.encode(probe).decode(),)
        with self._transaction():
            self._connection.execute("INSERT INTO probes VALUES (?)", cells)

    def set_verdicts(self, verdicts: Iterable[Verdict]) -> None:
        """Replace all verdicts; they may come while ``rows(verdicts=False)`` is read."""
        with self._transaction():
            self._connection.execute("DELETE FROM verdicts")
            rows = (msgspec.structs.astuple(verdict) for verdict in verdicts)
            self._connection.executemany(_insertion("verdicts", VERDICT_FIELDS), rows)

    # --- reading ---------------------------------------------------------------------------

    def pending(self) -> Iterator[Job]:
        """The jobs without a record, in order, a page at a time."""
        last = 0
        query = f"{_JOBS} WHERE jobs.number > ? AND {_IS_PENDING} ORDER BY jobs.number LIMIT ?"
        while page := self._all(query, last, _PAGE):
            for cells in page:
                yield _job(cells)
            last = page[-1][0]

    def pending_by_instance(self) -> Iterator[Job]:
        """The jobs without a record; those of one instance follow each other."""
        last = 0
        ends = (
            "SELECT MAX(instance) FROM "
            "(SELECT instance FROM jobs WHERE instance > ? ORDER BY instance LIMIT ?)"
        )
        query = (
            f"{_JOBS} WHERE jobs.instance > ? AND jobs.instance <= ? AND {_IS_PENDING} "
            "ORDER BY jobs.instance, jobs.number"
        )
        while (end := self._all(ends, last, _PAGE)[0][0]) is not None:
            for cells in self._all(query, last, end):
                yield _job(cells)
            last = end

    def job(self, number: int) -> Job | None:
        """One job by its number."""
        found = self._all(f"{_JOBS} WHERE jobs.number = ?", number)
        return _job(found[0]) if found else None

    def rows(self, *, by_instance: bool = False, verdicts: bool = True) -> Iterator[Row]:
        """Every job that has a record, with its verdict if there is one (and ``verdicts``).

        In order of execution, or such that the jobs of one instance follow each other.
        """
        # Columns that an older store lacks are left to their defaults.
        there = self._read(lambda: schema.columns(self._connection, "records"))
        fields = [name for name in RECORD_FIELDS if name in there]
        selected = [f"records.{name}" for name in fields]
        joined = "JOIN records ON records.job = jobs.number"
        if verdicts:
            selected += [f"verdicts.{name}" for name in VERDICT_FIELDS]
            joined += " LEFT JOIN verdicts ON verdicts.job = jobs.number"
        order = "jobs.instance, jobs.number" if by_instance else "jobs.number"
        query = (
            f"SELECT {_JOB_COLUMNS}, {', '.join(selected)} FROM jobs "
            f"JOIN instances ON instances.id = jobs.instance {joined} ORDER BY {order}"
        )
        first, second = 10, 10 + len(fields)
        for cells in self._each(query):
            yield Row(
                job=_job(cells[:first]),
                record=_record(fields, cells[first:second]),
                verdict=_verdict(cells[second:]),
            )

    def outcomes(self) -> dict[str, int]:
        """How many records there are of each outcome."""
        return dict(self._all("SELECT outcome, COUNT(*) FROM records GROUP BY outcome"))

    def progress(self) -> tuple[dict[str, int], list[Ended], str | None]:
        """Jobs by backend, what has ended by backend and outcome, and when the last one did."""
        planned = dict(self._all("SELECT backend, COUNT(*) FROM jobs GROUP BY backend"))
        ended = self._all(
            "SELECT jobs.backend, outcome, COUNT(*), SUM(wall_s), MAX(wall_s), MAX(ended_at) "
            "FROM records JOIN jobs ON jobs.number = records.job GROUP BY jobs.backend, outcome"
        )
        last = max((cells[-1] for cells in ended), default=None)
        return planned, [Ended(*cells[:-1]) for cells in ended], last

    def number_of(self, table: str) -> int:
        """How many rows ``jobs``, ``records``, ``verdicts`` or ``bad_lines`` has."""
        return int(self._all(f"SELECT COUNT(*) FROM {table}")[0][0])

    def experiment(self) -> Experiment | None:
        """The experiment that the run was made from."""
        text = self._read(lambda: self.meta("experiment"))
        return None if text is None else msgspec.json.decode(text, type=Experiment)

    def meta(self, key: str) -> str | None:
        """What ``meta`` says: schema, experiment (as JSON), digest, share, total."""
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
        entries: Iterable[Named | PuzzleError],
        jobs: Iterable[Placed],
        meta: Callable[[], dict[str, str]],
    ) -> None:
        connection = self._connection
        # Nobody else sees this file before it is whole, so that nothing needs to be undone.
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-32000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(f"BEGIN; {schema.TABLES} COMMIT;")
        connection.execute("BEGIN")
        ids = array("Q")
        for entry in entries:
            if isinstance(entry, PuzzleError):
                cells = entry.place, entry.cause
                connection.execute("INSERT INTO bad_lines VALUES (?, ?)", cells)
            else:
                ids.append(self._instance(entry))
        if not connection.executemany(_NEW_JOB, _job_rows(jobs, ids)).rowcount > 0:
            first = connection.execute("SELECT place, cause FROM bad_lines LIMIT 1").fetchone()
            said = f"; the first bad line: {first[0]}: {first[1]}" if first else ""
            name = "" if experiment is None else f"{experiment.name}: "
            raise ExperimentError(f"{name}the sets have no instance to run{said}")
        connection.execute(
            "DELETE FROM instances WHERE id NOT IN (SELECT DISTINCT instance FROM jobs)"
        )
        connection.executemany("INSERT INTO meta VALUES (?, ?)", _meta(experiment, meta()))
        connection.execute("COMMIT")
        connection.executescript(schema.INDEXES)

    def _instance(self, named: Named) -> int:
        """The id of an instance, which may be there already for another question."""
        cells = named.set, named.name, named.family, named.text
        known = self._connection.execute(
            "INSERT OR IGNORE INTO instances VALUES (NULL, ?, ?, ?, ?, ?)", (*cells, named.source)
        )
        if known.rowcount and known.lastrowid is not None:
            return known.lastrowid
        query = 'SELECT id FROM instances WHERE "set" = ? AND name = ? AND family = ? AND text = ?'
        return int(self._connection.execute(query, cells).fetchone()[0])

    def _migrate(self) -> None:
        if self.meta("schema") == str(schema.VERSION):
            return
        with self._transaction():
            meta = _meta(self.experiment(), {"total": str(self.number_of("jobs"))})
            schema.migrate(self._connection, meta)

    def _check_whole(self) -> None:
        """Nothing is added to a damaged store: it would hide what is still to be had."""
        found = self._all("PRAGMA quick_check(1)")
        if found != [("ok",)]:
            path = self.folder / NAME
            raise StoreError(
                f"{path} is damaged ({found[0][0]}); save what can be had with: "
                f"sqlite3 {path} .recover | sqlite3 recovered.sqlite"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if connection.in_transaction:  # a full disk has ended it already
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            path = self.folder / NAME
            raise StoreError(
                f"{path} cannot be written: {error}{_remedy(error, self.folder)}"
            ) from error

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


def _set_journal(connection: sqlite3.Connection, *, shared: bool) -> None:
    """WAL where readers can share memory with the writer, else the rollback journal.

    Either way a commit is on the disk when it returns.
    """
    connection.execute("PRAGMA synchronous=FULL")
    try:
        if shared:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute("SELECT COUNT(*) FROM meta").fetchone()
            return
    except sqlite3.OperationalError:  # no shared memory here, though no network was seen
        connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        return
    connection.execute("PRAGMA journal_mode=DELETE").fetchone()


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Hold ``folder`` against a second writer; the lock ends with the process."""
    import fcntl  # runs need POSIX anyway; reading a store does not

    path = folder / ".lock"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 200, 0).decode(errors="replace") or "another process"
        os.close(descriptor)
        raise StoreError(f"{folder}: another process is running this run ({holder})") from None
    except OSError as error:
        os.close(descriptor)
        raise StoreError(
            f"{folder} cannot be locked: {error}; its file system has no locks, so write the run "
            "to a local disk with --out and copy it when it is done"
        ) from error
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _write_through(path: Path) -> None:
    """Have a file or folder on the disk before anything else happens."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remedy(error: Exception, folder: Path | None = None) -> str:
    """What to do when a store cannot be written."""
    kept = "" if folder is None else "; what was committed is kept"
    again = "start again" if folder is None else f"go on with: concord run --resume {folder}"
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_FULL" or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return f"{kept}; make room on the disk, then {again}"
    if name.startswith("SQLITE_IOERR"):
        return f"{kept}; see whether the disk is full, over quota or failing, then {again}"
    if name in ("SQLITE_CORRUPT", "SQLITE_NOTADB"):
        return "; the file is damaged, by the disk or by another program"
    return ""


def _meta(experiment: Experiment | None, more: dict[str, str]) -> list[tuple[str, str]]:
    meta = {"schema": str(schema.VERSION)} | more
    if experiment is not None:
        meta["experiment"] = msgspec.json.encode(experiment).decode()
        meta["digest"] = digest(experiment)
    return list(meta.items())


_NEW_JOB = "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?)"


def _job_rows(jobs: Iterable[Placed], ids: array[int]) -> Iterator[tuple[Any, ...]]:
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
        )


def _insertion(table: str, fields: list[str]) -> str:
    marks = ", ".join("?" * len(fields))
    return f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({marks})"


def _record_cells(record: Record) -> list[Any]:
    cells = list(msgspec.structs.astuple(record))
    for place in _JSON_PLACES:
        cells[place] = msgspec.json.encode(cells[place]).decode()
    for place in _WHOLE_NUMBERS:
        if cells[place] is not None and abs(cells[place]) > _LARGEST_INTEGER:
            cells[place] = str(cells[place])  # SQLite's integers end there; reading takes text too
    return cells


def _record(fields: Iterable[str], cells: Iterable[Any]) -> Record:
    values = dict(zip(fields, cells, strict=True))
    for name in _JSON_FIELDS:
        values[name] = msgspec.json.decode(values[name])
    # A column that a migration added is empty in the rows before it.
    values = {n: v for n, v in values.items() if v is not None or n in _MAY_BE_NONE}
    return msgspec.convert(values, Record, strict=False)


_MAY_BE_NONE = {field.name for field in msgspec.structs.fields(Record) if field.default is None}


def _verdict(cells: tuple[Any, ...]) -> Verdict | None:
    if not cells or cells[0] is None:
        return None
    return Verdict(**dict(zip(VERDICT_FIELDS, cells, strict=True)))


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
