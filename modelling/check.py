"""Independent checking: what is wrong with an assignment, by the constraints' definitions alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from modelling.problem import Problem, Structure


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong with an assignment.

    ``kind`` is ``length`` (not one value per variable), ``domain`` (a value that is not open for
    its variable) or ``constraint``; ``where`` is the variable's or the constraint's position.
    """

    kind: str
    where: int
    message: str

    def __str__(self) -> str:
        return self.message


def violations(problem: Problem, assignment: Sequence[int]) -> list[Violation]:
    """Everything that is wrong with ``assignment``; an empty list means it is a solution.

    ``assignment`` has one value per variable in the structure's order.
    """
    structure = problem.structure
    if len(assignment) != structure.size:
        text = f"{len(assignment)} values for {structure.size} variables"
        return [Violation("length", len(assignment), text)]
    found = []
    for i, value in enumerate(assignment):
        position = structure.positions[i].get(value)
        mask = problem.masks[i]
        if position is None or (mask is not None and not mask >> position & 1):
            domain = structure.domains[i] if mask is None else problem.domain(i)
            text = f"{structure.names[i]} = {value!r} is not in its domain {domain}"
            found.append(Violation("domain", i, text))
    for number, constraint in enumerate(structure.constraints):
        values = tuple(assignment[v] for v in constraint.scope)
        if not constraint.holds(values):
            names = ", ".join(structure.names[v] for v in constraint.scope[:12])
            more = ", ..." if len(constraint.scope) > 12 else ""
            text = f"constraint {number}, {type(constraint).__name__}({names}{more}), is violated"
            found.append(Violation("constraint", number, f"{text} by {values[:12]}"))
    return found


def refuted(problem: Problem) -> bool:
    """Whether an empty domain or a false constraint over no variables refutes the problem.

    Solvers treat these cases differently, so backends answer them before encoding.
    """
    return (not all(problem.masks) and 0 in problem.masks) or _has_false_constant(problem.structure)


@lru_cache(maxsize=256)
def _has_false_constant(structure: Structure) -> bool:
    return any(not c.scope and not c.holds(()) for c in structure.constraints)
