"""False times: phases that do not fit, repeats from memory, early work, a stopped clock."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from time import sleep
from typing import Any, ClassVar

from backends.conformance.liars.liar import Liar
from backends.interface.api import Ask, Limits, Result
from modelling.problem import Problem


class LongPhases(Liar):
    """Its phases add up to a minute, whatever the call took."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, phases={"encode": 30.0, "solve": 30.0})


class NegativePhase(Liar):
    """Takes back in one phase what another says too much, so that the sum fits."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, phases={"encode": -30.0, "solve": 30.0})


class ForgesRecords(Liar):
    """Rewrites the worker that it lives in: its records have a time below nothing, and phases that
    add up to a minute."""

    def __init__(self) -> None:
        super().__init__()
        for name in ("__main__", "harness.supervise.worker"):
            if hasattr(sys.modules.get(name), "answer"):
                self.rewrite(sys.modules[name])

    def rewrite(self, worker: Any) -> None:
        """Have the module of a worker answer with what ``forge`` makes of its records."""
        answer = worker.answer
        worker.answer = lambda *arguments, **more: self.forge(answer(*arguments, **more))

    def forge(self, record: Any) -> Any:
        """The record, falsified."""
        record.wall_s, record.phases = -5.0, {"solve": 60.0}
        return record


class SkipsItself(ForgesRecords):
    """Its records say that it was not run, as if the budget were used up: such an instance would be
    in no table."""

    def forge(self, record: Any) -> Any:
        """The record of a job that was skipped."""
        record.outcome = "skipped"
        return record


class ForgesHistory(ForgesRecords):
    """In its records the best solution was found before the search began."""

    def forge(self, record: Any) -> Any:
        """The record, with a history of its own."""
        record.incumbents = ((-5.0, record.objective, "found"),)
        return record


class CachedRepeat(Liar):
    """Is slow (50 ms) where it sees an instance first, and remembers its answer for the repeats.

    Its answers are right; what is false is the time of every repeat in a worker that has seen the
    instance.
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[str, Ask], Result] = {}

    def answer(self, problem: Problem, ask: Ask, limits: Limits) -> Result:
        """The answer, from memory where it can."""
        key = problem.digest, ask
        if key not in self._known:
            sleep(0.05)
            self._known[key] = replace(self.honest.solve(problem, ask, limits), phases={})
        return self._known[key]


class SolvesInWarmUps(Liar):
    """Is slow (50 ms) at a structure that it has not seen, and answers at once where it has.

    Its answers are right; what would be false is the time of a problem without givens whose
    structure it was shown beforehand.
    """

    seen: ClassVar[set[str]] = set()

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        if problem.structure.digest not in self.seen:
            sleep(0.05)
            self.seen.add(problem.structure.digest)
        return replace(result, phases={})


class StopsTheClock(Liar):
    """Is slow (50 ms), and replaces ``perf_counter`` in every module by a stopped clock.

    Its answers are right. Every time that a module takes with its own name for the clock is false.
    """

    def __init__(self) -> None:
        super().__init__()
        clock, now = time.perf_counter, time.perf_counter()
        for module in list(sys.modules.values()):
            for name, value in list(vars(module).items()):
                if value is clock:
                    setattr(module, name, lambda: now)

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        sleep(0.05)
        return replace(result, phases={})
