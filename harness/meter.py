"""What one job costs its worker process: CPU time and peak memory.

Linux lets a process reset its own peak (``/proc/self/clear_refs``), so the peak is that of the job;
elsewhere it is the peak of the worker so far.
"""

from __future__ import annotations

import resource
import sys
from time import process_time

_MB = 1 << 20
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Meter:
    """Start it before a job; ``cpu_s`` and ``peak_memory_mb`` tell what the job took."""

    def __init__(self) -> None:
        self._started = _cpu_seconds()
        self._resets = _reset_peak()

    def cpu_s(self) -> float:
        """Seconds of user and system time since the start, with those of ended children."""
        return _cpu_seconds() - self._started

    def peak_memory_mb(self) -> float:
        """The most resident memory of this process since the start, in MB."""
        if self._resets:
            with open("/proc/self/status", "rb") as status:
                for line in status:
                    if line.startswith(b"VmHWM:"):
                        return int(line.split()[1]) / 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT / _MB


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _reset_peak() -> bool:
    if sys.platform != "linux":
        return False
    try:
        with open("/proc/self/clear_refs", "w") as references:
            references.write("5")
    except OSError:  # a container may forbid it
        return False
    return True
