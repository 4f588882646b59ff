"""What an examination found is remembered for the same store alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from harness_samples import QUICK, experiment, tiny_file

from harness.report import data
from harness.report import run as runs
from harness.report.data.columns import read_columns, write_columns
from harness.report.run import Run, load, run_experiment
from harness.report.sentences import name_unknown
from harness.runs import loading
from harness.store import sealing
from harness.store.files import NAME
from harness.store.marks import COLUMNS, DETAILS, MARK

pytestmark = pytest.mark.once  # each test begins with a run


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run with a mark, although it is small."""
    monkeypatch.setattr(loading, "LEAST_JOBS", 1)
    chosen = experiment(tiny_file(tmp_path, "3 4 -", "2 3 -"), "brute_force", "short=cpsat")
    return run_experiment(chosen, tmp_path / "run", settings=QUICK)


def test_a_store_with_a_mark_is_not_examined_again(
    marked: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("examined, or read")

    before = [marked.summary, marked.agreement, marked.timing, marked.reasons]
    monkeypatch.setattr(sealing, "examine", refuse)
    monkeypatch.setattr(runs, "outline_jobs", refuse)
    again = load(marked.folder)
    assert again.is_marked
    assert (again.total, again.ended) == (4, 4)
    for one, other in zip(
        before, [again.summary, again.agreement, again.timing, again.reasons], strict=True
    ):
        assert one.equals(other)
    assert again.footnotes == marked.footnotes
    assert "short is cpsat" in again.footnotes
    assert name_unknown(again.summary, again.names) == ""


def test_small_runs_have_no_mark(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, "3 4 -"), "brute_force")
    run = run_experiment(chosen, tmp_path / "run", settings=QUICK)
    assert not {MARK, COLUMNS, DETAILS} & {path.name for path in run.folder.iterdir()}


@pytest.mark.parametrize("file", [NAME, MARK, COLUMNS])
def test_another_program_cannot_hide_behind_a_mark(marked: Run, file: str) -> None:
    if file == NAME:
        with closing(sqlite3.connect(marked.folder / NAME)) as connection:
            connection.execute("DROP TRIGGER records_are_final")
            connection.execute("UPDATE records SET wall_s = 0.0000001 WHERE job = 1")
            connection.commit()
    else:
        path = marked.folder / file
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    again = load(marked.folder)
    assert not again.is_marked
    assert bool(again.tamper) == (file == NAME)
    assert len(again.summary) == 2


def test_jobs_are_those_of_the_store(marked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    read = marked.data.jobs
    monkeypatch.setattr(data, "list_jobs", lambda *_: None)
    pd.testing.assert_frame_equal(load(marked.folder).data.jobs, read)


@pytest.mark.parametrize("damage", ["changed", "removed"])
def test_jobs_that_another_program_wrote_are_not_used(marked: Run, damage: str) -> None:
    path, read = marked.folder / DETAILS, marked.data.jobs
    if damage == "removed":
        path.unlink()
    else:
        write_columns(read.drop(columns="run").assign(wall_s=0.0), path)
    again = load(marked.folder)
    assert again.is_marked, "the tables are made of other columns"
    pd.testing.assert_frame_equal(again.data.jobs, read)


def test_columns_of_every_kind_come_back(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "same": [1.5] * 3,
            "never": [float("nan")] * 3,
            "some": [float("nan"), 0.0, 1.0],
            "number": [1, 2**40, -3],
            "flag": [True, False, True],
            "text": ["a", "", "\u00e9"],
            "word": pd.Categorical(["x", "y", "x"]),
            "missing": pd.array([1, None, 2**62], dtype="Int64"),
            "large": pd.Series([2**80, None, 1], dtype=object),
        }
    )
    write_columns(frame, tmp_path / "some.npz")
    pd.testing.assert_frame_equal(read_columns(tmp_path / "some.npz"), frame)
    write_columns(frame.head(0), tmp_path / "none.npz")
    pd.testing.assert_frame_equal(read_columns(tmp_path / "none.npz"), frame.head(0))


def test_columns_of_another_time_are_not_used(marked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "OUTLINE", (*runs.OUTLINE, "a_new_column"))
    again = load(marked.folder)
    assert again.is_marked
    assert again.summary.equals(marked.summary)
