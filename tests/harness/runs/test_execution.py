"""The way of a job from an experiment to its row: checked once, opened once, filled in once."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from harness_samples import QUICK, experiment, tiny_file

from harness.job import warm_up_limit
from harness.plan import expansion
from harness.record import Record
from harness.runs import progress
from harness.runs.execution import estimate_remaining, execute_experiment
from harness.runs.loading import load_run
from harness.store import files
from harness.store.store import Store
from harness.supervise import supervisor
from harness.supervise.settings import Settings


def test_the_way_of_a_job_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()
    settled: Counter[int] = Counter()

    def count(where: Any, name: str) -> None:
        original = getattr(where, name)

        def counted(*given: Any, **more: Any) -> Any:
            calls[name] += 1
            return original(*given, **more)

        monkeypatch.setattr(where, name, counted)

    settle = supervisor.Session._settle

    def note(session: Any, record: Any, *more: Any) -> None:
        settled[record.job] += 1
        settle(session, record, *more)

    count(expansion, "check")
    count(files, "open_readable")
    monkeypatch.setattr(supervisor.Session, "_settle", note)
    path = tiny_file(tmp_path, "3 4 -", "3 4 4")
    chosen = experiment(path, "propagation", count="all", witness=["sat"])
    folder = execute_experiment(chosen, tmp_path / "run", settings=QUICK)
    assert calls == {"check": 1, "open_readable": 1}
    monkeypatch.undo()
    run = load_run(folder)
    rows = {row.job.number: row.record for row in run.rows()}
    assert settled == dict.fromkeys(rows, 1)
    assert len(rows) == 4
    for record in rows.values():
        assert record.machine == run.machines[0].id
        assert record.version in {version.id for version in run.versions}
        assert record.ended_at
        assert record.isolation


class NobodyRuns:
    """An executor that ends before its first job, as a machine that is switched off."""

    def check(self, settings: Settings) -> None:
        """Any settings will do."""

    def run(self, store: Store, settings: Settings, admit: object = None) -> Iterator[None]:
        yield from ()


def test_what_remains_is_estimated_with_warm_ups(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -", "3 4 4")
    chosen = experiment(path, "propagation", "brute_force", seconds=60.0, warm_ups=2)
    folder = execute_experiment(chosen, tmp_path / "run", executor=NobodyRuns())
    each = 60.0 + 2 * warm_up_limit(60.0)
    left = estimate_remaining(None, folder, jobs=1)
    assert left.jobs == 4
    assert left.seconds == 4 * each
    assert estimate_remaining(None, folder, jobs=2).seconds == 2.5 * each


class Gives(NobodyRuns):
    """An executor that has a record for each job at once."""

    def run(self, store: Store, settings: Settings, admit: object = None) -> Iterator[Any]:
        for job in list(store.read_pending()):
            yield Record(job=job.number, outcome="lost")


def test_the_last_progress_is_that_of_all_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the one before it was just now."""
    monkeypatch.setattr(progress, "PROGRESS_SECONDS", 3600.0)
    path, heard = tiny_file(tmp_path, "3 4 -", "3 4 4", "2 2 -"), []
    chosen = experiment(path, "brute_force")
    execute_experiment(chosen, tmp_path / "run", executor=Gives(), on_progress=heard.append)
    assert [(each.done, each.total) for each in heard] == [(1, 3), (3, 3)]


class RunsOnce(Gives):
    """An executor whose jobs change a record, and which then runs nothing any more."""

    def __init__(self) -> None:
        self.calls = 0

    def run(self, store: Store, settings: Settings, admit: object = None) -> Iterator[Any]:
        self.calls += 1
        if self.calls == 1:
            yield from super().run(store, settings)
            store.commit()
            with closing(sqlite3.connect(store.folder / files.NAME)) as other:
                other.executescript("DROP TRIGGER records_stay; DELETE FROM records")
        assert self.calls < 3, "it is asked again though nothing has changed"


def test_what_nobody_runs_again_is_left_pending(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, "3 4 -", "3 4 4"), "brute_force")
    executor = RunsOnce()
    folder = execute_experiment(chosen, tmp_path / "run", executor=executor)
    assert executor.calls == 2
    assert estimate_remaining(None, folder).jobs == 2


class ChangesRecords(RunsOnce):
    """An executor whose jobs change a record each time."""

    def run(self, store: Store, settings: Settings, admit: object = None) -> Iterator[Any]:
        self.calls, calls = 0, self.calls
        yield from super().run(store, settings)
        self.calls += calls


def test_a_backend_that_changes_records_again_is_given_up(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, "3 4 -", "3 4 4"), "brute_force")
    executor = ChangesRecords()
    folder = execute_experiment(chosen, tmp_path / "run", executor=executor)
    assert executor.calls == 2
    assert estimate_remaining(None, folder).jobs == 0


def test_probes_of_the_machine_are_kept(tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -")
    folder = execute_experiment(experiment(path, "propagation"), tmp_path / "run", settings=QUICK)
    run = load_run(folder)
    assert [probe.when for probe in run.probes].count("before") == 1
    assert {probe.machine for probe in run.probes} == {run.machines[0].id}
    assert {probe.own for probe in run.probes if probe.when == "before"} == {0}
    assert all(0 < probe.best_s <= probe.wall_s for probe in run.probes)
