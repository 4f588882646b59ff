"""Whatever a worker does, each job ends in exactly one record of the right outcome."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from harness_samples import job, the_reaper

from harness.job import Job, Question
from harness.record import Record, Version
from harness.supervise.supervisor import Settings, supervise

FAULT, FINE = "3 4 -", "2 3 -"
QUICK = Settings(start_seconds=20, exit_seconds=0.5, tick=0.05)


def run(*jobs: Job, settings: Settings = QUICK) -> dict[int, Record]:
    """The records by job, after checking that there is one for each."""
    records = [record for record in supervise(jobs, settings) if record is not None]
    assert sorted(record.job for record in records) == sorted(job.number for job in jobs)
    return {record.job: record for record in records}


def between(backend: str, seconds: float = 10.0, question: Question = Question()) -> list[Job]:
    """A job that works, one that shows the fault, and one that works again."""
    texts = (FINE, FAULT, FINE)
    return [
        job(number, text, f"py:faulty:{backend}", question, seconds)
        for number, text in enumerate(texts, 1)
    ]


@pytest.mark.parametrize(
    ("backend", "outcome", "says"),
    [
        ("Segfault", "crashed", "SIGSEGV"),
        ("Leaves", "crashed", "left with exit status 0"),
        ("HalfFrame", "crashed", "left with exit status 0"),
        ("Raises", "error", "a bug of the solver"),
        ("SystemExits", "error", "SystemExit: 3"),
        ("NoResult", "error", "returned dict, not a Result"),
        ("BadValues", "error", "not a plain int"),
        ("BadStatistics", "error", "statistics: nodes is <object"),
        ("Garbage", "error", "foreign bytes"),
        ("OutOfMemory", "memout", "MemoryError"),
        ("Refuses", "refused", "three variables are too many"),
        ("GivesUp", "gave_up", ""),
        ("Floods", "finished", ""),
        ("FloodsThenRaises", "error", "and a bug"),
        ("Forks", "finished", ""),
        ("HangsAtExit", "finished", ""),
    ],
)
def test_a_fault_is_recorded_and_the_jobs_around_it_are_done(
    backend: str, outcome: str, says: str
) -> None:
    records = run(*between(backend))
    assert records[2].outcome == outcome
    assert says in records[2].error
    for number in (1, 3):
        assert records[number].outcome == "finished"
        assert records[number].status == "SATISFIABLE"


def test_the_answer_of_a_forked_child_is_not_taken() -> None:
    """The child comes back at once, its parent after a tenth of a second."""
    records = run(*between("Forks"))
    assert records[2].wall_s >= 0.1


def test_calling_one_of_two_solutions_enough_is_an_error() -> None:
    records = run(*between("StopsShort", question=Question(2, 2)))
    assert records[2].outcome == "error"
    assert "1 of 2" in records[2].error


@pytest.mark.parametrize("backend", ["Hang", "FindsThenHangs"])
def test_a_hang_is_a_timeout(backend: str) -> None:
    records = run(*between(backend, 0.5, Question(None, 3)))
    assert [records[n].outcome for n in (1, 2, 3)] == ["finished", "timeout", "finished"]
    assert records[2].stopped_by == "time"
    assert records[2].wall_s >= 0.5


def test_what_was_found_before_a_kill_is_kept() -> None:
    record = run(*between("FindsThenHangs", 0.5, Question(None, 3)))[2]
    assert (record.count, record.status) == (2, "SATISFIABLE")
    assert record.solutions == ((0, 1, 2), (0, 1, 3))


def test_what_was_found_before_a_crash_is_kept() -> None:
    record = run(*between("FindsThenDies", question=Question(2, 2)))[2]
    assert (record.outcome, record.count) == ("crashed", 1)
    assert record.solutions == ((0, 1, 2),)


def test_an_incumbent_is_kept_with_its_objective() -> None:
    asked = Question(1, 1, optimum=True)
    record = run(job(1, "3 4 - max", "py:faulty:FindsThenDies", asked))[1]
    assert (record.outcome, record.count, record.objective) == ("crashed", 1, 8)


@pytest.mark.parametrize(
    ("backend", "outcome"), [("ReportsThenHangs", "timeout"), ("ReportsThenDies", "crashed")]
)
@pytest.mark.parametrize("mode", ["pooled", "fresh"])
def test_incumbents_and_bounds_that_were_reported_before_a_kill_are_kept(
    backend: str, outcome: str, mode: str
) -> None:
    asked = Question(1, 1, optimum=True)
    jobs = [job(n, "3 4 - max", f"py:faulty:{backend}", asked, seconds=0.5) for n in (1, 2)]
    for record in run(*jobs, settings=replace(QUICK, mode=mode)).values():
        assert (record.outcome, record.status) == (outcome, "SATISFIABLE")
        assert (record.count, record.objective, record.bound) == (1, 14, 20)
        assert record.solutions == ((1, 2, 3),)
        told = [(step.objective, step.kind) for step in record.incumbents]
        assert told == [(5, "found"), (30, "bound"), (14, "found"), (20, "bound")]
        seconds = [step.seconds for step in record.incumbents]
        assert seconds == sorted(seconds)
        assert 0 <= seconds[0] <= seconds[-1] <= record.elapsed_s


def test_what_is_noted_without_end_is_whole_when_it_is_killed() -> None:
    asked = Question(1, 1, optimum=True)
    backend = "py:faulty:ImprovesWithoutEnd"
    jobs = [job(n, "3 4 - max", backend, asked, seconds=0.02) for n in range(1, 17)]
    mode = "isolated" if sys.platform == "linux" else "pooled"  # where the next worker is a fork
    records = run(*jobs, settings=replace(QUICK, mode=mode))
    for record in records.values():
        assert record.outcome == "timeout"
        (values,) = record.solutions or ((),)
        assert len(set(values)) <= 1
        assert record.objective == (6 * values[0] if values else None)


def test_statistics_that_are_no_finite_numbers_are_left_out() -> None:
    record = run(job(1, FINE, "py:faulty:BoundlessGap"))[1]
    assert (record.outcome, record.statistics) == ("finished", {"nodes": 3})


def test_the_limit_holds_while_the_problem_is_stated() -> None:
    record = run(job(1, "slow 60 3 4 -", seconds=0.2))[1]
    assert record.outcome == "timeout"


def test_the_last_words_are_kept_and_capped() -> None:
    assert "last words" in run(*between("Segfault"))[2].output
    flood = run(*between("FloodsThenRaises"))[2].output
    assert flood.endswith("the end\n")
    assert len(flood) <= 8192


def test_children_die_with_their_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TINY_CHILDREN", str(tmp_path / "children"))
    records = run(*between("LeavesChildren", 0.5))
    assert records[2].outcome == "timeout"
    children = [int(word) for word in (tmp_path / "children").read_text().split()]
    assert len(children) == 2
    assert not any(_alive(child) for child in children)


def test_a_death_is_noticed_though_a_child_holds_the_pipes() -> None:
    record = run(*between("DiesWithChild"))[2]
    assert record.outcome == "crashed"
    assert "SIGKILL" in record.error


def test_a_hoarder_is_killed() -> None:
    settings = Settings(memory_mb=300, tick=0.05, exit_seconds=0.5, isolation="polled")
    records = run(*between("Hoards"), settings=settings)
    assert records[2].outcome == "memout"
    assert records[2].isolation == "wall time, memory 300 MB polled"
    assert records[3].outcome == "finished"


@pytest.mark.parametrize(
    ("backend", "says"),
    [
        ("py:faulty:explodes", "no licence"),
        ("py:faulty:NotABackend", "it has no 'native'"),
        ("py:no_such_module:x", "cannot import no_such_module"),
        ("no_such_backend", "no backend is called"),
    ],
)
def test_a_backend_that_cannot_be_loaded_is_an_error_of_each_job(backend: str, says: str) -> None:
    jobs = [job(number, FINE, backend) for number in range(1, 251)]
    records = run(*jobs, job(251, FINE))
    assert {records[n].outcome for n in range(1, 251)} == {"error"}
    assert says in records[250].error
    assert records[251].outcome == "finished"


def test_a_backend_that_hangs_at_import_is_given_up() -> None:
    settings = Settings(start_seconds=0.3, exit_seconds=0.5, tick=0.05)
    jobs = [job(number, FINE, "py:faulty:hangs_at_import") for number in range(1, 6)]
    records = run(*jobs, settings=settings)
    assert {record.outcome for record in records.values()} == {"error"}
    assert "did not load within 0.3 s" in records[5].error


def test_a_backend_that_dies_at_import_is_given_up() -> None:
    jobs = [job(number, FINE, "py:faulty:dies_at_import") for number in range(1, 6)]
    records = run(*jobs)
    assert {record.outcome for record in records.values()} == {"crashed"}
    assert "not started again after 3" in records[5].error


def test_a_worker_that_cannot_be_started_costs_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError("too many open files")

    monkeypatch.setattr("harness.supervise.pool.WorkerProcess", refuse)
    records = run(*(job(number, FINE) for number in range(1, 6)))
    assert {record.outcome for record in records.values()} == {"lost"}


def test_a_worker_that_died_idle_is_replaced() -> None:
    jobs = [job(1, FINE), job(2, FINE, "py:faulty:Slow"), job(3, FINE)]
    records = []
    for record in supervise(jobs, QUICK):
        if record is not None:
            records.append(record)
            if record.job == 1:  # the second job is under way; this worker waits for the third
                oldest = min(the_reaper().children(), key=lambda child: child.create_time())
                oldest.kill()
    assert [record.outcome for record in records] == ["finished"] * 3
    assert [record.worker for record in records] == [1, 2, 3]


def test_a_job_whose_reaper_is_killed_runs_again() -> None:
    records = []
    killed = False
    for record in supervise([job(1, FAULT, "py:faulty:Hang", seconds=1), job(2, FINE)], QUICK):
        if record is not None:
            records.append((record.job, record.outcome, record.attempt))
        elif not killed and (reaper := the_reaper()).children():  # it has started a worker
            reaper.kill()
            killed = True
    assert killed
    assert records == [(1, "timeout", 2), (2, "finished", 1)]


def test_an_early_end_leaves_no_worker() -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    records = supervise([job(n, FAULT, "py:faulty:Hang", seconds=60) for n in (1, 2, 3)], QUICK)
    for _ in range(3):
        next(records)
    records.close()  # type: ignore[attr-defined]
    after = {child.pid for child in psutil.Process().children(recursive=True)}
    assert after <= before


def test_no_descriptor_is_left_open() -> None:
    run(job(1, FINE))
    before = psutil.Process().num_fds()
    run(*between("Segfault"), job(4, FINE))
    assert psutil.Process().num_fds() == before


def test_slots_run_side_by_side_and_warm_workers_are_reused() -> None:
    jobs = [job(number, FINE, "py:faulty:Slow") for number in range(1, 7)]
    records = run(*jobs, settings=Settings(slots=2, exit_seconds=0.5))
    assert {record.worker for record in records.values()} == {1, 2}
    assert max(record.nth for record in records.values()) >= 3


def test_a_large_instance_goes_through_the_pipe() -> None:
    text = "3 4 -" + " " * 1_000_000
    assert run(job(1, text))[1].outcome == "finished"


def test_numbers_of_any_size_come_back() -> None:
    big = 1 << 80
    text = f"1 2 - max {big}"
    asked = Question(1, 1, optimum=True)
    assert run(job(1, text, "py:faulty:Slow", asked))[1].objective == big


def test_a_record_says_where_it_comes_from() -> None:
    versions: list[Version] = []
    records = [
        record
        for record in supervise([job(1, FINE, "py:liars:Twin")], QUICK, versions.append)
        if record is not None
    ]
    (record,), (version,) = records, versions
    assert record.version == version.id
    assert (version.backend, version.canonical, version.solver) == ("py:liars:Twin", "twin", "1.0")
    assert record.backend_family == version.family == "honest"
    assert record.import_s is not None
    assert record.instance_digest
    assert record.isolation == "wall time"
    assert record.cpu_s is not None
    assert record.peak_memory_mb
    assert {"model", "first_solution"} <= set(record.phases)
    assert 0 < record.phases["model"] <= record.wall_s <= record.elapsed_s


def _alive(pid: int) -> bool:
    for _ in range(50):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return False
        except psutil.NoSuchProcess:
            return False
        time.sleep(0.01)
    os.kill(pid, 9)
    return True


def test_a_reaper_that_was_killed_and_not_waited_for_is_not_taken_for_the_living_one() -> None:
    jobs = [job(1, FINE, "py:faulty:Slow"), job(2, FINE)]
    dead = subprocess.Popen([sys.executable, "-c", "# harness.supervise.reaper\ninput()"], stdin=-1)
    try:
        dead.kill()
        os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and stays a zombie
        assert psutil.Process(dead.pid).status() == psutil.STATUS_ZOMBIE
        reapers = {the_reaper().pid for record in supervise(jobs, QUICK) if record is not None}
        assert len(reapers) == 1
        assert dead.pid not in reapers
    finally:
        dead.communicate()
