"""What one job costs its worker process: CPU time and memory.

Words
-----
baseline    what the process held when the job began
peak        the most that it held during the job
increment   by how much the peak exceeds the baseline: what the job itself took

Linux lets a process reset its own peak (``/proc/self/clear_refs``), so that the peak is that of the
job; where that is refused the peak is that of the worker so far, and baseline and increment are
not told. ``ru_maxrss`` would not do: a process inherits its launcher's. The files are opened once:
this runs before and after every job.
"""

from __future__ import annotations

import os
import resource
import sys
from time import process_time

from harness.supervise.process_tree import status_mb

_MB = 1 << 20
_PAGE_MB = resource.getpagesize() / _MB
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_PEAK = b"VmHWM:"


class Meter:
    """``start`` it before a job; afterwards the other methods tell what the job took."""

    def __init__(self) -> None:
        self._status = _opened("/proc/self/status", os.O_RDONLY)
        self._pages = _opened("/proc/self/statm", os.O_RDONLY)
        self._reset = _opened("/proc/self/clear_refs", os.O_WRONLY)
        self.cpu_before_s = 0.0
        self.baseline_memory_mb: float | None = None
        self.start()

    def start(self) -> None:
        """Begin a job."""
        if self._reset is not None:
            try:
                os.write(self._reset, b"5")
            except OSError:  # the file is there, but the kernel does not let us
                os.close(self._reset)
                self._reset = None
        self.baseline_memory_mb = self._resident_mb() if self.per_job else None
        self.cpu_before_s = _cpu_seconds()

    def cpu_s(self) -> float:
        """Seconds of user and system time since the start, with those of ended children."""
        return _cpu_seconds() - self.cpu_before_s

    def peak_memory_mb(self) -> float:
        """The most resident memory of this process since the start, in MB."""
        peak = None
        if self._status is not None:
            peak = status_mb(os.pread(self._status, 4096, 0), _PEAK)
        if peak is None:
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT / _MB
        return peak

    @property
    def per_job(self) -> bool:
        """Whether the peak is that of the job rather than of the process."""
        return None not in (self._reset, self._status, self._pages)

    def _resident_mb(self) -> float | None:
        if self._pages is None:
            return None
        return int(os.pread(self._pages, 256, 0).split()[1]) * _PAGE_MB

    def close(self) -> None:
        """Close the files."""
        for descriptor in (self._status, self._pages, self._reset):
            if descriptor is not None:
                os.close(descriptor)
        self._status = self._pages = self._reset = None


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _opened(path: str, flags: int) -> int | None:
    """A descriptor, or None where there is no such file or no right to it (other systems)."""
    try:
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None
