"""A backend that tells the truth, whose children lie; and how one alters a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from backends.interface import registry
from backends.interface.api import Accepted, Ask, Limits, Refused, Result, Sink, Solutions
from backends.interface.evidence.answer import digest_of
from modelling.constraints import Constraint
from modelling.problem import Assignment, Problem


class Liar:
    """Tells the truth: ``lie`` is what its children tell instead."""

    family = ""
    complete = True

    def __init__(self) -> None:
        self.name = type(self).__name__
        self.honest = registry.get("propagation")
        self.native: frozenset[type[Constraint]] = self.honest.native

    def accepts(self, problem: Problem) -> Accepted | Refused:
        """As the honest solver."""
        return self.honest.accepts(problem)

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        """What it answers; no liar looks at the sink."""
        return self.answer(problem, ask, limits)

    def answer(self, problem: Problem, ask: Ask, limits: Limits) -> Result:
        """The honest answer, falsified."""
        return self.lie(problem, ask, limits, self.honest.solve(problem, ask, limits))

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        """The result that is returned instead of ``result``."""
        return result


def answer_with(
    result: Result, found: Sequence[Assignment], keep: int | None = 1, **more: Any
) -> Result:
    """``result`` with other solutions, and with all that follows from them."""
    return replace(
        result,
        count=len(found),
        solutions=tuple(found[:keep]),
        digest=digest_of(found),
        **more,
    )


def kept(ask: Ask) -> int | None:
    """How many solutions are to be shown."""
    return getattr(ask, "keep", 1)
