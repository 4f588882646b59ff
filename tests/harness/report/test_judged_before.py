"""Runs that were judged by other rules: stores are judged anew, references read in new words."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import msgspec
import pytest
from harness_samples import UNSEALED, experiment, tiny_file

from harness.cli.screen import Screen
from harness.cli.verbs.experiments import print_run
from harness.judge.validate import RULES
from harness.report.run import load, run_experiment, save_reference
from harness.runs.loading import MACHINES, RECORDS
from harness.store.files import NAME

pytestmark = pytest.mark.once

REFERENCES = Path(__file__).parents[3] / "results" / "reference"


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A run of today whose store says what one of earlier versions said."""
    chosen = experiment(tiny_file(tmp_path, "3 4 -", "2 1 -"), "brute_force", "propagation")
    run = run_experiment(chosen, tmp_path / "run")
    assert run.judging == ""
    with sqlite3.connect(run.folder / NAME) as store:
        store.execute("UPDATE verdicts SET verdict = 'correct', evidence = 'as it was'")
        store.execute("DELETE FROM meta WHERE key = 'rules'")
        store.executescript(UNSEALED)
    store.close()
    return run.folder


def test_a_store_is_judged_anew_in_memory(before: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bytes_before = (before / NAME).read_bytes()
    run = load(before)
    assert set(run.jobs["verdict"]) == {"verified"}
    assert "as it was" not in set(run.jobs["evidence"])
    assert (before / NAME).read_bytes() == bytes_before
    print_run(run, Screen(quiet=True), as_json=False)
    said = "judged before by rules 1; its answers were judged anew"
    assert said in capsys.readouterr().out


def test_a_verb_that_writes_judges_it_anew_in_the_store(before: Path) -> None:
    run = run_experiment(None, before, resume=True)
    with sqlite3.connect(before / NAME) as store:
        assert store.execute("SELECT DISTINCT verdict FROM verdicts").fetchall() == [("verified",)]
        meta = dict(store.execute("SELECT key, value FROM meta"))
    store.close()
    assert (meta["first_rules"], meta["rules"]) == ("1", str(RULES))
    assert "judged anew" in run.judging
    assert "judged anew" in load(before).judging
    assert "judged anew" in (before / "tables" / "agreement.txt").read_text(encoding="utf-8")


def test_a_store_of_other_rules_to_come_is_judged_by_those_of_today(before: Path) -> None:
    with sqlite3.connect(before / NAME) as store:
        store.execute("INSERT INTO meta VALUES ('rules', '99')")
    store.close()
    assert set(load(before).jobs["verdict"]) == {"verified"}


def test_a_reference_is_read_in_the_words_of_today(before: Path, tmp_path: Path) -> None:
    target = tmp_path / "reference"
    save_reference(load(before), target)
    assert load(target).judging == ""
    lines = gzip.decompress((target / RECORDS).read_bytes()).decode()
    old = lines.replace('"verdict":"verified"', '"verdict":"correct"')
    assert old != lines
    (target / RECORDS).write_bytes(gzip.compress(old.encode()))
    described = msgspec.json.decode((target / MACHINES).read_bytes())
    assert described.pop("rules") == RULES
    (target / MACHINES).write_bytes(msgspec.json.encode(described))
    run = load(target)
    assert set(run.jobs["verdict"]) == {"verified"}
    assert "judged by rules 1" in run.judging


@pytest.mark.once
def test_the_committed_references_are_read() -> None:
    folders = [path.parent for path in sorted(REFERENCES.rglob(RECORDS))]
    assert folders
    for folder in folders:
        run = load(folder)
        assert set(run.jobs["verdict"]) <= {"verified", "unwitnessed", "unverified"}
        assert not run.faults
        assert len(run.timing)
