"""How a session is supervised: the settings of a supervisor, checked, and what to warn of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from backends.interface import registry
from harness.supervise.isolation import Isolation, Wanted, choose
from harness.supervise.modes import mode
from harness.supervise.process_tree import LINUX
from modelling.errors import ExperimentError

if TYPE_CHECKING:
    from harness.plan.experiment import Experiment


MOST_SLOTS = 10_000
"""More jobs at a time no machine has processes and descriptors for."""


@dataclass(frozen=True)
class Settings:
    """How a session is supervised; seconds of wall clock but for ``cpu_seconds``.

    ``mode``         pooled, isolated or fresh (see ``harness.supervise.modes``)
    ``cpu_seconds``  limits the CPU time of a job with all that it has started
    ``memory_mb``    limits the resident memory of a worker with all that it has started
    ``isolation``    the rung of the ladder (``harness.supervise.isolation``), by default the best
    ``warm_ups``     how often a pooled worker answers a variation of the first job on a structure
                     that is new to it, unrecorded (see ``harness.supervise.warming``)
    ``pin``          give each slot its own share of the cores
    ``token``        marks all processes of the session; what an earlier session with the same
                     token left behind is killed first; by default a new one
    ``start_seconds``  the time to load a backend
    ``exit_seconds``   what idle workers get to leave by themselves at the end
    ``tick``           at least so often the caller gets a turn
    ``threads``        so many a job may use: the load that is a run's own (``calibration``)
    ``probe_seconds``  how often the noise of the machine is probed, when somebody listens; 0 is
                       never
    """

    slots: int = 1
    memory_mb: float | None = None
    start_seconds: float = 60.0
    exit_seconds: float = 1.0
    tick: float = 0.1
    mode: str = "pooled"
    cpu_seconds: float | None = None
    isolation: Wanted = "best"
    warm_ups: int = 0
    pin: bool = False
    token: str = ""
    threads: int = 1
    probe_seconds: float = 10.0

    def __post_init__(self) -> None:
        mode(self.mode)
        if self.warm_ups and mode(self.mode).once:
            raise ExperimentError(
                f"warm_ups: a worker of mode {self.mode} serves one job only; use mode pooled"
            )

    def check(self) -> None:
        """Raises ExperimentError if no session with these can begin on this machine."""
        if self.slots > MOST_SLOTS:
            raise ExperimentError(f"jobs: must be from 1 to {MOST_SLOTS}, not {self.slots}")
        if mode(self.mode).forked and not LINUX:
            raise ExperimentError(
                f"mode {self.mode} needs Linux: elsewhere it cannot be seen whether forking is "
                "safe; use mode fresh or pooled"
            )
        self.chosen_isolation()
        self.cores()

    def chosen_isolation(self) -> Isolation:
        """By what means the limits are kept here; raises ExperimentError if they cannot be."""
        return choose(self.cpu_seconds, self.memory_mb, self.isolation)

    def cores(self) -> list[tuple[int, ...]]:
        """The cores of each slot, empty for all; raises ExperimentError if there are too few."""
        if not self.pin:
            return [()] * self.slots
        if not hasattr(os, "sched_setaffinity"):
            raise ExperimentError("pin: this system does not let a process choose its cores")
        usable = sorted(os.sched_getaffinity(0))
        share = len(usable) // self.slots
        if not share:
            raise ExperimentError(
                f"pin: {self.slots} jobs at a time cannot each have a core of {len(usable)}; "
                f"use at most {len(usable)} jobs"
            )
        return [tuple(usable[slot * share :][:share]) for slot in range(self.slots)]


def settings_for(experiment: Experiment) -> Settings:
    """As ``experiment`` wants it."""
    return Settings(
        slots=experiment.jobs,
        mode=experiment.mode,
        cpu_seconds=experiment.cpu_seconds,
        memory_mb=experiment.memory_mb,
        warm_ups=experiment.warm_ups,
        pin=experiment.pin,
        threads=most_threads(experiment),
    )


def token_of(folder: Path) -> str:
    """The token of the sessions of one run: equal for equal folders, on this machine."""
    return blake2b(str(folder.resolve()).encode(), digest_size=8).hexdigest()


def most_threads(experiment: Experiment) -> int:
    """The most threads that a job may use, by ``threads`` and by what the backends' names say."""
    limit = experiment.threads
    told = [registry.workers(name) for name in experiment.names()]
    return max((min(n, limit or n) if n > 1 else limit or 1 for n in told), default=1)


def warnings(settings: Settings, threads: int | None = None) -> Iterator[str]:
    """What somebody who starts a session with these settings should know; a sentence each."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    wanted = settings.slots * (threads or 1)
    if wanted > (usable or 1):
        each = f" with {threads} threads each" if threads and threads > 1 else ""
        yield (
            f"{settings.slots} jobs at a time{each} on {usable} cores: they will wait for each "
            "other, and wall times mean little"
        )
    isolation = settings.chosen_isolation()
    if isolation.reason and settings.isolation == "best":
        yield f"limits are kept by a weaker means ({isolation.text}): {isolation.reason}"
