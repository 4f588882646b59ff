"""Processes and what they have started: finding, measuring and killing whole trees.

Words
-----
tree        a process with all that descends from it
subreaper   a process that inherits the orphans among its descendants (Linux), so that one that
            left its group and its session and lost its parent still belongs to the tree
token       a word in the environment of everything that one supervisor starts, by which what a
            killed one left behind is found

On Linux ``/proc`` is read directly: a process costs about 0.02 ms. Elsewhere psutil serves. This
file imports little, since the reaper, which is to be small, uses it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterable, Mapping
from time import process_time
from typing import NamedTuple

with contextlib.suppress(ImportError):  # Windows has none, and starts no workers
    import resource

LINUX = sys.platform == "linux"
TOKEN = "CONCORD_SESSION"
"""The environment variable that carries the token."""

CLEAN = 86
"""A worker that leaves with this status has looked for children of its own and found none."""

FOLDERS = "concord-"
"""What the names of temporary folders begin with that backends make for a program; the token, if
there is one, and the number of the process follow (``backends.interface.programs``)."""

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
MB = 1 << 20
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / MB if hasattr(os, "sysconf") else 0.0
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_PEAK = b"VmHWM:"


class ProcessInfo(NamedTuple):
    """A process at one moment: seconds of CPU time with its ended children, resident memory.

    ``threads`` is their number, 1 where it is not known.
    ``is_zombie`` when it has ended and only waits for its parent to ask how; ``is_stopped`` when a
    signal, or a debugger, has stopped it.
    """

    parent: int
    cpu_s: float
    resident_mb: float
    is_zombie: bool
    is_stopped: bool = False
    threads: int = 1


# --- being in a tree -----------------------------------------------------------------------


def die_with_parent(parent: int) -> None:
    """Be killed when ``parent`` ends, and be the subreaper of one's descendants (Linux only)."""
    signal_at_parents_end(signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(1)


def signal_at_parents_end(number: int) -> None:
    """Be sent the signal when the parent ends (Linux only)."""
    _prctl(_PR_SET_PDEATHSIG, number)


def _prctl(option: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def has_children() -> bool:
    """Whether this process has children; with a subreaper, whether anything descends from it."""
    if not hasattr(os, "waitid"):
        return True  # finding out would reap one
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


# --- looking -------------------------------------------------------------------------------

if LINUX:
    _TICK = 1 / os.sysconf("SC_CLK_TCK")

    def look_at(pid: int) -> ProcessInfo | None:
        """``pid`` now; None when the process does not exist."""
        try:
            with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
                text = file.read(1024)
        except OSError:
            return None
        # The name is in brackets and may hold anything; the numbers follow the last bracket.
        words = text[text.rfind(b")") + 2 :].split()
        if len(words) < 22:
            return None
        ticks = int(words[11]) + int(words[12]) + int(words[13]) + int(words[14])
        is_zombie, is_stopped = words[0] in (b"Z", b"X"), words[0] in (b"T", b"t")
        resident_mb = int(words[21]) * _PAGE_MB
        parent, threads = int(words[1]), int(words[17])
        return ProcessInfo(parent, ticks * _TICK, resident_mb, is_zombie, is_stopped, threads)

    def on_processor(pid: int | str) -> tuple[float, float] | None:
        """Seconds that the first thread of ``pid`` has run on a processor, and that it was ready to
        run and waited for one; None where the kernel does not say."""
        try:
            with open(f"/proc/{pid}/schedstat", "rb", buffering=0) as file:
                ran, waited = file.read(128).split()[:2]
        except (OSError, ValueError):
            return None
        return int(ran) / 1e9, int(waited) / 1e9

    def list_pids() -> list[int]:
        """The numbers of all processes that there are."""
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]

else:

    def look_at(pid: int) -> ProcessInfo | None:
        """``pid`` now; None when the process does not exist."""
        import psutil

        try:
            process = psutil.Process(pid)
            with process.oneshot():
                cpu_s = sum(process.cpu_times()[:4])  # user, system, and those of ended children
                resident_mb = process.memory_info().rss / MB
                status = process.status()
                is_zombie = status == psutil.STATUS_ZOMBIE
                is_stopped = status in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
                return ProcessInfo(process.ppid(), cpu_s, resident_mb, is_zombie, is_stopped)
        except psutil.Error:
            return None

    def on_processor(pid: int | str) -> tuple[float, float] | None:
        """None: only Linux says."""
        return None

    def list_pids() -> list[int]:
        """The numbers of all processes that there are."""
        import psutil

        return list(psutil.pids())


def find_children() -> dict[int, list[int]]:
    """The children of each process of the machine."""
    children: dict[int, list[int]] = {}
    for pid in list_pids():
        seen = look_at(pid)
        if seen is not None:
            children.setdefault(seen.parent, []).append(pid)
    return children


def tree(pids: Iterable[int], children: Mapping[int, list[int]]) -> list[int]:
    """``pids`` and what descends from them."""
    members = list(pids)
    for pid in members:  # grows while it is walked
        members += children.get(pid, ())
    return members


def tree_of(pid: int) -> list[int]:
    """``pid`` and what descends from it at this moment."""
    return tree([pid], find_children())


def peak_mb(pid: int) -> float | None:
    """The most resident memory of ``pid`` since it was last reset, in MB; Linux alone tells."""
    return _read_mb(f"/proc/{pid}/status", _PEAK)


def pss_mb(pid: int) -> float | None:
    """The PSS of ``pid`` in MB; slow, and Linux alone tells."""
    return _read_mb(f"/proc/{pid}/smaps_rollup", b"\nPss:")


def _read_mb(path: str, key: bytes) -> float | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return _find_mb(file.read(4096), key)
    except OSError:
        return None


def _find_mb(text: bytes, key: bytes) -> float | None:
    place = text.find(key)
    return None if place < 0 else int(text[place + len(key) :].split(None, 1)[0]) / 1024


# --- what a job costs its own process -------------------------------------------------------


class JobMeter:
    """What a job costs the process that it runs in: ``start`` it before, and read it afterwards.

    Linux lets a process reset its own peak (``/proc/self/clear_refs``), so that the peak is that of
    the job; where that is refused it is that of the process so far, and the baseline is missing.
    ``ru_maxrss`` would not do: a process inherits its launcher's. The files are opened once, since
    this runs before and after every job.
    """

    def __init__(self) -> None:
        self._status = _open_if_there("/proc/self/status", os.O_RDONLY)
        self._pages = _open_if_there("/proc/self/statm", os.O_RDONLY)
        self._reset = _open_if_there("/proc/self/clear_refs", os.O_WRONLY)
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
        self.baseline_memory_mb = None
        if self.per_job and self._pages is not None:
            self.baseline_memory_mb = int(os.pread(self._pages, 256, 0).split()[1]) * _PAGE_MB
        self.cpu_before_s = _cpu_seconds()

    def cpu_s(self) -> float:
        """Seconds of user and system time since the start, with those of ended children."""
        return _cpu_seconds() - self.cpu_before_s

    def peak_memory_mb(self) -> float:
        """The most resident memory of this process since the start, in MB."""
        if self._status is not None:
            peak = _find_mb(os.pread(self._status, 4096, 0), _PEAK)
            if peak is not None:
                return peak
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT / MB

    @property
    def per_job(self) -> bool:
        """Whether the peak is that of the job rather than of the process."""
        return None not in (self._reset, self._status, self._pages)

    def close(self) -> None:
        for descriptor in (self._status, self._pages, self._reset):
            if descriptor is not None:
                os.close(descriptor)
        self._status = self._pages = self._reset = None


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _open_if_there(path: str, flags: int) -> int | None:
    try:
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None


# --- ending --------------------------------------------------------------------------------


def kill(pids: Iterable[int]) -> None:
    """Kill each; one that has ended is passed over, and one of another user cannot be killed."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def kill_tree(pid: int) -> None:
    """Kill the not yet reaped process ``pid``, its group, and what descends from it."""
    members = tree_of(pid)
    kill_group(pid)
    kill(members)


def kill_group(pid: int) -> None:
    """Kill the group that ``pid`` leads, if it leads one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def remove_folders(token: str, pid: int | None = None) -> None:
    """Remove the temporary folders of a process that was killed, which may have no token, or of all
    with ``token`` or ``token.more``."""
    import shutil
    import tempfile

    own = (f"{FOLDERS}{f'{token}-' if token else ''}{pid}-",) if pid is not None else ()
    starts = own or (f"{FOLDERS}{token}-", f"{FOLDERS}{token}.")
    folder = tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(starts):
                shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def sweep(token: str, rounds: int = 20) -> int:
    """Kill whatever has ``token`` or ``token.more`` in its environment, and remove its temporary
    folders; how many processes it was.

    For what a supervisor left behind that was killed together with its reapers. In rounds, since
    a process may fork while it is looked for.
    """
    import psutil

    killed: set[int] = set()
    for _ in range(rounds):
        words = {
            process.pid: (process.info["environ"] or {}).get(TOKEN, "")  # None of another user's
            for process in psutil.process_iter(["environ"])
            if process.pid != os.getpid()
        }
        found = {pid for pid, word in words.items() if f"{word}.".startswith(f"{token}.")}
        if not found:
            break
        kill(found)
        killed |= found
    remove_folders(token)
    return len(killed)
