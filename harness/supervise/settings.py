"""How a session is supervised: its settings, checked, and the means by which limits are kept.

Words
-----
mode        how a worker comes about; figures of different modes are never mixed:
            pooled    a new interpreter loads the backend once and serves many jobs: warm
            isolated  a fork server loads the backend once, and each job is a fork of it: the import
                      is warm, the solver cold, and no job sees what another one did
            fresh     each job has a new interpreter, which loads the backend: cold
isolation   by what means limits on CPU time and memory are kept; one of three means, best first:
            cgroup    the kernel limits the memory of all that a worker starts, and counts its CPU
                      time
            polled    the worker's processes are looked at, more often the nearer they are to a
                      limit; an address-space limit stops one that grows too fast for that
            wall      wall time alone: processes cannot be looked at

Wall time is always kept by killing the worker's whole tree. A means below the best is never taken
silently: every record has ``Isolation.text``, and ``reason`` says why it is not a better one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from backends.interface import registry
from harness.plan.experiment import MOST_SLOTS
from harness.store.keys import key_folder
from harness.supervise import cgroups
from harness.supervise.processes import LINUX, look_at
from harness.supervise.sandbox.wanted import REMEDY, Sandbox, describe_missing
from modelling.errors import ExperimentError

if TYPE_CHECKING:
    from harness.plan.experiment import Experiment

Means = Literal["cgroup", "polled", "wall"]
Wanted = Literal["best", "cgroup", "polled", "wall"]


class Mode(NamedTuple):
    """``forked``: workers are forks of a process with the backend loaded; ``once``: for one job."""

    forked: bool
    once: bool


MODES = {"pooled": Mode(False, False), "isolated": Mode(True, True), "fresh": Mode(False, True)}


@dataclass(frozen=True)
class Isolation:
    """What is in force, and why nothing better; ``groups`` is None below ``cgroup``."""

    means: Means
    groups: cgroups.Hierarchy | None = None
    reason: str = ""
    cpu_seconds: float | None = None
    memory_mb: float | None = None

    @property
    def text(self) -> str:
        """What is enforced from outside, for the record."""
        by = self.groups.name if self.groups else self.means
        kept = ["wall time"]
        for name, limit, unit in (
            ("CPU time", self.cpu_seconds, "s"),
            ("memory", self.memory_mb, "MB"),
        ):
            if limit is not None:
                held = f"{limit:g} {unit} {by}" if self.means != "wall" else "not limited"
                kept.append(f"{name} {held}")
        return ", ".join(kept if LINUX else [*kept, "no subreaper"])


@dataclass(frozen=True)
class Settings:
    """How a session is supervised; seconds of wall clock but for ``cpu_seconds``.

    ``cpu_seconds``, ``memory_mb``  limit a job's CPU time, and the resident memory of a worker,
                     with all that they have started
    ``warm_ups``     how often a pooled worker answers a small problem before its first job
                     (see ``harness.supervise.warming``)
    ``pin``          give each slot its own share of the cores
    ``token``        marks all processes of the session; what an earlier session with the same
                     token left behind is killed first; by default a new one
    ``start_seconds``  the time to load a backend
    ``exit_seconds``   what idle workers get to leave by themselves at the end
    ``tick``           at least so often the caller gets a turn
    ``threads``        how many a job may use: the load that is a run's own (``harness.noise``)
    ``hidden``       folders that workers are not to see: that of the run, and that of the user's
                     key (``harness.supervise.hiding``)
    ``sandbox``      whether workers are kept from signals, the network and shared memory of others
                     as well: ``auto``, where the kernel can; ``require``, or nothing runs; ``off``,
                     not even from the store. Empty: from no more than ``hidden``
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
    hidden: tuple[str, ...] = ()
    sandbox: Sandbox | Literal[""] = ""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ExperimentError(f"mode: {self.mode!r} is unknown (there are: {', '.join(MODES)})")
        if self.warm_ups and MODES[self.mode].once:
            raise ExperimentError(
                f"warm_ups: a worker of mode {self.mode} serves one job only; use mode pooled"
            )

    def check(self) -> None:
        """Raises ExperimentError if no session with these can begin on this machine."""
        if self.slots > MOST_SLOTS:
            raise ExperimentError(f"jobs: must be from 1 to {MOST_SLOTS}, not {self.slots}")
        if MODES[self.mode].forked and not LINUX:
            raise ExperimentError(
                f"mode {self.mode} needs Linux: elsewhere it cannot be seen whether forking is "
                "safe; use mode fresh or pooled"
            )
        self.chosen_isolation()
        self.cores()
        if self.sandbox == "require" and (text := describe_missing()):
            raise ExperimentError(f"sandbox: this machine leaves {text}; {REMEDY}")

    def chosen_isolation(self) -> Isolation:
        """The best means that this machine allows, or the one that is wanted.

        Raises ExperimentError when that one cannot be had. Without a limit on CPU time or memory,
        wall time alone is all there is to keep.
        """
        wanted, limits = self.isolation, (self.cpu_seconds, self.memory_mb)
        if wanted not in get_args(Wanted):
            raise ExperimentError(
                f"isolation: {wanted!r} is unknown (there are: {', '.join(get_args(Wanted))})"
            )
        if limits == (None, None):
            return Isolation("wall")
        reason = "as asked for"
        if wanted in ("best", "cgroup"):
            try:
                return Isolation("cgroup", cgroups.find(), "", *limits)
            except cgroups.NoGroups as error:
                reason = str(error)
        if wanted == "cgroup":
            raise ExperimentError(f"isolation: no control groups here: {reason}")
        if wanted != "wall" and look_at(os.getpid()) is not None:
            return Isolation("polled", None, reason, *limits)
        if wanted == "polled":
            raise ExperimentError("isolation: this system does not let processes be looked at")
        if wanted == "best":
            reason += "; processes cannot be looked at"
        return Isolation("wall", None, reason, *limits)

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


def settings_for(experiment: Experiment, sandbox: Sandbox = "auto") -> Settings:
    """As ``experiment`` wants it."""
    return Settings(
        slots=experiment.jobs,
        mode=experiment.mode,
        cpu_seconds=experiment.cpu_seconds,
        memory_mb=experiment.memory_mb,
        warm_ups=experiment.warm_ups,
        pin=experiment.pin,
        threads=most_threads(experiment),
        sandbox=sandbox,
    )


def hide_store(settings: Settings, folder: Path) -> Settings:
    """The same for the run in ``folder``: its store and the user's key are hidden from workers."""
    if settings.sandbox == "off":
        return settings
    return replace(settings, hidden=(str(folder.resolve()), str(key_folder())))


def token_of(folder: Path) -> str:
    """The token of the sessions of one run: equal for equal folders, on this machine."""
    return blake2b(str(folder.resolve()).encode(), digest_size=8).hexdigest()


def most_threads(experiment: Experiment) -> int:
    """The most threads that a job may use, by ``threads`` and by what the backends' names say."""
    limit = experiment.threads
    workers = [registry.workers(name) for name in experiment.names()]
    return max((min(n, limit or n) if n > 1 else limit or 1 for n in workers), default=1)


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
    if settings.sandbox == "auto" and (text := describe_missing()):
        yield f"workers are not kept from everything: {text}"
    isolation = settings.chosen_isolation()
    if isolation.reason and settings.isolation == "best":
        yield f"limits are kept by a weaker means ({isolation.text}): {isolation.reason}"
