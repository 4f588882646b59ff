"""The oracle: every solution, found by trying every assignment.

Values are tried variable by variable in order; a constraint is checked, by its ``holds`` alone,
as soon as the last variable of its scope has a value. The search does not propagate, order
variables or encode constraints, so that little can be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from modelling.constraint import Constraint
from modelling.problem import Assignment, Problem


def solutions(problem: Problem) -> Iterator[Assignment]:
    """Every solution once, in lexicographic order of the values' positions.

    With an output, only the first of the solutions that agree on it is yielded.
    """
    output = problem.structure.output
    if output is None:
        yield from _all(problem)
        return
    seen = set()
    for values in _all(problem):
        projected = tuple(values[v] for v in output)
        if projected not in seen:
            seen.add(projected)
            yield values


def _all(problem: Problem) -> Iterator[Assignment]:
    """Every solution as a full assignment."""
    structure = problem.structure
    due: list[list[Constraint]] = [[] for _ in range(structure.size)]
    for constraint in structure.constraints:
        if constraint.scope:
            due[max(constraint.scope)].append(constraint)
        elif not constraint.holds(()):
            return
    domains = problem.domains()
    values: list[int] = [0] * structure.size

    def extend(variable: int) -> Iterator[Assignment]:
        if variable == structure.size:
            yield tuple(values)
            return
        for value in domains[variable]:
            values[variable] = value
            if all(c.holds([values[v] for v in c.scope]) for c in due[variable]):
                yield from extend(variable + 1)

    yield from extend(0)


def optima(problem: Problem) -> tuple[int, list[Assignment]]:
    """The best objective value and every solution that reaches it; (0, []) if there is none.

    With an output, one solution for each best projection.
    """
    objective = problem.structure.objective
    assert objective is not None, "optima() needs an objective"
    best = 0
    reached: list[Assignment] = []
    for solution in _all(problem):
        value = objective.value(solution)
        if not reached or objective.better(value, best):
            best, reached = value, []
        if value == best:
            reached.append(solution)
    output = problem.structure.output
    if output is not None:
        apart = {tuple(values[v] for v in output): values for values in reversed(reached)}
        reached = list(apart.values())[::-1]
    return best, reached
