"""Engines of python-sat that write proofs.

A proof is of one formula, which a new solver was given at once and was asked about once. What DRAT
means when clauses are added between two calls, after a solver has simplified its clauses, is
written nowhere. So the first call is to a solver that writes a proof. If it finds a model, the
search continues in a solver that writes none. If that finds no more, a new solver that writes a
proof gets all its clauses. Should that one find a model, the search continues there.

Words
-----
sent     clauses that hold besides the task's: each excludes a model that was found, or is a bound
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from itertools import chain
from time import perf_counter
from typing import Any, Literal

from backends.interface.api import StoppedBy
from backends.interface.optimise import merge_statistics
from backends.interface.proofs import MOST_BYTES
from backends.sat.cnf import Clause
from backends.sat.engines.pysat_engine import Fresh, Pysat, PysatSearch
from backends.sat.task import Models, Task
from modelling.errors import BackendUnavailable, UnknownBackend

WRITERS: tuple[str, ...] = (
    *("cadical103", "cadical153", "cadical195", "cadical300", "ergo"),
    *("glucose3", "glucose4", "glucose42", "gluecard3", "gluecard4"),
    *("lingeling", "maplechrono", "maplecm"),
)
"""Engines whose proofs are right in python-sat 1.9.dev17 (``results.studies.correctness.proofs``).
Those of maplecm may lack the empty clause, which the checker adds. The others write none, but for
maplesat: in its proofs each literal is that of the next variable."""

LONG = f"its proof is longer than {MOST_BYTES:,} bytes"


def ensure_writes(name: str) -> None:
    """Raise ``UnknownBackend`` for an engine that writes no proof."""
    if name not in (*WRITERS, "kissat"):
        raise UnknownBackend(
            f"sat: proof=check needs an engine that writes proofs, and {name} does not; "
            f"choose one of {', '.join((*WRITERS, 'kissat'))}"
        )


class Proving:
    """A new solver for each call, as ``Fresh``, and a proof that all models were found."""

    def __init__(self, library: Pysat) -> None:
        ensure_writes(library.name)
        self.library = library
        self.version = library.version
        self.form = "binary" if library.name.startswith("cadical") else "text"
        self._flush = getattr(sys.modules.get("pysolvers"), "flushpr", None)
        if self._flush is None:
            raise BackendUnavailable(
                f"sat: proof=check needs python-sat 1.9.dev16 or later, and {self.version} is "
                "installed: pip install -U --pre python-sat"
            )
        self._fresh = Fresh(library)

    def models(self, task: Task) -> Models:
        """See ``task``. What a search without a proof has exhausted stays exhausted, even if the
        proof is missing."""
        sent: list[Clause] = []
        while True:
            before = dict(task.statistics)
            answer, found = self._ask(task, sent)
            task.statistics.update(merge_statistics(before, task.statistics))
            if answer is not True:
                if answer == "exhausted" or not sent:
                    return answer
                task.missing = "no proof was written within the limits"
                return "exhausted"
            clauses = yield found
            sent += clauses or (task.excluding(found),)
            stopped_by = yield from self._rest(task, sent)
            if stopped_by != "exhausted":
                return stopped_by

    def _rest(self, task: Task, sent: list[Clause]) -> Models:
        """Further models, without a proof; clauses that arrive meanwhile are added to ``sent``."""
        rest = replace(task, closing=[*task.closing, *sent], statistics={})
        models, clauses = self._fresh.models(rest), None
        try:
            while True:
                try:
                    found = models.send(clauses)
                except StopIteration as end:
                    stopped_by: StoppedBy = end.value
                    return stopped_by
                clauses = yield found
                sent += clauses or (task.excluding(found),)
        finally:
            models.close()
            task.statistics.update(merge_statistics(task.statistics, rest.statistics))

    def _ask(self, task: Task, sent: list[Clause]) -> tuple[Literal[True] | StoppedBy, list[int]]:
        """What a solver that writes a proof says of all clauses: True and a model, or why it has
        none; the proof is then in ``task``."""
        now = perf_counter()
        clauses = chain(task.units, task.encoding.every_clause(), sent)
        solver = self.library.load(clauses, task.limits.seed, with_proof=True)
        search = Writing(self.library, solver, task)
        now = task.phases.add("load", now)
        try:
            answer = search.decide([])
            now = task.phases.add("solve", now)
            if answer is True:
                found = task.encoding.chosen(solver.get_model())
                task.phases.add("decode", now)
                return True, found
            if answer is False:
                task.proof = self._read(solver)
                task.missing = LONG if task.proof is None else ""
                return "exhausted", []
            return answer, []
        finally:
            task.statistics.update(search.spent())
            solver.delete()

    def _read(self, solver: Any) -> bytes | None:
        """The proof; None if it is too long."""
        if self._flush is not None:
            self._flush(solver.prfp)
        if os.fstat(solver.prfile.fileno()).st_size > MOST_BYTES:
            return None
        solver.prfile.seek(0)
        proof: bytes = solver.prfile.read()
        return proof


class Writing(PysatSearch):
    """The calls to a solver that writes a proof: it gives up where that grows too long."""

    def __init__(self, library: Pysat, solver: Any, task: Task) -> None:
        super().__init__(library, solver, task)
        self.limited = not self.is_unlimited

    def _next_slice(self) -> int:
        if os.fstat(self.solver.prfile.fileno()).st_size > MOST_BYTES:
            return 0
        return super()._next_slice()
