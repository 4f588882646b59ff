"""How noisy the machine was: a fixed piece of work, timed before, during and after a run.

Words
-----
probe       one go at the fixed work, with the load, steal and frequency of that moment
best probe  the shortest one that a machine has ever had, kept in the user's cache folder: probes of
            a run that is disturbed from beginning to end are all alike, and only beside those of
            quieter days does it show
slowdown    a probe's wall time over the shortest one's of the run: 1.0 is undisturbed
setback     the shortest one's of the run over the best probe: above 1 it was slower all along
others      the load for each core apart from the run's own jobs
steal       the share of CPU time that the host of a virtual machine gave to others
session     the probes of one go at a run: one machine, from one start of it
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from time import perf_counter, process_time
from typing import Literal

import msgspec
import psutil

from puzzles.files import replace_text
from puzzles.sets.folders import cache_folder

When = Literal["before", "during", "after"]

ROUNDS = 100_000
"""Rounds of the fixed work: some five to ten milliseconds."""

GOES_AT_THE_ENDS = 5
"""Before and after a run there is time for several goes, of which the shortest counts."""

# Above these a machine is called noisy. A setback: it is slower as a whole than it can be, by more
# than frequencies vary. Others above 1: they have more to do than the cores can do at once.
NOISY_SLOWDOWN = 1.10  # of the 90th percentile
NOISY_SETBACK = 1.15
NOISY_OTHERS = 1.0
NOISY_STEAL = 0.02

FOLDER = "probes"
"""Below the cache folder; in it each machine has a file with the seconds of its best probe."""

LIKELY = (1e-4, 10.0)
"""Seconds that a probe may have taken; another number in the file is damage."""


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """One probe; what the system does not tell is None.

    ``wall_s``, ``cpu_s``     of the fixed work
    ``load``                  runnable processes, averaged over a minute
    ``steal_s``, ``total_s``  CPU seconds of all cores since the machine started: stolen, and all
    ``mhz``                   the first core's frequency
    ``cores``                 logical cores, among which the load is divided
    ``machine``               the id of its ``harness.machine.Machine``; "" where nobody noted it
    ``best_s``                ``wall_s`` of the best probe of this machine until then
    ``own``                   how much of the load may be the run's own: its jobs under way, each
                              with all its threads
    """

    when: When
    at: str
    wall_s: float
    cpu_s: float
    load: float | None = None
    steal_s: float | None = None
    total_s: float | None = None
    mhz: float | None = None
    cores: int | None = None
    machine: str = ""
    best_s: float | None = None
    own: int = 0

    @property
    def others(self) -> float | None:
        """The load for each core that the run's own jobs do not explain."""
        if self.load is None or not self.cores:
            return None
        return max(0.0, self.load - self.own) / self.cores


def take_probe(when: When) -> Probe:
    """Do the fixed work, and note how the machine is."""
    wall_s, cpu_s = min(_time_work() for _ in range(1 if when == "during" else GOES_AT_THE_ENDS))
    times = psutil.cpu_times()
    steal_s = getattr(times, "steal", None)
    return Probe(
        when=when,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        wall_s=wall_s,
        cpu_s=cpu_s,
        load=os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        steal_s=steal_s,
        total_s=None if steal_s is None else sum(times[:8]),  # what follows is in these already
        mhz=_read_mhz(),
        cores=os.cpu_count(),
    )


def _time_work() -> tuple[float, float]:
    cpu, wall = process_time(), perf_counter()
    state = 1
    for _ in range(ROUNDS):
        state = state * 69069 + 1 & 0xFFFFFFFF
    return perf_counter() - wall, process_time() - cpu


def _read_mhz() -> float | None:
    try:
        cores = psutil.cpu_freq(percpu=True)
    except (AttributeError, NotImplementedError, OSError):  # by system and by machine
        return None
    return cores[0].current if cores else None


