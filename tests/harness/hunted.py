"""Solvers with a bug each, planted for a hunt: right elsewhere, and by brute force."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

from backends.brute_force import make
from backends.interface.api import Accepted, Ask, Limits, Refused, Result, Sink, Solutions
from backends.interface.evidence.answer import digest_of
from backends.interface.magnitudes import every_part
from harness.hunting.fuzzing.drawing.problems import is_small
from modelling.constraints import Count, Table
from modelling.problem import Problem


class Right:
    """Takes what brute force enumerates."""

    family = ""

    def __init__(self) -> None:
        self.name = type(self).__name__
        self.solver = make("")
        self.native = self.solver.native

    def accepts(self, problem: Problem) -> Accepted | Refused:
        return self.solver.accepts(problem) if is_small(problem) else Refused("it is too large")

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        result = self.solver.solve(problem, ask, limits, sink)
        return self.spoil(problem, ask, result) if self.meets(problem) else result

    def meets(self, problem: Problem) -> bool:
        """Whether the bug shows."""
        return any(type(part) is Table for part in every_part(problem.structure))

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        return result


class LosesOne(Right):
    """The last of several solutions is not found where there is a table."""

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        if result.count < 2 or len(result.solutions) < result.count:
            return result
        kept = result.solutions[:-1]
        shown = kept
        if problem.structure.output is not None:
            shown = tuple(tuple(s[v] for v in problem.structure.output) for s in kept)
        return replace(result, count=len(kept), solutions=kept, digest=digest_of(shown))


class FindsNone(Right):
    """A table makes it unsatisfiable."""

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        optimising = result.optimising
        return Result(count=0, stopped_by="exhausted", optimising=optimising)


class ShowsAnother(Right):
    """The first value of each solution is one more."""

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        wrong = tuple((s[0] + 1, *s[1:]) for s in result.solutions if s)
        return replace(result, solutions=wrong) if wrong else result


class StopsShort(Right):
    """The optimum is one better than it is."""

    def meets(self, problem: Problem) -> bool:
        return problem.structure.objective is not None

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        if result.objective is None:
            return result
        return replace(result, objective=result.objective - 1, bound=None)


class Raises(Right):
    """It raises where something is counted."""

    def meets(self, problem: Problem) -> bool:
        return any(type(part) is Count for part in every_part(problem.structure))

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        raise IndexError(f"no place {problem.structure.size}")


class Dies(Raises):
    """The process ends there."""

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        os.kill(os.getpid(), signal.SIGABRT)
        return result


class Hangs(Raises):
    """It does not answer there."""

    def spoil(self, problem: Problem, ask: Ask, result: Result) -> Result:
        while True:
            time.sleep(60)
