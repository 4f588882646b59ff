"""Conditions that are known from the domains, folded away: parsers of XCSP3 stumble over them.

ACE 2.6 takes ``ne(x,9)`` for false where ``x`` cannot be 9. It stops at sets with such values, and
at conditions on tasks without length where lengths are variables. Choco stops at distances that are
compared with a negative number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from modelling.constraint import Constraint, Predicate
from modelling.constraints import Linear, Table
from modelling.rewriting import simplify
from modelling.terms import Affine, Function, bounds
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.formulas.clauses import Block, Clauses
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

MANY = 10_000
"""Domains of more values are not looked through."""


def fold(constraint: Constraint, domains: Sequence[Sequence[int]]) -> Constraint:
    """The same without conditions over one variable that all its values fulfil, or none, without
    values of sets that it cannot have, without comparisons that no function can reach, and without
    conditions on tasks without length if all tasks have a length."""
    if isinstance(constraint, GlobalCardinality):
        return _in_order(constraint)
    if type(constraint) is Clauses:
        return _without_units(constraint, domains)
    if isinstance(constraint, NoOverlap | NoOverlap2D):
        constraint = _without_strict(constraint, domains)
    if not isinstance(constraint, Predicate) or constraint.is_plain:
        return constraint

    def in_term(term: Any) -> Any:
        return term.rebuilt(in_term, in_formula) if isinstance(term, Function) else term

    def in_formula(formula: Any) -> Any:
        if not isinstance(formula, Predicate):
            return formula
        if not formula.is_plain:
            formula = formula.rebuilt(in_term, in_formula)
        known = _find_truth(formula, domains)
        if known is not None:
            return known
        if len(formula.scope) != 1 or len(domains[formula.scope[0]]) > MANY:
            return formula
        domain = domains[formula.scope[0]]
        fulfil = [value for value in domain if formula.holds((value,))]
        if len(fulfil) in (0, len(domain)):
            return TRUE if fulfil else FALSE
        return formula if type(formula) is Linear else _say(formula.scope[0], fulfil, domain)

    folded = simplify(constraint.rebuilt(in_term, in_formula))
    return _find_truth(folded, domains) or folded


def _without_units(clauses: Clauses, domains: Sequence[Sequence[int]]) -> Constraint:
    """Without what is known of fixed variables, and with clauses of one literal as conditions: ACE
    2.6 narrows domains by these, and stops at a clause over a domain that is not {0, 1}."""
    fixed = [type(term) is int and len(domains[term]) == 1 for term in clauses.terms]
    terms = tuple(
        Affine(None, 0, domains[term][0]) if known else term  # type: ignore[index]
        for term, known in zip(clauses.terms, fixed, strict=True)
    )
    simpler = replace(clauses, terms=terms).simplified() if any(fixed) else clauses
    if type(simpler) is not Clauses:
        return simpler
    clauses = simpler
    units = [clause[0] for clause in clauses.literals if len(clause) == 1]
    if not units:
        return clauses
    longer = Block(clause for clause in clauses.literals if len(clause) != 1)
    conditions = [
        Linear((clauses.terms[abs(unit) - 1],), (1,), "!=" if unit > 0 else "==", 0)
        for unit in units
    ]
    return And((*conditions, Clauses(clauses.terms, longer).simplified()))


def _in_order(cardinality: GlobalCardinality) -> GlobalCardinality:
    """Where no other values may occur, ACE 2.6 wants those that may in ascending order."""
    pairs = list(zip(cardinality.values, cardinality.counts, strict=True))
    if not cardinality.closed or not pairs:
        return cardinality
    values, counts = zip(*sorted(pairs, key=lambda pair: pair[0]), strict=True)
    return replace(cardinality, values=values, counts=counts)


def _without_strict(
    tasks: NoOverlap | NoOverlap2D, domains: Sequence[Sequence[int]]
) -> NoOverlap | NoOverlap2D:
    if isinstance(tasks, NoOverlap):
        lengths = tasks.lengths
    else:
        lengths = (*tasks.widths, *tasks.heights)
    if not tasks.strict or not all(map(len, domains)):
        return tasks
    take_time = all(bounds(length, domains)[0] > 0 for length in lengths)
    return replace(tasks, strict=False) if take_time else tasks


def _say(variable: int, fulfil: Sequence[int], domain: Sequence[int]) -> Constraint:
    """The condition that a variable has one of some values of its domain."""
    if len(fulfil) == 1:
        return Linear((variable,), (1,), "==", fulfil[0])
    if tuple(domain[: len(fulfil)]) == tuple(fulfil):
        return Linear((variable,), (1,), "<=", fulfil[-1])
    if tuple(domain[-len(fulfil) :]) == tuple(fulfil):
        return Linear((variable,), (1,), ">=", fulfil[0])
    return Table((variable,), tuple([(value,) for value in fulfil]))


def _find_truth(formula: Constraint, domains: Sequence[Sequence[int]]) -> Constraint | None:
    """TRUE or FALSE where a comparison of functions is decided by what they can reach."""
    if type(formula) is not Linear or formula.is_plain or not all(map(len, domains)):
        return None
    low = high = 0
    for term, factor in zip(formula.terms, formula.coefficients, strict=True):
        ends = [factor * end for end in bounds(term, domains)]
        low, high = low + min(ends), high + max(ends)
    constant, relation = formula.constant, formula.relation
    if (
        (relation in ("==", ">=") and high < constant)
        or (relation in ("==", "<=") and low > constant)
        or (relation == ">" and high <= constant)
        or (relation == "<" and low >= constant)
        or (relation == "!=" and low == high == constant)
    ):
        return FALSE
    holds = (
        (relation == ">=" and low >= constant)
        or (relation == "<=" and high <= constant)
        or (relation == ">" and low > constant)
        or (relation == "<" and high < constant)
        or (relation == "!=" and not low <= constant <= high)
        or (relation == "==" and low == high == constant)
    )
    return TRUE if holds and all(map(_is_total, formula.parts())) else None


def _is_total(part: Any) -> bool:
    """Whether a function has a value wherever its terms have."""
    return not part.guards() and all(
        _is_total(within) for within in part.parts() if isinstance(within, Function)
    )
