"""The machine's description."""

from __future__ import annotations

from harness.machine import this_machine


def test_this_machine_is_described() -> None:
    machine = this_machine()
    assert machine == this_machine()
    assert machine.id == this_machine().id
    assert 1 <= machine.cores <= machine.logical_cores
    assert 1 <= machine.usable <= machine.logical_cores
    assert machine.memory_mb > 64
    assert machine.processor
