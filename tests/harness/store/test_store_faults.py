"""Stores that are old, full, damaged, on a network: told clearly, and nothing committed is lost."""

from __future__ import annotations

import fcntl
import gzip
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from harness_samples import QUICK, experiment, job, tiny_file

from backends.interface.evidence.answer import digest_of
from harness.judge.validate import RULES
from harness.plan.expansion import plan_jobs
from harness.record import Record, Verdict
from harness.report.run import load, run_experiment
from harness.runs.merging import merge
from harness.store import files, schema
from harness.store import store as store_file
from harness.store.files import NAME
from harness.store.store import Store
from modelling.errors import StoreError
from puzzles.family import Instance


def filled(folder: Path, number: int = 3) -> Store:
    jobs = [job(n, f"3 4 {n % 5}", repeat=n) for n in range(1, number + 1)]
    return Store.create(folder, experiment("x", "brute_force"), *plan_jobs(jobs))


def record(number: int) -> Record:
    return Record(job=number, outcome="finished", output="x" * 1000)


def written(folder: Path, number: int, jobs: int) -> Path:
    """The folder of a run with so many records."""
    store = filled(folder, jobs)
    with store.writing():
        for one in range(1, number + 1):
            store.add(record(one))
    store.close()
    return folder


# --- age -----------------------------------------------------------------------------------

FIRST_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE instances (
    id INTEGER PRIMARY KEY, "set" TEXT NOT NULL, name TEXT NOT NULL, family TEXT NOT NULL,
    text TEXT NOT NULL, source TEXT NOT NULL, UNIQUE ("set", name, family, text));
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, instance INTEGER NOT NULL REFERENCES instances (id),
    backend TEXT NOT NULL, ask TEXT NOT NULL, question TEXT NOT NULL, limits TEXT NOT NULL,
    repeat INTEGER NOT NULL, UNIQUE (instance, backend, ask, repeat));
CREATE TABLE records (job INTEGER PRIMARY KEY REFERENCES jobs (number), outcome, status,
    native_status, stopped_by, count, repeats, digest, objective, bound, solutions, statistics,
    phases, encoding_reused, instance_digest, wall_s, cpu_s, peak_memory_mb, error, elapsed_s,
    import_s, backend_family, worker, nth, isolation, version, machine, ended_at, output);
CREATE TABLE verdicts (job INTEGER PRIMARY KEY REFERENCES jobs (number), verdict, evidence,
    families, checked, rules, model);
CREATE TABLE machines (id TEXT PRIMARY KEY, description TEXT NOT NULL);
CREATE TABLE versions (id TEXT PRIMARY KEY, backend TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE bad_lines (place TEXT NOT NULL, cause TEXT NOT NULL);
CREATE TRIGGER records_are_final BEFORE UPDATE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never changed'); END;
CREATE TRIGGER records_stay BEFORE DELETE ON records
    BEGIN SELECT RAISE (ABORT, 'a record is never deleted'); END;
"""
"""Version 1, as it was written then."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A run of schema 1 with three jobs, of which the first has its record and verdict."""
    path = tiny_file(tmp_path, "3 4 -", "3 4 4", "2 2 -")
    chosen = msgspec.to_builtins(experiment(path, "brute_force", count="all"))
    for key in ("order", "warm_ups", "cpu_seconds", "pin"):  # not there then
        del chosen[key]
    folder = tmp_path / "old"
    folder.mkdir()
    connection = sqlite3.connect(folder / NAME)
    connection.executescript(FIRST_SCHEMA)
    question = '{"limit":null,"keep":10,"optimum":false}'
    limits = '{"seconds":10.0,"nodes":null,"conflicts":null,"seed":null,"threads":null}'
    for number, text in enumerate(("3 4 -", "3 4 4", "2 2 -"), 1):
        cells = (number, "tiny", text, "py:tiny_family:Tiny", text, "tiny.txt:1")
        connection.execute("INSERT INTO instances VALUES (?, ?, ?, ?, ?, ?)", cells)
        cells = (number, number, "brute_force", "all", question, limits, 1)
        connection.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?)", cells)
    found = list(permutations(range(4), 3))
    connection.execute(
        "INSERT INTO records (job, outcome, status, native_status, stopped_by, count, repeats,"
        " digest, solutions, statistics, phases, encoding_reused, instance_digest, wall_s, error,"
        " elapsed_s, backend_family, worker, nth, isolation, version, machine, ended_at, output)"
        f" VALUES (1, 'finished', 'SATISFIABLE', '', 'exhausted', 24, 0, '{digest_of(found)}',"
        f" '{msgspec.json.encode(found[:10]).decode()}', '{{}}', '{{}}', 0, '',"
        " 0.5, '', 0.6, 'brute_force', 1, 1, 'wall time', '', '', '2026-01-01T00:00:00.000', '')"
    )
    connection.execute("INSERT INTO verdicts VALUES (1, 'single', 'claimed', 1, 0, '', '')")
    text = msgspec.json.encode(chosen).decode()
    meta = [("schema", "1"), ("experiment", text)]
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
    connection.commit()
    connection.close()
    return folder


