"""Values that are not what they look like, and checks that are patched away."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from backends.conformance.liars.liar import Liar, answer_with
from backends.interface.api import Ask, Limits, Result, Status
from modelling.problem import Problem


@dataclass(frozen=True)
class _AlwaysBest(Result):
    @property
    def status(self) -> Status:
        """The claim, whatever the evidence."""
        return "UNSATISFIABLE"


class OwnResult(Liar):
    """Answers with a class of its own that says another status than its evidence."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return _AlwaysBest(result.count, result.stopped_by, result.solutions, result.digest)


class _Many(int):
    """An integer that is neither less nor greater than any other."""

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return False


class OwnNumber(Liar):
    """Counts with a class of its own that compares as it likes."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=_Many(result.count + 1))


class ChangedAfterwards(Liar):
    """Changes its frozen answer once it was made: a count below nothing."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        object.__setattr__(result, "count", -1)
        return result


class SilencesTheCheck(Liar):
    """Patches the check of its own process away, and shows nothing."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        silence_check()
        return replace(result, solutions=())


class StopsUnseen(Liar):
    """Stops after the first solution, calls that enough, and patches the check of it away."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        silence_check()
        return answer_with(result, result.solutions[:1], stopped_by="enough")


def silence_check() -> None:
    """Have the worker that this process is find no fault with any answer."""
    for name in ("__main__", "harness.supervise.answering"):
        if hasattr(sys.modules.get(name), "shortfall"):
            sys.modules[name].shortfall = lambda *_, **__: ""  # type: ignore[attr-defined]
