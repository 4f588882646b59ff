"""Optima for backends that only find solutions: ask again for a better one until there is none.

Each round adds one Linear constraint, ``objective better than the best so far``, to the structure;
when no solution is left the last one is the optimum (the linear search of pseudo-Boolean solvers).
Since only ``Solutions`` is asked, any complete backend gets ``Optimum`` and ``AllOptima`` from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from backends.interface.api import (
    AllOptima,
    Deadline,
    Limits,
    Optimum,
    Result,
    Sink,
    Solutions,
    StoppedBy,
)
from modelling.constraints import Linear
from modelling.errors import ModelError
from modelling.problem import Assignment, Objective, Problem

Ask = Callable[[Problem, Solutions, Limits, Sink | None], Result]


def bounded(problem: Problem, relation: str, constant: int) -> Problem:
    """``problem`` with ``objective RELATION constant`` as one more constraint."""
    objective = required_objective(problem)
    extra = Linear(objective.scope, objective.coefficients, relation, constant)
    structure = replace(problem.structure, constraints=(*problem.structure.constraints, extra))
    return Problem(structure, problem.masks)


def required_objective(problem: Problem) -> Objective:
    """The objective, or a clear error when there is none to optimise."""
    if problem.structure.objective is None:
        raise ModelError("an optimum was asked for, but the structure has no objective")
    return problem.structure.objective


def optimise(
    solve: Ask,
    problem: Problem,
    ask: Optimum | AllOptima,
    limits: Limits,
    sink: Sink | None,
    optimum: Ask | None = None,
) -> Result:
    """Answer ``ask`` through ``solve``, which answers ``Solutions``.

    ``optimum`` answers ``Optimum`` where the solver can do that itself; otherwise ``improve`` does.
    ``sink`` sees each incumbent (Optimum), or each optimal solution (AllOptima).
    """
    deadline = Deadline(limits.seconds)
    incumbents = sink if isinstance(ask, Optimum) else None
    if optimum is not None:
        best = optimum(problem, Solutions(1), limits, incumbents)
    else:
        best = improve(solve, problem, limits, incumbents)
    if isinstance(ask, Optimum) or best.status != "OPTIMUM" or best.objective is None:
        return best
    every = solve(
        bounded(problem, "==", best.objective),
        Solutions(ask.limit, ask.keep),
        replace(limits, seconds=deadline.left),
        sink,
    )
    every = replace(
        every,
        statistics=added(best.statistics, every.statistics),
        phases=added(best.phases, every.phases),
        configuration=both(best.configuration, every.configuration),
    )
    if not every.count:  # out of time before the first: the proven optimum itself is one
        return replace(
            best,
            stopped_by=every.stopped_by,
            statistics=every.statistics,
            phases=every.phases,
            configuration=every.configuration,
        )
    return replace(every, objective=best.objective, bound=best.objective, optimising=True)


def improve(solve: Ask, problem: Problem, limits: Limits, sink: Sink | None) -> Result:
    """The optimum by linear search: each round asks for a strictly better solution."""
    objective = required_objective(problem)
    strictly = "<" if objective.sense == "minimize" else ">"
    deadline = Deadline(limits.seconds)
    best: Assignment | None = None
    value: int | None = None
    statistics: dict[str, float] = {}
    phases: dict[str, float] = {}
    rest = problem
    while True:
        result = solve(rest, Solutions(1), replace(limits, seconds=deadline.left), None)
        statistics = added(statistics, result.statistics)
        phases = added(phases, result.phases)
        stopped_by: StoppedBy = result.stopped_by
        if not result.count:
            break
        best = result.solutions[0]
        value = objective.value(best)
        if sink is not None and not sink(best):
            stopped_by = "sink"
            break
        rest = bounded(problem, strictly, value)
    return Result(
        count=int(best is not None),
        stopped_by=stopped_by,
        solutions=() if best is None else (best,),
        objective=value,
        bound=value if stopped_by == "exhausted" else None,
        optimising=True,
        native_status=result.native_status,
        statistics=statistics,
        phases=phases,
    )


def added(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """The sums of two sets of numbers, name by name."""
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def both(first: str, then: str) -> str:
    """The configurations of two calls as one text."""
    return first if first == then else f"{first}; then {then}"
