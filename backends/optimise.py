"""Optima for backends that only find solutions: ask again for a better one until there is none.

Each round adds one Linear constraint, ``objective better than the best so far``, to the structure;
when no solution is left the last one is the optimum (the linear search of pseudo-Boolean solvers).
Since only ``Solutions`` is asked, any complete backend gets ``Optimum`` and ``AllOptima`` from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from backends.api import AllOptima, Deadline, Limits, Optimum, Result, Sink, Solutions, StoppedBy
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
    solve: Ask, problem: Problem, ask: Optimum | AllOptima, limits: Limits, sink: Sink | None
) -> Result:
    """Answer ``ask`` through ``solve``, which answers ``Solutions``.

    ``sink`` sees each incumbent (Optimum), or each optimal solution (AllOptima).
    """
    objective = required_objective(problem)
    strictly = "<" if objective.sense == "minimize" else ">"
    deadline = Deadline(limits.seconds)
    best: Assignment | None = None
    value: int | None = None
    total: dict[str, float] = {}
    phases: dict[str, float] = {}
    stopped_by: StoppedBy = "exhausted"
    tell = sink if isinstance(ask, Optimum) else None
    rest = problem
    while True:
        result = solve(rest, Solutions(1), replace(limits, seconds=deadline.left), None)
        add_up(total, result.statistics)
        add_up(phases, result.phases)
        if not result.count:
            stopped_by = result.stopped_by
            break
        best = result.solutions[0]
        value = objective.value(best)
        if tell is not None and not tell(best):
            stopped_by = "sink"
            break
        rest = bounded(problem, strictly, value)
    found = Result(
        count=int(best is not None),
        stopped_by=stopped_by,
        solutions=() if best is None else (best,),
        objective=value,
        bound=value if stopped_by == "exhausted" else None,
        optimising=True,
        native_status=result.native_status,
        statistics=total,
        phases=phases,
    )
    if isinstance(ask, Optimum) or not found.exhausted or value is None:
        return found
    every = solve(
        bounded(problem, "==", value),
        Solutions(ask.limit, ask.keep),
        replace(limits, seconds=deadline.left),
        sink,
    )
    add_up(total, every.statistics)
    add_up(phases, every.phases)
    if not every.count:  # out of time before the first: the proven optimum itself is one
        return replace(found, stopped_by=every.stopped_by, statistics=total, phases=phases)
    return replace(
        every,
        objective=value,
        bound=value,
        optimising=True,
        statistics=total,
        phases=phases,
    )


def add_up(total: dict[str, float], more: object) -> None:
    """Add the numbers of ``more`` to ``total``, name by name."""
    for name, number in dict(more).items():  # type: ignore[call-overload]
        total[name] = total.get(name, 0) + number
