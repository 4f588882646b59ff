"""What burns on after an answer: threads of the worker, and processes that it has started.

A thread that the job has started is looked at for a moment. If the process uses CPU time meanwhile,
though nothing is asked of it, or the thread wants to run, it is at work, and the worker is ended
like one that leaves processes behind. Pools of threads wait for work by spinning for up to 0.2 s
(OpenMP): so the last look comes later than that.
"""

from __future__ import annotations

import os
from time import process_time, sleep

from harness.supervise.processes import LINUX, has_children, look_at, tree_of

LOOKS_S = (0.002, 0.02, 0.2, 0.05)
"""How long the process is looked at; the next look comes only if it was busy in the one before."""

BUSY = 0.1
"""The part of a look's time that a busy process uses as CPU time."""


class Afterwards:
    """Knows the threads that a worker has had, so that only new ones are looked at."""

    def __init__(self) -> None:
        self._threads = _list_threads()

    def look(self) -> tuple[int, float]:
        """How many processes and busy threads there are beside the worker, and the seconds of CPU
        time that they have used and that are in no job's account."""
        number, seconds = _look_at_descendants()
        threads = _list_threads()
        new, self._threads = threads - self._threads, threads
        if new:
            burnt = _burn(new)
            number, seconds = number + len(new) * (burnt > 0), seconds + burnt
        return number, seconds


def _list_threads() -> set[str]:
    """The threads of this process, by number."""
    return set(os.listdir("/proc/self/task")) if LINUX else set()


def _burn(threads: set[str]) -> float:
    """The seconds of CPU time that this process used while it slept; 0 if it soon used none, and
    none of the threads wanted to run."""
    started = process_time()
    for seconds in LOOKS_S:
        before = process_time()
        sleep(seconds)
        if process_time() - before < BUSY * seconds and not any(map(_is_running, threads)):
            return 0.0
    return process_time() - started


def _is_running(thread: str) -> bool:
    try:
        with open(f"/proc/self/task/{thread}/stat", "rb", buffering=0) as file:
            return file.read(1024).rpartition(b") ")[2][:1] == b"R"
    except OSError:  # it has ended
        return False


def _look_at_descendants() -> tuple[int, float]:
    """How many living processes there are below this one, and their CPU time; next to nothing is
    done when there are none."""
    if not has_children():
        return 0, 0.0
    seen = [look_at(pid) for pid in tree_of(os.getpid())[1:]]
    alive = [one for one in seen if one is not None and not one.is_zombie]
    return len(alive), sum(one.cpu_s for one in alive)
