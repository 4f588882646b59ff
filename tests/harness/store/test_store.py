"""The store: one record a job, readable while it is written, and clear about what is wrong."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import msgspec
import pytest
from harness_samples import UNSEALED, experiment, job

from backends.interface.events import Step
from harness.judge.validate import RULES
from harness.machine import this_machine
from harness.plan.expansion import plan_jobs
from harness.record import Record, Row, Verdict, Version
from harness.store import reading as store_reading
from harness.store import store as store_file
from harness.store.files import NAME
from harness.store.schema import VERSION
from harness.store.store import Store
from modelling.errors import ExperimentError, InstanceError, StoreError


def filled(folder: Path, number: int = 3) -> Store:
    jobs = [job(n, f"3 4 {n % 5}", repeat=n) for n in range(1, number + 1)]
    instances, planned = plan_jobs(jobs)
    bad = InstanceError("bad", "x:1:1")
    return Store.create(folder, experiment("x", "brute_force"), [*instances, bad], planned)


def record(number: int) -> Record:
    return Record(
        job=number,
        outcome="finished",
        status="SATISFIABLE",
        count=1 << 70,
        objective=-(1 << 70),
        bound=-(1 << 71),
        incumbents=(Step(0.5, -(1 << 70), "found"), Step(0.75, -(1 << 71), "bound")),
        solutions=((1 << 70, -2), ()),
        statistics={"nodes": 5, "rate": 0.5},
        phases={"solve": 0.25},
        encoding_reused=True,
        wall_s=0.5,
        configuration="booleans,presolve=off",
        import_s=0.1,
        error="ünï\x00cödé",
    )


def written(folder: Path, *numbers: int, jobs: int = 3) -> Store:
    """A store with the records of these jobs."""
    store = filled(folder, jobs)
    with store.writing():
        for number in numbers:
            store.add(record(number))
    return store


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    store = filled(tmp_path / "run")
    verdict = Verdict(job=1, verdict="wrong", evidence="e", families=2, rules="r", model="m")
    version = Version(backend="brute_force", canonical="b", native=("Table",))
    with store.writing():
        store.add(record(1))
        store.add_version(version)
        store.add_version(version)
        store.add_machine(this_machine())
        store.commit()
        store.set_verdicts([verdict], RULES)
    store.close()
    reader = Store.open(tmp_path / "run")
    assert list(reader.read_rows()) == [
        Row(job=job(1, "3 4 1", repeat=1), record=record(1), verdict=verdict)
    ]
    assert [j.number for j in reader.read_pending()] == [2, 3]
    assert reader.count_outcomes() == {"finished": 1}
    assert reader.read_versions() == [version]
    assert reader.read_machines() == [this_machine()]
    assert [str(error) for error in reader.read_bad_lines()] == ["x:1:1: bad"]
    assert msgspec.to_builtins(reader.read_experiment()) == msgspec.to_builtins(
        experiment("x", "brute_force")
    )
    reader.close()


def test_jobs_are_counted_without_those_of_witnesses(tmp_path: Path) -> None:
    store = filled(tmp_path / "run")
    assert (store.count("jobs"), store.count_timed(), store.count_total()) == (3, 3, 3)
    unwitnessed = [Verdict(job=n, verdict="unwitnessed", rules="r", model="m") for n in (1, 2)]
    with store.writing():
        for number in (1, 2):
            store.add(record(number))
    store.set_verdicts(unwitnessed, RULES)
    assert store.add_witness_jobs("propagation", 1) == 2
    assert store.add_witness_jobs("propagation", 1) == 0
    assert (store.count("jobs"), store.count_timed(), store.count_total()) == (5, 3, 3)
    store.close()


def test_what_has_ended_is_summed_up_by_backend_and_outcome(tmp_path: Path) -> None:
    store = written(tmp_path, 1, 3)
    ((backend, outcome, number, *seconds),) = store.sum_up_ended()
    assert (backend, outcome, number) == ("brute_force", "finished", 2)
    assert seconds[:2] == [1.0, 0.5]
    store.close()


def test_what_waits_is_written_when_it_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(store_file, "monotonic", lambda: now)
    store = filled(tmp_path / "run")
    with store.writing():
        store.add(record(1))
        now += store_file.COMMIT_SECONDS / 2
        store.add(record(2))  # the first one says when it is due
        store.commit_when_due()
        assert len(store._waiting) == 2
        now += store_file.COMMIT_SECONDS / 2
        store.commit_when_due()
        assert store._waiting == []
        store._settle()
        assert store.count("records") == 2
        assert store._under_way is None
    store.close()


def test_so_many_are_written_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_file, "COMMIT_ROWS", 2)
    monkeypatch.setattr(store_file, "monotonic", lambda: 0.0)
    store = filled(tmp_path / "run")
    with store.writing():
        store.add(record(1))
        assert len(store._waiting) == 1
        store.add(record(2))
        assert store._waiting == []
    store.close()


def test_a_commit_that_failed_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(tmp_path / "run")

    def fail(store: Store) -> None:
        raise sqlite3.OperationalError("no room")

    with store.writing():
        with monkeypatch.context() as patched:
            patched.setattr(Store, "_commit", fail)
            store.add(record(1))
            with pytest.raises(StoreError, match="cannot be written: no room"):
                store.commit()
        store.add(record(2))
        store.commit()
    assert [row.job.number for row in store.read_rows()] == [2]
    store.close()


def test_verdicts_that_are_told_aside_are_not_written(tmp_path: Path) -> None:
    store = filled(tmp_path / "run")
    before = Verdict(job=1, verdict="wrong")
    with store.writing():
        store.add(record(1))
        store.commit()
        store.set_verdicts([before], RULES)
    store.close()
    aside = Verdict(job=1, verdict="verified", evidence="anew", families=3)
    reader = Store.open(tmp_path / "run")
    reader.overlay_verdicts([aside])
    assert [row.verdict for row in reader.read_rows()] == [aside]
    reader.close()
    reader = Store.open(tmp_path / "run")
    assert [row.verdict for row in reader.read_rows()] == [before]
    assert [row.verdict for row in reader.read_rows(verdicts=False)] == [None]
    reader.close()


def test_a_job_has_one_record(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.writing():
        store.add(record(1))
        store.commit()
        store.add(record(1))
        with pytest.raises(StoreError, match="UNIQUE"):
            store.commit()
        store._waiting.clear()
    assert store.count("records") == 1
    store.close()


@pytest.mark.parametrize("table", ["records", "verdicts"])
def test_a_job_is_found_by_its_key(tmp_path: Path, table: str) -> None:
    """Without the type in the key's declaration, joins scan the table for every job."""
    store = filled(tmp_path)
    plan = store._all(
        f"EXPLAIN QUERY PLAN SELECT 1 FROM jobs JOIN {table} ON {table}.job = jobs.number"
    )
    assert "INTEGER PRIMARY KEY" in plan[-1][-1]
    store.close()


