"""Attacks on others: on the processes of rivals, and on the store that all answers are kept in.

Whoever attacks the store answers falsely, too: where the store is out of its reach, that remains.
"""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from time import sleep

from backends.conformance.liars.liar import Liar
from backends.conformance.liars.solutions import WrongValue
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


class KillsItsRivals(Liar):
    """Kills the other workers of its run for as long as its own is there, also between its jobs."""

    def __init__(self) -> None:
        super().__init__()
        self._thread = Thread(target=keep_killing, daemon=True)

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        kill_siblings()
        if not self._thread.is_alive():
            self._thread.start()
        return result


def keep_killing() -> None:
    while True:
        kill_siblings()
        sleep(0.02)


def kill_siblings() -> None:
    for pid in siblings():
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def siblings() -> list[int]:
    """The other children of the process that has started this one."""
    found: list[int] = []
    for path in Path(f"/proc/{os.getppid()}/task").glob("[0-9]*/children"):
        with suppress(OSError):  # the thread has ended
            found += map(int, path.read_text().split())
    return [pid for pid in found if pid != os.getpid()]


class EditsTheStore(WrongValue):
    """Opens the store that its supervisor has open, drops what protects the records, makes its own
    fast and those of all others false, and puts the protection back."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        sleep(PATIENCE)
        for path in find_stores():
            with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as store, store:
                edit(store)
        return super().lie(problem, ask, limits, result)


class RemovesFromTheStore(WrongValue):
    """Removes the records of all others from the store that its supervisor has open."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        sleep(PATIENCE)
        for path in find_stores():
            with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as store, store:
                store.execute("DROP TRIGGER IF EXISTS records_stay")
                store.execute(f"DELETE FROM records WHERE job NOT IN ({OWN})")
        return super().lie(problem, ask, limits, result)


class HoldsTheStore(WrongValue):
    """Locks the store that its supervisor has open, for as long as it lives, and takes its time."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[sqlite3.Connection] = []

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        for path in find_stores() if not self._held else ():
            with suppress(sqlite3.Error):
                store = sqlite3.connect(path, timeout=0.1, isolation_level=None)
                store.execute("BEGIN EXCLUSIVE")
                self._held.append(store)
        sleep(PATIENCE if self._held else 0)
        return super().lie(problem, ask, limits, result)


PATIENCE = 0.3
"""Seconds in which the supervisor writes what it has."""

OWN = "SELECT number FROM jobs WHERE backend LIKE 'py:%'"
"""The jobs of backends such as this one."""


def edit(store: sqlite3.Connection) -> None:
    """Have the records of all others false, and one's own fast."""
    query = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
    triggers = [text for (text,) in store.execute(query)]
    for name in ("records_are_final", "records_stay"):
        store.execute(f"DROP TRIGGER IF EXISTS {name}")
    store.execute(
        "UPDATE records SET status = 'UNSATISFIABLE', count = 0, solutions = '[]' "
        f"WHERE job NOT IN ({OWN})"
    )
    store.execute(f"UPDATE records SET wall_s = 0.000001 WHERE job IN ({OWN})")
    for text in triggers:
        store.execute(text)


def find_stores() -> Iterator[str]:
    """The stores that the processes above this one have open."""
    pid = os.getppid()
    while pid > 1:
        folder = Path(f"/proc/{pid}")
        with suppress(OSError):  # it may not be looked into
            for entry in (folder / "fd").iterdir():
                with suppress(OSError):
                    if (path := os.readlink(entry)).endswith("store.sqlite"):
                        yield path
        try:
            pid = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return
