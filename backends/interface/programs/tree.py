"""The processes of a program: the group that it leads, and all that descends from it.

The leader is reaped last of all, so that its number, and that of the group, stay its own.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
from typing import Any

LOOK_SECONDS = 0.05
"""How often it is looked whether the program has ended, where the system does not say so."""


class Tree:
    """``members`` are what has left the group, as far as it was seen."""

    def __init__(self, leader: subprocess.Popen[bytes]) -> None:
        self.leader = leader
        self.members: list[Any] = []

    def has_ended(self) -> bool:
        """Whether the leader has; its number stays its own until it is reaped."""
        if self.leader.returncode is not None:
            return True
        try:
            how = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.leader.pid, how) is not None
        except ChildProcessError:
            return True

    def watch(self, stack: contextlib.ExitStack) -> int | None:
        """What becomes readable when the leader ends; Linux has it."""
        if not hasattr(os, "pidfd_open"):
            return None
        try:
            number = os.pidfd_open(self.leader.pid)
        except OSError:
            return None
        stack.callback(os.close, number)
        return number

    def wait(self, seconds: float) -> None:
        """Until the leader ends, so long at most; where the system does not say so, a moment."""
        if not hasattr(os, "pidfd_open"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.leader.wait(LOOK_SECONDS)
            return
        with contextlib.ExitStack() as stack:
            number = self.watch(stack)
            if number is not None:
                selector = stack.enter_context(selectors.DefaultSelector())
                selector.register(number, selectors.EVENT_READ)
                selector.select(None if seconds == float("inf") else max(0.0, seconds))

    def end(self) -> int | None:
        """End all of it; the exit status of a leader that has ended by itself."""
        had_ended = self.has_ended()
        if had_ended:
            self.kill_group()
            if self.members:
                self._kill_members()
        else:
            self.kill()
        status = self.leader.wait()
        return status if had_ended else None

    def kill_group(self) -> None:
        """The leader is not reaped yet, so the number of the group is still its own."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader.pid, signal.SIGKILL)

    def ask_to_end(self) -> None:
        """Ask the group to end, and note who is there."""
        self.members = self._find_descendants()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill the group, and what has left it."""
        self.members += self._find_descendants()
        self.kill_group()
        self._kill_members()

    def _find_descendants(self) -> list[Any]:
        """What descends from the program at this moment, as far as the parents of it live."""
        import psutil

        try:
            return list(psutil.Process(self.leader.pid).children(recursive=True))
        except psutil.Error:
            return []

    def _kill_members(self) -> None:
        """Kill what was noted."""
        import psutil

        for member in self.members:
            with contextlib.suppress(psutil.Error):
                member.kill()
