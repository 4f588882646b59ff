"""Writes WCNF, in the form of 2022: the clauses of the SAT encodings, and the objective's literals
as clauses of one literal, each with its weight.

What the format cannot say of an objective, its sense and a constant, is in a comment, which our own
reader takes: ``c concord objective = 12 - cost``. An output is not written: it changes no optimum.
"""

from __future__ import annotations

from collections.abc import Iterator

from backends.sat.export.formula import (
    PROFILE,
    Formula,
    begin_clauses,
    formula_of,
    objective_comment,
    pieces,
)
from modelling.errors import ModelError
from modelling.problem import Objective, Problem

__all__ = ["PROFILE", "write"]


def write(problem: Problem) -> Iterator[str]:
    """The problem as text in pieces. ModelError without an objective, and for what is too large."""
    if problem.structure.objective is None:
        raise ModelError(
            "the problem cannot be written as WCNF: it has no objective; write CNF or OPB"
        )
    formula = formula_of(problem, "WCNF", begin_clauses)
    objective = formula.structure.objective
    assert objective is not None, "a rewrite keeps the objective"
    return pieces(_lines(formula, objective))


def _lines(formula: Formula, objective: Objective) -> Iterator[str]:
    for line in formula.map():
        yield f"c {line}"
    known, soft = (0, []) if formula.impossible else formula.cost(objective)
    turned = [(weight, -x) if weight > 0 else (-weight, x) for weight, x in soft]
    known += sum(weight for weight, _ in soft if weight < 0)
    yield f"c {objective_comment(objective.sense, known)}"
    greatest = 0
    for clause in formula.clauses():
        greatest = max(greatest, *map(abs, clause), 0)
        yield " ".join(["h", *map(str, clause), "0"])
    for weight, x in turned:
        greatest = max(greatest, abs(x))
        yield f"{weight} {x} 0"
    if formula.top > greatest:
        yield f"h {formula.top} -{formula.top} 0"  # so that the last variable is named
