"""What is to be loaded fails, is slow, or cannot be started for want of something: no job pays."""

from __future__ import annotations

import os
import resource
from collections import Counter
from pathlib import Path

import msgspec
import psutil
import pytest
from harness_samples import FINE, job

from harness.job import Job
from harness.record import Record
from harness.supervise import limits, worker_process
from harness.supervise.settings import Settings
from harness.supervise.supervisor import supervise
from harness.supervise.worker_process import RESERVED


def run(jobs: list[Job], **settings: object) -> dict[int, Record]:
    quick: dict[str, object] = {"start_seconds": 20, "exit_seconds": 0.5, "tick": 0.05}
    how = Settings(**(quick | settings))  # type: ignore[arg-type]
    return {record.job: record for record in supervise(jobs, how) if record is not None}


def of_family(name: str, *numbers: int, seconds: float = 10.0) -> list[Job]:
    family = f"py:families_that_fail:{name}"
    jobs = [job(number, FINE, seconds=seconds) for number in numbers]
    return [msgspec.structs.replace(one, family=family) for one in jobs]


# --- puzzle families -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["pooled", "fresh", "isolated"])
@pytest.mark.parametrize("name", ["Slow", "Raises"])
def test_importing_a_family_is_in_no_jobs_time(mode: str, name: str) -> None:
    jobs = [job(1, FINE), *of_family(name, 2, 3, seconds=1.0)]
    records = run(jobs, mode=mode)
    assert records[1].outcome == "finished"
    for number in (2, 3):
        record = records[number]
        assert record.outcome == ("finished" if name == "Slow" else "error"), record.error
        assert name == "Slow" or "a bug of the family" in record.error


@pytest.mark.parametrize(
    ("name", "starts", "seconds", "outcome", "says"),
    [
        pytest.param(
            "Hangs",
            1,  # the time to load must do for the worker that does load, on a busy machine, too
            6,
            "error",
            "the puzzle family py:families_that_fail:Hangs did not load within 6 s",
            marks=pytest.mark.once,
        ),
        ("Dies", 3, 60, "crashed", "SIGABRT while it loaded the puzzle family"),
    ],
)
def test_a_family_that_cannot_be_loaded_is_given_up(
    name: str, starts: int, seconds: float, outcome: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_FAILED_STARTS", starts)
    jobs = [*of_family(name, 1, 2, 3, 4), job(5, FINE)]
    records = run(jobs, start_seconds=seconds)
    assert [records[number].outcome for number in range(1, 6)] == [outcome] * 4 + ["finished"]
    assert says in records[1].error
    assert f"not started again after {starts} failed starts" in records[4].error


# --- workers started side by side ----------------------------------------------------------


@pytest.mark.parametrize("mode", ["pooled", "isolated"])
def test_workers_started_side_by_side_fail_once(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What makes all of the first three fail at once is no reason to give the backend up."""
    monkeypatch.setenv("TINY_LOADS", str(tmp_path / "loads"))
    monkeypatch.setenv("TINY_FAILED_LOADS", "3" if mode == "pooled" else "1")
    jobs = [job(number, FINE, "py:faulty:dies_at_first") for number in range(1, 11)]
    records = run(jobs, slots=3, start_seconds=60, mode=mode)
    outcomes = Counter(record.outcome for record in records.values())
    assert outcomes == {"crashed": 3, "finished": 7}


# --- shortages -----------------------------------------------------------------------------

FEW = """
import sys; sys.path.append(sys.argv[1])
import os
from harness.supervise import reaper
from harness.supervise.processes import find_children
fork = os.fork
def scarce():
    if len(find_children().get(os.getpid(), ())) >= {most}:
        raise BlockingIOError(11, "Resource temporarily unavailable")
    return fork()
os.fork = scarce
reaper.main()
"""


@pytest.mark.parametrize("most", [1, 2])
def test_too_few_processes_cost_no_job(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "_BOOT", FEW.format(most=most))
    backends = ["brute_force", "py:faulty:Slow"]
    jobs = [job(number, FINE, backends[number % 2]) for number in range(1, 7)]
    records = run(jobs, slots=4)
    assert Counter(record.outcome for record in records.values()) == {"finished": 6}
    assert {record.attempt for record in records.values()} == {1}


def test_no_process_at_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "_BOOT", FEW.format(most=0))
    records = run([job(number, FINE) for number in range(1, 6)], slots=2)
    assert {record.outcome for record in records.values()} == {"lost"}
    assert "no worker could be started: [Errno 11]" in records[1].error
    assert "not started again" in records[5].error


def test_too_few_descriptors_cost_no_job() -> None:
    names = ["Slow", "Forks", "Floods", "Remembers", "Segfault", "Hang"]
    run([job(1, FINE)])  # what is opened once and for all
    before = psutil.Process().num_fds()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + RESERVED + 17, hard))
    try:
        jobs = [job(n, FINE, f"py:faulty:{names[n % len(names)]}") for n in range(1, 9)]
        records = run(jobs)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert Counter(record.outcome for record in records.values()) == {"finished": 8}
    assert len({record.worker for record in records.values()}) > len(names)
    assert psutil.Process().num_fds() == before


def test_a_descriptor_table_that_is_full_is_told() -> None:
    run([job(1, FINE)])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (psutil.Process().num_fds() + RESERVED, hard))
    try:
        (record,) = run([job(1, FINE)]).values()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert record.outcome == "lost"
    assert "ulimit -n" in record.error
    assert os.strerror(24) not in record.error
