"""A worker's process and everything that it has started: keeping, measuring and ending it.

A worker leads a session of its own, so that its process group holds what it starts. On Linux it is
also the *subreaper* of its descendants: one that left the group and lost its parent is still
found as long as the worker lives. And it dies with the supervisor, even when that is killed.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

import psutil

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MB = 1 << 20


def die_with_parent(parent: int) -> None:
    """Called in a worker: be killed when ``parent`` ends (off Linux: leave at the next read)."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if os.getppid() != parent:  # it ended before we could ask
            os._exit(1)


def descendants(pid: int) -> list[psutil.Process]:
    """Every process below ``pid``; empty when it has ended."""
    try:
        return list(psutil.Process(pid).children(recursive=True))
    except psutil.NoSuchProcess:
        return []


def kill_tree(pid: int) -> None:
    """Kill the not yet reaped process ``pid``, its group, and what descends from it."""
    victims = descendants(pid)
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # no group: it ended before it could make one
        os.kill(pid, signal.SIGKILL)
    for victim in victims:
        try:
            victim.kill()
        except psutil.NoSuchProcess:
            continue


def tree_memory_mb(pid: int) -> float:
    """Resident memory of ``pid`` and its descendants, in MB; pages they share count for each."""
    total = 0
    try:
        family = [psutil.Process(pid), *descendants(pid)]
    except psutil.NoSuchProcess:
        return 0.0
    for process in family:
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total / _MB