@pytest.mark.parametrize("change", ["DELETE FROM records", "UPDATE records SET count = 0"])
def test_records_are_final(tmp_path: Path, change: str) -> None:
    written(tmp_path, 1).close()
    connection = sqlite3.connect(tmp_path / NAME)
    with pytest.raises(sqlite3.IntegrityError, match="a record is never"):
        connection.execute(change)
    connection.close()


def test_pending_pages_through_many_jobs(tmp_path: Path) -> None:
    store = filled(tmp_path, 2345)
    assert [j.number for j in store.read_pending()] == list(range(1, 2346))
    store.close()


def test_pending_is_read_ahead_of_a_slow_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Amid a commit the jobs that were read ahead come at once; only after them it is waited."""
    monkeypatch.setattr(store_reading, "PAGE", 2)
    written = threading.Event()
    commit = Store._commit

    def wait(store: Store) -> None:
        assert written.wait(60)
        commit(store)

    monkeypatch.setattr(Store, "_commit", wait)
    store = filled(tmp_path, 7)
    with store.writing():
        pending = store.read_pending()
        assert [next(pending).number for _ in range(2)] == [1, 2]
        store.add(record(1))
        store._begin()
        assert [next(pending).number for _ in range(2)] == [3, 4]
        assert store._is_busy
        threading.Timer(0.05, written.set).start()
        assert [job.number for job in pending] == [5, 6, 7]
    store.close()


def test_columns_are_those_of_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_reading, "PAGE", 2)
    store = filled(tmp_path, 7)
    with store.writing():
        for number in (1, 2, 3, 6):
            store.add(record(number))
        store.commit()
        store.set_verdicts([Verdict(job=2, verdict="wrong", families=2)], RULES)
    of_jobs = {"number": "number", "set": "set", "instance": "instance", "source": "source"}
    of_jobs |= {name: name for name in ("text", "backend", "question", "limits", "repeat", "role")}
    names = [*of_jobs, *Record.__struct_fields__, "verdict", "ask", "instance_number"]
    pages = list(store.read_columns(names))
    assert [len(page["number"]) for page in pages] == [2, 2]
    found = {name: [value for page in pages for value in page[name]] for name in names}
    rows = list(store.read_rows())
    for name in of_jobs:
        assert found[name] == [getattr(row.job, name) for row in rows]
    for name in Record.__struct_fields__:
        assert found[name] == [getattr(row.record, name) for row in rows], name
    assert found["verdict"] == [None, "wrong", None, None]
    assert found["ask"] == ["1"] * 4
    assert [n == found["instance_number"][0] for n in found["instance_number"]] == [1, 0, 0, 1]
    assert store.find_row(6) == rows[-1]
    assert store.find_row(7) is None
    store.close()


def test_rows_of_another_form_are_held_as_in_a_store(tmp_path: Path) -> None:
    judged = Verdict(job=1, verdict="verified", families=2)
    rows = [
        Row(job=job(1), record=record(1), verdict=judged),
        Row(job=job(4, backend="sat"), record=record(4)),
    ]
    held = Store.hold(tmp_path, rows)
    assert list(held.read_rows()) == rows
    assert list(tmp_path.iterdir()) == []
    held.close()
    with pytest.raises(StoreError, match="cannot be read: UNIQUE"):
        Store.hold(tmp_path, rows * 2)


def test_rows_of_an_instance_follow_each_other(tmp_path: Path) -> None:
    store = written(tmp_path, *range(1, 13), jobs=12)
    texts = [row.job.text for row in store.read_rows(by_instance=True)]
    assert texts == [f"3 4 {n}" for n in (1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 0, 0)]
    store.close()


def test_it_is_read_while_it_is_written(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with store.writing():
        store.add(record(1))
        store.commit()
        reader = Store.open(tmp_path)
        assert reader.count("records") == 1
        store.add(record(2))
        store.commit()
        assert reader.count("records") == 2
        reader.close()
    store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "experiment.toml", NAME]


def test_an_exception_loses_nothing_that_waits(tmp_path: Path) -> None:
    store = filled(tmp_path)

    def write_and_stop() -> None:
        with store.writing():
            store.add(record(1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_stop()
    assert store.count("records") == 1
    store.close()


def test_the_rollback_journal_serves_where_wal_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoSharedMemory:
        """A connection to a database on a file system without shared memory."""

        def __init__(self, connection: sqlite3.Connection) -> None:
            self.connection = connection

        def execute(self, query: str, *values: object) -> sqlite3.Cursor:
            if query == "PRAGMA journal_mode=WAL":
                raise sqlite3.OperationalError("locking protocol")
            return self.connection.execute(query, *values)

        def __getattr__(self, name: str) -> object:
            return getattr(self.connection, name)

    store = filled(tmp_path)
    store._connection = NoSharedMemory(store._connection)  # type: ignore[assignment]
    with store.writing():
        store.add(record(1))
        store.commit()
        assert store._all("PRAGMA journal_mode") == [("delete",)]
    assert store.count("records") == 1
    store.close()


def test_a_store_from_before_incumbents_is_read_and_written(tmp_path: Path) -> None:
    written(tmp_path, 1).close()
    connection = sqlite3.connect(tmp_path / NAME)
    connection.executescript(
        "DROP TRIGGER records_are_final; DROP TRIGGER records_stay;"
        "ALTER TABLE records DROP COLUMN incumbents;"
        f"{UNSEALED}"
        "UPDATE meta SET value = '3' WHERE key = 'schema';"
    )
    connection.close()
    without = msgspec.structs.replace(record(1), incumbents=())
    reader = Store.open(tmp_path)
    assert [row.record for row in reader.read_rows()] == [without]
    reader.close()
    store = Store.open(tmp_path, write=True)
    with store.writing():
        store.add(record(2))
    assert [row.record for row in store.read_rows()] == [without, record(2)]
    assert store.read_meta("schema") == str(VERSION)
    store.close()


def test_a_folder_that_holds_a_run_is_not_overwritten(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with pytest.raises(StoreError, match="already holds a run"):
        filled(tmp_path)


def test_a_run_without_jobs_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"no instance to run; the first bad line: x:1:1"):
        Store.create(tmp_path, None, [InstanceError("bad", "x:1:1")], [])
    assert list(tmp_path.iterdir()) == []


def test_an_experiment_without_instances_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"^sample: there is no instance to run$"):
        Store.create(tmp_path, experiment("x", "brute_force"), [], [])


def test_an_error_of_the_rows_is_not_put_down_to_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        Store.hold(tmp_path, (1 // zero for zero in [0]))  # type: ignore[misc]


def test_jobs_about_the_same_instances(tmp_path: Path) -> None:
    store = filled(tmp_path, 7)
    assert store.list_with_same_instance([1]) == {1, 6}
    assert store.list_with_same_instance([2, 3]) == {2, 3, 7}
    store.close()


def test_who_locks_the_store_is_named_once(tmp_path: Path) -> None:
    store, heard = filled(tmp_path), []
    store.on_busy = heard.append
    other = sqlite3.connect(tmp_path / NAME)
    other.execute("BEGIN IMMEDIATE")
    assert not store._lock_others_out()
    assert not store._lock_others_out()
    other.close()
    assert store._lock_others_out()
    assert len(heard) == 1
    assert heard[0].startswith(f"{tmp_path / NAME} is locked by another program")
    store.close()


def test_an_unfinished_beginning_is_no_run(tmp_path: Path) -> None:
    half = tmp_path / f".{NAME}.1.new"
    half.write_bytes(b"half a store")
    with pytest.raises(StoreError, match="is not a run"):
        Store.open(tmp_path)
    filled(tmp_path).close()
    assert not half.exists()


def test_a_folder_without_a_store_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is not a run"):
        Store.open(tmp_path)


@pytest.mark.parametrize("content", [b"", b"This is no database, " * 100])
def test_a_damaged_store_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(StoreError, match=r"is damaged .*save what can be had with: .*\.recover"):
        Store.open(tmp_path)


def test_a_newer_store_asks_for_an_upgrade(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(VERSION + 1),))
    connection.close()
    with pytest.raises(StoreError, match=r"newer Concord.*upgrade"):
        Store.open(tmp_path)


def test_another_database_is_no_store(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("CREATE TABLE meta (key, value)")
    connection.close()
    with pytest.raises(StoreError, match="not a store of Concord"):
        Store.open(tmp_path)


def test_a_read_only_store_is_read_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, 1).close()
    (tmp_path / NAME).chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        reader = Store.open(tmp_path)
        assert reader.count("records") == 1
        reader.close()
        # Root may write everywhere, so the system's answer is given for it.
        monkeypatch.setattr("os.access", lambda path, mode: False)
        with pytest.raises(StoreError, match="read-only"):
            Store.open(tmp_path, write=True)
    finally:
        tmp_path.chmod(0o755)
