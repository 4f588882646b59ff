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

Each record is sealed (``harness.store.seals``), and the seal is remembered as long as the store is
written to: what another program has changed, added or removed meanwhile is found by ``mend``.
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
from time import monotonic, sleep
from typing import Any

import msgspec

from harness.job import Job
from harness.machine import Machine
from harness.noise import Probe
from harness.plan.expansion import PlannedJob, make_empty_error
from harness.plan.experiment import Experiment
from harness.plan.reading import dump
from harness.record import Record, Row, Verdict, Version
from harness.store import files, schema, sealing
from harness.store.files import EXPERIMENT, NAME
from harness.store.keys import ensure_key, name_key, read_key
from harness.store.reading import Cells, StoreReader
from harness.store.sealing import FOREIGN, DamagedRecord
from harness.store.seals import SEALED_JOB, Account, Seals, new_account
from modelling.errors import InstanceError, StoreAltered, StoreError
from modelling.wording import plural
from puzzles.family import Instance
from puzzles.files import replace_text

COMMIT_SECONDS = 0.25
COMMIT_ROWS = 5000
"""Most rows that are written at a time: that is the watcher's time."""

MOST_ASKED = 100_000
"""Most jobs whose seals are remembered from when they are read to be run; others are read again."""

BUSY_SECONDS = 60.0
"""A store that another program has locked is waited for so long; what comes meanwhile waits."""

BUSY_REST = 0.05
"""Seconds between two tries to begin a commit that others keep from beginning."""

MOST_WAITING = 50_000
"""Most rows that wait in memory, some 100 MB; then the disk is waited for."""


KEY_REPLACED = (
    "the user's key was replaced or removed by another program while the run was written: what is "
    "sealed with the one that is there now may be anybody's"
)

