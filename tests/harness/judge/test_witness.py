"""Witnesses: asked after the timed jobs about what one family alone says, judged, not timed."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from harness_samples import QUICK, UNSEALED, experiment, tiny_file

from harness.plan.checking import check
from harness.plan.expansion import Share
from harness.plan.experiment import Experiment
from harness.plan.reading import dump
from harness.plan.reading import load as load_experiment
from harness.record import Row
from harness.report.run import Run, load, revalidate, run_experiment, save_reference
from harness.runs.execution import Interrupted
from harness.runs.merging import merge
from harness.runs.progress import RunProgress, look
from harness.runs.replaying import replay
from harness.store.schema import VERSION
from harness.store.store import Store
from modelling.errors import ExperimentError

pytestmark = pytest.mark.once

TEXTS = ("3 4 -", "3 4 4", "3 2 -", "4 4 6")


def sample(folder: Path, *witness: str, backends: tuple[str, ...] = ("propagation",)) -> Experiment:
    path = tiny_file(folder, *TEXTS)
    return experiment(path, *backends, count="all", repeat=2, witness=witness)


def by_role(run: Run) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {"timed": [], "witness": []}
    for row in run.rows():
        found[row.job.role].append(row)
    return found


def verdicts(rows: list[Row]) -> set[str]:
    return {row.verdict.verdict for row in rows if row.verdict is not None}


def told(run: Run) -> list[tuple[Any, ...]]:
    return [
        (row.job.number, row.job.role, row.job.backend, row.job.instance, row.record.count)
        for row in run.rows()
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("witness")
    return run_experiment(sample(folder, "sat"), folder / "run", settings=QUICK)


def test_a_witness_is_asked_about_what_one_family_alone_says(tmp_path: Path, whole: Run) -> None:
    alone = run_experiment(sample(tmp_path), tmp_path / "alone", settings=QUICK)
    assert not by_role(alone)["witness"]
    unwitnessed = verdicts(by_role(alone)["timed"])
    rows = by_role(whole)
    assert len(unwitnessed) == 1
    assert verdicts(rows["timed"]).isdisjoint(unwitnessed)
    assert verdicts(rows["witness"]) == verdicts(rows["timed"])
    assert sorted(row.job.instance for row in rows["witness"]) == sorted(TEXTS)
    assert {row.job.backend for row in rows["witness"]} == {"sat"}
    assert {row.job.question for row in rows["witness"]} == {rows["timed"][0].job.question}
    assert {row.job.limits for row in rows["witness"]} == {rows["timed"][0].job.limits}
    assert (whole.ended, whole.total, whole.complete) == (12, 12, True)


def test_a_witness_is_in_no_table_of_times(whole: Run) -> None:
    assert set(whole.timing["backend"]) == {"propagation"}
    assert set(whole.jobs["role"]) == {"timed", "witness"}
    assert list(whole.agreement["instances"]) == [len(TEXTS)]
    moments = [probe.when for probe in whole.probes if probe.when != "during"]
    assert moments == ["before", "after"]  # those of the timed jobs; witnesses have none
    said = "witness sat: asked about 4 answers that stood unwitnessed; not timed, not ranked"
    assert said in whole.footnotes


def test_what_two_families_say_needs_no_witness(tmp_path: Path) -> None:
    chosen = sample(tmp_path, "brute_force", backends=("propagation", "sat"))
    assert not by_role(run_experiment(chosen, tmp_path / "run", settings=QUICK))["witness"]


def test_a_second_witness_is_asked_about_what_the_first_leaves(tmp_path: Path) -> None:
    chosen = sample(tmp_path, "python_constraint", "sat")
    rows = by_role(run_experiment(chosen, tmp_path / "run", settings=QUICK))["witness"]
    assert {row.job.backend for row in rows} == {"python_constraint"}


def test_a_witness_that_finds_a_lie_makes_it_wrong_or_disputed(tmp_path: Path) -> None:
    chosen = sample(tmp_path, "sat", backends=("py:liars:FalseUnsatisfiable",))
    run = run_experiment(chosen, tmp_path / "run", settings=QUICK)
    rows = by_role(run)
    refuted = [row.job.instance for row in rows["timed"] if row.verdict.verdict == "wrong"]  # type: ignore[union-attr]
    assert sorted(refuted) == sorted([*TEXTS[:2], TEXTS[3]] * 2)
    assert set(run.timing["backend"]) == {"py:liars:FalseUnsatisfiable"}


@pytest.mark.parametrize(
    ("witness", "says"),
    [
        ("propagation:bound", "witness[0]: 'propagation' is of the family propagation, and so is"),
        ("py:liars:Honest", "witness[0]: 'py:liars:Honest' cannot be a witness: it is of no fam"),
        ("scip", "witness[0]: 'scip' cannot be a witness: it calculates with doubles"),
        ("nothing", "witness[0]: no backend is called 'nothing'"),
    ],
)
def test_a_witness_that_proves_nothing_is_refused(tmp_path: Path, witness: str, says: str) -> None:
    chosen = sample(tmp_path, witness.partition(":bound")[0])
    with pytest.raises(ExperimentError) as caught:
        check(chosen)
    assert says in str(caught.value)


def test_a_witness_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"witness\[1\]: 'sat:direct' is of the family sat"):
        check(sample(tmp_path, "sat", "sat:direct"))


def test_an_experiment_without_witness_keeps_its_digest(tmp_path: Path) -> None:
    one, other = sample(tmp_path), sample(tmp_path, "sat")
    other.witness = []
    assert one.digest == other.digest
    assert sample(tmp_path, "sat").digest != one.digest
    (tmp_path / "written.toml").write_text(dump(sample(tmp_path, "sat")))
    assert load_experiment(tmp_path / "written.toml").witnesses() == ["sat"]


@pytest.mark.parametrize("done", [3, 9])
def test_an_interrupted_run_resumes_to_the_same(tmp_path: Path, whole: Run, done: int) -> None:
    """Amid the timed jobs and amid those of the witness."""
    chosen = sample(tmp_path, "sat")

    def interrupt(progress: RunProgress) -> None:
        if progress.done >= done:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted):
        run_experiment(chosen, tmp_path / "run", on_progress=interrupt, settings=QUICK)
    resumed = run_experiment(None, tmp_path / "run", resume=True, settings=QUICK)
    assert told(resumed) == told(whole)
    again = run_experiment(chosen, tmp_path / "run", resume=True, settings=QUICK)
    assert told(again) == told(whole)


def test_shares_ask_no_witness_and_their_merged_run_does(tmp_path: Path, whole: Run) -> None:
    chosen = sample(tmp_path, "sat")
    for number in (1, 2):
        folder = tmp_path / f"share{number}"
        share = run_experiment(chosen, folder, share=Share(number, 2), settings=QUICK)
        assert not by_role(share)["witness"]
    merged = merge([tmp_path / "share1", tmp_path / "share2"], tmp_path / "run")
    assert merged.complete
    assert not by_role(revalidate(tmp_path / "run"))["witness"]
    resumed = run_experiment(None, tmp_path / "run", resume=True, settings=QUICK)
    assert told(resumed) == told(whole)


def test_copies_with_witnesses_merge(tmp_path: Path, whole: Run) -> None:
    shutil.copytree(whole.folder, tmp_path / "copy")
    merged = merge([whole.folder, tmp_path / "copy"], tmp_path / "run")
    assert (merged.jobs, merged.records, merged.total) == (8, 8, 8)
    assert (merged.complete, merged.again, merged.conflicts) == (True, 12, 0)
    assert told(revalidate(tmp_path / "run")) == told(whole)


def test_a_run_with_witnesses_is_watched_saved_and_replayed(tmp_path: Path, whole: Run) -> None:
    seen = look(whole.folder)
    assert (seen.jobs, seen.ended, seen.total, seen.complete) == (12, 12, 8, True)
    save_reference(whole, tmp_path / "reference")
    again = load(tmp_path / "reference")
    assert told(again) == told(whole)
    assert set(again.timing["backend"]) == {"propagation"}
    witness = by_role(whole)["witness"][0].job.number
    assert replay(whole, witness).same


def test_a_store_without_roles_is_read_resumed_and_merged(tmp_path: Path) -> None:
    """As it was before witnesses: all of its jobs are timed."""
    run = run_experiment(sample(tmp_path), tmp_path / "run", settings=QUICK)
    before = told(run)
    connection = sqlite3.connect(run.folder / "store.sqlite")
    connection.executescript(
        "DROP TRIGGER records_are_final; DROP TRIGGER records_stay;"
        f"{UNSEALED}ALTER TABLE jobs DROP COLUMN role; ALTER TABLE records DROP COLUMN warm_up;"
        "UPDATE meta SET value = '2' WHERE key = 'schema'; DELETE FROM records WHERE job = 2"
    )
    connection.close()
    shutil.copytree(run.folder, tmp_path / "copy")
    assert told(load(run.folder)) == [before[0], *before[2:]]
    assert merge([run.folder, tmp_path / "copy"], tmp_path / "merged").total == 8
    resumed = run_experiment(None, run.folder, resume=True, settings=QUICK)
    assert told(resumed) == before
    store = Store.open(run.folder)
    assert (store.read_meta("schema"), store.count_timed(), store.is_whole) == (
        str(VERSION),
        8,
        True,
    )
    store.close()
