"""Two solvers one after the other: MiniSat 2.2, and CaDiCaL 1.5.3 for what is hard.

MiniSat decides what takes some thousand conflicts, as most puzzles do, in less time than CaDiCaL,
and without the long runs of bad luck that CaDiCaL has on satisfiable ones (64 queens); beyond that
CaDiCaL is ahead (``results/reference/defaults``). After ``CONFLICTS`` conflicts the second solver
begins with the same clauses, and with those that were added in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any

from backends.sat.cnf import Clause
from backends.sat.engines.pysat_engine import HandedOver, Pysat, Search
from backends.sat.task import Models, Task

CONFLICTS = 20_000
"""About half a second."""

MOST_ADDED = 100_000
"""Clauses that are kept for the second solver; with more the first one continues alone."""


class Relay:
    """A new solver for each call, and a second one where the first does not decide it."""

    form = ""

    def __init__(self, first: Pysat, second: Pysat) -> None:
        self.first = first
        self.second = second
        self.version = second.version

    def models(self, task: Task) -> Models:
        """See ``task``."""
        added: list[Clause] | None = []
        with task.phases("load"):
            search = self._start(self.first, task)
        search.share(CONFLICTS)
        try:
            while True:
                try:
                    with task.phases("solve"):
                        answer = search.decide([])
                except HandedOver:
                    with task.phases("load"):
                        search = self._start(self.second, task, added or (), search.end())
                    added = None
                    continue
                if answer is not True:
                    return answer or "exhausted"
                with task.phases("decode"):
                    found = task.encoding.chosen(search.solver.get_model())
                clauses = yield found
                for clause in clauses or (task.excluding(found),):
                    search.solver.add_clause(clause)
                    if added is not None:
                        added.append(clause)
                if added is not None and len(added) > MOST_ADDED:
                    added = None
                    search.share(None)
        finally:
            task.statistics.update(search.end())

    def _start(
        self,
        library: Pysat,
        task: Task,
        added: Iterable[Clause] = (),
        earlier: Mapping[str, int] = MappingProxyType({}),
    ) -> Search:
        """A solver with the clauses of the task, and those that were added since."""
        clauses: Iterator[Any] = chain(task.units, task.encoding.every_clause(), added)
        return Search(library, library.load(clauses, task.limits.seed), task, earlier=earlier)
