"""Optima as the driver finds them: what is added to a problem, and to what it has cost.

A solver that cannot improve by itself is asked again, each time with one more Linear constraint,
``objective better than the best so far``; when no solution is left the last one is the optimum (the
linear search of pseudo-Boolean solvers).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from modelling.constraints import Linear
from modelling.errors import ModelError
from modelling.problem import Objective, Problem


def bounded(problem: Problem, relation: str, constant: int) -> Problem:
    """``problem`` with ``objective RELATION constant`` as one more constraint."""
    objective = required_objective(problem)
    if objective.is_linear:
        extra = Linear(objective.scope, objective.coefficients, relation, constant)
    else:
        extra = Linear((objective.term,), (1,), relation, constant)
    structure = replace(problem.structure, constraints=(*problem.structure.constraints, extra))
    return Problem(structure, problem.masks)


def required_objective(problem: Problem) -> Objective:
    """The objective, or a clear error when there is none to optimise."""
    if problem.structure.objective is None:
        raise ModelError("an optimum was asked for, but the structure has no objective")
    return problem.structure.objective


def added(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """The sums of two sets of numbers, name by name."""
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


SIZES = frozenset({"peak_depth", "n_vars", "n_clauses", "booleans"})
"""Statistics of which the largest counts, not the sum."""


def merge_statistics(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """The statistics of two calls as those of one."""
    largest = {name: max(one.get(name, 0), other.get(name, 0)) for name in SIZES & {*one, *other}}
    return added(one, other) | largest


def join_configurations(first: str, then: str) -> str:
    """The configurations of two calls as one text."""
    return first if then in ("", first) else f"{first}; then {then}" if first else then
