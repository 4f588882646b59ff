"""CryptoMiniSat through its own package, pycryptosat: a new solver for each call.

Its limit on time is one of CPU time and holds for each call of ``solve`` anew, so that each is
given a slice of what is left; its limit on conflicts holds for each model anew. It tells no
statistics and takes no seed. Clauses are handed over as one array, in which it passes over empty
ones (5.17): these go one by one. It handles Ctrl-C itself while it searches, ends, and does not say
so: Python's handler is put back as soon as it has its own, and what ended before its time, without
another limit, was interrupted before that.
"""

from __future__ import annotations

import signal
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from math import inf
from threading import Event, Thread
from time import process_time
from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.registry import require
from backends.sat.task import Models, Task
from backends.signals import find_handler, is_handled, set_handler
from modelling.versions import find_version

SLICE_SECONDS = 0.25
"""The CPU time, in seconds, between two looks at the clock."""


class Cryptominisat:
    """Its incremental solver; models are blocked for good."""

    form = ""

    def __init__(self) -> None:
        self.version = find_version("pycryptosat")
        self.library: Any = require(
            "pycryptosat",
            "pycryptosat",
            "sat:engine=cryptominisat",
            "pip install 'solver-concord[cryptominisat]'",
        )

    def models(self, task: Task) -> Models:
        """See ``task``."""
        with task.phases("load"):
            solver = self.library.Solver(threads=task.limits.threads or 1)
            numbers = array("i")
            for clause in chain(task.units, task.encoding.every_clause()):
                numbers.extend(clause)
                numbers.append(0)
                if not len(clause):
                    solver.add_clause([])
            solver.add_clauses(numbers)
        while True:
            with task.phases("solve"):
                answer, model = self._decide(solver, task)
            if answer is not True:
                return answer or "exhausted"
            with task.phases("decode"):
                literals = [v if model[v] else -v for v in range(1, len(model))]
                found = task.encoding.chosen(literals)
            clauses = yield found
            for clause in clauses or (task.excluding(found),):
                solver.add_clause(clause)

    def _decide(self, solver: Any, task: Task) -> tuple[bool | StoppedBy, Any]:
        """Whether there is a model, and it, or the limit that was reached first."""
        most = task.limits.conflicts
        limits: dict[str, int | float] = {} if most is None else {"confl_limit": most}
        longest = SLICE_SECONDS if most is None else inf  # a call's conflicts are counted anew
        while not task.deadline.passed:
            left = task.deadline.left
            seconds = longest if left is None else min(left, longest)
            if seconds < inf:
                limits["time_limit"] = seconds
            begun = process_time()
            with _pythons_handler():
                answer, model = solver.solve(**limits)
            if answer is not None:
                return bool(answer), model
            if most is None and process_time() - begun < 0.98 * seconds:
                signal.raise_signal(signal.SIGINT)
            if most is not None and not task.deadline.passed:
                return "gave_up", None
        return "time", None


@contextmanager
def _pythons_handler() -> Iterator[None]:
    """In the block Ctrl-C is handled as before, a moment after another handler is set."""
    if not is_handled():
        yield
        return
    before = find_handler(signal.SIGINT)
    has_ended = Event()
    thread = Thread(target=_put_back, args=(before, has_ended))
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()


def _put_back(handler: int, has_ended: Event) -> None:
    while not has_ended.wait(0.001):
        if find_handler(signal.SIGINT) != handler:
            set_handler(signal.SIGINT, handler)
            return
