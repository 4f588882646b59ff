"""Degenerate cases, folded away before any handler sees them: there solvers disagree most.

Empty lists, lists of one, constants, a constant index, repeats in sums, double negations: each
class says in ``simplified`` what becomes of it once its arguments are simple; this applies it from
within outwards. The result has the same truth value for all integers, undefined terms included.
"""

from __future__ import annotations

from dataclasses import replace

from modelling.constraint import Constraint, Predicate
from modelling.problem import Structure
from modelling.terms import Affine, Function, Term, constant, shortest
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And


def normalise(structure: Structure) -> Structure:
    """``structure`` with simple constraints, one for each part of a conjunction, each once."""
    found: dict[Constraint, None] = {}
    for constraint in structure.constraints:
        simple = simplify(constraint)
        parts = simple.formulas if type(simple) is And else (simple,)
        found.update(dict.fromkeys(parts))
    objective = structure.objective
    if objective is not None and not objective.is_linear:
        objective = type(objective)(objective.sense, simplify_term(objective.term))
    return replace(structure, constraints=tuple(found), objective=objective)


def simplify(constraint: Constraint) -> Constraint:
    """The simplest constraint that says the same; ``TRUE`` or ``FALSE`` where that is known."""
    if not isinstance(constraint, Predicate):
        return _decided(constraint)
    while True:
        if not constraint.is_plain:
            constraint = constraint.rebuilt(simplify_term, simplify)
        if not constraint.scope:
            return _decided(constraint)
        simple = constraint.simplified()
        if simple == constraint or not isinstance(simple, Predicate):
            return simple
        constraint = simple


def _decided(constraint: Constraint) -> Constraint:
    if constraint.scope:
        return constraint
    return TRUE if constraint.holds(()) else FALSE


def simplify_term(term: Term) -> Term:
    """The simplest term of the same value."""
    if isinstance(term, Affine):
        return shortest(term)
    while isinstance(term, Function):
        term = term.rebuilt(simplify_term, simplify)
        if not term.scope:
            value = term.value_at({})
            if value is None:
                return term  # always undefined: the constraint around it will be false
            return constant(value)
        simple = term.simplified()
        if simple == term:
            return term
        term = simple
    return shortest(term) if isinstance(term, Affine) else term
