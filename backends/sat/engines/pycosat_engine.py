"""PicoSAT through pycosat, which has a function for one model and one for all.

``pycosat.itersolve`` blocks each model on *all* variables that it knows. That is right here because
every auxiliary variable is determined and every variable occurs in a clause (see ``cnf``); where a
variable is free it returns each solution several times.

Seconds are kept by limits on propagations, since a call cannot be interrupted. A call that reaches
its limit has to start again from the clauses, so the limits grow fourfold, as far as the time left
allows at the speed last seen; a call may end before its time when what is left is not enough to
get further than before. ``itersolve`` ends in the same way at its limit and after the last model.
Its end is taken for a proof only if the time it took cannot have been enough to reach the limit
(``FASTEST``); otherwise ``solve`` is asked, whose answers differ.

PicoSAT has no limit on conflicts or nodes here, no seed, and gives no statistics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from time import perf_counter
from typing import Any

from backends.interface.api import Deadline, StoppedBy
from backends.interface.registry import require
from backends.sat.cnf import Clause
from backends.sat.task import Models, Task
from modelling.versions import find_version

SPEED = 1_000_000
"""Propagations a second at first guess; PicoSAT makes up to ten times as many."""

FASTEST = 1_000_000_000
"""No solver makes this many propagations in a second: each takes more than a nanosecond."""

Model = list[int]


class Pycosat:
    """A new PicoSAT for each call."""

    form = ""

    def __init__(self) -> None:
        self.version = find_version("pycosat")
        self.library: Any = require(
            "pycosat", "pycosat", "sat", "pip install pycosat (it needs a C compiler)"
        )

    def models(self, task: Task) -> Models:
        """See ``task``. PicoSAT reads the clauses within ``solve``, so that phase has both."""
        units = task.units
        blocked: list[Clause] = []
        deadline = task.deadline

        def clauses() -> Iterable[Sequence[int]]:
            return chain(task.encoding.every_clause(), units, blocked)

        together = task.several and task.on is None
        while not deadline.passed:
            if together:
                started, limit = perf_counter(), _guess(deadline)
                models = self.library.itersolve(clauses(), **_propagations(limit))
                while (model := _next(models, task)) is not None:
                    with task.phases("decode"):
                        found = task.encoding.chosen(model)
                    yield found
                    blocked.append(task.excluding(found))
                    if deadline.passed:
                        return "time"
                if limit is None or (perf_counter() - started) * FASTEST < limit:
                    return "exhausted"
            with task.phases("solve"):
                answer = self._one(clauses, deadline)
            if isinstance(answer, str):
                return answer
            with task.phases("decode"):
                found = task.encoding.chosen(answer)
            sent = yield found
            blocked.extend(sent or (task.excluding(found),))
            together = task.several and task.on is None
        return "time"

    def _one(
        self, clauses: Callable[[], Iterable[Sequence[int]]], deadline: Deadline
    ) -> Model | StoppedBy:
        """One model, or why there is none: ``exhausted`` when it is proven."""
        limit = _guess(deadline, share=0.25, at_most=1.0)
        while not deadline.passed:
            started = perf_counter()
            answer: Model | str = self.library.solve(clauses(), **_propagations(limit))
            if not isinstance(answer, str):
                return answer
            if answer == "UNSAT" or limit is None:
                return "exhausted"
            affordable = _affordable(limit, perf_counter() - started, deadline)
            if affordable <= limit:
                return "time"
            limit = 4 * limit if affordable > 20 * limit else affordable
        return "time"


def _next(models: Iterator[Model], task: Task) -> Model | None:
    with task.phases("solve"):
        return next(models, None)


def _propagations(limit: int | None) -> dict[str, int]:
    return {} if limit is None else {"prop_limit": limit}


def _guess(deadline: Deadline, share: float = 1.0, at_most: float = 1e9) -> int | None:
    """Propagations for a share of the seconds left, but not for more than ``at_most`` seconds, at a
    cautious million a second; None without a deadline."""
    left = deadline.left
    return None if left is None else int(SPEED * max(0.02, min(share * left, at_most)))


def _affordable(limit: int, took: float, deadline: Deadline) -> int:
    """Propagations for the time left, at three quarters of the last call's speed: as learnt
    clauses gather, propagation slows down."""
    return int(0.75 * limit / max(took, 1e-6) * (deadline.left or 0.0))
