"""Trees of processes that change between two looks, on a made-up machine and on this one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from harness.supervise import limits
from harness.supervise.limits import DescendantTracker, UsageSampler
from harness.supervise.processes import ProcessInfo

NEVER = 1e12


class Machine:
    """Processes by number with their parents; ``looks`` has the numbers that were looked at."""

    def __init__(self, **parents: int) -> None:
        self.parents = {int(name.lstrip("p")): parent for name, parent in parents.items()}
        self.looks: list[int] = []

    def look_at(self, pid: int) -> ProcessInfo | None:
        self.looks.append(pid)
        parent = self.parents.get(pid)
        return None if parent is None else ProcessInfo(parent, 0.0, 1.0, False)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """One with a worker, 10, and forty others; nothing is looked at again just to be sure."""
    found = Machine(p1=0, p5=1, p10=5, p11=10)
    found.parents |= dict.fromkeys(range(100, 140), 1)
    monkeypatch.setattr(limits, "look_at", found.look_at)
    monkeypatch.setattr(limits, "list_pids", lambda: list(found.parents))
    monkeypatch.setattr(limits, "_LIST_SHARE", 0)
    monkeypatch.setattr(limits, "_CHECK_SHARE", NEVER)
    return found


def members(tracker: DescendantTracker) -> list[int]:
    return sorted(tracker.members(10))


def test_what_is_new_is_found_at_once_and_the_others_are_let_be(machine: Machine) -> None:
    known = DescendantTracker()
    assert members(known) == [10, 11]
    machine.looks.clear()
    machine.parents |= {12: 11, 141: 1}
    assert members(known) == [10, 11, 12]
    assert set(machine.looks) == {10, 11, 12, 141}


def test_a_process_that_loses_its_parent_is_still_a_member(machine: Machine) -> None:
    machine.parents |= {12: 11, 13: 12}
    known = DescendantTracker()
    assert members(known) == [10, 11, 12, 13]
    del machine.parents[11]
    machine.parents[12] = 10
    assert members(known) == [10, 12, 13]


def test_the_parent_of_a_new_process_may_end_before_it_is_seen(machine: Machine) -> None:
    known = DescendantTracker()
    members(known)
    machine.parents[13] = 12  # whose own number was given while the numbers were listed
    assert members(known) == [10, 11]
    machine.parents[13] = 10
    assert members(known) == [10, 11, 13]


def test_the_number_of_a_member_is_given_to_another_process(machine: Machine) -> None:
    machine.parents |= {12: 11}
    known = DescendantTracker()
    members(known)
    machine.parents |= {11: 1, 12: 10}
    assert members(known) == [10, 12]


def test_a_number_that_changes_hands_unnoticed_is_found_later(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = DescendantTracker()
    members(known)
    machine.parents[100] = 11
    assert members(known) == [10, 11]
    monkeypatch.setattr(limits, "_CHECKED_AT_ONCE", 30)
    known._check_at = 0.0
    monkeypatch.setattr(limits, "_CHECK_SHARE", 0)
    members(known)
    assert members(known) == [10, 11, 100]


def test_children_of_a_number_that_changed_hands_are_looked_at(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.parents |= {20: 1, 21: 20}
    known = DescendantTracker()
    members(known)
    monkeypatch.setattr(limits, "_LIST_SHARE", NEVER)
    known._list_at = NEVER
    machine.parents[20] = 10
    del machine.parents[21]
    known._unchecked, known._check_at = [20], 0.0
    assert members(known) == [10, 11, 20]


def test_numbers_that_changed_hands_do_not_lead_round_in_a_circle(machine: Machine) -> None:
    machine.parents |= {5: 4, 4: 1}
    known = DescendantTracker()
    members(known)
    machine.parents |= {4: 11}  # what 5 says of its parent is no longer so
    known._look(4)
    assert members(known) == [4, 5, 10, 11]


def test_what_takes_long_is_done_seldom_but_for_a_kill(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_LIST_SHARE", NEVER)
    known = DescendantTracker()
    members(known)
    machine.parents[12] = 10
    assert members(known) == [10, 11]
    assert sorted(known.members(10, now=True)) == [10, 11, 12]


def test_the_memory_of_a_child_counts_from_its_first_look_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "_LIST_SHARE", 0, raising=False)
    sampler = UsageSampler()
    alone = sampler.sample(os.getpid(), None).resident_mb
    program = "import time; held = b'x' * (200 << 20); print(flush=True); time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert child.stdout is not None
    try:
        child.stdout.readline()
        assert sampler.sample(os.getpid(), None).resident_mb > alone + 150
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
