"""Runs end to end: the same table whatever happens on the way, and runs read back."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from harness_samples import QUICK, experiment, tiny_file

from harness.plan.experiment import Experiment
from harness.record import Record
from harness.report.run import Run, load, run_experiment, save_reference
from harness.report.standings import find_standings
from harness.report.tables import make_agreement, make_summary, make_timing
from harness.runs.execution import Interrupted
from harness.runs.loading import RUNS, find_run, make_folder
from harness.runs.progress import RunProgress
from harness.store import store as store_file
from harness.store.store import Store
from modelling.errors import ExperimentError, StoreError

TEXTS = ("3 4 -", "3 4 4", "2 2 -", "3 2 -", "4 4 6")


def table(run: Run) -> list[tuple[object, ...]]:
    """What must not depend on how a run went, in the order of execution."""
    columns = ["job", "instance", "backend", "repeat", "outcome", "status", "count", "digest"]
    return list(run.jobs[[*columns, "verdict", "evidence"]].itertuples(index=False, name=None))


def sample(folder: Path, *backends: str, repeat: int = 1) -> Experiment:
    path = tiny_file(folder, *TEXTS)
    return experiment(path, *backends, count="all", repeat=repeat)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that nothing disturbs, of two backends twice each."""
    folder = tmp_path_factory.mktemp("whole")
    chosen = sample(folder, "brute_force", "py:faulty:Slow", repeat=2)
    return run_experiment(chosen, folder / "run", settings=QUICK)


@pytest.mark.once
@pytest.mark.parametrize("rows", [1, store_file.COMMIT_ROWS])
def test_a_slow_disk_does_not_keep_limits_from_holding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """Also when more records come meanwhile than are written at a time."""
    killed = threading.Event()
    waited: list[bool] = []
    commit, add = Store._commit, Store.add

    def wait_for_the_kill(store: Store) -> None:
        waited.append(killed.wait(60))
        commit(store)

    def note_the_kill(store: Store, record: Record) -> None:
        if record.outcome == "timeout":
            killed.set()
        add(store, record)

    monkeypatch.setattr(store_file, "COMMIT_ROWS", rows)
    monkeypatch.setattr(Store, "_commit", wait_for_the_kill)
    monkeypatch.setattr(Store, "add", note_the_kill)
    chosen = sample(tmp_path, "brute_force", "py:faulty:Hang")
    chosen.seconds = 2.0  # by when the commit of the quick ones has long begun
    run = run_experiment(chosen, tmp_path / "run", settings=replace(QUICK, slots=2))
    assert run.complete
    assert all(waited)
    assert run.jobs["outcome"].value_counts()["timeout"] == 3


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Experiment, Run, list[RunProgress]]:
    """A run with a liar, and what was heard of its progress."""
    folder, seen = tmp_path_factory.mktemp("judged"), list[RunProgress]()
    chosen = sample(folder, "brute_force", "py:liars:Honest", "py:liars:FalseUnsatisfiable")
    run = run_experiment(chosen, folder / "run", on_progress=seen.append, settings=QUICK)
    return chosen, run, seen


def test_a_run_from_end_to_end(judged: tuple[Experiment, Run, list[RunProgress]]) -> None:
    chosen, run, seen = judged
    assert run.complete
    agreement, timing = run.agreement, run.timing
    assert len(run.jobs) == run.total == run.ended == 15
    assert agreement.equals(make_agreement(run.jobs))  # though made from fewer columns
    standings = find_standings(run.jobs)
    assert timing.equals(make_timing(standings))
    assert run.summary.equals(make_summary(standings))
    assert set(run.jobs["outcome"]) == {"finished"}
    by_backend = run.jobs.groupby("backend")["verdict"].value_counts().to_dict()
    assert by_backend == {
        ("brute_force", "verified"): 5,
        ("py:liars:Honest", "verified"): 5,
        ("py:liars:FalseUnsatisfiable", "verified"): 1,  # one instance has no solution
        ("py:liars:FalseUnsatisfiable", "wrong"): 4,
    }
    assert list(run.agreement.iloc[0]) == ["tiny", "all", 5, 1, 0, 0, 4, 0]
    assert list(run.timing["solved"]) == [5, 5, 1]
    assert list(run.summary["disqualified"]) == [False, False, True]
    assert run.disqualified == standings.disqualified == {"py:liars:FalseUnsatisfiable"}
    assert (seen[-1].done, seen[-1].total, seen[-1].counts["finished"]) == (15, 15, 15)
    assert seen[-1].left == 0
    assert run.experiment == chosen
    assert {version.backend for version in run.versions} == set(chosen.backends)
    assert len(run.machines) == 1
    assert set(run.jobs["machine"]) == {run.machines[0].id}
    assert (run.folder / "tables" / "agreement.txt").read_text().startswith("set ")
    assert (run.folder / "tables" / "timing.csv").read_text().startswith("set,ask,rank,backend,")


