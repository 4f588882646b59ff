"""Programs as backends under supervision: their limits, and what a killed worker leaves."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import psutil
import pytest
from harness_samples import job

from harness.job import Question
from harness.record import Record
from harness.supervise.supervisor import Settings, supervise

FAKE = Path(__file__).parents[2] / "backends" / "command" / "fake_solver.py"
QUICK = Settings(start_seconds=20, exit_seconds=0.5, tick=0.05)


def run(
    behaviour: str, seconds: float = 10.0, question: Question = Question(), **settings: float | str
) -> list[Record]:
    """Two jobs, one after the other, by one backend."""
    backend = f"command:dimacs:{{python}} -I -S {FAKE} {behaviour}"
    jobs = [job(number, "2 3 -", backend, question, seconds) for number in (1, 2)]
    chosen = Settings(start_seconds=20, exit_seconds=0.5, tick=0.05, **settings)  # type: ignore[arg-type]
    records = [record for record in supervise(jobs, chosen) if record is not None]
    return sorted(records, key=lambda record: record.job)


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield
    assert not [path for path in folder.iterdir() if path.name.startswith("concord-")]
    words = [
        " ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])
    ]
    assert not [word for word in words if "fake_solver.py" in word and str(folder) in word]


def test_an_answer_is_recorded_with_what_it_cost() -> None:
    for mode in ("pooled", "isolated"):
        first, second = run("honest", mode=mode)
        assert (first.outcome, second.outcome) == ("finished", "finished")
        assert first.status == "SATISFIABLE"
        assert first.cpu_s is not None
        assert first.cpu_s > 0.005  # that of the program is in it


def test_an_error_names_the_command_and_its_last_words() -> None:
    first, second = run("crash")
    assert (first.outcome, second.outcome) == ("error", "error")
    assert "SIGSEGV; stderr ends in: about to crash" in first.error


@pytest.mark.parametrize("behaviour", ["endless", "stubborn"])
def test_a_program_without_end_is_a_timeout_that_the_worker_survives(behaviour: str) -> None:
    first, second = run(behaviour, 1.0, Question(2))
    assert (first.outcome, second.outcome) == ("timeout", "timeout")
    assert first.worker == second.worker


@pytest.mark.once
def test_the_cpu_time_of_a_program_is_limited_from_outside() -> None:
    first, second = run("spins", cpu_seconds=0.5)
    assert (first.outcome, second.outcome) == ("timeout", "timeout")


@pytest.mark.once
def test_the_memory_of_a_program_is_limited_from_outside() -> None:
    first, second = run("hoards", memory_mb=300)
    assert (first.outcome, second.outcome) == ("memout", "memout")


def test_what_was_found_before_the_limit_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = run("best_at_the_end", 1.0, Question(3))
    assert first.outcome == "timeout"
    assert first.count in (1, 2)  # asked again, it may show another one before it is killed


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Linux alone lets orphans be found")
def test_what_detaches_itself_from_a_program_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "child"
    monkeypatch.setenv("FAKE_CHILD", str(child))
    first, _ = run("leaves_orphan")
    assert first.outcome == "finished"
    assert not psutil.pid_exists(int(child.read_text()))
