"""The verbs around a run: replay, watch, merge, shares; as a person calls them."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from harness_samples import QUICK, expand, experiment, tiny_file
from typer.testing import CliRunner
from within_process import within

from harness.cli.verbs import app
from harness.plan.expansion import Expansion, Share, plan_jobs
from harness.plan.reading import dump
from harness.record import Record, Row
from harness.report.run import load, run_experiment, save_reference
from harness.report.terminal import lay_out
from harness.runs.execution import Interrupted
from harness.runs.loading import RUNS, find_run
from harness.runs.progress import look
from harness.runs.replaying import replay
from harness.store.store import Store
from harness.supervise.settings import Settings
from modelling.errors import StoreError

TEXTS = ("3 4 -", "3 4 4", "2 2 -")


def concord(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return within(folder, *words, COLUMNS="200")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with mine.toml, and a run of it without and with its answers changed."""
    folder = tmp_path_factory.mktemp("made")
    path = tiny_file(folder, *TEXTS)
    chosen = experiment(path, "brute_force", "py:liars:FalseUnsatisfiable", count="all")
    (folder / "mine.toml").write_text(dump(chosen))
    run_experiment(chosen, folder / "run", settings=QUICK)
    return folder


# --- replay --------------------------------------------------------------------------------


def test_a_record_is_replayed_alone(made: Path) -> None:
    run = load(made / "run")
    for row in {row.job.backend: row for row in run.rows()}.values():
        again = replay(run, row.job.number)
        assert again.same, again.differences
        assert again.job == row.job
        assert again.recorded == row.record
        assert again.again.count == row.record.count
        assert again.notes == ()


def test_a_reference_is_replayed_from_its_sets(made: Path, tmp_path: Path) -> None:
    save_reference(load(made / "run"), tmp_path / "reference")
    reference = load(tmp_path / "reference")
    again = replay(reference, 1)
    assert again.same
    assert again.job.text in TEXTS


