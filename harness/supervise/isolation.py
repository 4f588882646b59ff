"""Isolation: by what means the limits of a session are kept, chosen by what the machine allows.

The ladder, best rung first::

    cgroup    the kernel limits the memory of all that a worker starts, and tells its CPU time
    polled    the worker's processes are looked at, more often the nearer they are to a limit;
              an address-space limit stops one that grows faster than can be looked at
    wall      wall time alone: processes cannot be looked at

Wall time is always kept by killing the worker's whole tree. A rung below the best is never taken
silently: ``Isolation.text`` stands in every record, and ``reason`` says why it is not a better one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal, get_args

from harness.supervise import cgroups
from harness.supervise.process_tree import LINUX, look_at
from modelling.errors import ExperimentError

Rung = Literal["cgroup", "polled", "wall"]
Wanted = Literal["best", "cgroup", "polled", "wall"]


@dataclass(frozen=True)
class Isolation:
    """What is in force, and why it is not a better rung; ``groups`` is None below ``cgroup``."""

    rung: Rung
    groups: cgroups.Hierarchy | None = None
    reason: str = ""
    cpu_seconds: float | None = None
    memory_mb: float | None = None

    @property
    def text(self) -> str:
        """What is enforced from outside, for the record."""
        means = self.groups.name if self.groups else self.rung
        kept = ["wall time"]
        if self.rung == "wall":
            asked = [("CPU time", self.cpu_seconds), ("memory", self.memory_mb)]
            kept += [f"{name} not limited" for name, limit in asked if limit is not None]
        else:
            if self.cpu_seconds is not None:
                kept.append(f"CPU time {self.cpu_seconds:g} s {means}")
            if self.memory_mb is not None:
                kept.append(f"memory {self.memory_mb:g} MB {means}")
        if not LINUX:
            kept.append("no subreaper")
        return ", ".join(kept)


def choose(
    cpu_seconds: float | None, memory_mb: float | None, wanted: Wanted = "best"
) -> Isolation:
    """The best rung that this machine allows, or the one that is ``wanted``.

    Raises ExperimentError when that one cannot be had. Without a limit on CPU time or memory,
    wall time alone is all there is to keep.
    """
    if wanted not in get_args(Wanted):
        raise ExperimentError(
            f"isolation: {wanted!r} is unknown (there are: {', '.join(get_args(Wanted))})"
        )
    if cpu_seconds is None and memory_mb is None:
        return Isolation("wall")
    reason = "" if wanted in ("best", "cgroup") else "as asked for"
    if not reason:
        try:
            groups = cgroups.find()
            return Isolation("cgroup", groups, "", cpu_seconds, memory_mb)
        except cgroups.NoGroups as error:
            reason = str(error)
    if wanted == "cgroup":
        raise ExperimentError(f"isolation: no control groups here: {reason}")
    if wanted != "wall" and look_at(os.getpid()) is not None:
        return Isolation("polled", None, reason, cpu_seconds, memory_mb)
    if wanted == "polled":
        raise ExperimentError("isolation: this system does not let processes be looked at")
    if wanted != "wall":
        reason += "; processes cannot be looked at"
    return Isolation("wall", None, reason, cpu_seconds, memory_mb)
