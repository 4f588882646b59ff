"""Attacks on others: a backend that stops the processes of its rivals."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from backends.conformance.liars.liar import Liar
from backends.interface.api import Ask, Limits, Result
from modelling.problem import Problem


class StopsItsRivals(Liar):
    """Sends SIGSTOP to the other workers of its run, whose jobs then last until the limit, and to
    the process that looks after them all.

    Its answers are right; what would be false is the ranking.
    """

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        for pid in (os.getppid(), *siblings()):
            with suppress(OSError):
                os.kill(pid, signal.SIGSTOP)
        return result


def siblings() -> list[int]:
    """The other children of the process that has started this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):  # it has ended
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(words[1]) == os.getppid() and int(folder.name) != os.getpid():
                found.append(int(folder.name))
    return found
