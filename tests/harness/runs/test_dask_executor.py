"""Runs on Dask workers in processes of their own: the same table, also when one is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from dask_cluster import cluster
from harness_samples import QUICK, experiment, tiny_file

from backends.interface.api import Limits
from harness.job import Job, Question
from harness.machine import this_machine
from harness.plan.expansion import plan_jobs
from harness.plan.experiment import Experiment
from harness.record import Record
from harness.report.run import Run, load, run_experiment
from harness.runs.execution import Interrupted
from harness.runs.progress import RunProgress
from harness.store.store import Store
from modelling.errors import InputError, WorkerError

pytest.importorskip("distributed", reason="Dask distributed is not installed")

from harness.runs import dask_executor
from harness.runs.dask_executor import DaskExecutor, connect

pytestmark = pytest.mark.once  # each test starts a scheduler and workers

TEXTS = tuple(f"3 {values} {total}" for values in (4, 5) for total in range(3, 8))


def table(run: Run) -> list[tuple[object, ...]]:
    columns = ["job", "instance", "backend", "repeat", "outcome", "status", "count", "digest"]
    return list(run.jobs[[*columns, "verdict"]].itertuples(index=False, name=None))


def sample(folder: Path, *backends: str, repeat: int = 1) -> Experiment:
    return experiment(tiny_file(folder, *TEXTS), *backends, count="all", repeat=repeat)


def test_a_killed_worker_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "FIRST_JOBS", 4)
    chosen = sample(tmp_path, "brute_force", "py:dask_cluster:KillsWorkerOnce", repeat=2)
    whole = run_experiment(chosen, tmp_path / "whole", settings=QUICK)
    with cluster(tmp_path, 2) as dask:
        executor = DaskExecutor(dask.address)
        run = run_experiment(chosen, tmp_path / "run", executor=executor, settings=QUICK)
        (dead,) = [worker for worker in dask.workers if worker.poll() is not None]
        assert dead.returncode == -signal.SIGKILL
    assert table(run) == table(whole)
    again = run.jobs[run.jobs["attempt"] == 2]
    assert 4 <= len(again) <= 4 * (dask_executor.AHEAD + 1)  # what the lost worker had, no more
    assert set(run.jobs["attempt"]) == {1, 2}
    assert run.machines
    assert {version.backend for version in run.versions} == set(chosen.names())


def test_a_batch_that_is_lost_twice_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that takes its Dask worker along does so again: it is run twice, not for ever."""
    monkeypatch.setattr(dask_executor, "FIRST_JOBS", 2)
    path = tiny_file(tmp_path, *(f"2 {values} -" for values in range(2, 8)), "3 4 -")
    chosen = experiment(path, "py:dask_cluster:KillsWorker")
    with cluster(tmp_path, 4) as dask:
        executor = DaskExecutor(dask.address)
        run = run_experiment(chosen, tmp_path / "run", executor=executor, settings=QUICK)
        dead = [worker for worker in dask.workers if worker.poll() is not None]
    assert run.complete
    lost = run.jobs[run.jobs["outcome"] == "lost"]
    assert "3 4 -" in set(lost["instance"])
    assert len(lost) <= 2  # its batch
    assert set(lost["attempt"]) == {2}
    assert "lost, 2 times" in lost["error"].iloc[0]
    assert 2 <= len(dead) <= 3  # Dask may have begun a third time before it was told to stop


def test_a_local_cluster_serves_without_an_address(tmp_path: Path) -> None:
    chosen = sample(tmp_path, "brute_force")
    seen: list[RunProgress] = []
    executor = DaskExecutor()
    run = run_experiment(
        chosen, tmp_path / "run", executor=executor, on_progress=seen.append, settings=QUICK
    )
    assert run.complete
    assert set(run.jobs["outcome"]) == {"finished"}
    assert set(run.jobs["attempt"]) == {1}
    assert seen[-1].done == 10


def test_witnesses_are_asked_as_they_are_here(tmp_path: Path) -> None:
    """On the same cluster, about the same questions, and untimed."""
    chosen = experiment(tiny_file(tmp_path, *TEXTS), "propagation", count="all", witness=["sat"])
    whole = run_experiment(chosen, tmp_path / "whole", settings=QUICK)
    with cluster(tmp_path, 2) as dask:
        where = DaskExecutor(dask.address)
        run = run_experiment(chosen, tmp_path / "run", executor=where, settings=QUICK)
    assert table(run) == table(whole)
    assert run.jobs["role"].value_counts().to_dict() == {"timed": 10, "witness": 10}
    assert set(run.jobs["verdict"]) == {"verified"}
    assert set(run.timing["backend"]) == {"propagation"}


def test_an_interrupted_run_resumes_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "FIRST_JOBS", 2)
    chosen = sample(tmp_path, "py:faulty:Slow")

    def interrupt(progress: RunProgress) -> None:
        if 2 <= progress.done < 10:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted):
        run_experiment(
            chosen, tmp_path / "run", executor=DaskExecutor(), on_progress=interrupt, settings=QUICK
        )
    half = load(tmp_path / "run")
    assert 2 <= half.ended < 10
    assert run_experiment(None, tmp_path / "run", resume=True, settings=QUICK).complete