def test_ctrl_c_ends_a_run_cleanly_and_it_resumes_to_the_same_table(
    tmp_path: Path, whole: Run
) -> None:
    chosen = whole.experiment

    def interrupt(progress: RunProgress) -> None:
        if progress.done >= 5:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted) as caught:
        run_experiment(chosen, tmp_path / "run", on_progress=interrupt, settings=QUICK)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert caught.value.folder == tmp_path / "run"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    half = load(tmp_path / "run")  # what was done is there, judged as far as it goes
    assert 5 <= len(half.jobs) == caught.value.done < caught.value.total == 20
    assert not half.complete
    assert "verified" in set(half.jobs["verdict"])
    done = half.jobs.set_index("job")["ended_at"]

    resumed = run_experiment(None, tmp_path / "run", resume=True, settings=QUICK)
    assert table(resumed) == table(whole)
    again = resumed.jobs.set_index("job")["ended_at"]
    assert (again[done.index] == done).all()  # nothing was run twice


def test_a_polite_kill_ends_a_run_cleanly(tmp_path: Path) -> None:
    """As batch systems send it before they kill."""

    def end(progress: RunProgress) -> None:
        if progress.done >= 2:
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Interrupted):
        run_experiment(
            sample(tmp_path, "py:faulty:Slow"), tmp_path / "run", on_progress=end, settings=QUICK
        )
    assert signal.getsignal(signal.SIGTERM) is before
    assert 2 <= load(tmp_path / "run").ended < 5


CHANGING = """
import pathlib
from faulty import Slow

class Changing(Slow):
    version = pathlib.Path(__file__).with_name("version").read_text()
"""


