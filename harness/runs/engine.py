"""Where jobs run: here, or on a cluster; whoever carries a run out need not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from msgspec import structs

from harness.machine import this_machine
from harness.noise import BestProbe, Probe
from harness.record import Record
from harness.runs.in_turn import InTurn
from harness.store.store import Store
from harness.supervise.settings import Settings, token_of
from harness.supervise.supervisor import supervise


class Engine(Protocol):
    """Where jobs run."""

    def check(self, settings: Settings) -> None:
        """Raises ConcordError if nothing can run with these settings; asked before all else."""

    def run(self, store: Store, settings: Settings) -> Iterator[Record | None]:
        """Run what is pending in a store; yields records, and None at least every tick."""


class Here:
    """The engine that runs jobs on this machine."""

    def check(self, settings: Settings) -> None:
        settings.check()

    def run(self, store: Store, settings: Settings) -> Iterator[Record | None]:
        machine = this_machine()
        store.add_machine(machine)
        reading = Store.open(store.folder)  # one of its own does not wait for commits
        jobs = InTurn(reading.pending())
        if not settings.token:  # what a killed supervisor of this run left behind is ended first
            settings = replace(settings, token=token_of(store.folder))
        best = BestProbe(machine.id)

        def note(probe: Probe) -> None:
            own = 0 if probe.when == "before" else settings.slots * settings.threads
            best_s = best.update(probe.wall_s)
            store.add_probe(structs.replace(probe, machine=machine.id, best_s=best_s, own=own))

        on_probe = note if settings.probe_seconds else None
        records = supervise(jobs, settings, store.add_version, on_probe)
        try:
            for record in records:
                if record is not None:
                    jobs.ended(record.job)
                    record.machine = machine.id
                yield record
        finally:
            records.close()  # type: ignore[attr-defined] # a generator: this ends the workers
            reading.close()
