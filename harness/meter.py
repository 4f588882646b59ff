"""What one job costs its worker process: CPU time and peak memory.

Linux lets a process reset its own peak (``/proc/self/clear_refs``), so the peak is that of the job;
elsewhere it is the peak of the worker so far. The files are opened once: this runs before and
after every job.
"""

from __future__ import annotations

import os
import resource
import sys
from time import process_time

_MB = 1 << 20
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_PEAK = b"VmHWM:"


class Meter:
    """``start`` it before a job; ``cpu_s`` and ``peak_memory_mb`` tell what the job took."""

    def __init__(self) -> None:
        self._status = _opened("/proc/self/status", os.O_RDONLY)
        self._reset = _opened("/proc/self/clear_refs", os.O_WRONLY)
        self._started = 0.0
        self.start()

    def start(self) -> None:
        """Begin a job."""
        if self._reset is not None:
            os.write(self._reset, b"5")
        self._started = _cpu_seconds()

    def cpu_s(self) -> float:
        """Seconds of user and system time since the start, with those of ended children."""
        return _cpu_seconds() - self._started

    def peak_memory_mb(self) -> float:
        """The most resident memory of this process since the start, in MB."""
        if self._status is not None:
            status = os.pread(self._status, 4096, 0)
            place = status.find(_PEAK)
            if place >= 0:
                return int(status[place + len(_PEAK) :].split(None, 1)[0]) / 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT / _MB

    @property
    def per_job(self) -> bool:
        """Whether the peak is that of the job rather than of the process."""
        return self._reset is not None and self._status is not None

    def close(self) -> None:
        """Close the files."""
        for descriptor in (self._status, self._reset):
            if descriptor is not None:
                os.close(descriptor)
        self._status = self._reset = None


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _opened(path: str, flags: int) -> int | None:
    """A descriptor, or None where there is no such file or no right to it (other systems)."""
    try:
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None
