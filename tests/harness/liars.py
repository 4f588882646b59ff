"""Backends that lie, each in one way, and honest ones beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

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
    not_whole,
)
from backends.interface.collector import Collector
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.problem import Assignment, Problem


class Honest:
    """Tells the truth; a family of its own. ``answers`` is what the liars distort."""

    name = "honest"
    family = ""
    native: frozenset[type[Constraint]] = frozenset({AllDifferent, Linear})
    version = "1.0"

    def accepts(self, problem: Problem) -> Accepted | Refused:
        reason = not_whole(problem.structure)
        return Refused(reason) if reason else Accepted()

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        return list(solutions(problem))

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        ensure_accepted(self, problem)
        if not isinstance(ask, Solutions):
            return brute_force().solve(problem, ask, limits, sink)
        collector = Collector(ask, sink)
        for values in self.answers(problem):
            if not collector.add(values):
                break
        return collector.result("exhausted")


class Twin(Honest):
    """Another wrapper of the same engine: of one family with ``Honest``."""

    name = "twin"
    family = "honest"


class FalseUnsatisfiable(Honest):
    name = "false_unsatisfiable"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        return []


class WrongValue(Honest):
    name = "wrong_value"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        for first, *rest in solutions(problem):
            yield ((first + 1) % len(problem.structure.domains[0]), *rest)


class OutsideDomain(Honest):
    name = "outside_domain"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        for _, *rest in solutions(problem):
            yield (99, *rest)


class DroppedSolution(Honest):
    name = "dropped_solution"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        return list(solutions(problem))[:-1]


class Duplicate(Honest):
    name = "duplicate"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        found = list(solutions(problem))
        return found[:1] + found


class CountTooHigh(Honest):
    name = "count_too_high"

    def solve(self, *arguments: object, **more: object) -> Result:
        result = super().solve(*arguments, **more)  # type: ignore[arg-type]
        return replace(result, count=result.count + 1)


class CountTooLow(Honest):
    name = "count_too_low"

    def solve(self, *arguments: object, **more: object) -> Result:
        result = super().solve(*arguments, **more)  # type: ignore[arg-type]
        return replace(result, count=result.count - 1, solutions=result.solutions[:1])


class ExhaustedTooEarly(Honest):
    name = "exhausted_too_early"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        return list(solutions(problem))[:1]


class AnotherInstance(Honest):
    name = "another_instance"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        *others, last = problem.structure.constraints
        if isinstance(last, Linear):
            last = replace(last, constant=last.constant + 1)
        structure = replace(problem.structure, constraints=(*others, last))
        return solutions(Problem(structure, problem.masks))


class Forgetful(Honest):
    """Keeps answers by structure, and so gives one instance the answer of another."""

    name = "forgetful"

    def __init__(self) -> None:
        self._kept: dict[str, list[Assignment]] = {}

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        return self._kept.setdefault(problem.structure.digest, list(solutions(problem)))


class WrongOptimum(Honest):
    name = "wrong_optimum"

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        if not isinstance(ask, Optimum):
            return super().solve(problem, ask, limits, sink)
        objective = problem.structure.objective
        assert objective is not None
        values = next(iter(solutions(problem)))
        value = objective.value(values)
        return Result(
            count=1,
            stopped_by="exhausted",
            solutions=(values,),
            objective=value,
            bound=value,
            optimising=True,
        )


class FalseObjective(Honest):
    """The right solution, and a value that is not its own."""

    name = "false_objective"

    def solve(self, *arguments: object, **more: object) -> Result:
        result = super().solve(*arguments, **more)  # type: ignore[arg-type]
        if result.objective is None:
            return result
        return replace(result, objective=result.objective - 1, bound=result.objective - 1)


class OrderDependent(Honest):
    """Overlooks the constraint that stands last, whichever it is."""

    name = "order_dependent"

    def answers(self, problem: Problem) -> Iterable[Assignment]:
        structure = replace(problem.structure, constraints=problem.structure.constraints[:-1])
        return solutions(Problem(structure, problem.masks))


class WrongDigest(Honest):
    name = "wrong_digest"

    def solve(self, *arguments: object, **more: object) -> Result:
        result = super().solve(*arguments, **more)  # type: ignore[arg-type]
        return replace(result, digest="f" * 32)


class Fickle(Honest):
    """Every second answer lacks a solution, and no solution is kept to tell by."""

    name = "fickle"
    calls = 0

    def solve(self, *arguments: object, **more: object) -> Result:
        result = super().solve(*arguments, **more)  # type: ignore[arg-type]
        self.calls += 1
        less = self.calls % 2
        return replace(result, count=result.count - less, solutions=())


LIARS = (
    FalseUnsatisfiable,
    WrongValue,
    OutsideDomain,
    DroppedSolution,
    Duplicate,
    CountTooHigh,
    CountTooLow,
    ExhaustedTooEarly,
    AnotherInstance,
    Forgetful,
    WrongOptimum,
    FalseObjective,
    OrderDependent,
    WrongDigest,
    Fickle,
)
"""Every way to lie that we could think of; ``Twin`` and ``Honest`` tell the truth."""
