"""Seals: what another program has done to a store is named, and its records are not used."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from harness_samples import QUICK, UNSEALED, experiment, tiny_file
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.report.run import Run, load, run_experiment
from harness.runs.merging import merge
from harness.store import keys, schema, sealing
from harness.store import store as store_file
from harness.store.files import NAME
from harness.store.sealing import FOREIGN
from harness.store.store import Store
from modelling.errors import StoreAltered, StoreBusy, StoreError

pytestmark = pytest.mark.once

ELSEWHERE = (
    "UPDATE meta SET value = replace(value, '\"key\":\"', '\"key\":\"0') WHERE key = 'account'"
)
FREE = "DROP TRIGGER IF EXISTS records_are_final; DROP TRIGGER IF EXISTS records_stay;"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three instances by two backends: six jobs."""
    folder = tmp_path_factory.mktemp("made")
    path = tiny_file(folder, "3 4 -", "3 4 4", "2 2 -")
    chosen = experiment(path, "brute_force", "propagation", count="all")
    return run_experiment(chosen, folder / "run", settings=QUICK).folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A copy of that."""
    return Path(shutil.copytree(made, tmp_path / "run"))


def changed(folder: Path, script: str) -> None:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.executescript(FREE + script)


def shown(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, " ".join(done.output.split())


def test_a_run_that_nobody_touched_has_nothing_to_say(run: Path) -> None:
    found = load(run)
    assert (found.tamper, found.trust, found.faults) == ([], [], [])
    assert len(found.jobs) == 6


CHANGES = {
    "UPDATE records SET wall_s = 1e-6 WHERE job = 2": FOREIGN,
    "UPDATE records SET wall_s = -5 WHERE job = 2": FOREIGN,
    "UPDATE records SET error = 'x' WHERE job = 2": FOREIGN,
    "UPDATE records SET cpu_s = NULL WHERE job = 2": FOREIGN,
    "DELETE FROM seals WHERE job = 2": FOREIGN,
    "UPDATE seals SET seal = (SELECT seal FROM seals WHERE job = 3) WHERE job = 2": FOREIGN,
    "DELETE FROM records WHERE job = 2": "1 record removed by another program",
    "UPDATE verdicts SET verdict = 'wrong'": "verdicts were changed by another program",
    "DELETE FROM meta WHERE key = 'account_seal'": "account was changed by another program",
    "UPDATE meta SET value = replace(value, '\"records\":6', '\"records\":5') "
    "WHERE key = 'account'": "account was changed by another program",
    "UPDATE jobs SET limits = replace(limits, '10.0', '0.1') WHERE number = 2": "jobs or instances",
    "UPDATE instances SET text = '3 4 5' WHERE text = '3 4 -'": "jobs or instances were changed",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_named_and_not_used(run: Path, change: str) -> None:
    changed(run, change)
    found = load(run)
    assert any(CHANGES[change] in fault for fault in found.faults), found.faults
    verdicts = set(found.jobs["verdict"])
    if "verdicts" in change:
        assert verdicts == {"verified"}  # judged anew
        assert len(found.jobs) == 6
    elif "jobs or instances" in CHANGES[change] or "account" in CHANGES[change]:
        assert len(found.jobs) == 0
    else:  # nobody is ahead of whom a record was taken from: the instance is not used at all
        assert len(found.jobs) == 4
        assert found.jobs["backend"].value_counts().to_dict() == {
            "brute_force": 2,
            "propagation": 2,
        }


FORMER_VERDICTS = (
    "SELECT job, verdict, evidence, families, checked, rules, model, sense FROM verdicts "
    "ORDER BY job"
)


@pytest.mark.parametrize("is_migrated", [False, True])
def test_a_store_of_schema_8_keeps_its_seals(run: Path, is_migrated: bool) -> None:
    with closing(sqlite3.connect(run / NAME)) as connection, connection:
        connection.execute("ALTER TABLE verdicts DROP COLUMN ground")
        connection.execute("ALTER TABLE records DROP COLUMN proof_encoding")
        connection.execute("UPDATE meta SET value = '8' WHERE key = 'schema'")
        _, account, seals = sealing.read_account(connection)
        account = sealing.seal_all(connection, seals, account)
        assert account.verdicts == seals.seal_rows(connection.execute(FORMER_VERDICTS))
        if is_migrated:
            schema.migrate(connection, [])
    found = load(run)
    assert (found.tamper, found.trust, found.faults) == ([], [], [])
    assert len(found.jobs) == 6
    assert set(found.jobs["verdict"]) == {"verified"}


@pytest.mark.parametrize("verb", ["table", "report", "export"])
def test_each_verb_names_it(run: Path, verb: str) -> None:
    changed(run, "UPDATE records SET wall_s = 1e-6 WHERE job = 2")
    status, said = shown(verb, str(run))
    assert status == 1
    assert f"1 record not used (job 2): {FOREIGN}" in said


def test_resuming_runs_again_what_was_changed(run: Path) -> None:
    changed(
        run,
        "UPDATE records SET wall_s = 1e-6 WHERE job = 2; DELETE FROM records WHERE job = 3;"
        "CREATE TRIGGER mine AFTER INSERT ON records BEGIN DELETE FROM verdicts; END",
    )
    again = run_experiment(None, run, resume=True, settings=QUICK)
    assert again.complete
    assert again.jobs["wall_s"].min() > 1e-6
    assert len(again.jobs) == 6
    assert any("removed, and run again (job 2)" in fault for fault in again.faults)
    assert any("1 record removed by another program" in fault for fault in again.faults)
    triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
    with closing(sqlite3.connect(run / NAME)) as connection:
        found = [name for (name,) in connection.execute(triggers)]
    assert found == ["records_are_final", "records_stay"]
    assert load(run).faults == again.faults  # it stays on record


def test_changed_jobs_are_neither_resumed_nor_merged(run: Path, tmp_path: Path) -> None:
    changed(run, "UPDATE jobs SET limits = replace(limits, '10.0', '0.1') WHERE number = 2")
    with pytest.raises(StoreAltered, match="nothing of it can be used"):
        run_experiment(None, run, resume=True, settings=QUICK)
    with pytest.raises(StoreAltered, match="leave it out"):
        merge([run], tmp_path / "merged")


def test_a_run_that_is_put_in_the_place_of_another_is_not_used(run: Path, tmp_path: Path) -> None:
    """Workers cannot see the folder of the run, but may rename the one above it."""
    above = tmp_path / "above"
    above.mkdir()
    shutil.copytree(run, above / "run")
    with closing(Store.open(above / "run", write=True)) as store, store.writing():
        assert store.mend() == 0
        above.rename(tmp_path / "aside")
        with pytest.raises(StoreAltered, match="the run was moved"):
            store.mend()
        shutil.copytree(tmp_path / "aside", above)
        with pytest.raises(StoreAltered, match="another one was put in its place"):
            store.mend()


def test_a_key_that_is_replaced_meanwhile_is_told(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store.open(run, write=True)) as store, store.writing():
        monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "elsewhere"))
        keys.ensure_key()
        assert store.mend() == 0
    assert any("key was replaced or removed" in fault for fault in load(run).faults)


SLANDER = (
    "CREATE TRIGGER mine AFTER INSERT ON verdicts WHEN NEW.verdict = 'verified' "
    "BEGIN UPDATE verdicts SET verdict = 'wrong' WHERE job = NEW.job; END"
)


def test_a_trigger_alone_does_not_change_verdicts(run: Path) -> None:
    """Neither one that is found when a run is resumed nor one that comes while it is written."""
    with closing(sqlite3.connect(run / NAME)) as connection:
        connection.executescript(SLANDER)
    again = run_experiment(None, run, resume=True, settings=QUICK)
    with closing(Store.open(run, write=True)) as store, store.writing():
        changed(run, SLANDER)
        assert store.mend() == 0
        assert store.count("verdicts") == 6
    for found in (again, load(run)):
        assert not found.disqualified
        assert found.faults == ["1 trigger put there by another program, and removed"]


@pytest.mark.parametrize("how", [UNSEALED, ELSEWHERE])
def test_verdicts_that_cannot_be_authenticated_are_found_anew(run: Path, how: str) -> None:
    changed(run, how + "; UPDATE verdicts SET verdict = 'wrong'")
    assert not load(run).disqualified


def test_a_text_of_bytes_is_named(run: Path) -> None:
    changed(run, UNSEALED + "UPDATE records SET error = x'ff00' WHERE job = 2")
    assert "error is not text" in " ".join(load(run).faults)


@pytest.mark.parametrize("how", ["ALTER TABLE records DROP COLUMN phases", "DROP TABLE seals"])
def test_a_part_of_the_store_that_is_missing_is_named(run: Path, how: str) -> None:
    changed(run, how)
    status, said = shown("table", str(run))
    assert status in (1, 2)
    assert "not used" in said or "is damaged" in said
    if "seals" in how:
        assert run_experiment(None, run, resume=True, settings=QUICK).complete


def test_a_merge_leaves_out_what_was_changed(made: Path, run: Path, tmp_path: Path) -> None:
    changed(run, "UPDATE records SET wall_s = 1e-6 WHERE job = 2")
    merge([run], tmp_path / "one")
    found = load(tmp_path / "one")
    assert len(found.jobs) == 4  # nor is the other one about its instance
    assert set(found.jobs["backend"].value_counts()) == {2}
    assert any("1 other record about the same instances" in fault for fault in found.faults)
    assert any(FOREIGN in fault for fault in load(tmp_path / "one").faults)
    merge([run, made], tmp_path / "two")
    assert list(load(tmp_path / "two").jobs["wall_s"]) == list(load(made).jobs["wall_s"])


def test_a_merge_leaves_nobody_behind_whose_record_was_removed(run: Path, tmp_path: Path) -> None:
    changed(run, "DELETE FROM records WHERE job = 2")
    merge([run], tmp_path / "one")
    assert set(load(tmp_path / "one").jobs["backend"].value_counts()) == {2}


def test_an_unsealed_store_is_read_resumed_and_merged_with_a_mark(
    run: Path, tmp_path: Path
) -> None:
    changed(run, UNSEALED)
    found = load(run)
    assert found.faults == []
    assert [note.partition(":")[0] for note in found.trust] == ["unauthenticated"]
    assert "unauthenticated: " in shown("table", str(run))[1]
    merge([run], tmp_path / "merged")
    assert [note.split(": ")[1] for note in load(tmp_path / "merged").trust] == ["unauthenticated"]
    resumed = run_experiment(None, run, resume=True, settings=QUICK)
    assert resumed.trust == ["unauthenticated: 6 records taken as found, when the run was resumed"]
    assert resumed.faults == []


def test_the_seal_of_another_user_is_no_fault(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("elsewhere", "nowhere"):
        monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / folder))
        if folder == "elsewhere":
            keys.ensure_key()
        found = load(run)
        assert found.faults == []
        assert [note.partition(":")[0] for note in found.trust] == ["not authenticated here"]
        assert len(found.jobs) == 6
    resumed: Run = run_experiment(None, run, resume=True, settings=QUICK)
    assert resumed.trust[0].startswith("not authenticated here: 6 records taken as found")
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "a third one"))
    again: Run = run_experiment(None, run, resume=True, settings=QUICK)
    assert len(again.trust) == 2
    assert again.trust[0] == resumed.trust[0]


def test_impossible_records_are_named_though_nothing_is_sealed(run: Path, tmp_path: Path) -> None:
    changes = {
        "wall_s = -5": "wall_s is -5",
        "outcome = 'glorious'": "unknown outcome 'glorious'",
        "status = 'YES'": "unknown status 'YES'",
        "wall_s = 9e999": "wall_s is inf",
        "elapsed_s = 0.001, wall_s = 7": "the supervisor waited 0.001000 s",
        "phases = '{\"solve\": 99.0}'": "its phases add up to 99.000000 s",
        "phases = '{'": "its phases cannot be read",
        "count = -1": "count is -1",
    }
    for number, (change, reason) in enumerate(changes.items()):
        folder = Path(shutil.copytree(run, tmp_path / str(number)))
        changed(folder, f"{UNSEALED}UPDATE records SET {change} WHERE job = 2")
        found = load(folder)
        assert any("(job 2)" in fault and reason in fault for fault in found.faults), change
        assert len(found.jobs) == 4, change


def test_an_authentic_run_that_is_resumed_stays_authentic(run: Path) -> None:
    resumed: Run = run_experiment(None, run, resume=True, settings=QUICK)
    assert (resumed.trust, resumed.faults) == ([], [])


# --- while it is written -------------------------------------------------------------------------


def test_jobs_that_are_changed_while_it_is_written_end_it(run: Path) -> None:
    store = Store.open(run, write=True)
    with store.writing():
        changed(run, "UPDATE jobs SET limits = replace(limits, '10.0', '0.1') WHERE number = 5")
        with pytest.raises(StoreAltered):
            store.mend()
    store.close()


def test_what_changes_while_it_is_written_is_seen_without_the_key(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if who changes it has the key, and seals what was changed."""
    store = Store.open(run, write=True)
    with store.writing():
        with closing(Store.open(run, write=True)) as other:
            other._take_stock()
            other._connection.executescript(
                FREE + "UPDATE records SET wall_s = 0.000001 WHERE job = 2"
            )
            row = next(r for r in store_file.sealing.read_sealed(other._connection) if r[0] == 2)
            seal = other._seals.seal_record(other._seals.seal_job(row.job), row.record)
            other._connection.execute("UPDATE seals SET seal = ? WHERE job = 2", (seal,))
            assert load(run).faults == []
        assert store.mend() == 1
        assert [job.number for job in store.read_pending()] == [2]
    store.close()
    assert any("removed, and run again (job 2)" in fault for fault in load(run).faults)


