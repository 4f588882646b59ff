"""What a power cut leaves of files, and that a store outlasts it, a full disk, kills and years."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from harness.store import keys
from harness.store.files import EXPERIMENT
from modelling.errors import BackendUnavailable
from results.studies.evidence.endurance import __main__ as study
from results.studies.evidence.endurance import disturbances, steps
from results.studies.evidence.endurance.disk import Disk, Write, write_files
from results.studies.evidence.endurance.faults import Faults, inject
from results.studies.evidence.endurance.lives import live
from results.studies.evidence.endurance.runs import use_config
from results.studies.evidence.endurance.steps import Trial
from results.studies.runner import parse


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose files faults can be injected into, with a key of its own."""
    try:
        with inject(Faults(Disk(tmp_path))):
            pass
    except BackendUnavailable as error:
        pytest.skip(str(error))
    with use_config(tmp_path / "config"):
        yield tmp_path


def check(trials: Iterable[Trial]) -> int:
    """The number of records that were committed; nothing is wrong with any trial."""
    found = list(trials)
    assert [trial.fault for trial in found if trial.fault] == []
    assert [trial for trial in found if trial.lost] == []
    assert [trial for trial in found if trial.ends and not trial.is_equal] == []
    assert any(trial.ends for trial in found)
    return sum(trial.committed for trial in found)


# --- what a power cut leaves ---------------------------------------------------------------


def test_what_was_not_synced_is_there_in_part(tmp_path: Path) -> None:
    disk, path = Disk(tmp_path), tmp_path / "file"
    path.write_bytes(b"s" * 4096)
    disk.sync_file(str(path))
    disk.sync_names()
    disk.open(str(path)).writes.append(Write(0, b"n" * 8192))
    found = {disk.draw(random.Random(seed))["file"] for seed in range(60)}
    assert {b"s" * 4096, b"n" * 8192} <= found  # nothing of it, and all
    assert any(0 < content.count(b"n") < 8192 for content in found)
    assert all(content.count(b"n") % 512 == 0 for content in found)


@pytest.mark.parametrize(("is_synced", "expected"), [(True, {b"new"}), (False, {b"old", b"new"})])
def test_a_name_is_there_once_the_folder_is_synced(
    tmp_path: Path, is_synced: bool, expected: set[bytes]
) -> None:
    (tmp_path / "name").write_bytes(b"old")
    disk = Disk(tmp_path)
    beside = tmp_path / "beside"
    beside.write_bytes(b"new")
    disk.sync_file(str(beside))
    os.replace(beside, tmp_path / "name")
    disk.rename(str(beside), str(tmp_path / "name"))
    if is_synced:
        disk.sync_names()
    drawn = [disk.draw(random.Random(seed)) for seed in range(60)]
    assert {files["name"] for files in drawn} == expected


@pytest.mark.parametrize("name", [f"config/private/{keys.NAME}", f"run/{EXPERIMENT}"])
def test_key_and_experiment_are_on_the_disk_with_the_store(folder: Path, name: str) -> None:
    disk = Disk(folder)
    with inject(Faults(disk)):
        live(folder / "run", lambda numbers: None)
    whole = (folder / name).read_bytes()
    assert whole
    for seed in range(40):
        assert disk.draw(random.Random(seed))[name] == whole


# --- a store, step by step -----------------------------------------------------------------


def test_a_power_cut_at_any_step_loses_nothing_that_was_committed(folder: Path) -> None:
    assert check(steps.cut_power(folder, seed=1, every=9)) > 50


def test_a_full_disk_at_any_write_loses_nothing_that_was_committed(folder: Path) -> None:
    assert check(steps.fill_disk(folder, every=9)) > 50


def test_a_loss_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that does not wait for the disk does not outlast a power cut."""
    monkeypatch.setattr("harness.store.files.set_journal", lambda connection, shared: None)
    monkeypatch.setattr(Disk, "sync_file", lambda disk, path: None)
    assert any(trial.lost for trial in steps.cut_power(folder, seed=1, every=9))


# --- whole runs ----------------------------------------------------------------------------

RUNS: dict[str, Callable[[Path], Iterator[Trial]]] = {
    "killed": lambda folder: disturbances.kill(folder, 4, seed=1),
    "cut": lambda folder: disturbances.cut_power(folder, 3, seed=1),
    "clock": lambda folder: disturbances.turn_clock(folder, 1, seed=1),
    "twice": lambda folder: disturbances.resume_twice(folder, 2, seed=1),
    "old": disturbances.continue_old,
}


@pytest.mark.once
@pytest.mark.parametrize("way", RUNS)
def test_whole_runs_outlast_it(folder: Path, way: str) -> None:
    check(RUNS[way](folder / "worlds"))


def test_drawn_files_are_written_with_their_folders(tmp_path: Path) -> None:
    write_files({"a/b": b"1", "c": b""}, tmp_path / "new")
    assert (tmp_path / "new" / "a" / "b").read_bytes() == b"1"
    assert (tmp_path / "new" / "c").read_bytes() == b""


# --- the table -----------------------------------------------------------------------------

REFERENCE = Path(__file__).parents[3] / "results" / "reference" / "disturbances"


def test_the_reference_is_without_loss_and_its_table_is_that_of_the_rows() -> None:
    rows = study.STUDY.read(REFERENCE)
    assert {row.part for row in rows} <= set(study.PARTS)
    assert len(rows) >= 6
    assert study.find_faults(rows) == []
    text = study.report(rows, parse(study.STUDY, ["--out", str(REFERENCE)]))
    assert (REFERENCE / "endurance.md").read_text(encoding="utf-8") == text
