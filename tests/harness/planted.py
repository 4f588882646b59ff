"""Backends with one planted mistake each: they solve another problem than they were given."""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from typing import Any

from backends.interface import registry
from backends.interface.api import Accepted, Ask, Limits, Refused, Result, Sink, Solutions
from modelling.constraint import Constraint
from modelling.constraints import Element, Linear, Not, Table
from modelling.problem import Problem


class Planted:
    """Solves the problem with each constraint replaced by ``distort`` of it."""

    family = ""

    def __init__(self) -> None:
        self.name = type(self).__name__
        self.honest = registry.get("brute_force")
        self.native = self.honest.native

    def accepts(self, problem: Problem) -> Accepted | Refused:
        return self.honest.accepts(problem)

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        structure = problem.structure
        constraints = tuple(map(self.distort, structure.constraints))
        distorted = Problem(replace(structure, constraints=constraints), problem.masks)
        return self.honest.solve(distorted, ask, limits, sink)

    def distort(self, constraint: Constraint) -> Constraint:
        raise NotImplementedError


class LosesTheLastRow(Planted):
    """A table of more than one row lacks its last."""

    def distort(self, constraint: Constraint) -> Constraint:
        if type(constraint) is Table and len(constraint.tuples) > 1:
            return replace(constraint, tuples=constraint.tuples[:-1])
        return constraint


class ForgetsNegations(Planted):
    """A negation of a sum is that sum."""

    def distort(self, constraint: Constraint) -> Constraint:
        if type(constraint) is Not and type(constraint.formula) is Linear:
            return constraint.formula
        return constraint


class TooStrict(Planted):
    """At most is less than, where a factor is negative."""

    def distort(self, constraint: Constraint) -> Constraint:
        is_at_most = type(constraint) is Linear and constraint.relation == "<="
        if is_at_most and min(constraint.coefficients, default=0) < 0:
            return replace(constraint, relation="<")
        return constraint


class ForgetsNowAndThen(ForgetsNegations):
    """As ForgetsNegations, every other time."""

    def distort(self, constraint: Constraint) -> Constraint:
        return super().distort(constraint) if secrets.randbits(1) else constraint


class DiesOfElements(Planted):
    """An element of an array ends the process."""

    def distort(self, constraint: Constraint) -> Constraint:
        if any(type(part) is Element for part in _list_parts(constraint)):
            os._exit(9)
        return constraint


def _list_parts(whole: Any) -> list[Any]:
    return [whole, *(inner for part in whole.parts() for inner in _list_parts(part))]