def test_an_old_store_is_read_as_it_is(old: Path) -> None:
    before = (old / NAME).read_bytes()
    run = load(old)
    (row,) = run.rows()
    assert (row.record.count, row.record.wall_s, row.record.attempt) == (24, 0.5, 1)
    assert (row.record.mode, row.record.memory_increment_mb) == ("", None)
    (cells,) = run.jobs.to_dict("records")
    assert (cells["count"], cells["attempt"], cells["warm_up"]) == (24, 1, "")
    assert (cells["role"], cells["incumbents"]) == ("timed", ())
    assert row.verdict == Verdict(
        job=1,
        verdict="verified",
        evidence="solution checked; proven by the oracle",
        families=1,
        checked=10,
        ground="enumerated",
    )
    assert "judged before by rules 1" in run.judging
    assert "judged anew, by the rules of this version" in run.judging
    assert run.probes == []
    assert (run.ended, run.total) == (1, 3)
    assert (old / NAME).read_bytes() == before


def test_an_old_store_is_brought_up_to_date_when_it_is_resumed(old: Path) -> None:
    run = run_experiment(None, old, resume=True, settings=QUICK)
    assert run.complete
    first, *others = run.rows()
    assert (first.record.wall_s, first.record.attempt) == (0.5, 1)  # as it was
    assert {row.record.mode for row in others} == {"pooled"}
    assert run.jobs["attempt"].tolist() == [1, 1, 1]  # the first was written without
    assert run.probes
    fresh = filled(old.parent / "fresh")
    store = Store.open(old)
    for table in ("records", "verdicts", "probes", "jobs", "instances"):
        columns = schema.list_columns(store._connection, table)
        assert columns == schema.list_columns(fresh._connection, table)
    assert store.read_meta("schema") == str(schema.VERSION)
    assert store.read_rules() == (1, RULES)
    assert "judged before by rules 1" in run.judging
    assert store.read_meta("total") == "3"
    assert store.read_meta("digest")
    store.close()
    fresh.close()


# --- room ----------------------------------------------------------------------------------


def test_a_full_disk_keeps_what_was_committed_and_says_how_to_go_on(tmp_path: Path) -> None:
    store = filled(tmp_path, 2000)

    def fill() -> None:
        with store.writing():
            pages = store._all("PRAGMA page_count")[0][0]
            store._connection.execute(f"PRAGMA max_page_count={pages + 50}")
            for number in range(1, 2001):
                store.add(record(number))
                if number % 20 == 0:
                    store.commit()

    with pytest.raises(StoreError, match=r"full.*is kept; make room .* --resume"):
        fill()
    store.close()
    store = Store.open(tmp_path, write=True)
    kept = store.count("records")
    assert 0 < kept < 2000
    assert kept % 20 == 0
    with store.writing():  # there is room again
        for pending in list(store.read_pending()):
            store.add(record(pending.number))
    assert store.count("records") == 2000
    store.close()


LIMITED = """
import resource, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from test_store_faults import filled, record
from puzzles.family import Instance
from modelling.errors import StoreError
store = filled(Path(sys.argv[1]), 2000)
size = (Path(sys.argv[1]) / "store.sqlite").stat().st_size + 300_000
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
try:
    with store.writing():
        for number in range(1, 2001):
            store.add(record(number))
            if number % 20 == 0:
                store.commit()
except StoreError as error:
    print(error)
"""


