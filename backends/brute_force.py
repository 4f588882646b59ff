"""The oracle as a backend: every assignment tried, for small problems.

It refuses problems whose search space is larger than ``MOST_ASSIGNMENTS`` open assignments, since
an oracle that does not end is none.
"""

from __future__ import annotations

from math import prod

from backends.interface.api import (
    Accepted,
    Ask,
    Deadline,
    Limits,
    Phases,
    Refused,
    Result,
    Sink,
    Solutions,
    StoppedBy,
    ensure_accepted,
)
from backends.interface.collector import Collector
from backends.interface.optimise import optimise
from backends.interface.options import Option, canonical, parse
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Problem

MOST_ASSIGNMENTS = 20_000_000

OPTIONS: tuple[Option, ...] = ()


def make(options: str = "") -> BruteForce:
    """The backend; it takes no options."""
    parse("brute_force", OPTIONS, options)
    return BruteForce()


class BruteForce:
    """Complete, and slow on purpose: see ``modelling.brute_force``."""

    name = canonical("brute_force", OPTIONS, {})
    family = "brute_force"
    native: frozenset[type[Constraint]] = frozenset({AllDifferent, NotEqual, Linear, Table})
    version = ""

    def accepts(self, problem: Problem) -> Accepted | Refused:
        size = prod(mask.bit_count() for mask in problem.masks)
        if size > MOST_ASSIGNMENTS:
            return Refused(f"{size:,} assignments are more than {MOST_ASSIGNMENTS:,}")
        return Accepted()

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        ensure_accepted(self, problem)
        if not isinstance(ask, Solutions):
            return optimise(self.solve, problem, ask, limits, sink)
        phases, deadline = Phases(), Deadline(limits.seconds)
        collector = Collector(ask, sink)
        stopped_by: StoppedBy = "exhausted"
        with phases("solve"):
            for values in solutions(problem):
                if not collector.add(values):
                    break
                if deadline.passed:
                    stopped_by = "time"
                    break
        return collector.result(stopped_by, phases=phases)