def test_what_cannot_be_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 0.5)
    chosen = sample(tmp_path, "brute_force")
    for address in ("tcp://127.0.0.1:9", "tls://127.0.0.1:1", "foo://a:1", "tcp://127.0.0.1", "-"):
        with pytest.raises(InputError, match=f"no Dask scheduler answers at {address} "):
            run_experiment(chosen, tmp_path / "run", executor=DaskExecutor(address))
    chosen.pin = True
    with pytest.raises(InputError, match="pin"):
        run_experiment(chosen, tmp_path / "run", executor=DaskExecutor())
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("says", [b"", b"HTTP/1.0 400 Bad Request\r\n\r\n" * 9])
def test_something_else_that_listens_is_no_scheduler(
    says: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 1.0)

    def speak(listener: socket.socket) -> None:
        with contextlib.suppress(OSError), listener.accept()[0] as connection:
            connection.sendall(says)
            connection.recv(1)
            time.sleep(60)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=speak, args=(listener,), daemon=True).start()
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(InputError, match="no Dask scheduler answers"):
            run_experiment(
                sample(tmp_path, "brute_force"), tmp_path / "run", executor=DaskExecutor(address)
            )
    assert not (tmp_path / "run").exists()


def test_a_worker_is_no_scheduler(tmp_path: Path) -> None:
    with cluster(tmp_path, 1) as dask, connect(dask.address, 0) as client:
        client.wait_for_workers(1)
        (worker,) = client.nthreads()
        with pytest.raises(InputError, match="it is a Worker"):
            dask_executor.check_scheduler(worker)


def test_a_worker_without_concord_is_told(tmp_path: Path) -> None:
    chosen = sample(tmp_path, "brute_force")
    told = pytest.raises(WorkerError, match=r"a Dask worker cannot run Concord \(.*harness")
    with cluster(tmp_path, 1, hidden="harness") as dask, told:
        run_experiment(
            chosen, tmp_path / "run", executor=DaskExecutor(dask.address), settings=QUICK
        )


def test_a_scheduler_that_goes_away_is_told(tmp_path: Path) -> None:
    chosen = sample(tmp_path, "py:faulty:Slow", repeat=20)
    with cluster(tmp_path, 1) as dask:

        def end_it(progress: RunProgress) -> None:
            if progress.done:
                dask.scheduler.kill()

        where = DaskExecutor(dask.address)
        with pytest.raises(WorkerError, match="the Dask scheduler is gone"):
            run_experiment(
                chosen, tmp_path / "run", executor=where, on_progress=end_it, settings=QUICK
            )
    assert 0 < load(tmp_path / "run").ended < 200


def test_a_script_without_a_main_guard_is_told(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from harness.runs.dask_executor import connect\n"
        "from modelling.errors import WorkerError\n"
        "try:\n"
        "    with connect(None, 1):\n"
        "        print('connected')\n"
        "except WorkerError as error:\n"
        "    print(error)\n"
    )
    words = [sys.executable, str(script)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0
    assert 'below `if __name__ == "__main__":`' in ended.stdout


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"solver-concord\[dask\]"):
        DaskExecutor()


def job(number: int, instance: str, backend: str) -> Job:
    return Job(number, "set", instance, "family", instance, backend, Question(), Limits(1.0))


def test_batches_hold_whole_instances_and_whole_sequences(tmp_path: Path) -> None:
    kept = "sat:direct,cadical153,reuse=solver"
    jobs = [
        job(3 * k + n, str(k), name)
        for k in range(50)
        for n, name in enumerate(["brute_force", "cpsat", kept], 1)
    ]
    store = Store.create(tmp_path / "run", None, *plan_jobs(reversed(jobs)))
    pace = dask_executor._Pace(threads=1, pending=150)
    first, *others = dask_executor._make_batches(store, pace)
    store.close()
    assert [j.number for j in first] == list(range(3, 151, 3))
    assert {j.backend for j in first} == {kept}
    assert [len(batch) for batch in others] == [dask_executor.FIRST_JOBS] * 5
    assert all([j.number for j in batch] == sorted(j.number for j in batch) for batch in others)
    seen = [{j.instance for j in batch} for batch in others]
    assert sum(len(instances) for instances in seen) == len(set().union(*seen)) == 50


def test_an_account_that_comes_slowly_is_waited_for_longer_each_time(tmp_path: Path) -> None:
    """Whoever asked for it again and again, as briefly, would never have it on a busy machine."""
    waits: list[float] = []

    class SlowToCome:
        status = "finished"

        def result(self, timeout: float) -> dask_executor.Account:
            waits.append(timeout)
            if timeout < 0.1:
                raise TimeoutError
            return dask_executor.Account(
                [Record(job=1, outcome="finished")], [], this_machine(), 1.0
            )

        def release(self) -> None:
            pass

    jobs = [job(1, "a", "brute_force")]
    store = Store.create(tmp_path / "run", None, *plan_jobs(jobs))
    campaign = dask_executor._Campaign(None, store, QUICK)
    batch = dask_executor._Batch(1, jobs, QUICK.tick, SlowToCome())
    campaign._under_way[1] = batch
    campaign._news.put(("ended", 1))
    while not (records := campaign._follow_up()):
        assert not campaign._news.empty()  # it is asked for again
    store.close()
    assert [record.job for record in records] == [1]
    assert waits == [0.02, 0.04, 0.08, 0.16]


def test_the_pace_follows_what_batches_took() -> None:
    machine = this_machine()
    pace = dask_executor._Pace(threads=2, pending=100_000)
    assert pace.size == dask_executor.FIRST_JOBS
    quick = [Record(job=n, outcome="finished", elapsed_s=0.01) for n in range(100)]
    pace.note(dask_executor.Account(quick, [], machine, 1.5))
    assert pace.size == pytest.approx(dask_executor.BATCH_SECONDS / 0.01, abs=1)
    pace.pending = 400
    assert pace.size == 100  # shares of the rest
    pace.pending = 8
    assert pace.size == pytest.approx(50, abs=1)  # but not less than loading the backend takes
    slow = [Record(job=n, outcome="timeout", elapsed_s=60.0) for n in range(3)]
    for _ in range(10):
        pace.note(dask_executor.Account(slow, [], machine, 180.5))
    assert pace.size == 1