@pytest.mark.once
def test_a_solver_that_changed_before_a_run_was_resumed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row mixes two solvers, and neither the table nor the name would say so."""

    def interrupt(progress: RunProgress) -> None:
        if progress.done >= 2:
            raise KeyboardInterrupt

    (tmp_path / "changing.py").write_text(CHANGING, encoding="utf-8")
    (tmp_path / "version").write_text("sha256 aaa", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    chosen = sample(tmp_path, "py:changing:Changing", "brute_force")
    with pytest.raises(Interrupted):
        run_experiment(chosen, tmp_path / "run", on_progress=interrupt, settings=QUICK)
    assert not load(tmp_path / "run").mixtures
    (tmp_path / "version").write_text("sha256 bbb", encoding="utf-8")
    run = run_experiment(None, tmp_path / "run", resume=True, settings=QUICK)
    assert run.complete
    (counts,) = run.mixtures.values()
    assert set(counts) == {"sha256 aaa", "sha256 bbb"}
    assert sum(counts.values()) == 5
    told = f"sha256 aaa ({counts['sha256 aaa']}) and sha256 bbb ({counts['sha256 bbb']})"
    said = f"py:changing:Changing: 2 versions of it answered, and its row mixes them: {told}"
    assert run.footnotes[0].startswith(said)


def test_an_exception_of_the_caller_keeps_what_was_done(tmp_path: Path) -> None:
    def fail(progress: RunProgress) -> None:
        if progress.done >= 2:
            raise KeyboardInterrupt

    chosen = sample(tmp_path, "py:faulty:Slow")
    with pytest.raises(Interrupted):
        run_experiment(chosen, tmp_path / "run", on_progress=fail, settings=QUICK)
    assert len(load(tmp_path / "run").jobs) >= 2


def test_a_killed_supervisor_leaves_a_run_that_resumes_to_the_same_table(
    tmp_path: Path, whole: Run
) -> None:
    chosen = whole.experiment
    (tmp_path / "chosen.json").write_bytes(msgspec.json.encode(chosen))
    code = (
        "import msgspec, sys\n"
        "from harness.plan.experiment import Experiment\n"
        "from harness.report.run import run_experiment\n"
        "with open(sys.argv[1]) as file:\n"
        "    run_experiment(msgspec.json.decode(file.read(), type=Experiment), sys.argv[2])\n"
    )
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    words = [sys.executable, "-c", code, str(tmp_path / "chosen.json"), str(tmp_path / "run")]
    with subprocess.Popen(words, env=os.environ | {"PYTHONPATH": path}) as p:
        _wait_for(lambda: _records(tmp_path / "run") >= 3)
        workers = psutil.Process(p.pid).children(recursive=True)
        assert workers
        p.kill()
    if sys.platform == "linux":
        gone, _ = psutil.wait_procs(workers, timeout=10)
        assert len(gone) == len(workers)
    begun = _records(tmp_path / "run")
    assert 3 <= begun < 20
    resumed = run_experiment(chosen, tmp_path / "run", resume=True, settings=QUICK)
    assert table(resumed) == table(whole)


def _records(folder: Path) -> int:
    try:
        store = Store.open(folder)
    except StoreError:
        return 0
    try:
        return store.count("records")
    finally:
        store.close()


def _wait_for(condition) -> None:  # type: ignore[no-untyped-def]
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail("it did not happen within 20 s")


def test_resuming_what_is_complete_runs_nothing(tmp_path: Path, whole: Run) -> None:
    shutil.copytree(whole.folder, tmp_path / "run")
    again = run_experiment(whole.experiment, tmp_path / "run", resume=True, settings=QUICK)
    assert table(again) == table(whole)
    assert list(again.jobs["ended_at"]) == list(whole.jobs["ended_at"])


def test_another_experiment_does_not_resume_a_run(tmp_path: Path, whole: Run) -> None:
    shutil.copytree(whole.folder, tmp_path / "run")
    assert whole.experiment is not None
    chosen = msgspec.structs.replace(whole.experiment, seconds=5.0)
    with pytest.raises(StoreError, match=r"begun with seconds = 10\.0, not 5\.0"):
        run_experiment(chosen, tmp_path / "run", resume=True)
    chosen.seconds, chosen.jobs = 10.0, 2
    run_experiment(chosen, tmp_path / "run", resume=True, settings=QUICK)


def test_a_run_is_resumed_from_another_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file is then called something else, and it is the same experiment."""
    (tmp_path / "sub").mkdir()
    tiny_file(tmp_path / "sub", *TEXTS)
    monkeypatch.chdir(tmp_path / "sub")
    run_experiment(experiment("tiny.txt", "brute_force"), "run", settings=QUICK)
    monkeypatch.chdir(tmp_path)
    same = experiment("sub/tiny.txt", "brute_force", about="seen from above")
    assert run_experiment(same, "sub/run", resume=True, settings=QUICK).complete
    same.seconds = 5.0
    with pytest.raises(StoreError, match=r"begun with seconds = 10\.0, not 5\.0"):
        run_experiment(same, "sub/run", resume=True, settings=QUICK)


def test_settings_that_cannot_work_are_found_before_there_is_a_folder(tmp_path: Path) -> None:
    chosen = sample(tmp_path, "brute_force")
    with pytest.raises(ExperimentError, match="pin"):
        run_experiment(chosen, tmp_path / "run", settings=replace(QUICK, slots=10**4, pin=True))
    impossible: Any = replace(QUICK, isolation="none")
    with pytest.raises(ExperimentError, match="isolation"):
        run_experiment(chosen, tmp_path / "run", settings=impossible)
    assert not (tmp_path / "run").exists()


def test_two_runs_of_one_second_take_two_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = [make_folder("twin") for _ in range(3)]
    assert len(set(folders)) == 3
    assert all(folder.is_dir() for folder in folders)


