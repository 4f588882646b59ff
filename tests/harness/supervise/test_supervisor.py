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
from faulty import AnyOf
from harness_samples import FAULT, FINE, between, job, the_reaper

from harness.job import Job, Question
from harness.record import Record, Version
from harness.supervise.supervisor import Settings, supervise

QUICK = Settings(start_seconds=20, exit_seconds=0.5, tick=0.05)


def run(*jobs: Job, settings: Settings = QUICK) -> dict[int, Record]:
    """The records by job, after checking that there is one for each."""
    records = [record for record in supervise(jobs, settings) if record is not None]
    assert sorted(record.job for record in records) == sorted(job.number for job in jobs)
    return {record.job: record for record in records}


TWO, EVERY = Question(2, 2), Question(None, 3)
FAULTS: dict[str, tuple[str, str, Question]] = {
    "Segfault": ("crashed", "SIGSEGV", Question()),
    "Leaves": ("crashed", "left with exit status 0", Question()),
    "HalfFrame": ("crashed", "left with exit status 0", Question()),
    "Raises": ("error", "a bug of the solver", Question()),
    "SystemExits": ("error", "SystemExit: 3", Question()),
    "NoResult": ("error", "returned dict, not a Result", Question()),
    "BadValues": ("error", "not a plain int", Question()),
    "BadStatistics": ("error", "statistics: nodes is <object", Question()),
    "Garbage": ("error", "foreign bytes", Question()),
    "OutOfMemory": ("memout", "MemoryError", Question()),
    "Refuses": ("refused", "three variables are too many", Question()),
    "GivesUp": ("gave_up", "", Question()),
    "Floods": ("finished", "", Question()),
    "FloodsThenRaises": ("error", "and a bug", Question()),
    "Forks": ("finished", "", Question()),
    "StopsShort": ("error", "1 of 2", TWO),
    "FindsThenDies": ("crashed", "SIGSEGV", TWO),
    "DiesWithChild": ("crashed", "SIGKILL", Question()),  # though a child holds the pipes
    "Aborts": ("crashed", "SIGABRT", Question()),
    "ClosesPipe": ("crashed", "without an answer", Question()),
    "ClosesPipeAndStays": ("crashed", "closed its pipe", Question()),
    "Hang": ("timeout", "", EVERY),
    "FindsThenHangs": ("timeout", "", EVERY),
}
"""What becomes of each fault, and what it is asked."""


def test_faults_are_recorded_and_the_jobs_around_them_are_done() -> None:
    """One worker serves them all until it dies, and the next one goes on."""
    jobs = [job(0, FINE, "py:faulty:AnyOf")]
    for name, (outcome, _, question) in FAULTS.items():
        seconds = 0.5 if outcome == "timeout" else 20.0
        jobs.append(job(len(jobs), AnyOf.text(name), "py:faulty:AnyOf", question, seconds))
        jobs.append(job(len(jobs), FINE, "py:faulty:AnyOf"))
    records = run(*jobs)
    assert {(records[n].outcome, records[n].status) for n in range(0, len(jobs), 2)} == {
        ("finished", "SATISFIABLE")
    }
    faults = {name: records[2 * k + 1] for k, name in enumerate(FAULTS)}
    for name, (outcome, says, _) in FAULTS.items():
        assert (faults[name].outcome, says in faults[name].error) == (outcome, True), name
    # the child comes back at once, its parent after a tenth of a second: its answer is not taken
    assert faults["Forks"].wall_s >= 0.1
    for name in ("Hang", "FindsThenHangs"):
        assert faults[name].stopped_by == "time"
        assert faults[name].wall_s >= 0.5
    # what was found before a kill or a crash is kept
    found = faults["FindsThenHangs"]
    assert (found.count, found.status) == (2, "SATISFIABLE")
    assert found.solutions == ((0, 1, 2), (0, 1, 3))
    assert faults["FindsThenDies"].count == 1
    assert faults["FindsThenDies"].solutions == ((0, 1, 2),)
    # so are the last words, up to a bound
    assert "last words" in faults["Segfault"].output
    flood = faults["FloodsThenRaises"].output
    assert flood.endswith("the end\n")
    assert len(flood) <= 8192


def test_a_process_that_does_not_end_by_itself_is_ended() -> None:
    records = run(*between("HangsAtExit"))
    assert {record.outcome for record in records.values()} == {"finished"}


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


def test_children_die_with_their_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TINY_CHILDREN", str(tmp_path / "children"))
    records = run(*between("LeavesChildren", 0.5))
    assert records[2].outcome == "timeout"
    children = [int(word) for word in (tmp_path / "children").read_text().split()]
    assert len(children) == 2
    assert not any(_alive(child) for child in children)


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
