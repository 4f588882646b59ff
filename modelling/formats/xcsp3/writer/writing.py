"""Writes a problem, from the first line to the last.

What XCSP3-core cannot express is rewritten (``profile``), with auxiliaries that are named ``_1``,
``_2``, ... The variables determine them, so the number of solutions stays the same. Givens are
narrower domains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.formats.expression_printer import open_domains
from modelling.formats.xcsp3.writer.elements import Writer, is_listed
from modelling.formats.xcsp3.writer.naming import declare, write_declarations
from modelling.formats.xcsp3.writer.profile import PROFILE, Tour, some_inside
from modelling.formats.xcsp3.writer.wording import is_expression
from modelling.problem import Objective, Problem, Structure
from modelling.rewriting import Declined, rewrite
from modelling.terms import ANY, affine
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.graphs.subcircuit import SubCircuit


def write(problem: Problem) -> Iterator[str]:
    """The problem in XCSP3-core, in pieces; ModelError names what cannot be expressed."""
    silent = _silent(problem.structure)
    structure, objective = _rewritten(replace(problem.structure, output=None))
    added = structure.domains[problem.structure.size :]
    domains = [*open_domains(problem), *added]
    declarations, names = declare(structure.names)
    said = [domain or (0,) for domain in domains]
    writer = Writer(structure, names, said)
    yield f'<instance format="XCSP3" type="{"COP" if objective else "CSP"}">\n  <variables>\n'
    yield from write_declarations(declarations, said)
    yield "  </variables>\n  <constraints>\n"
    for position, domain in enumerate(domains):
        if not domain:  # XCSP3 has no empty domains
            yield writer.never(position)
    mentioned = {*silent, *(objective.scope if objective else ())}
    for alike in _runs_of_tables(list(_without_impossible(structure.constraints, said))):
        texts = [writer.group(alike)] if len(alike) > 1 else list(writer.constraint(alike[0]))
        yield from texts
        if any(texts):  # what always holds, such as a table that excludes nothing, has no text
            for one in alike:
                mentioned.update(_named(one))
    yield from writer.mention(mentioned)
    yield "  </constraints>\n"
    if objective is not None:
        yield f"  <objectives>\n{writer.objective(objective)}  </objectives>\n"
    yield "</instance>\n"


def _silent(structure: Structure) -> frozenset[int]:
    """The variables outside the output, which the file may not mention.

    In XCSP3, a variable is outside the output if it occurs in no constraint and not in the
    objective. Raises ModelError if one of these does occur there.
    """
    if structure.output is None:
        return frozenset()
    silent = frozenset(range(structure.size)) - frozenset(structure.output)
    if silent & _mentioned(structure.constraints, structure.objective):
        raise ModelError(
            "XCSP3 cannot say this problem: a variable that is none of the output, and so does not "
            "tell solutions apart, stands in a constraint or in the objective"
        )
    return silent


def _mentioned(constraints: Sequence[Constraint], objective: Objective | None) -> set[int]:
    found: set[int] = set(objective.scope if objective else ())
    for one in constraints:
        found.update(one.scope)
    return found


def _named(constraint: Constraint) -> Iterable[int]:
    """The variables that the text of a constraint mentions."""
    if not isinstance(constraint, Clauses):
        return constraint.scope
    return (constraint.terms[abs(x) - 1] for clause in constraint.literals for x in clause)


def _rewritten(structure: Structure) -> tuple[Structure, Objective | None]:
    """The structure in what XCSP3 has, and its objective: unchanged, if XCSP3 can express it."""
    joined = replace(structure, constraints=tuple(_join_tours(structure.constraints)))
    objective = structure.objective
    kept = objective is None or _is_said(objective, structure)
    found = rewrite(replace(joined, objective=None) if kept else joined, PROFILE, True)
    if isinstance(found, Declined):
        raise ModelError(f"XCSP3 cannot say this problem: {found.reason}")
    return found.structure, objective if kept else found.structure.objective


def _join_tours(constraints: Sequence[Constraint]) -> Iterator[Constraint]:
    """A subcircuit, and that it is not empty, as one."""
    present = set(constraints)
    joined = {
        one
        for one in constraints
        if type(one) is SubCircuit and len(one.next) > 1 and some_inside(one.next) in present
    }
    dropped = {some_inside(one.next) for one in joined}
    for one in constraints:
        if one in joined:
            assert isinstance(one, SubCircuit)
            yield Tour(one.next)
        elif one not in dropped:
            yield one


def _without_impossible(
    constraints: Sequence[Constraint], domains: Sequence[Sequence[int]]
) -> Iterator[Constraint]:
    """Tables none of whose tuples can be taken as a comparison that is false: the parser of ACE and
    Choco drops the tuples outside the domains, and then fails if none is left."""
    for one in constraints:
        if isinstance(one, Table) and one.allowed and not _is_possible(one, domains):
            yield Linear((one.terms[0],), (1,), "<", domains[affine(one.terms[0]).variable][0])
        else:
            yield one


def _is_possible(table: Table, domains: Sequence[Sequence[int]]) -> bool:
    over = [domains[affine(term).variable] for term in table.terms]
    open_values = [one if isinstance(one, range) else frozenset(one) for one in over]
    return any(
        all(value == ANY or value in values for value, values in zip(row, open_values, strict=True))
        for row in table.tuples
    )


def _runs_of_tables(constraints: Sequence[Constraint]) -> Iterator[list[Any]]:
    """Neighbours that are tables with the same tuples; every other constraint by itself."""
    run: list[Any] = []
    for one in constraints:
        if run and not (isinstance(one, Table) and _has_rows_of(one, run[0])):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _has_rows_of(one: Table, other: Constraint) -> bool:
    if not isinstance(other, Table) or len(one.terms) != len(other.terms) or not one.tuples:
        return False
    return one.allowed == other.allowed and one.tuples == other.tuples


def _is_said(objective: Objective, structure: Structure) -> bool:
    return is_listed(objective, structure) or is_expression(objective.term, structure.domains)
