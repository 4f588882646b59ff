"""Two solvers one after the other: MiniSat 2.2, and CaDiCaL 1.5.3 for what is hard.

MiniSat decides what takes some thousand conflicts, as most puzzles do, in less time than CaDiCaL,
and without the long runs of bad luck that CaDiCaL has on satisfiable ones (64 queens); beyond that
CaDiCaL is ahead (``results/reference/defaults``). After ``CONFLICTS`` conflicts the second solver
begins with the same clauses, and with those that were added in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from time import perf_counter
from types import MappingProxyType
from typing import Any

from backends.sat.cnf import Clause
from backends.sat.engines.pysat_engine import HandedOver, Pysat, PysatSearch
from backends.sat.task import Models, Task

CONFLICTS = 60_000
"""About a second: where MiniSat would end soon after, the second start costs less than a fifth."""

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
        now = perf_counter()
        search = self._start(self.first, task)
        search.share(CONFLICTS)
        now = task.phases.add("load", now)
        try:
            while True:
                try:
                    answer = search.decide([])
                except HandedOver:
                    now = task.phases.add("solve", now)
                    search = self._start(self.second, task, added or (), search.end())
                    now, added = task.phases.add("load", now), None
                    continue
                now = task.phases.add("solve", now)
                if answer is not True:
                    return answer or "exhausted"
                found = task.encoding.chosen(search.solver.get_model())
                task.phases.add("decode", now)
                clauses = (yield found) or (task.excluding(found),)
                now = perf_counter()
                for clause in clauses:
                    search.solver.add_clause(clause)
                if added is not None:
                    added += clauses
                    if len(added) > MOST_ADDED:
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
    ) -> PysatSearch:
        """A solver with the clauses of the task, and those that were added since."""
        clauses: Iterator[Any] = chain(task.units, task.encoding.every_clause(), added)
        return PysatSearch(library, library.load(clauses, task.limits.seed), task, earlier=earlier)
