"""Structures said in the constraints that a backend has natively, each looked at once.

A backend whose encoder knows some constraints over distinct variables and no others (``native``)
accepts what rewriting leads to those (``modelling.rewriting``), refuses the rest with the
constraint's name, and encodes the restated structure, never the one it was given: so no constraint
is skipped. Where a rewrite has auxiliary variables, the backend solves the lifted problem and its
solutions are projected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from backends.interface.api import Accepted, Ask, Limits, Optimum, Refused, Result, Sink
from backends.interface.collector import Collector
from modelling.constraint import Constraint
from modelling.problem import Assignment, Problem, Structure
from modelling.rewriting import Declined, Profile, Rewritten, rewrite

Solve = Callable[[Problem, Ask, Limits, Sink | None], Result]


def unlistable(structure: Structure) -> str:
    """Why a backend that lists domains and counts whole solutions cannot take ``structure``."""
    if structure.output is not None:
        return "it cannot tell solutions apart by an output, some of the variables"
    if structure.ranges:
        name = structure.names[structure.ranges[0]]
        return f"the domain of {name} is too large to be listed"
    return ""


class Restating:
    """What becomes of structures for a backend with these native constraints."""

    def __init__(self, native: frozenset[type[Constraint]]) -> None:
        self._profile = Profile.of_plain(native)

    def verdict(self, structure: Structure) -> Accepted | Refused:
        """Whether ``structure`` can be restated, and if not, which constraint cannot, and why."""
        found = rewrite(structure, self._profile)
        if isinstance(found, Declined):
            return Refused(found.reason)
        refused = unlistable(found.structure)
        return Refused(refused) if refused else Accepted()

    def rewritten(self, structure: Structure) -> Rewritten:
        """How an accepted structure is said in native constraints."""
        found = rewrite(structure, self._profile)
        assert isinstance(found, Rewritten), "verdict() has looked"
        return found

    def restated(self, structure: Structure) -> Structure:
        """An accepted structure in native constraints only, with the same solutions."""
        return self.rewritten(structure).structure

    def needs_projection(self, structure: Structure) -> bool:
        """Whether solutions of the restated structure are not those of ``structure``."""
        return self.rewritten(structure).structure.size > structure.size or (
            structure.objective is not None and not structure.objective.is_linear
        )

    def solve(
        self, solve: Solve, problem: Problem, ask: Ask, limits: Limits, sink: Sink | None
    ) -> Result:
        """What ``solve`` answers about the lifted problem, told of the problem that was given.

        Auxiliaries are determined, so that each solution is found once. The time for rewriting is
        added to the phase ``encode``.
        """
        before = perf_counter()
        rewritten = self.rewritten(problem.structure)
        lifted = rewritten.lift(problem)
        seconds = perf_counter() - before
        collector = Collector(ask, sink)

        def project(values: Assignment) -> bool:
            return collector.add(rewritten.project(values))

        result = solve(lifted, ask, limits, project)
        phases = {**result.phases, "encode": result.phases.get("encode", 0.0) + seconds}
        if isinstance(ask, Optimum) or not collector.count:
            kept = tuple(map(rewritten.project, result.solutions))
            return replace(result, solutions=kept, phases=phases)
        return replace(
            result,
            solutions=tuple(collector.kept[: result.count]),
            digest=collector.digest,
            repeats=collector.repeats,
            phases=phases,
        )