class BestProbe:
    """The best probe of the machine with the id ``machine``.

    Nothing depends on its file: one that is damaged, unlikely or gone is as if there had been none,
    and where it cannot be written the best is that of this run. If two processes write at
    the same time, one probe is lost, until the next good one.
    """

    def __init__(self, machine: str) -> None:
        self._path = cache_folder() / FOLDER / machine
        self._best_s = float("inf")

    def update(self, wall_s: float) -> float:
        """The best so far, ``wall_s`` included, which is kept if it is that."""
        if wall_s < self._best_s:
            kept = self._read()  # anew, since another run may have had a better one meanwhile
            self._best_s = min(kept, wall_s)
            if self._best_s < kept:
                with suppress(OSError):  # a cache that cannot be written is none
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                    replace_text(self._path, repr(self._best_s))
        return self._best_s

    def _read(self) -> float:
        try:
            found = float(self._path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return float("inf")
        return found if LIKELY[0] <= found <= LIKELY[1] else float("inf")


class Noise(msgspec.Struct, frozen=True, kw_only=True):
    """What the probes of a machine say together; None where the system does not tell.

    For a run on several ``machines`` it is that of the machine that was disturbed most.
    """

    probes: int
    work_ms: float
    slowdown: float
    worst: float
    load: tuple[float, float] | None = None
    steal: float | None = None
    mhz: tuple[float, float] | None = None
    machines: int = 1
    setback: float = 1.0
    others: float | None = None

    @property
    def noisy(self) -> bool:
        """Whether small differences between times mean little."""
        return bool(self.reasons)

    @property
    def reasons(self) -> list[str]:
        """What makes it noisy; nothing when it is quiet."""
        longer = f"{self.setback - 1:.0%} longer than its best ever, or more"
        found = {
            f"its speed varied by {self.slowdown - 1:.0%}": self.slowdown > NOISY_SLOWDOWN,
            f"all probes took {longer}": self.setback > NOISY_SETBACK,
            f"others loaded each core with {self.others or 0:.1f}": (self.others or 0)
            > NOISY_OTHERS,
            "its host gave time to others": (self.steal or 0) > NOISY_STEAL,
        }
        return [reason for reason, applies in found.items() if applies]

    @property
    def text(self) -> str:
        """One line for the foot of a table."""
        which = "machine" if self.machines == 1 else f"worst of {self.machines} machines"
        parts = [
            f"{which} {'noisy' if self.noisy else 'quiet'}: {self.probes} probes of "
            f"{self.work_ms:.1f} ms, 90th percentile +{self.slowdown - 1:.0%}, "
            f"worst +{self.worst - 1:.0%}"
        ]
        if self.load is not None:
            parts.append("load {:.1f} to {:.1f}".format(*self.load))
        if self.steal is not None:
            parts.append(f"steal {self.steal:.1%}")
        if self.mhz is not None:
            parts.append("{:.0f} to {:.0f} MHz".format(*self.mhz))
        if self.noisy:
            parts.append(f"{', '.join(self.reasons)}: small differences between times mean little")
            parts.append("end what else runs here and run again")
        return "; ".join(parts)


def measure_noise(probes: Sequence[Probe]) -> Noise | None:
    """What ``probes``, in their order, say about the worst of their machines; None of none."""
    by_machine: dict[str, list[Probe]] = {}
    for one in probes:
        if not one.wall_s > 0:  # nobody has measured that
            continue
        by_machine.setdefault(one.machine, []).append(one)
    found = [_measure_machine(its) for its in by_machine.values()]
    if not found:
        return None
    worst = max(found, key=lambda one: (one.noisy, one.setback * one.slowdown))
    return msgspec.structs.replace(worst, machines=len(found))


def _measure_machine(probes: Sequence[Probe]) -> Noise:
    best = min(probe.wall_s for probe in probes)
    others = [probe.others for probe in probes if probe.others is not None]
    slow = sorted(probe.wall_s / best for probe in probes)
    tenths = statistics.quantiles(slow, n=10, method="inclusive") if len(slow) > 1 else slow
    return Noise(
        probes=len(probes),
        work_ms=1000 * best,
        slowdown=tenths[-1],
        worst=slow[-1],
        load=_find_range([probe.load for probe in probes]),
        steal=_measure_steal(probes),
        mhz=_find_range([probe.mhz for probe in probes]),
        setback=best / min([best, *(p.best_s for p in probes if p.best_s)]),
        others=statistics.median(others) if others else None,
    )


def _measure_steal(probes: Sequence[Probe]) -> float | None:
    """Stolen time over all between neighbouring probes of a session.

    From session to session the machine may have been started anew, or be another one just like it.
    """
    stolen = total = 0.0
    for one, after in pairwise(probes):
        if after.when == "before":
            continue
        if one.steal_s is None or after.steal_s is None:
            return None
        spent = (after.total_s or 0.0) - (one.total_s or 0.0)
        if spent > 0:
            total += spent
            stolen += after.steal_s - one.steal_s
    return stolen / total if total else None


def _find_range(values: Sequence[float | None]) -> tuple[float, float] | None:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else None
