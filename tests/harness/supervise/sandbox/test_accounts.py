"""What the system's account proves of a worker, and of what it is silent."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from harness.record import Record
from harness.supervise.processes import ProcessInfo, on_processor
from harness.supervise.sandbox import accounts
from harness.supervise.sandbox.accounts import HIDDEN_JOBS, SystemAccounts

BACKEND = "py:somebody:Else"


class Machine:
    """A worker and a supervisor whose times the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = self.cpu_s = self.ran_s = self.waited_s = self.other_s = self.busy_s = 0.0
        self.threads = 1
        self.faults: list[str] = []
        self.accounts = SystemAccounts(self.faults.append, lambda: self.busy_s)
        monkeypatch.setattr(accounts, "perf_counter", lambda: self.at)
        monkeypatch.setattr(accounts, "peak_mb", lambda pid: None)
        monkeypatch.setattr(accounts, "on_processor", self._on_processor)
        monkeypatch.setattr(accounts, "_look_at_others", lambda pid: self.other_s)
        monkeypatch.setattr(
            accounts,
            "look_at",
            lambda pid: ProcessInfo(0, self.cpu_s, 1.0, False, threads=self.threads),
        )

    def _on_processor(self, pid: object) -> tuple[float, float]:
        return (self.ran_s, self.waited_s) if pid == 1 else (0.0, 0.0)

    def answer(self, backend: str = BACKEND, family: str = "sudoku", **record: Any) -> str:
        """A job in which 100 ms pass; its keywords are of the record, or go by at the machine."""
        job = SimpleNamespace(family=family)
        worker: Any = SimpleNamespace(
            number=1, pid=1, backend=backend, attempt=SimpleNamespace(job=job)
        )
        self.accounts.begin(worker)
        self.at += 0.1
        for name in ("cpu_s", "ran_s", "waited_s", "other_s", "busy_s"):
            setattr(self, name, getattr(self, name) + record.pop(f"more_{name}", 0.0))
        return self.accounts.find_flaw(worker, Record(job=1, outcome="finished", **record), 10)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_time_that_passes_elsewhere_is_named_at_the_second_job(machine: Machine) -> None:
    assert machine.answer(wall_s=0.001) == ""
    assert machine.faults == []
    for _ in range(3):
        assert machine.answer(wall_s=0.001) == ""
    (fault,) = machine.faults
    assert fault.startswith(f"{BACKEND}: its record of job 1 tells 1 ms; for 99 ms more")


@pytest.mark.parametrize(
    "job",
    [
        {"wall_s": 0.06},  # it tells more than it hides
        {"wall_s": 0.001, "more_ran_s": 0.08},  # it computed: stating the problem, say
        {"wall_s": 0.001, "more_waited_s": 0.08},  # others had its processor
        {"wall_s": 0.001, "more_busy_s": 0.08},  # nobody read its answer
        {"wall_s": 0.001, "more_cpu_s": 0.08, "cpu_s": 0.08},  # a thread was looked at
        {"wall_s": 0.001, "backend": "propagation"},
        {"wall_s": 0.001, "phases": {"flatten": 0.098}, "family": "minizinc"},
    ],
    ids=str,
)
def test_what_can_be_explained_is_not_named(machine: Machine, job: dict[str, Any]) -> None:
    for _ in range(HIDDEN_JOBS):
        assert machine.answer(**job) == ""
    assert machine.faults == []


def test_a_thread_at_work_explains_it_and_one_that_sleeps_does_not(machine: Machine) -> None:
    machine.threads = 2
    for _ in range(HIDDEN_JOBS):
        machine.answer(wall_s=0.001, more_other_s=0.01)
    assert machine.faults == []
    for _ in range(HIDDEN_JOBS):
        machine.answer(wall_s=0.001)
    assert len(machine.faults) == 1


def test_a_family_that_does_not_flatten_explains_nothing(machine: Machine) -> None:
    for _ in range(HIDDEN_JOBS):
        machine.answer(wall_s=0.001, phases={"flatten": 0.098})
    assert len(machine.faults) == 1


def test_less_cpu_time_than_was_counted_cannot_be(machine: Machine) -> None:
    assert "the system counted 1.00 s" in machine.answer(more_cpu_s=1.0, cpu_s=0.6, wall_s=0.09)
    assert machine.answer(more_cpu_s=1.0, cpu_s=0.9, wall_s=0.09) == ""
    assert machine.answer(more_cpu_s=0.04, cpu_s=0.0, wall_s=0.09) == ""  # ticks


def test_the_system_says_what_a_thread_has_run() -> None:
    before = on_processor("thread-self")
    if before is None:
        pytest.skip("this system does not say it")
    while (now := on_processor("thread-self")) == before:
        pass
    assert now is not None
    assert now > before


def test_nobody_is_named_where_the_system_does_not_say(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "on_processor", lambda pid: None)
    for _ in range(HIDDEN_JOBS):
        machine.answer(wall_s=0.001)
    assert machine.faults == []