def test_what_came_out_differently_is_told(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = load(made / "run")
    row = next(row for row in run.rows() if row.record.count)

    def find_another(store: Store, number: int) -> Row | None:
        found = find_row(store, number)
        assert found is not None
        found.record.count += 1
        return found

    find_row = Store.find_row
    monkeypatch.setattr(Store, "find_row", find_another)
    again = replay(run, row.job.number)
    assert not again.same
    count = row.record.count
    assert again.differences == (f"count: {count + 1} was recorded, now it is {count}",)


def test_a_job_that_is_not_there_is_an_error(made: Path) -> None:
    with pytest.raises(StoreError, match=r"no record of job 99.*the last one with a record is 6"):
        replay(load(made / "run"), 99)


def test_the_verb_replay(made: Path) -> None:
    done = concord(made, "replay", "run", "1")
    assert done.returncode == 0, done.stderr
    title = done.stdout.partition("\n         recorded")[0]
    assert title.startswith("Job 1: tiny ")
    assert title.endswith("; asked for: all solutions")
    narrow = within(made, "replay", "run", "1", COLUMNS="60").stdout
    title = narrow.partition("\n         recorded")[0]
    assert max(map(len, title.splitlines())) <= 60
    assert "The result is the same." in done.stdout
    told = json.loads(concord(made, "replay", "run", "1", "--json").stdout)
    assert told["same"]
    assert told["recorded"]["job"] == told["again"]["job"] == 1
    assert concord(made, "replay", "run", "99").returncode == 2


# --- watch ---------------------------------------------------------------------------------


def test_a_look_counts_by_backend(made: Path) -> None:
    seen = look(made / "run")
    assert (seen.jobs, seen.ended, seen.complete) == (6, 6, True)
    assert [(s.backend, s.jobs, s.ended, s.outcomes) for s in seen.standings] == [
        ("brute_force", 3, 3, {"finished": 3}),
        ("py:liars:FalseUnsatisfiable", 3, 3, {"finished": 3}),
    ]
    assert all(0 < standing.mean_s <= standing.max_s for standing in seen.standings)
    assert seen.seconds_ago is not None


def test_the_verb_watch(made: Path) -> None:
    done = concord(made, "watch", "run", "--once")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("run: 6 of 6 jobs have ended\nbackend")
    assert "finished 3" in done.stdout
    told = json.loads(concord(made, "watch", "run", "--json").stdout)
    assert (told["jobs"], told["ended"], told["complete"]) == (6, 6, True)
    assert concord(made, "watch", "nowhere").returncode == 2


# --- shares and merge ----------------------------------------------------------------------


@pytest.mark.once
def test_shares_by_the_command_line(made: Path) -> None:
    for number in ("1", "2"):
        words = ["--shard", f"{number}/2", "--out", f"part{number}", "--quiet"]
        assert concord(made, "run", "mine.toml", *words).returncode == 1  # a wrong answer
    done = concord(made, "merge", "part1", "part2", "--out", "both")
    assert done.returncode == 1, done.stderr
    assert "6 of 6 jobs of the experiment have ended" in done.stderr
    assert load(made / "both").agreement.equals(load(made / "run").agreement)
    half = concord(made, "merge", "part1", "--out", "half")
    assert half.returncode == 1
    assert "2 jobs are in none of these runs; missing shares: 2/2" in half.stderr
    watched = concord(made, "watch", "half", "--once")
    assert watched.stdout.startswith("half: 4 of 4 jobs have ended (the experiment has 6)\n")
    dry = concord(made, "run", "mine.toml", "--shard", "1/2", "--dry-run")
    assert dry.stdout.startswith("4 jobs, at most 0:40 (")


@pytest.mark.once
def test_more_shares_than_instances(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, *TEXTS[:2]), "brute_force")
    (tmp_path / "mine.toml").write_text(dump(chosen))
    for number in "123":
        done = concord(tmp_path, "run", "mine.toml", "--shard", f"{number}/3", "--out", number)
        assert done.returncode == 0, done.stderr
        assert ("this share has no jobs" in done.stderr) is (number == "3")
    for verb in ("table", "watch", "export"):
        assert concord(tmp_path, verb, "3").returncode == 0
    done = concord(tmp_path, "merge", "1", "2", "3", "--out", "whole")
    assert done.returncode == 0, done.stderr
    assert "2 of 2 jobs of the experiment have ended" in done.stderr


def test_what_has_not_ended_is_merged_and_told(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, *TEXTS), "brute_force")
    store = Store.create(tmp_path / "begun", chosen, *plan_jobs(expand(chosen)[0]))
    with store.writing():
        store.add(Record(job=1, outcome="timeout"))
    store.close()
    done = concord(tmp_path, "merge", "begun", "--out", "run")
    assert done.returncode == 1, done.stderr
    assert "1 of 3 jobs of the experiment have ended" in done.stderr
    assert "2 jobs have not ended; continue with: concord run --resume run" in done.stderr
    assert concord(tmp_path, "run", "--resume", "run").returncode == 0
    assert load(tmp_path / "run").complete


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["mine.toml", "--shard", "3/2"], "'3/2' does not name a share; write i/N"),
        (["mine.toml", "--scheduler", "tcp://x:1"], "--scheduler needs --on dask"),
        (["mine.toml", "--shard", "٣/4"], "does not name a share; write i/N"),
        (["--resume", "run", "--shard", "1/2"], "keeps its share"),
        (["--resume", "run", "--out", "elsewhere"], "--out cannot be combined with --resume"),
        (["mine.toml", "--out", ""], "a path must not be empty"),
    ],
    ids=["share", "scheduler", "digits", "resumed", "another folder", "no folder"],
)
def test_wrong_usage(made: Path, words: list[str], says: str) -> None:
    done = concord(made, "run", *words)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_dry_run_of_a_run_that_stopped_tells_what_is_left(made: Path, tmp_path: Path) -> None:
    begun = load(made / "run")
    expansion = Expansion(begun.experiment)
    entries, jobs = expansion.instances(), expansion.jobs()
    with closing(Store.create(tmp_path / "run", begun.experiment, entries, jobs)) as store:
        for row in begun.rows():
            if row.job.number in (2, 4, 5):
                store.add(row.record)
        store.commit()
    before = contents(tmp_path / "run")
    dry = ("run", "--resume", "run", "--dry-run")
    assert concord(tmp_path, *dry).stdout.startswith("3 jobs left, at most 0:30 (")
    assert concord(tmp_path, *dry, "--jobs", "2").stdout.startswith("3 jobs left, at most 0:20 (")
    assert contents(tmp_path / "run") == before
    assert concord(made, *dry).stdout.startswith("0 jobs left, at most 0:00 (")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_is_resumed_with_another_number_of_jobs(made: Path, tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, *TEXTS), "py:faulty:Slow")
    run_experiment(chosen, tmp_path / "run", share=Share(1, 1), settings=QUICK)
    done = concord(tmp_path, "run", "--resume", "run", "--jobs", "2")
    assert done.returncode == 0, done.stderr


