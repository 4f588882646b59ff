"""A Problem as FlatZinc: one constraint a line, by the names of MiniZinc's standard library.

What FlatZinc has no constraint for is rewritten first (``profile``), and everything that is added
is a function of the declared variables: counts agree. Declared variables are annotated with
``output_var``; those that are added are called ``X_INTRODUCED_1_`` and so on. A name that is no
identifier is replaced, which a comment says.
"""

from __future__ import annotations

from collections.abc import Iterator

from modelling.errors import ModelError
from modelling.formats.flatzinc.profile import PREDICATES, PROFILE
from modelling.formats.flatzinc.statements import post
from modelling.formats.flatzinc.writer import FlatZincWriter
from modelling.problem import Problem
from modelling.rewriting import Declined, rewrite


def write(problem: Problem) -> Iterator[str]:
    """The problem as FlatZinc, line by line; ModelError for what it cannot say."""
    structure = problem.structure
    rewritten = rewrite(structure, PROFILE)
    if isinstance(rewritten, Declined):
        raise ModelError(f"FlatZinc: {rewritten.reason}")
    lifted = rewritten.lift(problem)
    writer = FlatZincWriter(lifted, rewritten.declared)
    _declare(writer, lifted, rewritten.declared)
    for constraint in lifted.structure.constraints:
        post(writer, constraint)
    question = _question(writer, lifted)
    for name, replaced in writer.names.replaced:
        yield f"% {' '.join(name.split())} is called {replaced}\n"
    for name in sorted(writer.used & set(PREDICATES)):
        yield f"predicate {name}({PREDICATES[name]});\n"
    for line in (*writer.lines, *writer.constraints):
        yield f"{line}\n"
    yield question


def _declare(writer: FlatZincWriter, problem: Problem, declared: int) -> None:
    structure = problem.structure
    output = range(declared) if structure.output is None else structure.output
    shown = set(output)
    for variable, (mask, full) in enumerate(zip(problem.masks, structure.full_masks, strict=True)):
        values = None if mask == full else problem.domain(variable)
        if variable in shown:
            annotations = " :: output_var"
        else:
            added = variable >= declared
            annotations = " :: var_is_introduced :: is_defined_var" if added else ""
        writer.declare(variable, values, annotations)
    if not shown:
        nothing = writer.names.fresh()
        writer.lines.append(f"array [1..0] of var int: {nothing} :: output_array([1..0]) = [];")


def _question(writer: FlatZincWriter, problem: Problem) -> str:
    objective = problem.structure.objective
    if objective is None:
        return "solve satisfy;\n"
    if objective.coefficients == (1,):
        goal = writer.term(objective.scope[0])
    else:
        goal = writer.sum_of(objective.scope, objective.coefficients)
    return f"solve {objective.sense} {goal};\n"