def test_a_record_is_removed_once(run: Path) -> None:
    """Who has removed it does not miss it afterwards."""
    with closing(Store.open(run, write=True)) as store, store.writing():
        changed(run, "UPDATE records SET wall_s = 1e-6 WHERE job = 2")
        assert store.mend() == 1
        assert store.mend() == 0
    faults = load(run).faults
    assert any("removed, and run again (job 2)" in fault for fault in faults)
    assert not any("removed by another program" in fault for fault in faults)


def test_jobs_that_are_changed_while_they_are_handed_out_are_run_again(run: Path) -> None:
    """Also when they are changed back before anybody looks."""
    changed(run, UNSEALED + "DELETE FROM records WHERE job > 4")
    store = Store.open(run, write=True)
    with store.writing():
        changed(run, "UPDATE jobs SET limits = replace(limits, '10.0', '0.1') WHERE number = 5")
        pending = list(store.read_pending())
        assert [job.limits.seconds for job in pending] == [0.1, 10.0]
        changed_back = "UPDATE jobs SET limits = replace(limits, '0.1', '10.0') WHERE number = 5"
        with closing(sqlite3.connect(run / NAME)) as connection:
            connection.executescript(changed_back)
        for job in pending:
            store.add(store_file.Record(job=job.number, outcome="timeout"))
        assert store.mend() == 1
        assert [job.number for job in store.read_pending()] == [5]
        with store.of_backend("nobody's"):
            assert list(store.read_pending()) == []
    store.close()