_SEALED = itemgetter(*(schema.JOB_FIELDS.index(name) for name in SEALED_JOB))


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
        self._busy_since: float | None = None
        self.on_busy: Callable[[str], None] = lambda text: None  # hears once who has locked it
        self._account: Account | None = None  # of a store that is written to
        self._seals = Seals(b"")
        self._asked: dict[int, bytes] = {}  # the seals of jobs that were read to be run
        self._places: list[int] = []  # of the columns of records among their fields, if they differ
        self._batch: tuple[Account, list[int]] | None = None  # before the commit under way
        self._written = array("Q")  # by the number of a job the seal of its record, or 0
        self._whereabouts: tuple[str, tuple[int, int]] | None = None  # its path, and which file
        self._has_kept_key = False

    @classmethod
    def create(
        cls,
        folder: Path,
        experiment: Experiment | None,
        instances: Iterable[Instance | InstanceError],
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
        path, key = folder / NAME, ensure_key()
        account = new_account(key)
        seals = Seals.of(key, account.run)
        with ExitStack() as held:
            with files.make_store(path, held) as unfinished:
                with closing(files.connect(unfinished)) as connection:
                    _fill(connection, experiment, instances, jobs, meta, records)
                    account = sealing.seal_all(connection, seals, account)
                if experiment is not None:
                    replace_text(folder / EXPERIMENT, dump(experiment))
            store = cls(folder, files.open_readable(path, "rw"))
            store._remember(account, seals)
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
                with self._undo_on_failure():
                    files.set_journal(self._connection, shared=not files.is_network(self.folder))
                if self.read_meta("schema") != str(schema.VERSION):
                    with self._transaction():
                        total = {"total": str(self.count("jobs"))}
                        meta = schema.describe(self.read_experiment(), total)
                        schema.migrate(self._connection, meta)
                if self._account is None:
                    self._take_stock()
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
        if number >= MOST_WAITING:
            self._begin_patiently()
        elif number >= COMMIT_ROWS and not self._is_busy:
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

    def note_spent(self, seconds: float) -> None:
        """Remember how much of the budget of the run is used up, with the next commit."""
        self._take_in("INSERT OR REPLACE INTO meta VALUES ('spent', ?)", (f"{seconds:.3f}",))

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
            sealed = sealing.seal_verdicts(self._connection, self._seals)
            self._write_account(verdicts=sealed)

    def add_witness_jobs(self, backend: str, place: int) -> int:
        """Add jobs that ask ``backend`` about what is unwitnessed, unless it was; their number.

        Question and limits are those of the first timed job about it, whose number and the
        ``place`` of the witness (from 1) make the new one's: so copies of a run number alike.
        """
        given = {"backend": backend, "beyond": place * self.count_total()}
        with self._transaction():
            return self._connection.execute(schema.NEW_WITNESS_JOBS, given).rowcount

    # --- seals -----------------------------------------------------------------------------

    def mend(self) -> int:
        """Remove what is not as it was written; how many jobs are pending again by that.

        Raises StoreAltered where the jobs themselves were changed, or another store lies in the
        place of this one.
        """
        self.commit()
        self._check_place()
        with self._transaction():
            faults = _describe_triggers(schema.remove_foreign_triggers(self._connection))
            account = self._require_account()
            if sealing.seal_plan(self._connection, self._seals) != account.plan:
                raise self._explain_altered()
            spoilt: dict[int, DamagedRecord] = {}
            there = bytearray(len(self._written))  # 1 for a job whose record is as it was written
            resealed: list[tuple[int, bytes]] = []
            for row in sealing.read_sealed(self._connection):
                seal = self._seals.seal_record(self._seals.seal_job(row.job), row.record)
                if self._recall(row.number) != _shorten(seal):
                    spoilt[row.number] = DamagedRecord(row.backend, FOREIGN)
                else:
                    there[row.number] = 1
                    if seal != row.seal:
                        resealed.append((row.number, seal))
            pairs = enumerate(zip(self._written, there, strict=True))
            missing = [n for n, (seal, is_there) in pairs if seal and not is_there]
            missing = [number for number in missing if number not in spoilt]
            faults += sealing.describe_spoilt(spoilt, "removed, and run again")
            faults += _describe_missing(len(missing))
            if resealed:
                self._connection.executemany(schema.NEW_SEAL, resealed)
                faults.append(f"{plural(len(resealed), 'seal')} changed by another program")
            if sealing.read_account(self._connection)[1] != account:
                faults.append("the account of the run was changed by another program")
            if self._has_kept_key and not _is_here(account.key):
                faults.append(KEY_REPLACED)
            if faults:
                self._remove(spoilt, sum(there), faults)
            for number in missing:
                self._written[number] = 0
        return len(spoilt) + len(missing)

    def note_fault(self, text: str) -> None:
        """Have the run say from now on that this went wrong."""
        with self._transaction():
            faults = (*self._require_account().faults, text)
            self._write_account(faults=tuple(dict.fromkeys(faults)))

    def _take_stock(self) -> None:
        """Examine what an earlier session has written: what cannot be used is removed, and what is
        not sealed by the key that is here is sealed as it was found."""
        found = self.examine()
        if found.is_lost:
            raise self._explain_altered()
        key = ensure_key()
        with self._transaction():
            faults = _describe_triggers(schema.remove_foreign_triggers(self._connection))
            self._connection.execute(schema.SEALS)
            account = found.account
            number = self.count("records")
            if found.trust != "authentic" or account is None:
                before = () if account is None else account.adopted
                wrong = () if account is None else account.faults
                how = "unauthenticated" if found.trust == "unsealed" else "not authenticated here"
                what = f"{how}: {plural(number, 'record')} taken as found, when the run was resumed"
                account = new_account(key)
                account = msgspec.structs.replace(account, adopted=(*before, what), faults=wrong)
                self._seals = Seals.of(key, account.run)
                account = sealing.seal_all(self._connection, self._seals, account)
            self._remember(account, Seals.of(key, account.run))
            faults += sealing.describe_spoilt(found.spoilt, "removed, and run again")
            faults += _describe_missing(found.missing)
            if faults:
                self._remove(found.spoilt, number - len(found.spoilt), faults)

    def _remove(self, spoilt: dict[int, DamagedRecord], left: int, faults: Sequence[str]) -> None:
        schema.remove_records(self._connection, list(spoilt))
        for number in spoilt:
            self._note_written(number, 0)
        before = self._require_account().faults
        every = tuple(dict.fromkeys((*before, *faults)))
        self._write_account(records=left, faults=every)

    def _remember(self, account: Account, seals: Seals) -> None:
        self._account, self._seals = account, seals
        path = os.path.abspath(self.folder / NAME)
        self._whereabouts = path, _identify(path)
        self._has_kept_key = _is_here(account.key)
        columns = schema.list_record_columns(self._connection)
        self._places = []
        if columns != schema.RECORD_FIELDS:  # migrated: some came later
            self._places = [schema.RECORD_FIELDS.index(name) for name in columns]
        for number, seal in self._connection.execute("SELECT job, seal FROM seals"):
            self._note_written(number, _shorten(seal))

    def _require_account(self) -> Account:
        if self._account is None:
            raise StoreError(f"{self.folder} is not open for writing")
        return self._account

    def _write_account(self, **changes: Any) -> None:
        account = msgspec.structs.replace(self._require_account(), **changes)
        sealing.write_account(self._connection, self._seals, account)
        self._account = account

    def _note_written(self, number: int, seal: int) -> None:
        if number >= len(self._written):
            more = max(64, number + 1 - len(self._written))
            self._written.frombytes(bytes(more * self._written.itemsize))
        self._written[number] = seal

    def _recall(self, number: int) -> int:
        return self._written[number] if number < len(self._written) else 0

    def _give(self, cells: Cells) -> Job:
        job = super()._give(cells)
        if len(self._asked) < MOST_ASKED:
            self._asked[job.number] = self._seals.seal_job(_SEALED(cells))
        return job

    def _seal(self, cells: Sequence[Any]) -> tuple[int, bytes]:
        number = cells[0]
        job = self._asked.pop(number, None)
        if job is None:
            job = sealing.find_job_seal(self._connection, self._seals, number)
        if self._places:
            cells = [cells[place] for place in self._places]
        return number, self._seals.seal_record(job, cells)

    def _check_place(self) -> None:
        """The records are read again by the path of the run: it must still lead to this file.

        Workers do not see what is in the folder of the run, but may move those above it.
        """
        if self._whereabouts is None:
            return
        path, identity = self._whereabouts
        with suppress(OSError):
            if _identify(path) == identity:
                return
        raise StoreAltered(
            f"{path}: the run was moved while it was written, or another one was put in its place, "
            "by a backend perhaps; what lies there now was not written by this command: do not use "
            "it"
        )

    def _explain_altered(self) -> StoreAltered:
        return StoreAltered(
            f"{self.folder / NAME}: its jobs, instances or account were changed by another "
            "program, a backend perhaps; nothing of it can be used: run the experiment anew"
        )

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
            self._begin_patiently()
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
            if self._batch is not None:
                self._account, numbers = self._batch
                for number in numbers:
                    self._note_written(number, 0)
            with self._undo_on_failure():
                raise
        self._under_way = None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything in the block or nothing, on the disk when it ends."""
        self._settle()
        with self._undo_on_failure():
            while not self._lock_others_out():
                sleep(BUSY_REST)
            yield
            self._connection.execute("COMMIT")

    def _lock_others_out(self) -> bool:
        """Begin a transaction; false as long as another program has locked the store.

        Raises StoreBusy when it has been locked for too long.
        """
        try:
            self._connection.execute("PRAGMA busy_timeout=0")  # others are waited for elsewhere
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not files.is_busy(error):
                raise
            now, path = monotonic(), self.folder / NAME
            if self._busy_since is None:
                self._busy_since = now
                who = f"another program{files.name_holders(path)}"
                self.on_busy(f"{path} is locked by {who}; results wait in memory")
            elif now >= self._busy_since + BUSY_SECONDS:
                self._busy_since = None
                raise files.explain_busy(path, BUSY_SECONDS, len(self._waiting)) from error
            return False
        finally:
            self._connection.execute("PRAGMA busy_timeout=10000")
        self._busy_since = None
        return True

    def _begin_patiently(self) -> None:
        """Begin a commit, however long others keep it from beginning."""
        before = len(self._waiting)
        self._begin()
        while self._waiting and len(self._waiting) == before:
            sleep(BUSY_REST)
            self._begin()

    def _begin(self) -> None:
        """Begin a commit of what waits, unless another program has locked the store."""
        self._settle()
        if not self._waiting:
            return
        with self._undo_on_failure():
            if not self._lock_others_out():
                self._due = monotonic() + BUSY_REST
                return
            seals: list[tuple[int, bytes]] = []
            for query, rows in groupby(self._waiting[:COMMIT_ROWS], itemgetter(0)):
                cells = [one for _, one in rows]
                self._connection.executemany(query, cells)
                if query is schema.NEW_RECORD:
                    seals += map(self._seal, cells)
            if seals:
                self._connection.executemany(schema.NEW_SEAL, seals)
                before = self._require_account()
                self._batch = before, [number for number, _ in seals]
                self._write_account(records=before.records + len(seals))
                for number, seal in seals:
                    self._note_written(number, _shorten(seal))
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


def _shorten(seal: bytes) -> int:
    """What is remembered of a seal; no number of tries finds another record for it."""
    return int.from_bytes(seal[:8]) | 1


def _describe_triggers(number: int) -> list[str]:
    return [f"{plural(number, 'trigger')} put there by another program, and removed"] * bool(number)


def _describe_missing(number: int) -> list[str]:
    return [f"{plural(number, 'record')} removed by another program, and run again"] * bool(number)


def _identify(path: str) -> tuple[int, int]:
    """Which file it is that lies there, whatever its name."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _is_here(name: str) -> bool:
    """Whether the user's key is the one of this name."""
    key = read_key()
    return key is not None and name_key(key) == name


# --- what is in a new store ----------------------------------------------------------------


def _fill(
    connection: sqlite3.Connection,
    experiment: Experiment | None,
    instances: Iterable[Instance | InstanceError],
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
        if isinstance(item, InstanceError):
            cells = item.place, item.cause
            connection.execute("INSERT INTO bad_lines VALUES (?, ?)", cells)
        else:
            named = item.set, item.name, item.family, item.text
            ids.append(_add_instance(connection, named, item.source))
            seen.update(msgspec.json.encode(named))  # where a file lies plays no part
    if not ids:
        first = connection.execute("SELECT place, cause FROM bad_lines LIMIT 1").fetchone()
        fault = InstanceError(first[1], first[0]) if first else None
        raise make_empty_error("" if experiment is None else experiment.name, fault)
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