def test_a_file_that_may_not_grow_is_told(tmp_path: Path) -> None:
    words = [sys.executable, "-c", LIMITED, str(tmp_path), *map(str, Path(__file__).parents[:2])]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert "what was committed is kept" in done.stdout, done.stderr
    store = Store.open(tmp_path, write=True)
    assert 0 < store.count("records") < 2000
    store.close()


DAMAGED = (
    r"(\S+)/store\.sqlite is damaged \(.*\); save what can be had with: sqlite3 (\S+) \.recover"
)


def damaged(folder: Path, cut: bool = False) -> Path:
    """A run of 500 records with zeros in the middle of its store, or ``cut`` off there."""
    written(folder, 500, 500)
    content = bytearray((folder / NAME).read_bytes())
    half = len(content) // 2
    content[half : None if cut else half + 8192] = b"" if cut else bytes(8192)
    (folder / NAME).write_bytes(content)
    return folder


@pytest.mark.parametrize("cut", [False, True])
def test_a_damaged_store_is_neither_written_to_nor_merged(tmp_path: Path, cut: bool) -> None:
    folder = damaged(tmp_path / "damaged", cut)
    filled(tmp_path / "whole", 500).close()
    ways: list[Callable[[], object]] = [
        lambda: Store.open(folder, write=True),
        lambda: merge([tmp_path / "whole", folder], tmp_path / "merged"),
        lambda: list(load(folder).rows()),
        lambda: load(folder).agreement,
    ]
    for way in ways:
        with pytest.raises(StoreError, match=DAMAGED) as said:
            way()
        assert f"{folder}/{NAME} is damaged" in str(said.value)
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize("column", ["statistics", "outcome", "nth"])
def test_a_damaged_cell_is_told(tmp_path: Path, column: str) -> None:
    written(tmp_path, 1, 3)
    connection = sqlite3.connect(tmp_path / NAME)
    connection.execute("DROP TRIGGER records_are_final")
    connection.execute(f"UPDATE records SET {column} = CAST(x'ff00fe' AS TEXT)")
    connection.commit()
    connection.close()
    store = Store.open(tmp_path)
    with pytest.raises(StoreError, match=DAMAGED):
        list(store.read_rows())
    store.close()


def test_a_store_that_may_not_be_read_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: object, **more: object) -> sqlite3.Connection:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorname = "SQLITE_CANTOPEN"
        raise error

    filled(tmp_path).close()
    monkeypatch.setattr(sqlite3, "connect", refused)
    with pytest.raises(StoreError, match=r"store\.sqlite cannot be read: unable to open"):
        Store.open(tmp_path)
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may read everything
    with pytest.raises(StoreError, match=r"store\.sqlite may not be read: .*its owner"):
        Store.open(tmp_path)


def test_a_store_that_is_busy_is_not_called_damaged(tmp_path: Path) -> None:
    filled(tmp_path).close()
    other = sqlite3.connect(tmp_path / NAME)
    reader = Store.open(tmp_path)
    reader._connection.execute("PRAGMA busy_timeout=0")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match=r"store\.sqlite cannot be read: database is locked$"):
        reader.count("jobs")
    other.close()
    reader.close()