def test_a_locked_store_is_waited_for(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(run, UNSEALED + "DELETE FROM records WHERE job > 3")
    store = Store.open(run, write=True)
    heard: list[str] = []
    store.on_busy = heard.append
    with closing(sqlite3.connect(run / NAME, isolation_level=None)) as other, store.writing():
        pending = list(store.read_pending())
        other.execute("BEGIN EXCLUSIVE")
        for job in pending:
            store.add(store_file.Record(job=job.number, outcome="lost"))
            store._due = 0.0
            store.commit_when_due()
        assert len(heard) == 1
        assert "is locked by another program" in heard[0]
        assert len(store._waiting) == 3  # nothing is lost
        monkeypatch.setattr(store_file, "BUSY_SECONDS", 0.0)
        with pytest.raises(StoreBusy, match=r"was locked by another .*--resume"):
            store.commit()
        other.execute("ROLLBACK")
    assert store.count("records") == 6
    store.close()


# --- the key -------------------------------------------------------------------------------------


def test_the_key_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path))
    assert keys.read_key() is None
    key = keys.ensure_key()
    assert keys.ensure_key() == keys.read_key() == key
    path = keys.key_folder() / keys.NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_without_a_place_for_the_key_a_run_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "file"))
    chosen = experiment(tiny_file(tmp_path, "3 4 -"), "brute_force")
    run = run_experiment(chosen, tmp_path / "run", settings=QUICK)
    assert run.complete
    assert [note.partition(":")[0] for note in run.trust] == ["not authenticated here"]


def test_a_store_is_not_open_for_writing_by_accident(run: Path) -> None:
    with closing(Store.open(run)) as store, pytest.raises(StoreError, match="not open for writing"):
        store._require_account()


def test_a_key_that_others_may_read_is_named(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "config"))
    keys.ensure_key()
    run_experiment(None, run, resume=True, settings=QUICK)
    assert not any("may be read by others" in note for note in load(run).trust)
    (keys.key_folder() / keys.NAME).chmod(0o644)
    assert any("may be read by others" in note for note in load(run).trust)


def test_what_is_no_key_is_replaced_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "config"))
    keys.ensure_key()
    path = keys.key_folder() / keys.NAME
    path.write_bytes(b"short")
    assert keys.read_key() is None
    assert keys.ensure_key() == keys.read_key()
    path.unlink()
    os.mkfifo(path)
    assert keys.read_key() is None
    assert keys.ensure_key() != keys.ensure_key()  # it is not ours to remove
