"""What a solver makes of a structure before it is asked about it, and what is kept of that.

A structure is rewritten to what the handlers take, and encoded; a constraint that nothing handles
raises MissingHandler. PreparedStructure of a structure, by its digest:

plan        whether it is accepted, and its rewrite, with every auxiliary determined
encoding    what the solver makes of the rewrite; ``keep`` turns that off

``Driver.solve`` looks for the encoding alone: an accepted structure is not judged again within the
clock.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

from backends.interface.api import Accepted, Refused, domain_size_refusal, not_interval
from backends.interface.encoding_cache import EncodingCache, weight
from backends.interface.handlers import post, profile_of
from backends.interface.session import Capabilities, Solver
from modelling.constraint import Constraint
from modelling.errors import Unsupported
from modelling.problem import Problem, Structure
from modelling.rewriting import Declined, Rewritten, rewrite
from modelling.stopping import watched


@contextmanager
def keep_garbage() -> Iterator[None]:
    """In the block Python looks for no cycles.

    Preparing makes many objects and no cycles. Each thousand of them would have all older ones
    looked through in vain, which takes as long as the work itself where many are loaded.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What becomes of a structure: refused, or rewritten."""

    verdict: Accepted | Refused
    rewritten: Rewritten | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PreparedStructure:
    """What is kept of a structure. ``plain``: it was native, and all variables distinguish its
    solutions; ``impossible``: a constraint over no variables is false; ``idle``: the variables
    that are neither in a constraint, nor in the objective, nor in the output."""

    rewritten: Rewritten
    encoding: Any
    plain: bool
    impossible: bool
    weight: int
    idle: tuple[int, ...] = ()

    def lift(self, problem: Problem) -> Problem:
        """The same givens in the rewrite. An idle variable has one value: others would give the
        same outputs again, as many times as there are."""
        lifted = self.rewritten.lift(problem)
        if not self.idle:
            return lifted
        masks = list(lifted.masks)
        for variable in self.idle:
            if masks[variable]:
                masks[variable] &= -masks[variable]
        return Problem(lifted.structure, tuple(masks))


def _idle(posed: Structure, output: tuple[int, ...]) -> tuple[int, ...]:
    busy = {*output, *(posed.objective.scope if posed.objective else ())}
    for constraint in watched(posed.constraints):
        busy.update(constraint.scope)
    return tuple(variable for variable in range(posed.size) if variable not in busy)


def _find_large(capabilities: Capabilities, posed: Structure) -> str:
    """Which domain is too large for the solver; empty if none is."""
    if capabilities.large_domains or not posed.ranges:
        return ""
    if capabilities.intervals:
        return not_interval(posed, capabilities.intervals)
    return domain_size_refusal(posed)


class Preparation:
    """Plans and encodings of one solver; a solver with several encodings of a structure chooses one
    of them by ``plan_call``."""

    def __init__(self, name: str, solver: Solver, keep: bool) -> None:
        self.name = name
        self.solver = solver
        self.takes_any = Constraint in solver.handlers
        self._profile = replace(profile_of(solver.handlers), narrows=solver.capabilities.narrows)
        self._plans = EncodingCache[Plan](64, weigh=lambda plan: 1)
        self._size = None if keep else 0
        self._kept: dict[str, EncodingCache[PreparedStructure]] = {}

    def plan(self, structure: Structure) -> Plan:
        """What becomes of it."""
        plan, _ = self._plans.get(structure, self._plan)
        return plan

    def _plan(self, structure: Structure) -> Plan:
        if self.takes_any:
            rewritten = Rewritten(structure, structure.size)
        else:
            capabilities = self.solver.capabilities
            if not (capabilities.large_domains or capabilities.intervals) and structure.ranges:
                return Plan(Refused(domain_size_refusal(structure)))
            found = rewrite(structure, self._profile)
            if isinstance(found, Declined):
                return Plan(Refused(found.reason))
            rewritten = found
        reason = _find_large(self.solver.capabilities, rewritten.structure)
        if not reason:
            build = partial(self._encode_planned, "", rewritten)
            encode = partial(self.cache("").get, structure, build)
            reason = self.solver.refusal(rewritten.structure, encode)
        return Plan(Refused(reason)) if reason else Plan(Accepted(), rewritten)

    def cache(self, variant: str) -> EncodingCache[PreparedStructure]:
        """What is kept with encodings of a variant."""
        cache = self._kept.get(variant)
        if cache is None:
            cache = self._kept[variant] = EncodingCache(self._size, weigh=attrgetter("weight"))
        return cache

    def prepare(self, variant: str, structure: Structure) -> PreparedStructure:
        """What is to be kept of a structure; raises ``Unsupported`` for one that is refused."""
        plan = self.plan(structure)
        if plan.rewritten is None:
            assert isinstance(plan.verdict, Refused)
            raise Unsupported(self.name, "this problem", plan.verdict.reason)
        return self._encode_planned(variant, plan.rewritten, structure)

    def _encode_planned(
        self, variant: str, rewritten: Rewritten, structure: Structure
    ) -> PreparedStructure:
        posed = rewritten.structure
        encoding = self.encode(variant, posed)
        return PreparedStructure(
            rewritten,
            encoding,
            plain=posed is structure and structure.output is None,
            impossible=any(not c.scope and not c.holds(()) for c in watched(posed.constraints)),
            weight=self._weight(posed, encoding),
            idle=() if structure.output is None else _idle(posed, structure.output),
        )

    def _weight(self, posed: Structure, encoding: Any) -> int:
        if self._size == 0:  # nothing is kept
            return 0
        weighed = self.solver.weigh(encoding)
        return weight(posed) if weighed is None else weighed

    def encode(self, variant: str, posed: Structure) -> Any:
        """A structure of native constraints as the solver takes it."""
        draft = self.solver.encode(posed, variant) if variant else self.solver.encode(posed)
        post(self.solver.handlers, draft, posed, self.name)
        return self.solver.finish(draft)