def test_a_merge_onto_a_full_disk_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def small(path: Path, **more: object) -> sqlite3.Connection:
        connection = connect(path, **more)  # type: ignore[call-overload]
        if str(path).endswith(".new"):
            connection.execute("PRAGMA max_page_count=20")
        return connection  # type: ignore[no-any-return]

    filled(tmp_path / "run", 2000).close()
    monkeypatch.setattr(sqlite3, "connect", small)
    with pytest.raises(
        StoreError, match=r"merged cannot be written: .*full; make room on the disk"
    ):
        merge([tmp_path / "run"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_read_only_folder_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be written: .*choose another folder with --out"):
        filled(tmp_path / "file" / "run")


def test_nothing_half_made_is_left_behind(tmp_path: Path) -> None:
    def broken() -> object:
        raise OSError("the set is gone")
        yield

    with pytest.raises(StoreError, match="the set is gone"):
        Store.create(tmp_path / "run", None, broken(), [])  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()
    (tmp_path / "run").mkdir()
    with pytest.raises(StoreError, match="the set is gone"):
        Store.create(tmp_path / "run", None, broken(), [])  # type: ignore[arg-type]
    assert list((tmp_path / "run").iterdir()) == []


def test_a_folder_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(descriptor: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    store = filled(tmp_path / "run")
    with store.writing():
        pass
    monkeypatch.setattr("fcntl.flock", flock)
    for write in (lambda: store.writing().__enter__(), lambda: filled(tmp_path / "other")):
        with pytest.raises(StoreError, match=r"No locks available.*local disk with --out"):
            write()
    store.close()


def test_who_holds_a_run_is_told(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.writing():
        second = Store.open(tmp_path, write=True)
        with pytest.raises(StoreError, match=r"another process .*\(process \d+ on "):
            second.writing().__enter__()
        second.close()
    store.close()


def test_a_run_is_made_by_one_process(tmp_path: Path) -> None:
    refused = pytest.raises(
        StoreError, match=r"another process is making or running a run in \S+run"
    )

    def meanwhile() -> Iterator[Instance]:
        with refused:
            filled(tmp_path / "run")
        yield from (entry for entry in entries if isinstance(entry, Instance))

    entries, placed = plan_jobs([job(1)])
    store = Store.create(tmp_path / "run", None, meanwhile(), placed)
    second = Store.open(tmp_path / "run", write=True)
    with refused:  # it is held until it is run
        second.writing().__enter__()
    with store.writing(), refused:
        second.writing().__enter__()
    with second.writing():
        pass
    second.close()
    store.close()
    with pytest.raises(StoreError, match="already holds a run"):
        filled(tmp_path / "run")


def test_a_new_store_that_is_closed_may_be_run_by_others(tmp_path: Path) -> None:
    filled(tmp_path).close()
    store = Store.open(tmp_path, write=True)
    with store.writing():
        pass
    store.close()


def test_a_lock_that_was_taken_away_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock, tries = fcntl.flock, []

    def late(descriptor: int, operation: int) -> None:
        """Before the first lock is had, its last holder fails and removes the file."""
        if not tries:
            (tmp_path / files.LOCK).unlink()
        tries.append(operation)
        flock(descriptor, operation)

    monkeypatch.setattr("fcntl.flock", late)
    with files.lock(tmp_path), pytest.raises(StoreError, match=r"another process .*\(process"):
        files.lock(tmp_path).__enter__()
    assert len(tries) >= 3  # the lock that holds nothing, the one that is had, the refused one


# --- killed amid a commit ------------------------------------------------------------------


def copied_amid_a_commit(folder: Path, committed: int) -> Path:
    """A copy as a kill would have left the store: records committed, others half written."""
    store = filled(folder / "original", 2 * committed)
    connection = store._connection
    insertion = "INSERT INTO records (job, outcome, output) VALUES (?, 'finished', ?)"
    rows = [(number, "x" * 1000) for number in range(1, 2 * committed + 1)]
    connection.execute("BEGIN")
    connection.executemany(insertion, rows[:committed])
    connection.execute("COMMIT")
    connection.execute("PRAGMA cache_size=2")  # so that pages are written before the commit
    connection.execute("BEGIN")
    connection.executemany(insertion, rows[committed:])
    copied(folder / "original", folder / "copy")
    connection.execute("ROLLBACK")
    store.close()
    return folder / "copy"


def copied(source: Path, target: Path) -> None:
    target.mkdir()
    for ending in ("", "-journal", "-wal"):
        if (source / (NAME + ending)).exists():
            (target / (NAME + ending)).write_bytes((source / (NAME + ending)).read_bytes())


def copied_without_shared_memory(folder: Path) -> Path:
    """A copy of a killed run in WAL, where the memory that readers share cannot be made."""
    store = filled(folder / "original", 50)
    files.set_journal(store._connection, shared=True)
    for number in range(1, 51):
        store.add(record(number))
    store.commit()
    copied(folder / "original", folder / "copy")
    store.close()
    (folder / "copy" / f"{NAME}-shm").symlink_to("nowhere")  # SQLite follows no link: for root too
    return folder / "copy"


def may_not_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write everywhere, so the system's answer is given for it."""
    monkeypatch.setattr("os.access", lambda path, mode: False)


KILLED = r"killed amid a commit.*can be read only with store\.sqlite-{}.*where you may write"


def test_what_was_not_committed_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied_amid_a_commit(tmp_path, 200)
    before = (folder / NAME).read_bytes()
    may_not_write(monkeypatch)
    with pytest.raises(StoreError, match=KILLED.format("journal")):
        Store.open(folder)
    assert (folder / NAME).read_bytes() == before


def test_a_commit_half_done_is_undone_where_one_may_write(tmp_path: Path) -> None:
    folder = copied_amid_a_commit(tmp_path, 200)
    with (
        files.lock(folder),
        pytest.raises(StoreError, match="another process is making or running"),
    ):
        Store.open(folder)
    store = Store.open(folder)
    assert store.count("records") == 200
    store.close()
    assert not (folder / f"{NAME}-journal").exists()


def test_what_was_committed_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied_without_shared_memory(tmp_path)
    may_not_write(monkeypatch)
    with pytest.raises(StoreError, match=KILLED.format("wal")):
        Store.open(folder)
    (folder / f"{NAME}-shm").unlink()
    store = Store.open(folder)
    assert store.count("records") == 50
    store.close()


def test_a_whole_store_on_read_only_media_is_read(tmp_path: Path) -> None:
    folder = copied_without_shared_memory(tmp_path)
    (folder / f"{NAME}-wal").write_bytes(b"")  # as it is when all is in the store's own file
    store = Store.open(folder)
    assert store.count("records") == 0
    store.close()


# --- file systems --------------------------------------------------------------------------

MOUNTS = [
    "/dev/vda / ext4 rw 0 0",
    "server:/home /home nfs4 rw 0 0",
    "tmpfs /home/local tmpfs rw 0 0",
    r"//nas/my\040disk /mnt/my\040disk cifs rw 0 0",
    "user@host:/ /mnt/remote fuse.sshfs rw 0 0",
]


@pytest.mark.parametrize(
    ("folder", "kind", "network"),
    [
        ("/var/run1", "ext4", False),
        ("/home/me/runs", "nfs4", True),
        ("/homes/me", "ext4", False),
        ("/home/local/run", "tmpfs", False),
        ("/mnt/my disk/run", "cifs", True),
        ("/mnt/remote", "fuse.sshfs", True),
    ],
)
def test_a_network_is_told_by_the_mounts(folder: str, kind: str, network: bool) -> None:
    assert files.find_type(Path(folder), MOUNTS) == kind
    assert files.is_network(Path(folder), MOUNTS) is network


def test_without_mounts_nothing_is_assumed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "MOUNTS", tmp_path / "none")
    assert files.find_type(tmp_path) == ""
    assert not files.is_network(tmp_path)


def test_on_a_network_the_rollback_journal_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "is_network", lambda folder: True)
    store = filled(tmp_path)
    with store.writing():
        assert store._all("PRAGMA journal_mode") == [("delete",)]
        store.add(record(1))
        store.commit()
        reader = Store.open(tmp_path)
        assert reader.count("records") == 1
        rows = reader.read_rows()
        assert next(rows).job.number == 1  # a reader in the middle holds nobody up
        store._connection.execute("PRAGMA busy_timeout=0")
        store.add(record(2))
        store.commit()
        rows.close()  # type: ignore[attr-defined] # a generator
        reader.close()
    store.close()


def test_a_commit_is_on_the_disk_when_it_returns(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.writing():
        assert store._all("PRAGMA journal_mode") == [("wal",)]
        assert store._all("PRAGMA synchronous") == [(2,)]  # FULL
    store.close()


def test_the_disk_is_waited_for_when_too_many_records_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_file, "COMMIT_ROWS", 2)
    monkeypatch.setattr(store_file, "MOST_WAITING", 6)
    all_added = threading.Event()
    written: list[int] = []
    commit = Store._commit

    def slowly(store: Store) -> None:
        while len(store._waiting) < 6 and not all_added.wait(0.01):
            pass
        written.append(store._connection.total_changes)
        commit(store)

    monkeypatch.setattr(Store, "_commit", slowly)
    store = filled(tmp_path, 20)
    before = store._connection.total_changes
    waiting = []
    with store.writing():
        for number in range(1, 21):
            store.add(record(number))
            waiting.append(len(store._waiting))
        all_added.set()
    assert max(waiting) == 5
    assert written == list(range(before + 6, before + 66, 6))  # with two seals, and the account
    assert store.count("records") == 20
    store.close()


def test_a_reference_without_probes_is_read(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl.gz").write_bytes(gzip.compress(b""))
    run = load(tmp_path)
    assert (run.ended, run.total, run.noise) == (0, 0, None)
