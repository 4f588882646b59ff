"""Writes DIMACS CNF: the clauses of the SAT encodings, and a map from variables to literals.

If an output distinguishes solutions, ``c p show`` has the literals of its variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from backends.sat.export.formula import PROFILE, Formula, begin_clauses, formula_of, pieces
from modelling.errors import ModelError
from modelling.problem import Problem

__all__ = ["PROFILE", "write"]


def write(problem: Problem) -> Iterator[str]:
    """The problem as text in pieces. ModelError for an objective, and for what is too large."""
    if problem.structure.objective is not None:
        raise ModelError(
            "the problem cannot be written as CNF: it has an objective; write WCNF or OPB"
        )
    return pieces(_lines(formula_of(problem, "CNF", begin_clauses)))


def _lines(formula: Formula) -> Iterator[str]:
    for line in formula.map():
        yield f"c {line}"
    output = formula.output()
    clauses = formula.number
    yield f"p cnf {formula.top} {clauses}"
    if output is not None:
        yield " ".join(["c p show", *map(str, output), "0"])
    for clause in formula.clauses():
        yield " ".join(map(str, (*clause, 0)))