def test_a_run_that_is_refused_leaves_no_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ExperimentError, match="no instance to run"):
        run_experiment(experiment(tiny_file(tmp_path, "nonsense"), "brute_force"))
    assert list(RUNS.iterdir()) == []
    (tmp_path / "mine").mkdir()
    with pytest.raises(ExperimentError, match="no instance to run"):
        run_experiment(
            experiment(tiny_file(tmp_path, "nonsense"), "brute_force"), tmp_path / "mine"
        )
    assert (tmp_path / "mine").is_dir()  # whoever made it may want it
    RUNS.rmdir()
    RUNS.touch()
    with pytest.raises(StoreError, match=r"cannot be made: .*--out"):
        run_experiment(sample(tmp_path, "brute_force"))


def test_bad_lines_are_kept_with_the_run(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -", "nonsense")
    run = run_experiment(experiment(path, "brute_force"), tmp_path / "run", settings=QUICK)
    assert [error.place for error in run.bad_lines] == [f"{path}:2:1"]


def test_nothing_to_run_is_an_error(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "nonsense")
    with pytest.raises(ExperimentError, match=r"no instance to run; the first bad line: .*:1:1"):
        run_experiment(experiment(path, "brute_force"), tmp_path / "run")
    with pytest.raises(ExperimentError, match="no experiment"):
        run_experiment(None)


def test_a_folder_in_use_is_an_error(whole: Run) -> None:
    with pytest.raises(StoreError, match="already holds a run"):
        run_experiment(whole.experiment, whole.folder, settings=QUICK)


def test_runs_are_found_by_path_by_name_and_as_the_latest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="there is no run"):
        find_run("latest")
    chosen = sample(tmp_path, "brute_force")
    first = run_experiment(chosen, settings=QUICK)
    second = run_experiment(chosen, settings=QUICK)
    assert first.folder != second.folder
    assert first.folder.parent == RUNS
    assert first.folder.name.endswith("-sample")
    os.utime(first.folder / "experiment.toml", (1, 1))
    assert find_run("latest") == second.folder
    assert find_run(first.folder.name) == first.folder
    assert find_run(tmp_path / first.folder) == tmp_path / first.folder
    with pytest.raises(StoreError, match=r"nowhere does not exist.*-sample"):
        find_run("nowhere")
    with pytest.raises(StoreError, match=r"\. is not a run"):
        find_run(".")


def test_a_reference_reads_back_as_the_run(
    tmp_path: Path, judged: tuple[Experiment, Run, list[RunProgress]]
) -> None:
    _, run, _ = judged
    save_reference(run, tmp_path / "reference")
    reference = load(tmp_path / "reference")
    assert table(reference) == table(run)
    assert reference.experiment == run.experiment
    assert reference.machines == run.machines
    assert reference.versions == run.versions
    assert reference.total == run.total
    assert reference.timing.equals(run.timing)
    assert reference.agreement.equals(run.agreement)
    assert all(row.job.text == "" for row in reference.rows())
    written = {"experiment.toml", "machines.json", "records.jsonl.gz"}
    written |= {
        f"{name}.{to}" for name in ("agreement", "summary", "timing") for to in ("csv", "txt")
    }
    assert {path.name for path in (tmp_path / "reference").iterdir()} == written
    save_reference(reference, tmp_path / "again")
    for name in ("records.jsonl.gz", "machines.json", "timing.csv"):
        one, other = (tmp_path / folder / name for folder in ("reference", "again"))
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    "content", [b"not gzip", gzip.compress(b'{"job": 1}\n')], ids=["not gzip", "not a record"]
)
def test_a_damaged_reference_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "records.jsonl.gz").write_bytes(content)
    with pytest.raises(StoreError, match=r"records\.jsonl\.gz: cannot be read after line"):
        list(load(tmp_path).rows())


def test_a_run_in_a_thread_needs_no_signals(tmp_path: Path) -> None:
    import threading

    chosen = sample(tmp_path, "brute_force")
    found: list[Run] = []
    thread = threading.Thread(
        target=lambda: found.append(run_experiment(chosen, tmp_path / "run", settings=QUICK))
    )
    thread.start()
    thread.join(30)
    assert found[0].complete