# --- what may not be entered ---------------------------------------------------------------


@pytest.fixture
def private(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders called ``private`` may not be entered; root enters every one."""
    stat = Path.stat

    def refused(path: Path, **more: Any) -> os.stat_result:
        if "private" in path.parts[:-1]:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, **more)

    monkeypatch.setattr(Path, "stat", refused)


@pytest.mark.usefixtures("private")
def test_a_private_run_is_not_in_the_way_of_others(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (RUNS / "private").mkdir(parents=True)
    shutil.copytree(made / "run", RUNS / "mine")
    assert find_run("latest") == RUNS / "mine"
    assert find_run("mine") == RUNS / "mine"
    for name in (RUNS / "private", "private"):
        with pytest.raises(StoreError, match="private cannot be opened: Permission denied"):
            find_run(name)


@pytest.mark.usefixtures("private")
@pytest.mark.parametrize(
    "words",
    [
        ["table", "private"],
        ["watch", "private"],
        ["run", "--resume", "private"],
        ["merge", "private", "--out", "both"],
        ["run", "private/experiment.toml"],
        ["solve", "private/some.txt"],
    ],
    ids=" ".join,
)
def test_what_may_not_be_entered_is_told(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "private").mkdir()
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2, done.exception
    assert "Permission denied" in done.stderr


# --- a second Ctrl-C -----------------------------------------------------------------------


class Interrupting:
    """An executor that is interrupted, and again while it ends."""

    def check(self, settings: Settings) -> None:
        pass

    def run(self, store: Store, settings: Settings, admit: object = None) -> Iterator[None]:
        try:
            yield None
            raise KeyboardInterrupt
        finally:
            raise KeyboardInterrupt


def test_a_second_ctrl_c_says_how_to_go_on_too(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, *TEXTS), "brute_force")
    with pytest.raises(Interrupted, match=r"stopped after 0 of 3 jobs; they are kept in .*run"):
        run_experiment(chosen, tmp_path / "run", settings=QUICK, executor=Interrupting())


# --- what is said of the jobs that failed --------------------------------------------------


def test_what_failed_names_its_run_and_is_cut(made: Path) -> None:
    run = load(made / "run")
    failed = pd.concat([run.jobs.head(1)] * 31, ignore_index=True)
    run.jobs = failed.assign(outcome="error", error=["!" * 20000, *map(str, range(30))])
    (lines,) = (lines for heading, lines in lay_out(run, 80) if heading == "Not answered")
    assert lines[-2] == "... and 19 more reasons:"
    assert lines[-1] == f"  concord table {run.folder} --which jobs"
    assert max(map(len, lines[:-1])) <= 80
    assert len(lines) == 11 + 3 + 2  # one reason is long, and cut
