"""Backends that lie, each in one way, and honest ones beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from backends.brute_force import make as brute_force
from backends.interface.api import (
    Accepted,
    Ask,
    Limits,
    Optimum,
    Refused,
    Result,
    Sink,
    Solutions,
    ensure_accepted,
    projection_refusal,
)
from backends.interface.collector import Collector
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.problem import Assignment, Problem


class Honest:
    """Tells the truth; a family of its own. ``answers`` and ``alter`` are what the liars distort.

    A class is named as it is written: ``FalseObjective`` has the name ``false_objective``.
    """

    name = "honest"
    family = ""
    native: frozenset[type[Constraint]] = frozenset({AllDifferent, Linear})
    version = "1.0"

    def __init_subclass__(cls) -> None:
        cls.name = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    def accepts(self, problem: Problem) -> Accepted | Refused:
        reason = projection_refusal(problem.structure)
        return Refused(reason) if reason else Accepted()

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        return list(solutions(problem))

    def alter(self, result: Result) -> Result:
        return result

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        ensure_accepted(self, problem)
        if not isinstance(ask, Solutions):
            return self.alter(brute_force().solve(problem, ask, limits, sink))
        collector = Collector(ask, sink)
        for values in self.answers(problem):
            if not collector.add(values):
                break
        return self.alter(collector.result("exhausted"))


class Twin(Honest):
    """Another wrapper of the same engine: of one family with ``Honest``."""

    family = "honest"


def answering(
    name: str, change: Callable[[Iterator[Assignment]], Iterable[Assignment]]
) -> type[Honest]:
    """A liar that changes the solutions, of which no more are looked for than it takes."""
    return type(name, (Honest,), {"answers": lambda _, problem: change(solutions(problem))})


FalseUnsatisfiable = answering("FalseUnsatisfiable", lambda found: [])
OutsideDomain = answering("OutsideDomain", lambda found: ((99, *rest) for _, *rest in found))
DroppedSolution = answering("DroppedSolution", lambda found: list(found)[:-1])
Duplicate = answering("Duplicate", lambda found: [*(all_of := list(found))[:1], *all_of])
ExhaustedTooEarly = answering("ExhaustedTooEarly", lambda found: list(found)[:1])


class WrongValue(Honest):
    def answers(self, problem: Problem) -> Iterable[Assignment]:
        for first, *rest in solutions(problem):
            yield ((first + 1) % len(problem.structure.domains[0]), *rest)


class CountTooHigh(Honest):
    def alter(self, result: Result) -> Result:
        return replace(result, count=result.count + 1)


class CountTooLow(Honest):
    def alter(self, result: Result) -> Result:
        return replace(result, count=result.count - 1, solutions=result.solutions[:1])


class AnotherInstance(Honest):
    def answers(self, problem: Problem) -> Iterable[Assignment]:
        *others, last = problem.structure.constraints
        if isinstance(last, Linear):
            last = replace(last, constant=last.constant + 1)
        structure = replace(problem.structure, constraints=(*others, last))
        return solutions(Problem(structure, problem.masks))


class Forgetful(Honest):
    """Keeps answers by structure, and so gives one instance the answer of another."""

    def __init__(self) -> None:
        self._kept: dict[str, list[Assignment]] = {}

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        return self._kept.setdefault(problem.structure.digest, list(solutions(problem)))


class WrongOptimum(Honest):
    """The first solution, as if it were the best."""

    def solve(self, problem: Problem, ask: Ask = Solutions(1), *more: Any, **named: Any) -> Result:
        if not isinstance(ask, Optimum):
            return super().solve(problem, ask, *more, **named)
        objective = problem.structure.objective
        assert objective is not None
        values = next(iter(solutions(problem)))
        best = {"objective": objective.value(values), "bound": objective.value(values)}
        return Result(1, "exhausted", solutions=(values,), optimising=True, **best)


class FalseObjective(Honest):
    """The right solution, and a value that is not its own."""

    def alter(self, result: Result) -> Result:
        if result.objective is None:
            return result
        return replace(result, objective=result.objective - 1, bound=result.objective - 1)


class OrderDependent(Honest):
    """Overlooks the constraint that comes last, whichever it is."""

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        structure = replace(problem.structure, constraints=problem.structure.constraints[:-1])
        return solutions(Problem(structure, problem.masks))


class WrongDigest(Honest):
    def alter(self, result: Result) -> Result:
        return replace(result, digest="f" * 32)


class Fickle(Honest):
    """Every second answer lacks a solution, and no solution is kept to tell by."""

    calls = 0

    def alter(self, result: Result) -> Result:
        self.calls += 1
        return replace(result, count=result.count - self.calls % 2, solutions=())


LIARS = (
    *(FalseUnsatisfiable, WrongValue, OutsideDomain, DroppedSolution, Duplicate, CountTooHigh),
    *(CountTooLow, ExhaustedTooEarly, AnotherInstance, Forgetful, WrongOptimum, FalseObjective),
    *(OrderDependent, WrongDigest, Fickle),
)
"""Every way to lie that we could think of; ``Twin`` and ``Honest`` tell the truth."""
